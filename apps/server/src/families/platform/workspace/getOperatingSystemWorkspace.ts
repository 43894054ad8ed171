import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { type Scheduled, schedulesOf, schedulesStatements } from '../../../jobs/schedules.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { integerOf, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { findStatement } from '../../../store/records/find.ts'

const known = { exceptStatus: ['REVOKED'] }

export default handle(
  contract.getOperatingSystemWorkspace,
  async ({ organizationId, actor, records, services }): Promise<Outcome> => {
    const { schedules } = await services.families()
    // Every member's workspace counts the same records.
    const counts = await services.heavyReads.read(`counts ${organizationId}`, () =>
      services.recordCounts.read(organizationId, (statements) => records.query(statements)),
    )
    const [organizations, providers, jobs, ...scheduleRows] = await records.query([
      sql`select id, name, created_at from organizations where id = ${organizationId}`,
      findStatement(organizationId, 'Provider', {
        ...known,
        order: 'OLDEST',
        limit: limits.workspaceProviders,
      }),
      sql`select count(*) as number from jobs where organization_id = ${organizationId}
        and status in ('QUEUED', 'RUNNING')`,
      ...schedulesStatements(schedules, organizationId),
    ])
    const organization = organizations?.[0] ?? {}
    const scheduled = await schedulesOf(schedules, records, services, scheduleRows)
    return {
      data: {
        organization: {
          id: organizationId,
          name: textOf(organization, 'name'),
          createdAt: new Date(integerOf(organization, 'created_at')).toISOString(),
        },
        actor: { kind: actor.kind, id: actor.id },
        role: actor.role,
        permissions: [...actor.permissions],
        counts,
        providers: records.opened<ProviderPayload>(providers ?? []).map(providerLine),
        openJobs: integerOf(jobs?.[0] ?? {}, 'number'),
        schedules: scheduled.slice(0, limits.workspaceSchedules).map(scheduleLine),
        checklist: await checklist(services, counts),
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

function scheduleLine({ task, subject, everySeconds, ...timing }: Scheduled) {
  const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return {
    task,
    subject,
    everySeconds,
    state: timing.state,
    lagSeconds: timing.lagSeconds,
    lastSuccessAt: timeOf(timing.succeededAt),
    nextAt: timeOf(timing.nextAt),
    cause: timing.cause,
  }
}

/** Setup steps in order of dependency. */
async function checklist(
  { families }: Pick<Services, 'families'>,
  counts: Readonly<Record<string, number>>,
) {
  const { checklist: items } = await families()
  return items.map(({ code, type, title, why, operationId }) => ({
    code,
    done: (counts[type] ?? 0) > 0,
    title,
    why,
    operationId,
  }))
}
