import type { Schedule } from '../../../family-parts.ts'
import { queueRun } from '../../../jobs/queue-run.ts'
import { sql } from '../../../store/database/sql.ts'
import type { ScorePayload } from './active-score.ts'

/** A score that an operator keeps active is measured again before it expires; the next one follows in its place. */
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
