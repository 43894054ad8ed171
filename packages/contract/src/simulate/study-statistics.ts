import Type, { type Static, type TSchema } from 'typebox'
import { OpenedPositions } from '../plan/range.ts'
import {
  AtomicAmount,
  closed,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
  SignedAmount,
} from '../scalars.ts'
import { FailureRule } from './study-models.ts'
import { ArmId } from './study-spec.ts'

const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Integer({ minimum: 0, description: 'Since the start.' })
const SignedPips = Type.Integer({ description: 'Millionths; below zero is a loss.' })

/** A low and a high end; an array of two, because OpenAPI tools know no tuples. */
export const interval = <const S extends TSchema>(of: S, description?: string) =>
  Type.Unsafe<readonly [Static<S>, Static<S>]>(
    list(of, 2, { minItems: 2, ...(description ? { description } : {}) }),
  )

/** A distribution over the paths: moments, type 7 quantiles, and the 95 % interval of the mean. */
export const Dist = named(
  'Dist',
  closed({
    n: Count,
    mean: SignedAmount,
    sd: AtomicAmount,
    q: closed({
      p01: SignedAmount,
      p05: SignedAmount,
      p25: SignedAmount,
      p50: SignedAmount,
      p75: SignedAmount,
      p95: SignedAmount,
      p99: SignedAmount,
    }),
    meanCi95: interval(SignedAmount, 'A pair of antithetic paths is one observation.'),
  }),
)
export type Dist = Static<typeof Dist>

const HolderDist = named(
  'WaterfallHolderDist',
  closed({
    hold: Dist,
    divergenceLoss: Dist,
    exposureDrift: Dist,
    fees: Dist,
    rewards: Dist,
    gas: Dist,
    rebalanceCost: Dist,
    rounding: Dist,
    net: Dist,
  }),
)

const MakerDist = named(
  'WaterfallMakerDist',
  closed({
    deltaPnl: Dist,
    lvr: Dist,
    fees: Dist,
    rewards: Dist,
    gas: Dist,
    rebalanceCost: Dist,
    rounding: Dist,
    net: Dist,
  }),
)

const Interval = interval(SignedAmount, 'Low and high.')

/** Tail of a result: value at risk and expected shortfall are results too, so a loss is below zero. */
export const RiskFigures = named(
  'RiskFigures',
  closed({
    var95: SignedAmount,
    es95: SignedAmount,
    var99: SignedAmount,
    es99: SignedAmount,
    medianCi95: Interval,
    es95Ci95: Interval,
    es99Ci95: Interval,
  }),
)

/** On how many paths something happened, and by when; intervals are Wilson’s, 95 %. */
export const FirstPassage = named(
  'FirstPassage',
  closed({
    paths: Count,
    hits: Count,
    probabilityPips: Pips,
    ci95Pips: interval(Pips),
    medianSeconds: orNull(Seconds),
    curve: list(closed({ seconds: Seconds, sharePips: Pips, lowPips: Pips, highPips: Pips }), 50, {
      description: 'Share of the paths in which it had happened by then.',
    }),
  }),
)
export type FirstPassage = Static<typeof FirstPassage>

const Inventory = closed({
  baseChange: Dist,
  baseSold: Dist,
  versusVwap: orNull(
    closed({ n: Count, p05Pips: SignedPips, medianPips: SignedPips, p95Pips: SignedPips }),
  ),
  timeToTarget: orNull(FirstPassage),
  quoteDepleted: FirstPassage,
})

/** One moment of all paths. */
const FanPoint = closed({
  seconds: Seconds,
  netVsHold: closed({
    p05: SignedAmount,
    p25: SignedAmount,
    p50: SignedAmount,
    p75: SignedAmount,
    p95: SignedAmount,
  }),
  baseSharePips: closed({ p05: Pips, p50: Pips, p95: Pips }),
})

/** Factor on a parameter at which the mean gain over holding is zero, or why there is none. */
const Breakeven = closed({
  factorPips: orNull(
    Type.Integer({ minimum: 0, description: 'Millionths: 1000000 is the parameter as it is.' }),
  ),
  reason: orNull(
    oneOf(
      ['ALWAYS_ABOVE', 'ALWAYS_BELOW', 'NOT_APPLICABLE'],
      'Above or below zero from a tenth to ten times the parameter; or there is no such parameter.',
    ),
  ),
})

