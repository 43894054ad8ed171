import type { contract, FieldErrors } from '@liquidity-os/contract'
import { pointBands } from '../../../../market/market-points.ts'
import { type VenueRecord, venuesToEvaluate } from '../../../../market/named-venue.ts'
import { marketKey } from '../../../../market/pair.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../../units.ts'
import { isServed, type ServedMetric, servedMetrics, stepOfWindow } from './threshold-terms.ts'

type Threshold = contract.AlertThreshold
type Venues = readonly VenueRecord[]

/** Fields that only some metrics take. */
const takes: Readonly<Record<'bandPips' | 'side' | 'windowSeconds', readonly ServedMetric[]>> = {
  bandPips: ['DEPTH_QUOTE'],
  side: ['DEPTH_QUOTE'],
  windowSeconds: ['PRICE_CHANGE_PIPS', 'VOLUME_QUOTE'],
}

/**
 * Reasons why a threshold cannot be evaluated, by field, and the venues that it reads.
 *
 * @param at path of the threshold in the request
 */
export async function validateThreshold(
  records: TenantRecords,
  threshold: Threshold,
  at: string,
): Promise<{ readonly fieldErrors: FieldErrors; readonly venues: Venues }> {
  const { metric } = threshold
  if (!isServed(metric)) {
    const message = `has no data source yet; must be one of ${servedMetrics.join(', ')}, got ${metric}`
    return { fieldErrors: { [`${at}.metric`]: [message] }, venues: [] }
  }
  const venues = await venuesOfThreshold(records, threshold)
  const faults = { ...memberFaults(threshold, metric), ...subjectFaults(threshold, venues) }
  const fieldErrors = Object.fromEntries(
    Object.entries(faults).map(([member, message]) => [`${at}.${member}`, [message]]),
  )
  return { fieldErrors, venues }
}

/** VALIDATED venues with sealed history that a threshold reads. */
export async function venuesOfThreshold(
  records: TenantRecords,
  threshold: Threshold,
): Promise<Venues> {
  return selectVenues(await venuesToEvaluate(records), threshold)
}

export function selectVenues(venues: Venues, { subject }: Threshold): Venues {
  const { pair, venueId } = subject
  return venues.filter(({ id, payload }) =>
    venueId === undefined ? marketKey(payload.pair) === pair?.toLowerCase() : id === venueId,
  )
}

function memberFaults(threshold: Threshold, metric: ServedMetric): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [member, metrics] of Object.entries(takes)) {
    const given = threshold[member as keyof typeof takes]
    if (given === undefined || metrics.includes(metric)) continue
    faults[member] =
      `must be absent for ${metric}; only ${metrics.join(' and ')} take it, got ${given}`
  }
  const { bandPips, windowSeconds, value } = threshold
  if (bandPips !== undefined && !pointBands.some((band) => band === bandPips)) {
    faults.bandPips ??= `must be one of ${pointBands.join(', ')}, got ${bandPips}`
  }
  if (windowSeconds !== undefined && windowSeconds % stepOfWindow(windowSeconds) !== 0) {
    const step = stepOfWindow(windowSeconds)
    const length = windowSeconds > daySeconds ? ' above one day' : ''
    faults.windowSeconds ??= `must be a multiple of ${step}${length}, got ${windowSeconds}`
  }
  if (value.startsWith('-') && metric !== 'PRICE_CHANGE_PIPS') {
    faults.value = `must not be negative for ${metric}, got ${value}`
  }
  if (metric === 'SCORE_PIPS' && BigInt(value) > 1_000_000n) {
    faults.value = `must be at most 1000000 for SCORE_PIPS, got ${value}`
  }
  return faults
}

function subjectFaults({ metric, subject }: Threshold, venues: Venues): Record<string, string> {
  const { pair, venueId, mandateId, kpiId } = subject
  const faults: Record<string, string> = {}
  for (const [member, given] of Object.entries({ mandateId, kpiId })) {
    if (given === undefined) continue
    faults[`subject.${member}`] = `must be absent for ${metric}, got ${given}`
  }
  if ((pair === undefined) === (venueId === undefined)) {
    const got = pair === undefined ? 'neither' : 'both'
    faults['subject.pair'] = `must be given, or venueId instead, got ${got}`
  } else if (metric === 'SCORE_PIPS' && venueId !== undefined) {
    faults['subject.venueId'] = `must be absent for SCORE_PIPS, which takes a pair, got ${venueId}`
  } else if (venues.length === 0) {
    const member = venueId === undefined ? 'pair' : 'venueId'
    const what = venueId === undefined ? 'the pair of a VALIDATED venue' : 'a VALIDATED venue'
    faults[`subject.${member}`] = `must be ${what} in this organization, got ${venueId ?? pair}`
  }
  return faults
}
