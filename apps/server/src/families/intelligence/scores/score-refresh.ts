import type { Schedule } from '../../../family-parts.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import { sql } from '../../../store/database/sql.ts'
import type { ScorePayload } from './active-score.ts'

/**
 * Refreshes an active score before it expires, if an operator enabled it. The new score replaces
 * it.
 */
export const scoreRefresh: Schedule = {
  task: 'SCORE_REFRESH',
  type: 'MarketQualityScore',
  activeStatus: 'ACTIVE',
  inactiveStatuses: [],
  appliesTo: (payload) => (payload as ScorePayload).keepActive === true,
  everySeconds: (_, { scoreRefreshSeconds }) => scoreRefreshSeconds,
  refreshes: sql`j.result::jsonb ->> 'isActivated' = 'true'`,
  queue: async (records, scoreId) => {
    const current = await records.current<ScorePayload>('MarketQualityScore', scoreId)
    if (current?.record.status !== 'ACTIVE') return null
    return queueRun(records, 'SCORE_REFRESH', current.record)
  },
}
