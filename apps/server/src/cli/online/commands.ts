import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { AdministrationError } from '../../access/administration.ts'
import type { Terminal } from '../terminal.ts'

interface Line {
  readonly terminal: Terminal
  readonly printResult: <T>(
    options: { json?: boolean },
    result: T,
    lines: (result: T) => readonly string[],
  ) => void
}

const json = () => new Option('--json', 'print one JSON object instead of text')
const profile = () => new Option('--profile <name>', 'use this profile instead of the current one')
const several = (value: string, before: readonly string[]) => [...before, value]

/** Commands that call a running deployment over HTTP, from any machine. */
export function addOnline(program: Command, line: Line): void {
  addProfiles(program, line)
  addRequests(program, line)
  addListening(program, line)
}

function addProfiles(
  program: Command,
  { terminal: { environment, stdin }, printResult }: Line,
): void {
  const profiles = program
    .command('profile')
    .description('manage deployments and credentials for online commands')
  profiles
    .command('add')
    .description('save a deployment under a name; reads its API key from standard input')
    .argument('<name>')
    .requiredOption('--url <url>', 'where it is, such as https://liquidity.example.org')
    .requiredOption('--organization <id>', 'the organization')
    .addHelpText(
      'after',
      '\nExample:\n  liquidity profile add main --url https://liquidity.example.org --organization org_… < key.txt\n\nThe key lies in ~/.config/liquidity/profiles.json, which only you may read.',
    )
    .action(async (name, { url, organization }) => {
      const token = (await text(stdin)).trim()
      if (token === '') throw new AdministrationError('Standard input contains no API key.')
      if (!URL.canParse(url)) throw new AdministrationError(`${url} is not a URL.`)
      const { addProfile, profilesPath } = await import('./profiles.ts')
      addProfile(environment, name, { baseUrl: url, organizationId: organization, token })
      printResult({}, name, () => [
        `${name} is the current profile; saved in ${profilesPath(environment)}.`,
      ])
    })
  profiles
    .command('list')
    .description('list the profiles; a star marks the current one')
    .addOption(json())
    .action(async (options) => {
      const { readProfiles } = await import('./profiles.ts')
      const { current, profiles: stored } = readProfiles(environment)
      // A key is never printed.
      const found = Object.entries(stored).map(([name, { baseUrl, organizationId }]) => ({
        name,
        baseUrl,
        organizationId,
        isCurrent: name === current,
      }))
      printResult(options, { profiles: found }, () =>
        found.length === 0
          ? ['No profiles. See liquidity profile add --help.']
          : found.map(
              (one) =>
                `${one.isCurrent ? '*' : ' '} ${one.name}  ${one.organizationId} at ${one.baseUrl}`,
            ),
      )
    })
  profiles
    .command('use')
    .description('make a profile the current one')
    .argument('<name>')
    .action(async (name) => {
      const { useProfile } = await import('./profiles.ts')
      useProfile(environment, name)
      printResult({}, name, () => [`${name} is the current profile.`])
    })
  profiles
    .command('remove')
    .description('delete a profile and its local key; the key stays valid until you revoke it')
    .argument('<name>')
    .action(async (name) => {
      const { removeProfile } = await import('./profiles.ts')
      removeProfile(environment, name)
      printResult({}, name, () => [`${name} is deleted.`])
    })
}

