import type { Side } from '../depth/depth-ladder.ts'
import { meanOf, sumOf } from '../numerics/compensated-sum.ts'
import { roundHalfEven, toPips } from '../numerics/half-even.ts'
import { pathStream } from '../random/streams.ts'
import { type Dist, summarize } from '../statistics/distribution.ts'
import { tailRiskOfSorted } from '../statistics/expected-shortfall.ts'
import { type FirstPassage, firstPassage } from '../statistics/first-passage.ts'
import { comparePairs, type PairedComparison } from '../statistics/paired-difference.ts'
import type { Pairing } from '../statistics/pairs.ts'
import { ascending, quantileOfSorted, selectQuantiles } from '../statistics/quantile.ts'
import { judgePrecision, type PrecisionState } from '../statistics/stopping-rule.ts'
import { bootstrapTails, type TailIntervals } from '../statistics/tail-bootstrap.ts'
import type { HolderWaterfall, MakerWaterfall } from '../study/waterfall.ts'
import type { FailureRule } from './failure.ts'
import { benchmarkArmIds } from './monte-carlo-data.ts'
import type { ArmOutcome } from './run-path.ts'
import {
  type RecoverySummary,
  summarizeRecovery,
  summarizeVwap,
  type VwapSummary,
} from './summarize-measures.ts'

/** Paths of a study come as antithetic pairs. */
const PAIRING: Pairing = 'ANTITHETIC_PAIRS'

/** What aggregation needs to know of a run. */
export interface AggregateTerms {
  /** 32 bytes; intervals without a formula are resampled from it. */
  readonly seed: Uint8Array
  readonly horizonSeconds: number
  readonly failure: readonly FailureRule[]
  /** Worth of the capital at the start, quote atoms. */
  readonly capitalQuote: bigint
  /** Arm whose net result against HOLD decides when to stop; default the first that is not HOLD. */
  readonly stopArmId?: string
  /** Maximum half-width of the mean's 95 % interval, in pips of the capital; default 2,500. */
  readonly halfWidthPips?: number
  /** Most paths. */
  readonly paths: number
}

type DistOf<W> = { readonly [Line in keyof W]: Dist }

/** Value at risk and expected shortfall of a result, both signed: a loss is below zero. */
export interface RiskFigures {
  readonly var95: bigint
  readonly es95: bigint
  readonly var99: bigint
  readonly es99: bigint
  /** 95 % intervals from 2,000 resamples of whole pairs. */
  readonly medianCi95: readonly [low: bigint, high: bigint]
  readonly es95Ci95: readonly [low: bigint, high: bigint]
  readonly es99Ci95: readonly [low: bigint, high: bigint]
}

/** Two-sided depth of one band over all samples of all paths, quote atoms. */
export interface DepthSummary {
  readonly bandPips: number
  readonly median: bigint
  readonly worst5: bigint
  readonly worst1: bigint
}

/** Slippage of one size and side, pips; the worst are the highest. */
export interface SlippageSummary {
  readonly sizeQuote: bigint
  readonly side: Side
  readonly median: number
  readonly worst5: number
  readonly worst1: number
}