/** What becomes of an arm when a parameter is another; all on the first paths of the study. */
export const ArmSensitivity = named(
  'ArmSensitivity',
  closed({
    paths: Count,
    tornado: list(
      closed({
        parameter: oneOf(['VOLATILITY', 'VOLUME', 'GAS'], 'What is another.'),
        factorPips: Type.Integer({ minimum: 0, description: 'Millionths of what it is.' }),
        meanNetVsHold: SignedAmount,
      }),
      6,
      { description: 'None for a parameter that the study does not have.' },
    ),
    breakeven: closed({ volume: Breakeven, volatility: Breakeven }),
  }),
)
export type ArmSensitivity = Static<typeof ArmSensitivity>

/** One arm of a MONTE_CARLO or SCENARIO over all paths. */
export const SimulatedArmResult = named(
  'SimulatedArmResult',
  closed({
    armId: ArmId,
    positions: Type.Optional(OpenedPositions),
    waterfallHolder: HolderDist,
    waterfallMaker: MakerDist,
    netVsHold: Dist,
    risk: closed({ net: RiskFigures, netVsHold: RiskFigures, maxDrawdown: Dist }),
    depth: list(
      closed({
        bandPips: Pips,
        medianQuote: AtomicAmount,
        worst5Quote: AtomicAmount,
        worst1Quote: AtomicAmount,
      }),
      6,
      { description: 'The thinner side of the whole market, over all samples of all paths.' },
    ),
    depthOverTime: list(
      closed({
        bandPips: Pips,
        points: list(
          closed({ seconds: Seconds, p05: AtomicAmount, p50: AtomicAmount, p95: AtomicAmount }),
          64,
        ),
      }),
      6,
      { description: 'The same by moment: quantiles over the paths, quote atoms.' },
    ),
    slippage: list(
      closed({
        sizeQuote: AtomicAmount,
        side: oneOf(['BUY', 'SELL'], 'Direction of the trade.'),
        medianPips: Pips,
        worst5Pips: Pips,
        worst1Pips: Pips,
      }),
      24,
    ),
    timeInRangePips: Pips,
    inventory: Inventory,
    recovery: orNull(
      closed({
        shocks: Count,
        pathsWithShock: Count,
        after: list(
          closed({ seconds: Seconds, n: Count, medianPips: Count, worst5Pips: Count }),
          8,
        ),
      }),
    ),
    failure: closed({
      rules: list(closed({ rule: FailureRule, passage: FirstPassage }), 8),
      any: orNull(FirstPassage),
    }),
    operations: closed({
      done: mapOf(Count, 'Transactions by kind, over all paths.'),
      refused: mapOf(Count, 'Actions that a guard refused, by guard, over all paths.'),
      ownVolumeQuote: Dist,
    }),
    flow: closed({
      arbitrageVolumeQuote: Dist,
      noiseVolumeQuote: Dist,
      arbitrageSharePips: Pips,
      refusedTrades: Count,
      markouts: list(closed({ seconds: Seconds, mean: SignedAmount }), 4),
    }),
    fan: list(FanPoint, 64, { description: 'Quantiles over the paths, by moment.' }),
    sensitivity: orNull(ArmSensitivity),
  }),
)
export type SimulatedArmResult = Static<typeof SimulatedArmResult>

/**
 * Two arms on the same paths; A or B only where Holm’s adjustment over all pairs leaves p below 5 %. On one
 * course there is no p, and the higher is favoured.
 */
export const ArmComparison = named(
  'ArmComparison',
  closed({
    a: ArmId,
    b: ArmId,
    metric: Type.Literal('NET_VS_HOLD'),
    diff: Dist,
    pHolmPips: orNull(Pips),
    verdict: oneOf(['A', 'B', 'INDISTINGUISHABLE'], 'Which of the two the paths favour.'),
  }),
)
export type ArmComparison = Static<typeof ArmComparison>

