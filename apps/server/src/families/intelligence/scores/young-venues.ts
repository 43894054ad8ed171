import { LEAST_COVERAGE_PIPS } from '@liquidity-os/engine/detection'
import { type ObservedSpan, observedSpans } from '../../../market/observed-spans.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { hourSeconds, weekSeconds } from '../../../units.ts'

/** A venue of which the detector of anomalies has no baseline yet. */
export interface YoungVenue {
  readonly venueId: string
  /** Of the week before the end of the window. */
  readonly readSeconds: number
}

/**
 * Venues of whose last week less was read than the detector needs: that no anomaly of them is open says nothing.
 *
 * @param end Unix seconds, of the window that is judged
 */
export async function youngVenues(
  records: TenantRecords,
  venueIds: readonly string[],
  end: number,
): Promise<YoungVenue[]> {
  const spans = await observedSpans(records, venueIds)
  return venueIds.flatMap((venueId) => {
    const readSeconds = readWithin(spans.get(venueId)?.standing ?? [], end - weekSeconds, end)
    return readSeconds * 1_000_000 < LEAST_COVERAGE_PIPS * weekSeconds
      ? [{ venueId, readSeconds }]
      : []
  })
}

/** Seconds of a time that proved observations read, each once. */
function readWithin(spans: readonly ObservedSpan[], from: number, to: number): number {
  const parts = spans
    .filter(({ status }) => status === 'COMPLETED')
    .map(({ payload: { range } }) => [
      Math.max(from, Date.parse(range.from.timestamp) / 1000),
      Math.min(to, Date.parse(range.to.timestamp) / 1000),
    ])
    .toSorted(([a = 0], [b = 0]) => a - b)
  let [sum, end] = [0, from]
  for (const [begin = 0, until = 0] of parts) {
    sum += Math.max(0, until - Math.max(begin, end))
    end = Math.max(end, until)
  }
  return sum
}

/** What a score says of such venues. */
export const youngGaps = (young: readonly YoungVenue[]) =>
  young.map(({ venueId, readSeconds }) => ({
    code: 'DETECTOR_WITHOUT_BASELINE',
    detail: `${Math.floor(readSeconds / hourSeconds)} hours of the week before the end were read, and the detector of anomalies needs ${Math.ceil((weekSeconds * LEAST_COVERAGE_PIPS) / 1_000_000 / hourSeconds)}: but for rules without a baseline it is blind, and that no anomaly is open says nothing.`,
    venueId,
  }))
