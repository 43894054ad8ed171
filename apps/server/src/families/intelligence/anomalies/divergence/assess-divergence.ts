import type { contract } from '@liquidity-os/contract'
import type { MonteCarloData } from '@liquidity-os/engine/montecarlo'
import { roundHalfEven } from '@liquidity-os/engine/numerics'
import { ascending, quantileOfSorted } from '@liquidity-os/engine/statistics'
import { estimateCost, monteCarloSize } from '@liquidity-os/engine/study'
import type { Static } from 'typebox'
import { Failure } from '../../../../failure.ts'
import { limits } from '../../../../limits.ts'
import { orientationOf } from '../../../../market/inline-market.ts'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { ReplayTask, StudyThreads, TaskArm } from '../../../simulate/studies/api.ts'
import {
  type PathSources,
  preparePaths,
  readPathSources,
  studyDefaults,
} from '../../../simulate/studies/api.ts'
import { abstention, type Evaluated } from '../anomaly-payload.ts'
import type { AnomalyRequest } from '../subject.ts'
import { type BoundStudy, boundStudy, incompatible } from './bound-study.ts'
import { divergenceOf } from './divergence-payload.ts'
import { measure } from './measured.ts'
import { realizeInThread, simulateInThread } from './moments-in-thread.ts'
import { type ObservedSince, observedSince } from './observed-since.ts'
import {
  depthBandPips,
  momentConfig,
  type SimulatedMoment,
  type SimulateMomentTask,
} from './simulate-moment-task.ts'

type SimulatedArm = Static<typeof contract.SimulatedArmResult>
type Result = NonNullable<BoundStudy['study']['payload']['result']>

/** Resources of a divergence evaluation. */
export interface DivergenceRun {
  readonly records: TenantRecords
  readonly threads: StudyThreads
  /** Work limit: estimated milliseconds of one core. */
  readonly milliseconds: number
  readonly signal?: AbortSignal
}

export interface EvaluatedDivergence extends Evaluated {
  /** True if every figure is near the median of its paths again. */
  readonly isClear: boolean
}

const clearZMilli = 2500
/** Minimum elapsed share of the horizon, as a divisor: one tenth. */
const minElapsed = 10

interface Comparison {
  readonly missing: null
  readonly request: AnomalyRequest
  readonly venue: VenueRecord
  readonly bound: BoundStudy
  readonly result: Result
  readonly observed: ObservedSince
  readonly startBlock: number
  /** Unix seconds. */
  readonly begun: number
  readonly moment: number
  readonly point: SimulatedArm['fan'][number]
}

type Missing = { readonly missing: { readonly code: string; readonly detail: string } }

/**
 * Compares realized data since a study with its simulated paths at one moment. The moment is the
 * last one with sealed quantiles. The paths are rerun to that moment and must reproduce the
 * quantiles.
 *
 * @param at Unix seconds
 * @throws Failure 404 or 422 for a study that cannot be compared
 */
export async function evaluateDivergence(
  run: DivergenceRun,
  request: AnomalyRequest,
  venue: VenueRecord,
  at: number,
): Promise<EvaluatedDivergence> {
  const found = await comparisonOf(run.records, request, venue, at)
  if (found.missing) return abstained(request, venue, found, at)
  return evaluateComparison(run, found)
}

