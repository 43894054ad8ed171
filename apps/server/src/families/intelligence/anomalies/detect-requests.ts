import {
  completedObservations,
  type ObservationRecord,
} from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { pricesOfPair } from '../../../market/prices/prices-of-pair.ts'
import { historyOf, observationsWithin } from '../../../market/venue-history.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import { minuteSeconds } from '../../../units.ts'
import { detectInThread } from './detect-in-thread.ts'
import { type DetectorResult, lookBackSeconds } from './detect-task.ts'
import type { Question } from './feature.ts'
import { ownedRangesOf, refOf } from './owned-ranges.ts'
import type { AnomalyRequest } from './subject.ts'
import type { OwnedRange } from './venue-material.ts'

/** Requests with the same venues, cadence and baseline, evaluated from one reading. */
export interface Panel {
  readonly venues: readonly VenueRecord[]
  /** Unix seconds. */
  readonly at: number
  readonly cadenceSeconds: number
  readonly baselineSeconds: number
  readonly requests: readonly { request: AnomalyRequest; criticalAt: Question['criticalAt'] }[]
}

/** Results of a panel, with all inputs. */
export interface PanelResults {
  readonly panel: Panel
  readonly observations: ReadonlyMap<string, readonly ObservationRecord[]>
  /** Versions of the price series that were read. */
  readonly feeds: readonly { readonly id: string; readonly resourceVersion: string }[]
  /** One result per request, in request order. */
  readonly results: readonly DetectorResult[]
}

/** Maximum time between readings of venues that count as one moment. */
const togetherSeconds = 15 * minuteSeconds

/** Time of the last sealed block of a venue, in Unix seconds; null if none exists. */
export async function observedUntil(
  records: TenantRecords,
  venueId: string,
): Promise<number | null> {
  const [newest] = await completedObservations(records, venueId, 1)
  return newest ? Date.parse(newest.payload.range.to.timestamp) / 1000 : null
}

/**
 * Newest moment covered by all current venues. A venue that stopped long before is ignored, so it
 * does not delay the others.
 *
 * @param ends Unix seconds; null for a venue without observations
 * @param first end of the venue that limits the moment, or null
 */
export function commonMoment(
  ends: readonly (number | null)[],
  first: number | null = null,
): number | null {
  const known = ends.flatMap((end) => end ?? [])
  const newest = first ?? (known.length === 0 ? null : Math.max(...known))
  if (newest === null) return null
  return Math.floor(Math.min(newest, ...known.filter((end) => end >= newest - togetherSeconds)))
}

/** Reads each venue of a panel once and evaluates all its requests in a thread. */
export async function evaluatePanel(
  records: TenantRecords,
  threads: Threads,
  panel: Panel,
  signal?: AbortSignal,
): Promise<PanelResults> {
  const { venues, at, cadenceSeconds, baselineSeconds } = panel
  const from = at - baselineSeconds - lookBackSeconds
  const ids = venues.map(({ id }) => id)
  const observations = await observationsWithin(records, ids, { from, to: at })
  const histories = await Promise.all(
    venues.map((venue) => historyOf(records, venue, observations.get(venue.id) ?? [])),
  )
  const owned = new Map<string, readonly OwnedRange[]>(
    venues.map(({ id, payload }) => [
      id,
      ownedRangesOf(payload.ownedPositions ?? [], observations.get(id) ?? []),
    ]),
  )
  const questions = panel.requests.map(({ request, criticalAt }) =>
    detectionQuestion(request, criticalAt, owned),
  )
  const [first] = venues
  // All venues of a panel belong to one pair.
  const feeds = first ? await pricesOfPair(records, first.payload.pair, { from, to: at }) : []
  const task = { histories, owned, at, cadenceSeconds, baselineSeconds, questions, feeds }
  return {
    panel,
    observations,
    results: await detectInThread(threads, task, signal),
    feeds: feeds.flatMap(({ versions }) => versions),
  }
}

function detectionQuestion(
  { kind, subject }: AnomalyRequest,
  criticalAt: Question['criticalAt'],
  owned: ReadonlyMap<string, readonly OwnedRange[]>,
): Question {
  if (kind === 'SIMULATED_REALIZED_DIVERGENCE') throw new Error(`${kind} uses no baseline.`)
  const { venueId = null, positionRefs, asset, pegX18 = null, pair } = subject
  const ranges = venueId === null ? [] : (owned.get(venueId) ?? [])
  return {
    kind,
    venueId,
    pegX18,
    criticalAt,
    positions: positionRefs?.map(refOf) ?? ranges.map(({ ref }) => ref),
    asset: asset?.toLowerCase() === pair.quote.toLowerCase() ? 'QUOTE' : 'BASE',
  }
}
