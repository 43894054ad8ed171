import type { SealedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { venuesToEvaluate } from '../../../market/named-venue.ts'
import { pairKey } from '../../../market/pair.ts'
import { venueEnds } from '../../../market/venue-spans.ts'
import type { Change } from '../../../store/records/change.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { clear, close, keep, openAnomalies, pastOf } from './anomaly-life.ts'
import { evaluationOf } from './anomaly-payload.ts'
import { commonMoment, evaluatePanel, type Panel } from './detect-requests.ts'
import { sweepDivergences } from './divergence/sweep-divergences.ts'
import { watchedPegs } from './pegs.ts'
import { withStrategies } from './strategy-consequences.ts'
import {
  type AnomalyPayload,
  type AnomalyRequest,
  anomalyTermsOf,
  fingerprintOf,
} from './subject.ts'
import { type SweepRun, type Swept, tryToCommit } from './swept.ts'

const ofVenues = [
  'LIQUIDITY_DISAPPEARANCE',
  'ONE_SIDED_FLOW',
  'EXCESSIVE_TURNOVER',
  'MANIPULATION_INDICATOR',
] as const
const ofPositions = ['INACTIVE_RANGE', 'INVENTORY_ACCUMULATION'] as const

/**
 * Evaluates all kinds on every venue with new observations or a reorg since the last sweep. It
 * reads each venue's window once, stores only detections, and closes anomalies that are quiet
 * again.
 */
export async function sweep(run: SweepRun): Promise<Swept> {
  const { records, signal, progress } = run
  const venues = await venuesToEvaluate(records)
  const reached = await venueEnds(
    records,
    venues.map(({ id }) => id),
  )
  const ends = new Map(
    [...reached].flatMap(([id, { provedUntil }]): [string, number][] =>
      provedUntil === null ? [] : [[id, provedUntil]],
    ),
  )
  const overtakenOf = (id: string) => reached.get(id)?.overtaken ?? 0
  const [found, watched] = await Promise.all([openAnomalies(records), watchedPegs(records)])
  const swept: Swept = {
    subjects: 0,
    detected: 0,
    cleared: 0,
    sweptTo: {},
    overtaken: {},
    comparedTo: {},
  }
  const opened = await withoutReplacedPegs(run, found, watched, swept)
  const groups = [...Map.groupBy(venues, ({ payload }) => pairKey(payload.pair)).values()]
  const failures: unknown[] = []
  for (const [index, group] of groups.entries()) {
    signal.throwIfAborted()
    const replaced = group.filter(({ id }) => overtakenOf(id) !== (run.overtaken[id] ?? 0))
    const isNew =
      replaced.length > 0 || group.some(({ id }) => (ends.get(id) ?? 0) > (run.sweptTo[id] ?? 0))
    const known = isNew ? ends : new Map<string, number>()
    try {
      await sweepGroup(run, { group, replaced, ends: known, opened, watched }, swept)
      for (const { id } of group) {
        swept.sweptTo[id] = ends.get(id) ?? 0
        swept.overtaken[id] = overtakenOf(id)
      }
    } catch (error) {
      // A failure for one pair must not hide results for the others.
      failures.push(error)
    }
    await progress((1_000_000 * (index + 1)) / groups.length)
  }
  if (failures.length > 0) throw failures[0]
  return swept
}

interface Group {
  readonly group: readonly VenueRecord[]
  /** Venues affected by a reorg since the last sweep. */
  readonly replaced: readonly VenueRecord[]
  /** Empty if the pair has no new observation. */
  readonly ends: ReadonlyMap<string, number>
  readonly opened: readonly Current<AnomalyPayload>[]
  readonly watched: readonly AnomalyRequest[]
}

async function sweepGroup(
  run: SweepRun,
  { group, replaced, ends, opened, watched }: Group,
  swept: Swept,
): Promise<void> {
  const key = pairKey(group[0]!.payload.pair)
  const openAnomalies = opened.filter(({ record }) => pairKey(record.payload.subject.pair) === key)
  const pegs = watched.filter(({ subject }) => pairKey(subject.pair) === key)
  for (const panel of panelsOf(group, ends, openAnomalies, pegs))
    await sweepPanel(run, panel, swept)
  await sweepDivergences(run, { group, replaced, openAnomalies, ends }, swept)
}

/**
 * Panels for the venues of a pair: one for the default requests, and one for each set of terms
 * among open anomalies.
 */
function panelsOf(
  group: readonly VenueRecord[],
  ends: ReadonlyMap<string, number>,
  openAnomalies: readonly Current<AnomalyPayload>[],
  pegs: readonly AnomalyRequest[],
): Panel[] {
  const at = commonMoment(group.map(({ id }) => ends.get(id) ?? null))
  if (at === null) return []
  const requested = new Map<string, AnomalyRequest>()
  for (const request of [...usualRequests(group), ...pegs])
    requested.set(fingerprintOf(request), request)
  for (const { record } of openAnomalies) {
    const { kind, subject, cadenceSeconds, baselineSeconds } = record.payload
    const terms = { cadenceSeconds, baselineSeconds }
    const request = { schemaVersion: 'anomaly-evaluation-v1', kind, subject, ...terms } as const
    if (kind !== 'SIMULATED_REALIZED_DIVERGENCE') requested.set(fingerprintOf(request), request)
  }
  const nameOf = (request: AnomalyRequest) => {
    const { cadenceSeconds, baselineSeconds } = anomalyTermsOf(request)
    return `${cadenceSeconds} ${baselineSeconds}`
  }
  return [...Map.groupBy(requested.values(), nameOf).values()].map((requests) => ({
    venues: group,
    at,
    ...anomalyTermsOf(requests[0]!),
    requests: requests.map((request) => ({ request, criticalAt: [] })),
  }))
}

function usualRequests(group: readonly VenueRecord[]): AnomalyRequest[] {
  const { pair } = group[0]!.payload
  const schemaVersion = 'anomaly-evaluation-v1'
  const own = group.flatMap(({ id: venueId, payload }) => {
    const kinds = payload.ownedPositions?.length ? [...ofVenues, ...ofPositions] : ofVenues
    return kinds.map((kind) => ({ schemaVersion, kind, subject: { pair, venueId } }) as const)
  })
  return [...own, { schemaVersion, kind: 'ORACLE_DISAGREEMENT', subject: { pair } }]
}

async function sweepPanel(run: SweepRun, panel: Panel, swept: Swept): Promise<void> {
  const { records, services, signal } = run
  const pasts = await Promise.all(
    panel.requests.map(({ request }) => pastOf(records, fingerprintOf(request))),
  )
  const requestedValue = panel.requests.map(({ request }, index) => ({
    request,
    criticalAt: pasts[index]!.criticalAt,
  }))
  const panelResults = await evaluatePanel(
    records,
    services.background,
    { ...panel, requests: requestedValue },
    signal,
  )
  const time = new Date(panel.at * 1000).toISOString()
  swept.subjects += requestedValue.length
  const changes: { change: Change; isDetected: boolean }[] = []
  const pausing: { sealed: SealedRecord; change: Change }[] = []
  for (const [itemIndex, { open }] of pasts.entries()) {
    const result = panelResults.results[itemIndex]!
    const evaluated = evaluationOf(panelResults, itemIndex)
    const isDetected = evaluated.payload.outcome === 'DETECTED'
    if (isDetected) {
      // This moment was already evaluated.
      if (open?.record.payload.lastSeenAt === time) continue
      const reason = 'Detected by the sweep'
      const { sealed, change } = keep(records, evaluated, open, { reason, evidenceHashes: [] })
      const whole = await withStrategies(records, sealed, change)
      const isAlone = whole.records.length === change.records.length
      if (isAlone) changes.push({ change, isDetected })
      else pausing.push({ sealed, change })
    } else if (open && result.outcome?.isClear) {
      changes.push({ change: clear(records, open, time), isDetected })
    }
  }
  for (let next = 0; next < changes.length; next += limits.anomalyCommitsAtOnce) {
    await Promise.all(
      changes
        .slice(next, next + limits.anomalyCommitsAtOnce)
        .map(async ({ change, isDetected }) => {
          if (!(await tryToCommit(services, change))) return
          swept[isDetected ? 'detected' : 'cleared'] += 1
        }),
    )
  }
  // Several anomalies can pause one strategy, so the changes are committed one after another.
  for (const { sealed, change } of pausing) {
    const whole = await withStrategies(records, sealed, change)
    if (await tryToCommit(services, whole)) swept.detected += 1
  }
}

/** Closes anomalies of a replaced peg, because no later evaluation would close them. */
async function withoutReplacedPegs(
  { records, services }: SweepRun,
  opened: readonly Current<AnomalyPayload>[],
  watched: readonly AnomalyRequest[],
  swept: Swept,
): Promise<Current<AnomalyPayload>[]> {
  const fingerprints = new Set(watched.map(fingerprintOf))
  const isReplaced = ({ record: { payload } }: Current<AnomalyPayload>) =>
    payload.kind === 'STABLECOIN_DEPEG' && !fingerprints.has(payload.fingerprint)
  for (const open of opened.filter(isReplaced)) {
    const change = close(records, open, 'The asset has a new peg')
    if (await tryToCommit(services, change)) swept.cleared += 1
  }
  return opened.filter((open) => !isReplaced(open))
}
