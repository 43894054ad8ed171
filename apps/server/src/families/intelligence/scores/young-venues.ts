import { LEAST_COVERAGE_PIPS } from '@liquidity-os/engine/detection'
import { secondsRead } from '../../../market/venue-spans.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { hourSeconds, weekSeconds } from '../../../units.ts'

/** A venue without a complete baseline for anomaly detection. */
export interface YoungVenue {
  readonly venueId: string
  /** Observed time in the last week of the window, in seconds. */
  readonly readSeconds: number
}

/**
 * Venues observed for less of the last week than anomaly detection needs. Missing anomalies prove
 * no health there.
 *
 * @param end end of the evaluated window, in Unix seconds
 */
export async function youngVenues(
  records: TenantRecords,
  venueIds: readonly string[],
  end: number,
): Promise<YoungVenue[]> {
  const read = await secondsRead(records, venueIds, { from: end - weekSeconds, to: end })
  return venueIds.flatMap((venueId) => {
    const readSeconds = read.get(venueId) ?? 0
    return readSeconds * 1_000_000 < LEAST_COVERAGE_PIPS * weekSeconds
      ? [{ venueId, readSeconds }]
      : []
  })
}

export const youngGaps = (young: readonly YoungVenue[]) =>
  young.map(({ venueId, readSeconds }) => ({
    code: 'DETECTOR_WITHOUT_BASELINE',
    detail: `Only ${Math.floor(readSeconds / hourSeconds)} hours of the week before the end were read. The anomaly detector needs ${Math.ceil((weekSeconds * LEAST_COVERAGE_PIPS) / 1_000_000 / hourSeconds)} hours. It detects anomalies only with rules that need no baseline, so the absence of an open anomaly is not evidence.`,
    venueId,
  }))