/** Determines the comparison, or the reason it is impossible, before any simulation. */
export async function comparisonOf(
  records: TenantRecords,
  request: AnomalyRequest,
  venue: VenueRecord,
  at: number,
): Promise<Comparison | Missing> {
  const bound = await boundStudy(records, request.subject)
  const { status, payload } = bound.study
  const { result } = payload
  if (status !== 'COMPLETED' || result === null) {
    return missing('STUDY_NOT_COMPLETED', `The study is ${status}.`)
  }
  if (result.paths?.varies !== true) {
    return missing('STUDY_WITHOUT_CHANCE', 'All paths of the study are identical.')
  }
  if (venue.payload.kind !== 'UNISWAP_V3') {
    return missing(
      'VENUE_NOT_REPLAYED',
      `The replay of an arm does not support ${venue.payload.kind} venues.`,
    )
  }
  const start = result.evidence.blocks.at(-1)
  const observed = start ? await observedSince(records, venue, start, at) : null
  if (!start || !observed) {
    return missing('NOT_OBSERVED_SINCE_STUDY', 'There is no proved observation after the study.')
  }
  const begun = Date.parse(start.timestamp) / 1000
  const elapsed = observed.until - begun
  const point = armResult(result, bound).fan.findLast(({ seconds }) => seconds <= elapsed)
  if (elapsed * minElapsed < (payload.spec.horizonSeconds ?? 0) || !point) {
    const detail = `The observed ${elapsed} s are less than a tenth of the horizon.`
    return missing('STUDY_TOO_YOUNG', detail)
  }
  const startBlock = start.number
  const moment = begun + point.seconds
  const found = { missing: null, request, venue, bound, result, observed }
  return { ...found, startBlock, begun, moment, point }
}

const missing = (code: string, detail: string): Missing => ({ missing: { code, detail } })

function abstained(
  request: AnomalyRequest,
  venue: VenueRecord,
  { missing: gap }: Missing,
  at: number,
): EvaluatedDivergence {
  return { ...abstention(request, [venue], gap, at), isClear: false }
}

/** Runs the paths and the replay of a comparison, in threads. */
export async function evaluateComparison(
  run: DivergenceRun,
  comparison: Comparison,
): Promise<EvaluatedDivergence> {
  const { request, venue, bound, result, begun, moment, point } = comparison
  const abstain = (why: Missing) => abstained(request, venue, why, moment)
  const prepared = await prepare(run, bound)
  const paths = result.paths?.run ?? 0
  const task = simulationOf(prepared.data, bound, point.seconds, paths)
  if (millisecondsOf(task) > run.milliseconds) {
    return abstain(missing('STUDY_TOO_LARGE', 'The study has too many paths to repeat here.'))
  }
  const simulated = await simulate(run, task)
  if (!isSealed(simulated, point)) {
    const detail = 'A repeated run does not reproduce the sealed result of the study.'
    return abstain(missing('STUDY_NOT_REPRODUCED', detail))
  }
  const replay = replayOf(comparison, prepared)
  const realized = await realizeInThread(run.threads.threads, { replay, until: moment }, run.signal)
  if (realized.missing) return abstain(realized)
  const { capital } = bound.study.payload.spec
  const measured = measure(simulated, realized, {
    begun,
    moment,
    fan: armResult(result, bound).fan,
    worth:
      (BigInt(capital.base) * BigInt(result.startPriceX18 ?? '0')) / 10n ** 18n +
      BigInt(capital.quote),
    assumedVolatility: prepared.data.volatility ?? 0,
    others: prepared.data.others.kind,
  })
  return {
    ...divergenceOf({ ...comparison, paths, measured }),
    isClear: measured.metrics.every(({ verdict }) => Math.abs(verdict.zMilli) < clearZMilli),
  }
}

function armResult({ arms }: Result, { arm }: BoundStudy): SimulatedArm {
  const found = arms.find(({ armId }) => armId === arm.armId)
  if (!found) throw new Error(`The study has no result of its arm ${arm.armId}.`)
  // A Monte Carlo study has no candidates by flow model.
  return found as SimulatedArm
}

interface Prepared {
  readonly data: MonteCarloData
  readonly sources: PathSources
}

/**
 * @throws Failure 422 for a study whose inputs changed, for example after a strategy was revoked
 */
async function prepare(run: DivergenceRun, { study }: BoundStudy): Promise<Prepared> {
  const { spec } = study.payload
  try {
    const sources = await readPathSources(run.records, spec)
    const { strategies, observed } = sources
    const { data } = await preparePaths(run.threads, { spec, strategies, observed })
    return { data, sources }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw incompatible({
      'payload.subject.study': [`must be a study that the service can repeat: ${error.message}`],
    })
  }
}