/** Everything measured of one arm. */
export interface ArmStatistics {
  readonly armId: string
  readonly waterfallHolder: DistOf<HolderWaterfall>
  readonly waterfallMaker: DistOf<MakerWaterfall>
  readonly netVsHold: Dist
  readonly risk: {
    readonly net: RiskFigures
    readonly netVsHold: RiskFigures
    readonly maxDrawdown: Dist
  }
  readonly depth: readonly DepthSummary[]
  /** All-in slippage per size over all samples of all paths. */
  readonly slippage: readonly SlippageSummary[]
  readonly timeInRangePips: number
  readonly inventory: {
    /** Quantiles of the base share at the stored moments, pips: p05, p50, p95. */
    readonly baseShareFan: readonly (readonly [number, number, number])[]
    /** Base at the end over the arm's start, atoms; below zero it was sold. */
    readonly baseChange: Dist
    /** The same without fees and the other way round: above zero it was sold. */
    readonly baseSold: Dist
    /** Average price of base sales or purchases; null if no path traded base. */
    readonly versusVwap: VwapSummary | null
    /** Time when the base share reached its target; null for an arm without a target. */
    readonly timeToTarget: FirstPassage | null
    /** When less than a thousandth of the capital was left in quote. */
    readonly quoteDepleted: FirstPassage
  }
  /** Depth after shocks; null for an arm without a market. */
  readonly recovery: RecoverySummary | null
  readonly failure: {
    readonly rules: readonly FirstPassage[]
    /** First breach of any rule. */
    readonly any: FirstPassage | null
  }
  readonly operations: {
    readonly actions: Readonly<Record<string, number>>
    readonly refused: Readonly<Record<string, number>>
    readonly ownVolumeQuote: Dist
  }
  readonly flow: {
    readonly arbitrageVolumeQuote: Dist
    readonly noiseVolumeQuote: Dist
    /** Share of arbitrage in the volume of all paths. */
    readonly arbitrageSharePips: number
    readonly refusedTrades: number
    /** Mean over the paths, quote atoms. */
    readonly markouts: readonly { readonly seconds: number; readonly mean: bigint }[]
  }
  /** Quantiles of net vs hold at the stored moments: p05, p25, p50, p75, p95. */
  readonly fan: readonly (readonly [bigint, bigint, bigint, bigint, bigint])[]
}

/** A finished Monte Carlo study. */
export interface StudyStatistics {
  readonly paths: number
  readonly precision: PrecisionState
  readonly arms: readonly ArmStatistics[]
  readonly comparisons: readonly PairedComparison[]
}

/**
 * Aggregates a study. Outcomes must arrive in path order. Then sums, quantiles and intervals have
 * the same bytes for any division among workers.
 *
 * @throws RangeError for no outcome, or one out of order
 */
export function aggregate(
  outcomes: Iterable<readonly ArmOutcome[]>,
  terms: AggregateTerms,
): StudyStatistics {
  const paths = [...outcomes]
  const first = paths[0]
  if (first === undefined) throw new RangeError('a study without paths')
  for (const [index, arms] of paths.entries()) {
    if (arms.some((arm) => arm.index !== index)) throw new RangeError(`path ${index} is missing`)
  }
  // Every path has the same arms in the same order.
  const byArm = first.map((_, place) => paths.map((arms) => arms[place]!))
  const metric = byArm.map((results) => ({
    armId: results[0]!.armId,
    values: valuesOf(results, ({ netVsHold }) => netVsHold),
  }))
  const net = byArm.map((results) => valuesOf(results, (outcome) => outcome.net))
  const risks = risksOf([...net, ...metric.map(({ values }) => values)], terms.seed)
  const arms = byArm.map((results, place) =>
    // `risks` has the net of every arm first, then the net vs hold of every arm.
    summarizeArm(results, terms, { net: risks[place]!, netVsHold: risks[net.length + place]! }),
  )
  return {
    paths: paths.length,
    precision: judgeStop(metric, terms),
    arms,
    comparisons: comparePairs(metric, PAIRING),
  }
}

/**
 * Whether the completed paths suffice, for every arm except the benchmarks, or for the named arm.
 * The order of the arms does not matter.
 *
 * @param metric net vs hold per arm in path order
 */
export function judgeStop(
  metric: readonly { readonly armId: string; readonly values: ArrayLike<number> }[],
  { stopArmId, halfWidthPips = 2500, capitalQuote, paths }: AggregateTerms,
): PrecisionState {
  const benchmarks: readonly string[] = benchmarkArmIds
  const own = metric.filter(({ armId }) =>
    stopArmId === undefined ? !benchmarks.includes(armId) : armId === stopArmId,
  )
  const halfWidth = (Number(capitalQuote) * halfWidthPips) / 1_000_000
  const states = (own.length > 0 ? own : metric).map(({ values }) =>
    judgePrecision(values, { halfWidth, paths }, PAIRING),
  )
  if (states.includes('CONTINUE')) return 'CONTINUE'
  return states.includes('PRECISION_NOT_REACHED') ? 'PRECISION_NOT_REACHED' : 'REACHED'
}

