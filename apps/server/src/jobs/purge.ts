import { expireScores } from '../families/intelligence/scores/score-expiry.ts'
import { evaluateIncentives } from '../families/operate/incentive-programs/incentive-evaluation.ts'
import { expireMigrations } from '../families/operate/migration-plans/migration-deadline.ts'
import { expireAllocationPlans } from '../families/plan/allocation-plans/plan-expiry.ts'
import { expireStrategyAdmissions } from '../families/plan/strategies/admission-expiry.ts'
import { expireStudyShares } from '../families/simulate/study-shares/share-expiry.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { sql } from '../store/database/sql.ts'

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
