import type { Role } from '@liquidity-os/contract'
import {
  AdministrationError,
  addMember,
  createOrganization,
  createSignInLink,
  forgetPasskeys,
  listMembers,
  requireOrganization,
} from '../access/administration.ts'
import { listInvitations } from '../access/invitations.ts'
import { listQuotas, setQuota } from '../access/organization-quotas.ts'
import { removeMember } from '../access/remove-member.ts'
import { Sealing } from '../access/sealing.ts'
import { publishedKeys, SigningKeys } from '../access/signing-keys.ts'
import type { Config } from '../config.ts'
import { rebuildPoints } from '../families/intelligence/venues/api.ts'
import { readStoredLogKeys } from '../families/prove/proof/api.ts'
import { rotateLogKey } from '../families/prove/proof/rotate-log-key.ts'
import { verifyLog } from '../families/prove/proof/verify-log.ts'
import { loadFamilies } from '../families.ts'
import type { VerifiedHistory } from '../history/verified-until.ts'
import {
  hostFault,
  sealProviderSecret,
  secretFault,
} from '../integrations/providers/provider-secret.ts'
import { listDeliveries, resendMessage } from '../integrations/webhooks/webhook-deliveries.ts'
import { Artifacts } from '../store/artifacts/artifacts.ts'
import type { Database } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'
import { Committer } from '../store/records/committer.ts'
import { VerifiedTexts } from '../store/records/verified-texts.ts'
import { verifyHistory } from '../whole-history.ts'

export interface CommandContext {
  database: Database
  config: Config
  now: number
}

const operator = { kind: 'SYSTEM', id: 'operator' } as const

/**
 * Administrative commands by name. They run in the process that owns the database: the CLI, or a
 * running service through its control socket.
 */
export const commands = {
  migrate: async ({ database }: CommandContext, _input: Record<string, never>) => ({
    applied: await migrate(database),
  }),
  'org.create': (
    { database, now }: CommandContext,
    input: { name: string; owner: string; id?: string },
  ) => createOrganization(database, input, now),
  'org.usage': async (
    { database, config }: CommandContext,
    input: { organizationId: string | null; max: number },
  ) => ({ organizations: await listQuotas(database, config.maxOrganizationBytes, input) }),
  'org.limit': async (
    { database, config }: CommandContext,
    input: { organizationId: string; maxBytes: number | null },
  ) => {
    await setQuota(database, config.maxOrganizationBytes, input)
    const { organizationId } = input
    const of = { organizationId, max: 1 }
    return { organizations: await listQuotas(database, config.maxOrganizationBytes, of) }
  },
  'member.add': (
    { database, now }: CommandContext,
    { reason, ...input }: { organizationId: string; email: string; role: Role; reason?: string },
  ) =>
    addMember(
      database,
      { ...input, author: { changedBy: operator.id, reason: reason ?? null } },
      now,
    ),
  'member.remove': async (
    { database, config, now }: CommandContext,
    input: { organizationId: string; email: string; reason?: string },
  ) => {
    const { departures } = await loadFamilies()
    const context = {
      database,
      departures,
      committer: new Committer(database),
      verified: new VerifiedTexts(),
      artifacts: new Artifacts(database, config),
    }
    const requested = { ...input, actor: operator }
    return { removed: input.email, ...(await removeMember(context, requested, now)) }
  },
  'member.list': async ({ database, now }: CommandContext, input: { organizationId: string }) => {
    const { organizationId } = input
    await requireOrganization(database, organizationId)
    const members = await listMembers(database, organizationId)
    return { members, invitations: await listInvitations(database, organizationId, now) }
  },
  'session.link': ({ database, config, now }: CommandContext, input: { email: string }) =>
    createSignInLink(database, { email: input.email, baseUrl: config.baseUrl }, now),
  'passkey.forget': ({ database }: CommandContext, input: { email: string }) =>
    forgetPasskeys(database, input),
  'secret.seal': async (
    { database, config }: CommandContext,
    { secret, ...place }: { organizationId: string; host: string; secret: string },
  ) => {
    await requireOrganization(database, place.organizationId)
    const fault = hostFault(place.host) ?? secretFault(secret)
    if (fault)
      throw new AdministrationError(`The ${hostFault(place.host) ? 'host' : 'secret'} ${fault}.`)
    const sealing = new Sealing(config.sealingKeys)
    return { credentialReference: sealProviderSecret(sealing, place, secret) }
  },
  'webhook.deliveries': async (
    { database }: CommandContext,
    input: { organizationId: string; webhookId: string | null },
  ) => {
    await requireOrganization(database, input.organizationId)
    return { deliveries: await listDeliveries(database, input) }
  },
  'webhook.resend': async (
    { database, now }: CommandContext,
    input: { organizationId: string; messageId: string },
  ) => ({ resent: await resendMessage(database, input, now) }),
  'artifact.read': async (
    { database, config }: CommandContext,
    { organizationId, contentHash }: { organizationId: string; contentHash: string },
  ) => {
    const bytes = await new Artifacts(database, config).find(organizationId, contentHash)
    if (!bytes) throw new AdministrationError(`${organizationId} has no artifact ${contentHash}.`)
    return { contentHash, byteLength: bytes.length, base64: bytes.toString('base64') }
  },
  'signing-key.list': async ({ database }: CommandContext, _input: Record<string, never>) => ({
    keys: await publishedKeys(database),
  }),
  'log-key.list': async ({ database }: CommandContext, _input: Record<string, never>) => {
    const stored = await readStoredLogKeys(database)
    return {
      origin: stored?.origin ?? null,
      keys: await publishedKeys(database, 'log'),
      handovers: stored?.handovers ?? [],
    }
  },
  'log-key.rotate': ({ database, config, now }: CommandContext, _input: Record<string, never>) => {
    const logKeys = new SigningKeys(database, new Sealing(config.sealingKeys), 'log')
    return rotateLogKey({ database, logKeys }, now)
  },
  'verify-log': (
    { database, config }: CommandContext,
    { knownCheckpoint }: { knownCheckpoint: string | null },
  ) => verifyLog(database, knownCheckpoint, config.logWitnesses),
  'rebuild.market-points': async (
    { database }: CommandContext,
    { organizationId }: { organizationId: string | null },
  ) => {
    if (organizationId !== null) await requireOrganization(database, organizationId)
    return rebuildPoints(database, organizationId)
  },
  'verify-history': async (
    { database, config }: CommandContext,
    input: { organizationId: string | null; since: VerifiedHistory | null },
  ) => {
    // A mistyped organization has no history. That must not look like an intact history.
    if (input.organizationId !== null) await requireOrganization(database, input.organizationId)
    const artifacts = new Artifacts(database, config)
    return verifyHistory(database, input.organizationId, artifacts, input.since)
  },
} as const

export type CommandName = keyof typeof commands
export type CommandInput<N extends CommandName> = Parameters<(typeof commands)[N]>[1]
export type CommandResult<N extends CommandName> = Awaited<ReturnType<(typeof commands)[N]>>
