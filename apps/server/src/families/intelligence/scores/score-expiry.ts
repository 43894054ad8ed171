import { overdueNames } from '../../../jobs/overdue.ts'
import { scoreDueName } from './active-score.ts'
import { scores } from './records.ts'

/** Expires scores seven days after the end of their windows. */
export const expireScores = scores.expiry({
  actor: 'score-expiry',
  overdue: overdueNames(scoreDueName),
  until: ({ validUntil }) => validUntil,
  event: 'score.expired',
})