/** How many paths were run, and whether they were enough. */
export const PathCount = named(
  'PathCount',
  closed({
    run: Count,
    most: Count,
    steps: Count,
    stepSeconds: Count,
    halfWidthPips: Type.Integer({ minimum: 0, description: 'Asked for, pips of the capital.' }),
    precision: oneOf(['REACHED', 'PRECISION_NOT_REACHED'], 'Of the mean net vs hold.'),
    varies: Type.Boolean({
      description:
        'Whether paths differ. Where nothing is drawn they are one course: intervals are points, and there is nothing to test.',
    }),
  }),
)

/** A parameter as the data show it and its standard error, both in the unit of its name. */
const Estimate = closed({
  value: Type.Integer(),
  standardError: Type.Integer({ minimum: 0 }),
})

export const orNothing = <const S extends TSchema>(of: S, description: string) =>
  Type.Union([of, Type.Null()], { description })

/**
 * How the volatility outside was read: from a reference that the study names, else from the pool's own price, which stands still
 * inside its fee band. Absent in results that were sealed before this estimator.
 */
export const VolatilityReading = named(
  'VolatilityReading',
  closed({
    estimator: oneOf(
      ['BAND_TWO_SCALE', 'REALIZED_FIVE_MINUTES', 'TWO_SCALE'],
      'BAND_TWO_SCALE: of the pool alone through its fee band, or of another venue through that of its own. Of a series as the reference: realized over five minutes, or the difference of five and thirty minutes where the reference is noisy.',
    ),
    estimatorVersion: Type.Integer({ minimum: 1 }),
    state: oneOf(
      ['COMPLETED', 'ABSTAINED'],
      'ABSTAINED where the standard error is above a tenth of the volatility, or there is none.',
    ),
    reason: orNull(
      oneOf(
        ['VOLATILITY_BAND_TOO_WIDE', 'VOLATILITY_UNCERTAIN'],
        'Why it ABSTAINED: the first of a pool or venue alone, the second of a series.',
      ),
    ),
    readPips: orNothing(
      Estimate,
      'What was read, pips a year: nothing to calibrate with where it ABSTAINED. Null where the series is shorter than its scales, or does not move.',
    ),
    daysNeeded: orNothing(
      Count,
      'Days of observation from which the standard error would be a tenth, at the volatility read.',
    ),
    observedSeconds: Count,
    gridSeconds: Count,
    feePips: Pips,
    blockMilliseconds: Type.Integer({ minimum: 0, description: 'Mean time between blocks.' }),
    bandPips: orNothing(Count, 'Half the width of the band of ln price, millionths.'),
    shortSeconds: orNothing(Count, 'The shorter of the two scales.'),
    longSeconds: orNothing(Count, 'The longer one.'),
    signature: list(closed({ seconds: Count, annualVolatilityPips: Count }), 16, {
      description:
        'Realized volatility by sampling interval: low inside the band, high under noise, level where neither matters.',
    }),
  }),
)
export type VolatilityReading = Static<typeof VolatilityReading>

/** What the observations say of every model, whichever of them the study used. */
export const StudyCalibration = named(
  'StudyCalibration',
  closed({
    returns: Count,
    stepSeconds: Count,
    fromBlock: Count,
    toBlock: Count,
    annualVolatilityPips: orNothing(Estimate, 'Of the price outside; null where it ABSTAINED.'),
    volatility: Type.Optional(VolatilityReading),
    jumps: orNothing(
      closed({
        found: Count,
        annualVolatilityPips: Estimate,
        jumpsPerYearMilli: Estimate,
        jumpMeanPips: Estimate,
        jumpDeviationPips: Estimate,
      }),
      'Null where the price of the pool is all there is: what it does inside its band is no diffusion to find jumps in.',
    ),
    meanBlockMilli: Count,
    flow: orNull(
      closed({
        tradesPerDayMilli: Estimate,
        logMeanQuotePips: Estimate,
        logDeviationPips: Estimate,
        buySharePips: Estimate,
        arbitrageVolumeSharePips: Pips,
        ambiguousVolumeSharePips: Type.Optional(Pips),
      }),
    ),
  }),
)
export type StudyCalibration = Static<typeof StudyCalibration>