function summarizeArm(
  results: readonly ArmOutcome[],
  terms: AggregateTerms,
  risk: Pick<ArmStatistics['risk'], 'net' | 'netVsHold'>,
): ArmStatistics {
  const dist = (read: (outcome: ArmOutcome) => bigint) =>
    summarize(valuesOf(results, read), PAIRING)
  const passage = (read: (outcome: ArmOutcome) => number | null) =>
    firstPassage(results.map(read), terms.horizonSeconds, PAIRING)
  const arbitrage = sumOf(valuesOf(results, ({ flow }) => flow.arbitrageVolumeQuote))
  const noise = sumOf(valuesOf(results, ({ flow }) => flow.noiseVolumeQuote))
  return {
    armId: results[0]!.armId,
    waterfallHolder: distOfLines(results.map(({ holder }) => holder)),
    waterfallMaker: distOfLines(results.map(({ maker }) => maker)),
    netVsHold: dist(({ netVsHold }) => netVsHold),
    risk: {
      ...risk,
      maxDrawdown: dist(({ samples }) => samples.maxDrawdown),
    },
    depth: summarizeDepth(results),
    slippage: summarizeSlippage(results),
    timeInRangePips: shareInRange(results),
    inventory: {
      baseShareFan: summarizeBaseShare(results),
      baseChange: dist(({ baseChange }) => baseChange),
      baseSold: dist(({ samples }) => samples.inventory.baseSold),
      versusVwap: summarizeVwap(results),
      timeToTarget: results[0]!.samples.inventory.hasTarget
        ? passage(({ samples }) => samples.inventory.secondsToTarget)
        : null,
      quoteDepleted: passage(({ samples }) => samples.inventory.quoteDepletedAt),
    },
    recovery: summarizeRecovery(results),
    failure: summarizeFailure(results, terms),
    operations: {
      actions: countAll(results.map(({ actions }) => actions.done)),
      refused: countAll(results.map(({ actions }) => actions.refused)),
      ownVolumeQuote: dist(({ ownVolumeQuote }) => ownVolumeQuote),
    },
    flow: {
      arbitrageVolumeQuote: dist(({ flow }) => flow.arbitrageVolumeQuote),
      noiseVolumeQuote: dist(({ flow }) => flow.noiseVolumeQuote),
      arbitrageSharePips: arbitrage + noise === 0 ? 0 : toPips(arbitrage / (arbitrage + noise)),
      refusedTrades: results.reduce((sum, { flow }) => sum + flow.refusedTrades, 0),
      markouts: results[0]!.markouts.map(({ seconds }, place) => ({
        seconds,
        mean: roundHalfEven(meanOf(valuesOf(results, ({ markouts }) => markouts[place]!.quote))),
      })),
    },
    fan: summarizeFan(results),
  }
}

function valuesOf(
  results: readonly ArmOutcome[],
  read: (outcome: ArmOutcome) => bigint,
): Float64Array {
  return Float64Array.from(results, (outcome) => Number(read(outcome)))
}

function distOfLines<W extends HolderWaterfall | MakerWaterfall>(
  waterfalls: readonly W[],
): DistOf<W> {
  const lines = Object.keys(waterfalls[0]!) as (keyof W)[]
  const entries = lines.map((line) => {
    const values = Float64Array.from(waterfalls, (waterfall) => Number(waterfall[line]))
    return [line, summarize(values, PAIRING)]
  })
  return Object.fromEntries(entries) as DistOf<W>
}

/** Risk figures for several results of the same paths, in order. */
function risksOf(figures: readonly Float64Array[], seed: Uint8Array): RiskFigures[] {
  // No path has the largest index, so no path shares this stream.
  const stream = pathStream(seed, 0xffffffff, 'bootstrap', false)
  const tails = bootstrapTails(figures, PAIRING, [0.95, 0.99], stream)
  // Intervals come for each figure.
  return figures.map((values, place) => riskOf(values, tails[place]!))
}