function simulationOf(
  data: MonteCarloData,
  { arm: { armId } }: BoundStudy,
  seconds: number,
  paths: number,
): SimulateMomentTask {
  return { data, armId, steps: Math.round(seconds / data.cfg.stepSeconds), from: 0, to: paths }
}

function millisecondsOf({ data, armId, steps, to }: SimulateMomentTask): number {
  const arms = data.arms.filter((arm) => arm.armId === armId)
  const cfg = momentConfig(data, steps)
  const size = monteCarloSize({ ...data, arms, cfg, steps })
  // The size includes the benchmark, which does not run here.
  return estimateCost({ ...size, ...(size.kind === 'MONTE_CARLO' ? { arms: 1, paths: to } : {}) })
    .milliseconds
}

/** Runs the paths in parts, in threads; merges them in path order. */
async function simulate(
  { threads, signal }: DivergenceRun,
  task: SimulateMomentTask,
): Promise<SimulatedMoment> {
  const parts: SimulatedMoment[] = []
  const count = Math.ceil(task.to / limits.divergencePathsAtOnce)
  let next = 0
  const work = async () => {
    while (next < count) {
      const part = next
      next += 1
      const from = part * limits.divergencePathsAtOnce
      const to = Math.min(from + limits.divergencePathsAtOnce, task.to)
      parts[part] = await simulateInThread(threads.threads, { ...task, from, to }, signal)
    }
  }
  await Promise.all(Array.from({ length: threads.count }, work))
  const joined = (of: keyof SimulatedMoment) =>
    Float64Array.from(parts.flatMap((part) => [...part[of]]))
  return {
    netVsHold: joined('netVsHold'),
    fees: joined('fees'),
    depth: joined('depth'),
    baseSharePips: joined('baseSharePips'),
    volume: joined('volume'),
  }
}

/** True if the paths reproduce the sealed quantiles of the moment exactly. */
function isSealed(
  { netVsHold, baseSharePips }: SimulatedMoment,
  sealed: SimulatedArm['fan'][number],
): boolean {
  const [nets, shares] = [ascending(netVsHold), ascending(baseSharePips)]
  const quantiles = [
    ['p05', 0.05],
    ['p25', 0.25],
    ['p50', 0.5],
    ['p75', 0.75],
    ['p95', 0.95],
  ] as const
  return (
    quantiles.every(
      ([name, p]) => `${roundHalfEven(quantileOfSorted(nets, p))}` === sealed.netVsHold[name],
    ) && Math.round(quantileOfSorted(shares, 0.5)) === sealed.baseSharePips.p50
  )
}

function replayOf(
  { bound: { study, arm }, observed: { stretch }, startBlock }: Comparison,
  { data, sources }: Prepared,
): ReplayTask {
  const { spec } = study.payload
  return {
    start: stretch.start,
    events: stretch.events,
    window: { fromBlock: startBlock + 1, toBlock: stretch.toBlock },
    positions: 'COMPLETE',
    orientation: orientationOf(spec.pair),
    capital: spec.capital,
    arms: [taskArm(arm, sources)],
    flowModels: ['INELASTIC_INPUT', 'PRICE_SETTING'],
    bandsPips: [depthBandPips],
    tradeSizesQuote: [],
    // Rules run at the same intervals as on the paths.
    sampleSeconds: data.cfg.stepSeconds,
    actionLatencySeconds: data.actionLatencySeconds ?? studyDefaults.latencySeconds,
    costs: spec.costs ?? null,
    volatility: data.volatility ?? null,
    arbitrageCostQuote: spec.minProfitQuote ?? '0',
  }
}

function taskArm(arm: BoundStudy['arm'], { strategies }: PathSources): TaskArm {
  const { armId } = arm
  if ('position' in arm) return { armId, ...arm.position }
  const definition = 'definition' in arm ? arm.definition : strategies[armId]
  if (!definition) throw new Error(`The strategy of ${armId} was not read.`)
  return { armId, kind: 'STRATEGY', definition }
}