function addRequests(program: Command, { terminal, printResult: tell }: Line): void {
  const { environment, stdin, stdout } = terminal
  program
    .command('api')
    .description('call any operation of the contract, by ID or by method and path')
    .argument('<operation>', 'an operation such as listVenues, or a method')
    .argument('[path]', 'with a method: a path such as /venues')
    .option('-q, --query <name=value>', 'of path or query; may be repeated', several, [])
    .option('-d, --data <json>', 'the body: JSON, @file, or - for the standard input')
    .option('--if-match <version>', 'the resourceVersion that was reviewed')
    .option('--key <key>', 'idempotency key. Default: random')
    .addOption(profile())
    .addHelpText(
      'after',
      '\nExamples:\n  liquidity api GET /venues -q limit=2\n  liquidity api getStudies -q id=study_…\n  liquidity api POST /studies --data @study.json\n\nPrints the response as JSON. Prints an error with its fields and exits with status 1.',
    )
    .action(async (first, path, options) => {
      const { profileOf } = await import('./profiles.ts')
      const { askApi } = await import('./api.ts')
      const { body } = await askApi(
        profileOf(environment, options.profile),
        {
          first,
          path,
          pairs: options.query,
          data: options.data,
          ifMatch: options.ifMatch,
          key: options.key,
        },
        stdin,
      )
      if (body instanceof Uint8Array) stdout.write(body)
      else stdout.write(`${JSON.stringify(body, null, 2)}\n`)
    })
  program
    .command('list')
    .description('show the latest records of a family as a table')
    .argument('<family>', 'such as venues, studies, vaults')
    .option('--status <status>', 'filter by state')
    .option('--limit <count>', 'maximum number of rows', '20')
    .addOption(profile())
    .addOption(json())
    .addHelpText('after', '\nExample:\n  liquidity list venues --status VALIDATED')
    .action(async (family, options) => {
      const { profileOf } = await import('./profiles.ts')
      const { cellOf, listRecords } = await import('./list.ts')
      const { tableOf } = await import('./table.ts')
      const query = { status: options.status, limit: options.limit }
      const requested = profileOf(environment, options.profile)
      const { page, columns } = await listRecords(requested, family, query)
      const rows = page.data.map((record) => columns.map((column) => cellOf(record, column)))
      const width = (stdout as { columns?: number }).columns ?? 120
      tell(options, page, () => [
        ...tableOf(
          columns.map((one) => one.split('.').at(-1) ?? one),
          rows,
          width,
        ),
        page.meta.hasMore
          ? `${page.meta.count} rows shown; more exist.`
          : `${page.meta.count} rows.`,
      ])
    })
}

function addListening(program: Command, { terminal }: Line): void {
  const { environment, stdout, stderr } = terminal
  program
    .command('listen')
    .description('follow events of the organization and forward them as webhooks')
    .option('--kind <kind>', 'filter by event kind')
    .option('--from-start', 'from the first event on, instead of from now')
    .option('--forward <url>', 'post each event there, such as http://localhost:3000/hook')
    .option('--secret <secret>', 'sign forwarded events with this whsec_… secret')
    .option('--every <seconds>', 'poll interval', '2')
    .addOption(profile())
    .addOption(json())
    .addHelpText(
      'after',
      '\nExample:\n  liquidity listen --forward http://localhost:3000/hook --secret whsec_…\n\nA program under development gets what a webhook would bring it, without a public address. Ends with Ctrl-C.',
    )
    .action(async (options) => {
      const { profileOf } = await import('./profiles.ts')
      const { listen } = await import('./listen.ts')
      const ending = new AbortController()
      const end = () => ending.abort()
      process.once('SIGINT', end)
      process.once('SIGTERM', end)
      stderr.write('Listening; Ctrl-C ends it.\n')
      try {
        await listen(profileOf(environment, options.profile), {
          kind: options.kind,
          forward: options.forward,
          secret: options.secret,
          fromStart: options.fromStart ?? false,
          signal: ending.signal,
          everyMilliseconds: Math.max(0.1, Number(options.every) || 2) * 1000,
          onEvent: (event, delivered) => {
            const { occurredAt, kind, subject } = event
            const sent = delivered === null ? '' : `  → ${delivered}`
            const words = `${occurredAt}  ${kind}  ${subject.id}${sent}`
            stdout.write(`${options.json ? JSON.stringify({ event, delivered }) : words}\n`)
          },
        })
      } finally {
        process.off('SIGINT', end)
        process.off('SIGTERM', end)
      }
    })
}
