import { overdueNames, sweepOverdue } from '../../../jobs/overdue.ts'
import type { Services } from '../../../services.ts'
import { heldBy, type ScorePayload, scoreDueName } from './active-score.ts'

/** Writes down that scores hold no longer: seven days after their windows. */
export function expireScores(services: Services): Promise<void> {
  return sweepOverdue(services, {
    overdue: overdueNames(scoreDueName),
    actor: 'score-expiry',
    end: async (records, id) => {
      const current = await records.current<ScorePayload>('MarketQualityScore', id)
      if (current?.record.status !== 'ACTIVE') return null
      const { payload, evidenceHashes } = current.record
      const { change } = records.supersede<ScorePayload>(current, {
        status: 'EXPIRED',
        payload,
        reason: 'Its time is over',
        evidenceHashes,
        event: 'score.expired',
      })
      return { ...change, releases: heldBy(current.record) }
    },
  })
}