function riskOf(values: Float64Array, { median, shortfalls }: TailIntervals): RiskFigures {
  const sorted = ascending(values)
  const at95 = tailRiskOfSorted(sorted, 0.95)
  const at99 = tailRiskOfSorted(sorted, 0.99)
  const rounded = ([low, high]: readonly [number, number]) =>
    [roundHalfEven(low), roundHalfEven(high)] as const
  return {
    var95: roundHalfEven(at95.valueAtRisk),
    es95: roundHalfEven(at95.expectedShortfall),
    var99: roundHalfEven(at99.valueAtRisk),
    es99: roundHalfEven(at99.expectedShortfall),
    medianCi95: rounded(median),
    // One interval per requested confidence.
    es95Ci95: rounded(shortfalls[0]!),
    es99Ci95: rounded(shortfalls[1]!),
  }
}

function summarizeDepth(results: readonly ArmOutcome[]): DepthSummary[] {
  const bands = results[0]!.samples.depth.filter(({ quote }) => quote.length > 0)
  return bands.map(({ bandPips }, place) => {
    const all = pooled(results, ({ samples }) => samples.depth[place]!.quote)
    const [median, worst5, worst1] = selectQuantiles(all, [0.5, 0.05, 0.01]).map(roundHalfEven)
    return { bandPips, median: median!, worst5: worst5!, worst1: worst1! }
  })
}

function summarizeSlippage(results: readonly ArmOutcome[]): SlippageSummary[] {
  const measured = results[0]!.samples.slippage.filter(({ pips }) => pips.length > 0)
  return measured.map(({ sizeQuote, side }, place) => {
    const all = pooled(results, ({ samples }) => samples.slippage[place]!.pips)
    const [median, worst5, worst1] = selectQuantiles(all, [0.5, 0.95, 0.99]).map(Math.round)
    return { sizeQuote, side, median: median!, worst5: worst5!, worst1: worst1! }
  })
}

/** The samples of all paths in one row. */
function pooled(
  results: readonly ArmOutcome[],
  read: (outcome: ArmOutcome) => ArrayLike<number>,
): Float64Array {
  const all = new Float64Array(results.reduce((sum, outcome) => sum + read(outcome).length, 0))
  let filled = 0
  for (const outcome of results) {
    const samples = read(outcome)
    all.set(samples, filled)
    filled += samples.length
  }
  return all
}

function summarizeBaseShare(results: readonly ArmOutcome[]): [number, number, number][] {
  const moments = results[0]!.samples.fan.baseSharePips.length
  return Array.from({ length: moments }, (_, moment) => {
    const sorted = ascending(results.map(({ samples }) => samples.fan.baseSharePips[moment]!))
    const at = (p: number) => Math.round(quantileOfSorted(sorted, p))
    return [at(0.05), at(0.5), at(0.95)]
  })
}

function shareInRange(results: readonly ArmOutcome[]): number {
  const inRange = results.reduce((sum, { samples }) => sum + samples.inRangeSamples, 0)
  const all = results.reduce((sum, { samples }) => sum + samples.samples, 0)
  return toPips(inRange / all)
}

function summarizeFailure(
  results: readonly ArmOutcome[],
  { failure, horizonSeconds }: AggregateTerms,
): ArmStatistics['failure'] {
  const passage = (times: (number | null)[]) => firstPassage(times, horizonSeconds, PAIRING)
  if (failure.length === 0) return { rules: [], any: null }
  const rules = failure.map((_, rule) =>
    passage(results.map(({ samples }) => samples.failedAt[rule] ?? null)),
  )
  const any = results.map(({ samples }) => {
    const times = samples.failedAt.filter((time) => time !== null)
    return times.length === 0 ? null : Math.min(...times)
  })
  return { rules, any: passage(any) }
}

function countAll(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const one of counts) {
    for (const [name, count] of Object.entries(one)) total[name] = (total[name] ?? 0) + count
  }
  return total
}

function summarizeFan(results: readonly ArmOutcome[]): ArmStatistics['fan'] {
  const moments = results[0]!.samples.fan.netVsHold.length
  return Array.from({ length: moments }, (_, moment) => {
    const sorted = ascending(results.map(({ samples }) => samples.fan.netVsHold[moment]!))
    const at = (p: number) => roundHalfEven(quantileOfSorted(sorted, p))
    return [at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)] as const
  })
}
