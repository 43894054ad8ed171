import type { Services } from '../context.ts'
import { sql } from '../database/sql.ts'
import { limits } from '../limits.ts'
import { expireAllocationPlans } from './allocation-plan-expiry.ts'
import { evaluateIncentives } from './incentive-evaluation.ts'
import { expireMigrations } from './migration-deadline.ts'
import { expireScores } from './score-expiry.ts'
import { expireStrategyAdmissions } from './strategy-admission-expiry.ts'
import { expireStudyShares } from './study-share-expiry.ts'

const hour = 3_600_000
const day = 24 * hour

/** Removes what has served its time: old answers, budget windows, links and sessions. Records never. */
export async function purge({ config, database, clock }: Services): Promise<void> {
  const now = clock()
  await database.dispatch([
    sql`delete from idempotency where created_at < ${now - config.idempotencyRetentionDays * day}`,
    sql`delete from budgets where window_start < ${now - 2 * limits.budgetWindowSeconds * 1000}`,
    sql`delete from study_batches where created_at < ${now - 7 * day}`,
  ])
  await database.global([
    sql`delete from sign_in_links where expires_at < ${now - day}`,
    sql`delete from sessions where expires_at < ${now - day}`,
    sql`delete from rate_windows where window_start < ${now - 2 * hour}`,
  ])
}

/** What ends by itself. */
const endings = {
  studyShares: expireStudyShares,
  strategyAdmissions: expireStrategyAdmissions,
  allocationPlans: expireAllocationPlans,
  migrations: expireMigrations,
  scores: expireScores,
  incentives: evaluateIncentives,
}

/** Purges and expires now and every hour. */
export function startPurge(services: Services): () => void {
  const run = () => {
    void purge(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'The purge failed; it is repeated in an hour.'),
    )
    for (const [what, expire] of Object.entries(endings)) {
      void expire(services).catch((error: unknown) =>
        services.log.warn({ err: error, what }, 'What ran out was not ended; repeated in an hour.'),
      )
    }
  }
  const timer = setInterval(run, hour)
  timer.unref()
  run()
  return () => clearInterval(timer)
}
