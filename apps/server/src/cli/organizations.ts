import { roles } from '@liquidity-os/contract/outline'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CommandResult } from './commands.ts'
import { inOrganization, json, type Line } from './line.ts'
import { tableOf } from './online/table.ts'

const reason = () => new Option('--reason <text>', 'reason, stored with the change')
const reasonIn = (options: { reason?: string }) =>
  options.reason === undefined ? {} : { reason: options.reason }
const role = () => new Option('--role <role>', 'role of the member').choices(roles)

/** Organizations. */
export function addOrganizations(program: Command, line: Line): void {
  const { ask, printResult } = line
  const organization = program.command('org').description('organizations')
  organization
    .command('create')
    .description('create an organization with its first owner')
    .argument('<name>', 'its name')
    .requiredOption('--owner <email>', 'e-mail address of the first owner')
    .option('--id <id>', 'organization ID. Default: random')
    .addOption(json())
    .addHelpText('after', '\nExample:\n  liquidity org create "ENS DAO" --owner ada@example.org')
    .action(async (name, options) => {
      const input = { name, owner: options.owner, ...(options.id ? { id: options.id } : {}) }
      printResult(options, await ask('org.create', input), ({ organizationId, owner }) => [
        `Created ${organizationId}; ${owner.email} is its owner.`,
        `Sign in: liquidity session link ${owner.email}`,
      ])
    })
  addQuotas(organization, line)
}

function addQuotas(organization: Command, { ask, printResult: tell }: Line): void {
  organization
    .command('usage')
    .description('show storage use and quota by organization, highest use first')
    .option('--organization <id>', 'only this organization')
    .addOption(
      new Option('--most <count>', 'maximum number of rows')
        .default(20, '20')
        .argParser(count('--most')),
    )
    .addOption(json())
    .action(async (options) => {
      const input = { organizationId: options.organization ?? null, max: options.most }
      tell(options, await ask('org.usage', input), quotaLines)
    })
  organization
    .command('limit')
    .description('set the storage quota of one organization, instead of MAX_ORGANIZATION_BYTES')
    .argument('<bytes>', 'quota in bytes, or default for MAX_ORGANIZATION_BYTES', bytesOrDefault)
    .addOption(inOrganization())
    .addOption(json())
    .addHelpText(
      'after',
      '\nExample:\n  liquidity org limit 50000000000 --organization org_…\n\nAll nodes and workers apply it within seconds.',
    )
    .action(async (maxBytes: number | null, options) => {
      const input = { organizationId: options.organization, maxBytes }
      tell(options, await ask('org.limit', input), quotaLines)
    })
}

/** Null selects the deployment default. */
const bytesOrDefault = (text: string) => (text === 'default' ? null : count('<bytes>')(text))

const count = (name: string) => (text: string) => {
  const value = Number(text)
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError(
    `${name} is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}${name === '<bytes>' ? ', or default' : ''}; got "${text}".`,
  )
}

function quotaLines({ organizations }: CommandResult<'org.usage'>): string[] {
  const rows = organizations.map(({ keptBytes, mostBytes: maxBytes, isOwn, measuredAt, ...of }) => {
    const isCounted = keptBytes !== null && maxBytes !== null
    const share = isCounted ? `${((100 * keptBytes) / maxBytes).toFixed(1)} %` : ''
    const max = maxBytes === null ? 'unlimited' : `${maxBytes}${isOwn ? ' (its own)' : ''}`
    const usage = keptBytes === null ? 'not counted' : String(keptBytes)
    return [of.organizationId, usage, max, share, measuredAt ?? 'never', of.name]
  })
  const columns = ['ORGANIZATION', 'USED', 'QUOTA', 'SHARE', 'MEASURED', 'NAME']
  // No truncation: a truncated ID would be useless.
  return tableOf(columns, rows, Number.POSITIVE_INFINITY)
}

function removalLines({ email, revoked, paused, unchanged }: CommandResult<'member.remove'>) {
  const lines = (label: string, some: typeof revoked) =>
    some.map(({ resourceType, id, title }) => `${label} ${resourceType} ${id}: ${title}`)
  return [
    `${email} was removed.`,
    ...lines('Revoked  ', revoked),
    ...lines('Paused   ', paused),
    ...lines('Review   ', unchanged),
  ]
}

export function addMembers(program: Command, { ask, printResult: tell }: Line): void {
  const member = program.command('member').description('members of an organization')
  member
    .command('add')
    .description('add a member by email address')
    .argument('<email>')
    .addOption(inOrganization())
    .addOption(role().default('VIEWER'))
    .addOption(json())
    .action(async (email, options) => {
      const input = { organizationId: options.organization, email, role: options.role }
      tell(options, await ask('member.add', input), (added) => [
        `${added.email} is now ${added.role}.`,
      ])
    })
  member
    .command('role')
    .description('change the role of a member')
    .argument('<email>')
    .addOption(inOrganization())
    .addOption(role().makeOptionMandatory())
    .addOption(reason())
    .addOption(json())
    .action(async (email, options) => {
      const input = {
        organizationId: options.organization,
        email,
        role: options.role,
        ...reasonIn(options),
      }
      tell(options, await ask('member.add', input), (changed) => [
        `${changed.email} is now ${changed.role}.`,
      ])
    })
  member
    .command('remove')
    .description(
      'remove a member: revoke their credentials and share links, pause their webhooks, feeds and schedules',
    )
    .argument('<email>')
    .addOption(inOrganization())
    .addOption(reason())
    .addOption(json())
    .action(async (email, options) => {
      const input = { organizationId: options.organization, email, ...reasonIn(options) }
      tell(options, await ask('member.remove', input), removalLines)
    })
  member
    .command('list')
    .description('list the members and pending invitations')
    .addOption(inOrganization())
    .addOption(json())
    .action(async (options) => {
      const input = { organizationId: options.organization }
      tell(options, await ask('member.list', input), ({ members, invitations }) => [
        ...members.map((found) => `${found.role.padEnd(15)} ${found.email}`),
        ...invitations.map(
          ({ role, email, expiresAt }) =>
            `${role.padEnd(15)} ${email} (invited, expires ${expiresAt})`,
        ),
      ])
    })
}
