import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import type { Database } from '../store/database/database.ts'
import { integerOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import { dayMilliseconds } from '../units.ts'

/**
 * Purges expired data: old responses, budget windows, scheduled runs, links and sessions, but no
 * records. Each query uses an index on the creation time.
 */
export async function purge({
  config,
  database,
  clock,
  families,
  log,
}: Pick<Services, 'clock' | 'config' | 'database' | 'families' | 'log'>): Promise<void> {
  const now = clock()
  const { retention, schedules } = await families()
  await database.dispatch([
    sql`delete from idempotency where created_at < ${now - config.idempotencyRetentionDays * dayMilliseconds}`,
    sql`delete from budgets where window_start < ${now - 2 * limits.budgetWindowSeconds * 1000}`,
    sql`delete from invitations where expires_at < ${now}`,
    ...retention.flatMap((forget) => forget(now)),
  ])
  await database.global([
    sql`delete from sign_in_links where expires_at < ${now - limits.endedSessionRetentionMilliseconds}`,
    sql`delete from sessions where expires_at < ${now - limits.endedSessionRetentionMilliseconds}`,
    sql`delete from known_browsers where seen_at < ${now - limits.knownBrowserMilliseconds}`,
    sql`delete from rate_windows where window_start < ${now - limits.rateWindowRetentionMilliseconds}`,
  ])
  const runs = schedules.map(({ task, refreshes }) => ({
    task,
    ended: endedRuns(task, refreshes, now),
  }))
  for (const { task, ended } of [...runs, { task: 'ANOMALY_SWEEP', ended: endedSweeps(now) }]) {
    try {
      await purgeRuns(database, ended)
    } catch (error) {
      // A failing task must not block the purge of others.
      log.warn({ err: error, task }, 'Could not purge the runs of a task.')
    }
  }
}

/** Deletes jobs, a bounded number at a time: after an upgrade there may be millions. */
async function purgeRuns(database: Database, ended: Sql): Promise<void> {
  for (;;) {
    const [rows = []] = await database.dispatch([
      sql`with gone as (delete from jobs where (organization_id, id) in (
          select organization_id, id from (${ended}) as ended limit ${limits.purgedJobs}) returning id)
        select count(*) as number from gone`,
    ])
    if (integerOf(rows[0] ?? {}, 'number') < limits.purgedJobs) return
  }
}

/**
 * Expired schedule runs. Retains the newest success per subject and all later runs. A failure stays
 * as long as its alert, and so does the success that ended it.
 */
function endedRuns(task: string, refreshes: Sql, now: number): Sql {
  const afterFailure = sql`coalesce((select earlier.status from jobs earlier
    where earlier.organization_id = e.organization_id and earlier.kind = e.kind and earlier.subject_id = e.subject_id
    and earlier.created_at < e.created_at order by earlier.created_at desc limit 1), '') = 'FAILED'`
  return sql`select e.organization_id, e.id from jobs e where e.kind = ${task}
    and e.created_at < ${now - limits.runRetentionMilliseconds}
    and (e.status = 'COMPLETED' and not ${afterFailure}
      or e.status not in ('QUEUED', 'RUNNING') and e.created_at < ${now - limits.alertsResolvedMilliseconds})
    and exists (select from jobs j where j.organization_id = e.organization_id and j.kind = e.kind
      and j.subject_id = e.subject_id and j.created_at > e.created_at and j.status = 'COMPLETED' and ${refreshes})`
}

/** Expired anomaly sweeps; retains the newest per organization. */
function endedSweeps(now: number): Sql {
  return sql`select e.organization_id, e.id from jobs e where e.kind = 'ANOMALY_SWEEP'
    and e.created_at < ${now - limits.alertsResolvedMilliseconds} and e.status not in ('QUEUED', 'RUNNING')
    and exists (select from jobs later where later.organization_id = e.organization_id and later.kind = e.kind
      and later.created_at > e.created_at and later.status = 'COMPLETED')`
}

export const purging = { what: 'purge', everyMilliseconds: limits.purgeMilliseconds, run: purge }
