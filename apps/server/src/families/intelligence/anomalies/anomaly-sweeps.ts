import { H } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { ConflictError } from '../../../store/database/database.ts'
import { integerOf, type Row, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { createdAtOf, headsStatement } from '../../../store/records/find.ts'

/**
 * Queues a sweep for each organization with new observations since its last sweep, at most one per
 * interval. The job name contains the interval, so several servers queue it once.
 */
export async function queueSweeps(
  services: Pick<Services, 'clock' | 'committer' | 'config' | 'database'>,
): Promise<void> {
  const { database, clock, config } = services
  if (config.anomalySweepSeconds === 0) return
  for (let after = ''; ; ) {
    const [organizations = []] = await database.dispatch([
      sql`select id from organizations where id > ${after} order by id limit ${limits.sweptOrganizations}`,
    ])
    const ids = organizations.map((row) => textOf(row, 'id'))
    const now = clock()
    const answers = await database.tenants(
      ids.map((organizationId) => ({
        organizationId,
        statements: [
          headsStatement(organizationId, 'VenueObservation', { status: ['COMPLETED'], limit: 1 }),
          sql`select created_at, status from jobs where organization_id = ${organizationId}
            and kind = 'ANOMALY_SWEEP' order by created_at desc limit 1`,
        ],
      })),
    )
    for (const [index, organizationId] of ids.entries()) {
      const [newest, last] = [answers[index]?.[0]?.[0], answers[index]?.[1]?.[0]]
      if (!newest || !isDue(services, textOf(newest, 'id'), last, now)) continue
      await queue(services, organizationId, newest, now)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < limits.sweptOrganizations) return
    after = last
  }
}

/**
 * True if new observations were sealed since the last sweep was queued, at least one interval ago.
 */
function isDue(
  { config }: Pick<Services, 'config'>,
  observationId: string,
  last: Row | undefined,
  now: number,
) {
  if (!last) return true
  if (last.status === 'QUEUED' || last.status === 'RUNNING') return false
  const queuedAt = integerOf(last, 'created_at')
  const sealedAt = createdAtOf(observationId)
  return sealedAt >= queuedAt && now - queuedAt >= config.anomalySweepSeconds * 1000
}

async function queue(
  { committer, config }: Pick<Services, 'committer' | 'config'>,
  organizationId: string,
  newest: Row,
  now: number,
): Promise<void> {
  const interval = config.anomalySweepSeconds * 1000
  const slot = Math.floor(now / interval) * interval
  const digits = H('anomaly-sweep/v1', { organizationId, slot }).slice(2, 21)
  const subject = {
    resourceType: 'VenueObservation',
    id: textOf(newest, 'id'),
    resourceVersion: textOf(newest, 'resource_version'),
  }
  const jobId = `job_${slot.toString(16).padStart(12, '0')}7${digits}`
  try {
    await committer.commit({
      ...emptyChange(organizationId, now),
      jobs: [{ id: jobId, kind: 'ANOMALY_SWEEP', subject, input: {} }],
    })
  } catch (error) {
    // Another server queued it first.
    if (!(error instanceof ConflictError)) throw error
  }
}
