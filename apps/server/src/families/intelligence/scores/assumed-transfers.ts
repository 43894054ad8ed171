import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { transfersAssumed } from '../../../market/observed-spans.ts'

/** Gap of a venue with observations whose token transfers were not checked. */
export function assumedTransfersGap(
  venueId: string,
  observations: readonly ObservationRecord[],
): { code: string; detail: string; venueId: string }[] {
  const assumed = observations.filter(({ payload }) =>
    payload.evidence.assumptions.some(({ code }) => code === transfersAssumed),
  )
  if (assumed.length === 0) return []
  const detail = `The token transfers of ${assumed.length} of ${observations.length} observations could not be checked. The score assumes that swaps delivered their amounts.`
  return [{ code: 'TOKEN_TRANSFERS_NOT_READ', detail, venueId }]
}
