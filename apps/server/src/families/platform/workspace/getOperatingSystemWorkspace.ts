import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { ProviderPayload } from '../../../outside/providers/chain-providers.ts'
import { sql } from '../../../store/database/sql.ts'
import { countsStatement, findStatement } from '../../../store/records/find.ts'
import { idPrefixes, type ResourceType } from '../../../store/records/resource-types.ts'

const mostProviders = 100
const known = { exceptStatus: ['REVOKED'] }

export default handle(
  contract.getOperatingSystemWorkspace,
  async ({ organizationId, actor, records }): Promise<Outcome> => {
    const [organizations, heads, providers, jobs] = await records.query([
      sql`select id, name, created_at from organizations where id = ${organizationId}`,
      countsStatement(organizationId),
      findStatement(organizationId, 'Provider', {
        ...known,
        order: 'OLDEST',
        limit: mostProviders,
      }),
      sql`select count(*) as number from jobs where organization_id = ${organizationId}
        and status in ('QUEUED', 'RUNNING')`,
    ])
    const byPrefix = new Map((heads ?? []).map((row) => [row.prefix, Number(row.number)]))
    const counts = Object.fromEntries(
      Object.entries(idPrefixes).map(([type, prefix]) => [type, byPrefix.get(prefix) ?? 0]),
    ) as Record<ResourceType, number>
    const organization = organizations?.[0]
    return {
      data: {
        organization: {
          id: organizationId,
          name: organization?.name ?? '',
          createdAt: new Date(Number(organization?.created_at ?? 0)).toISOString(),
        },
        actor: { kind: actor.kind, id: actor.id },
        role: actor.role,
        permissions: [...actor.permissions],
        counts,
        providers: records.opened<ProviderPayload>(providers ?? []).map(providerLine),
        openJobs: Number(jobs?.[0]?.number ?? 0),
        checklist: checklist(counts),
      },
    }
  },
)

function providerLine({ status, payload }: VersionedRecord<ProviderPayload>) {
  return {
    providerId: payload.providerId,
    kind: payload.kind,
    status,
    probedAt: payload.probe?.at ?? null,
  }
}

/** What to do next, in the order in which one thing needs the other. */
function checklist(counts: Readonly<Record<ResourceType, number>>) {
  const item = (code: string, done: boolean, title: string, why: string, operationId: string) => ({
    code,
    done,
    title,
    why,
    operationId,
  })
  return [
    item(
      'REGISTER_CHAIN_PROVIDER',
      counts.Provider > 0,
      'Register a chain provider',
      'Everything that is measured is read from a chain at a final block.',
      'putOperatingSystemProvider',
    ),
    item(
      'CREATE_VENUE',
      counts.VenueProfile > 0,
      'Describe the first venue of the token',
      'A venue is the verified identity of a market.',
      'createVenues',
    ),
    item(
      'INDEX_VENUE',
      counts.VenueObservation > 0,
      'Index the venue',
      'An observation proves that the recorded events lead from one state to the next.',
      'queueVenueIndex',
    ),
    item(
      'RUN_STUDY',
      counts.SimulationStudy > 0,
      'Run the first study',
      'It shows what a way of providing liquidity would have earned and delivered.',
      'createStudies',
    ),
    item(
      'ISSUE_CREDENTIAL',
      counts.DeveloperCredential > 0,
      'Issue a developer credential',
      'Your own systems read results with it.',
      'createDeveloperCredentials',
    ),
    item(
      'REGISTER_WEBHOOK',
      counts.Webhook > 0,
      'Register a webhook',
      'You hear of every change without asking.',
      'createWebhooks',
    ),
  ]
}
