import Type, { type Static, type TSchema } from 'typebox'
import {
  atoms,
  type Better,
  count,
  each,
  measured,
  pips,
  seconds,
  titled,
  unitless,
} from '../measures.ts'
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
const Seconds = Type.Integer({ minimum: 0, description: 'Time since the start, in seconds.' })
const SignedPips = Type.Integer({ description: 'Millionths; below zero is a loss.' })

/** Atoms of the quote or the base of the pair of the study. */
export const ofQuote = (title: string, better?: Better) =>
  atoms('/payload/spec/pair/quote', title, better)
export const ofBase = (title: string, better?: Better) =>
  atoms('/payload/spec/pair/base', title, better)
const higher = (title: string) => ofQuote(title, 'HIGHER')
const lower = (title: string) => ofQuote(title, 'LOWER')

/** Titles of the P&L components of a liquidity provider; all are in quote. */
export const holderParts = {
  hold: higher('HODL P&L'),
  divergenceLoss: ofQuote('Impermanent loss'),
  exposureDrift: ofQuote('Inventory effect'),
  fees: higher('LP fees'),
  rewards: higher('Rewards'),
  gas: lower('Gas'),
  rebalanceCost: lower('Rebalancing cost'),
  rounding: ofQuote('Rounding'),
  net: higher('Net P&L'),
}
export const makerParts = {
  deltaPnl: higher('Delta P&L'),
  lvr: lower('LVR'),
  fees: higher('LP fees'),
  rewards: higher('Rewards'),
  gas: lower('Gas'),
  rebalanceCost: lower('Rebalancing cost'),
  rounding: ofQuote('Rounding'),
  net: higher('Net P&L'),
}

/** A low and a high end; an array of two, because OpenAPI tools know no tuples. */
export const interval = <const S extends TSchema>(of: S, description?: string) =>
  Type.Unsafe<readonly [Static<S>, Static<S>]>(
    list(of, 2, { minItems: 2, ...(description ? { description } : {}) }),
  )

/** A distribution over the paths: moments, type 7 quantiles, and the 95 % interval of the mean. */
export const Dist = named(
  'Dist',
  measured(
    closed({
      n: Count,
      mean: SignedAmount,
      sd: AtomicAmount,
      q: measured(
        closed({
          p01: SignedAmount,
          p05: SignedAmount,
          p25: SignedAmount,
          p50: SignedAmount,
          p75: SignedAmount,
          p95: SignedAmount,
          p99: SignedAmount,
        }),
        {
          p01: titled('p1 of the paths'),
          p05: titled('p5 of the paths'),
          p25: titled('p25 of the paths'),
          p50: titled('median of the paths'),
          p75: titled('p75 of the paths'),
          p95: titled('p95 of the paths'),
          p99: titled('p99 of the paths'),
        },
      ),
      meanCi95: interval(SignedAmount, 'A pair of antithetic paths is one observation.'),
    }),
    {
      n: unitless,
      mean: titled('mean'),
      sd: { ...titled('standard deviation'), 'x-better': 'NEITHER' },
      meanCi95: titled('95 % interval of the mean'),
    },
  ),
)
export type Dist = Static<typeof Dist>

const HolderDist = named(
  'WaterfallHolderDist',
  measured(
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
    holderParts,
  ),
)

const MakerDist = named(
  'WaterfallMakerDist',
  measured(
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
    makerParts,
  ),
)

const Interval = interval(SignedAmount, 'Low and high.')

/** Tail of a result: value at risk and expected shortfall are results too, so a loss is below zero. */
export const RiskFigures = named(
  'RiskFigures',
  measured(
    closed({
      var95: SignedAmount,
      es95: SignedAmount,
      var99: SignedAmount,
      es99: SignedAmount,
      medianCi95: Interval,
      es95Ci95: Interval,
      es99Ci95: Interval,
    }),
    {
      var95: titled('95 % value at risk'),
      es95: titled('CVaR, 95 %'),
      var99: titled('99 % value at risk'),
      es99: titled('CVaR, 99 %'),
      medianCi95: titled('95 % interval of the median'),
      es95Ci95: titled('95 % interval of CVaR, 95 %'),
      es99Ci95: titled('95 % interval of CVaR, 99 %'),
    },
  ),
)

/** Number of paths with an event, and its time; 95 % Wilson intervals. */
export const FirstPassage = named(
  'FirstPassage',
  measured(
    closed({
      paths: Count,
      hits: Count,
      probabilityPips: Pips,
      ci95Pips: interval(Pips),
      medianSeconds: orNull(Seconds),
      curve: list(
        measured(closed({ seconds: Seconds, sharePips: Pips, lowPips: Pips, highPips: Pips }), {
          seconds: seconds('time since the start'),
          sharePips: pips('share of the paths after {1/seconds} s'),
          lowPips: pips('low end of the share after {1/seconds} s'),
          highPips: pips('high end of the share after {1/seconds} s'),
        }),
        50,
        {
          description: 'Share of paths with the event by this time.',
        },
      ),
    }),
    {
      paths: unitless,
      hits: count('paths in which it happened'),
      probabilityPips: pips('probability'),
      ci95Pips: pips('95 % interval of the probability'),
      medianSeconds: seconds('median time'),
    },
  ),
)
export type FirstPassage = Static<typeof FirstPassage>

const Inventory = measured(
  closed({
    baseChange: Dist,
    baseSold: Dist,
    versusVwap: orNull(
      measured(
        closed({ n: Count, p05Pips: SignedPips, medianPips: SignedPips, p95Pips: SignedPips }),
        {
          n: unitless,
          ...each(pips, {
            p05Pips: 'p5 of the paths',
            medianPips: 'median of the paths',
            p95Pips: 'p95 of the paths',
          }),
        },
      ),
    ),
    timeToTarget: orNull(FirstPassage),
    quoteDepleted: FirstPassage,
  }),
  {
    baseChange: ofBase('Change of the base inventory'),
    baseSold: ofBase('Base sold'),
    versusVwap: titled('Average price vs VWAP'),
    timeToTarget: titled('Target reached'),
    quoteDepleted: titled('Quote depleted'),
  },
)

const pathQuantiles = {
  p05: titled('p5 of the paths'),
  p25: titled('p25 of the paths'),
  p50: titled('median of the paths'),
  p75: titled('p75 of the paths'),
  p95: titled('p95 of the paths'),
}

/** One time over all paths. */
const FanPoint = measured(
  closed({
    seconds: Seconds,
    netVsHold: measured(
      closed({
        p05: SignedAmount,
        p25: SignedAmount,
        p50: SignedAmount,
        p75: SignedAmount,
        p95: SignedAmount,
      }),
      pathQuantiles,
    ),
    baseSharePips: measured(closed({ p05: Pips, p50: Pips, p95: Pips }), {
      p05: titled('p5 of the paths'),
      p50: titled('median of the paths'),
      p95: titled('p95 of the paths'),
    }),
  }),
  {
    seconds: seconds('Time since the start'),
    netVsHold: higher('P&L vs initial capital'),
    baseSharePips: pips('Base share of the value'),
  },
)

/**
 * Break-even factor on a parameter, with a mean net P&L vs HODL of zero, or the reason none exists.
 */
const Breakeven = measured(
  closed({
    factorPips: orNull(
      Type.Integer({
        minimum: 0,
        description: 'Break-even multiple in millionths; 1000000 is the unchanged parameter.',
      }),
    ),
    reason: orNull(
      oneOf(
        ['ALWAYS_ABOVE', 'ALWAYS_BELOW', 'NOT_APPLICABLE'],
        'Sign from one tenth to ten times the parameter; or the parameter does not exist.',
      ),
    ),
  }),
  { factorPips: pips('break-even factor') },
)

/** Sensitivity of a candidate to one parameter, on the first paths of the study. */
export const ArmSensitivity = named(
  'ArmSensitivity',
  measured(
    closed({
      paths: Count,
      tornado: list(
        measured(
          closed({
            parameter: oneOf(['VOLATILITY', 'VOLUME', 'GAS'], 'Changed parameter.'),
            factorPips: Type.Integer({
              minimum: 0,
              description: 'Multiple of the parameter, in millionths.',
            }),
            meanNetVsHold: SignedAmount,
          }),
          {
            factorPips: pips('{1/parameter} factor'),
            meanNetVsHold: higher('P&L vs initial capital with another {1/parameter} · mean'),
          },
        ),
        6,
        { description: 'Omitted for parameters outside the study.' },
      ),
      breakeven: measured(closed({ volume: Breakeven, volatility: Breakeven }), {
        volume: titled('Volume'),
        volatility: titled('Volatility'),
      }),
    }),
    { paths: unitless },
  ),
)
export type ArmSensitivity = Static<typeof ArmSensitivity>

export const depthFigures = {
  bandPips: pips('Band'),
  medianQuote: higher('median within {1/bandPips} pips'),
  worst5Quote: higher('worst 5 % within {1/bandPips} pips'),
  worst1Quote: higher('worst 1 % within {1/bandPips} pips'),
}
export const slippageFigures = {
  sizeQuote: ofQuote('Trade size'),
  medianPips: pips('{1/side} {1/sizeQuote} · median', 'LOWER'),
  worst5Pips: pips('{1/side} {1/sizeQuote} · worst 5 %', 'LOWER'),
  worst1Pips: pips('{1/side} {1/sizeQuote} · worst 1 %', 'LOWER'),
}
export const operationFigures = {
  done: count('Transactions'),
  refused: count('Actions refused by a guard'),
  ownVolumeQuote: ofQuote('Own volume'),
}

/** One arm of a MONTE_CARLO or SCENARIO over all paths. */
export const SimulatedArmResult = named(
  'SimulatedArmResult',
  measured(
    closed({
      armId: ArmId,
      positions: Type.Optional(OpenedPositions),
      startInventory: Type.Optional(
        measured(
          closed(
            { base: AtomicAmount, quote: AtomicAmount },
            {
              description:
                'Inventory at the start of each path. Present for candidates that change their inventory: strategies and the rebalancing portfolio. Absent in results of earlier releases.',
            },
          ),
          { base: ofBase('base at the start'), quote: ofQuote('quote at the start') },
        ),
      ),
      waterfallHolder: HolderDist,
      waterfallMaker: MakerDist,
      netVsHold: Dist,
      risk: measured(closed({ net: RiskFigures, netVsHold: RiskFigures, maxDrawdown: Dist }), {
        net: higher('Net P&L'),
        netVsHold: higher('P&L vs initial capital'),
        maxDrawdown: lower('Maximum drawdown'),
      }),
      depth: list(
        measured(
          closed({
            bandPips: Pips,
            medianQuote: AtomicAmount,
            worst5Quote: AtomicAmount,
            worst1Quote: AtomicAmount,
          }),
          depthFigures,
        ),
        6,
        { description: 'The thinner side of the whole market, over all samples of all paths.' },
      ),
      depthOverTime: list(
        measured(
          closed({
            bandPips: Pips,
            points: list(
              measured(
                closed({
                  seconds: Seconds,
                  p05: AtomicAmount,
                  p50: AtomicAmount,
                  p95: AtomicAmount,
                }),
                {
                  seconds: seconds('Time since the start'),
                  p05: higher('p5 of the paths after {1/seconds} s'),
                  p50: higher('median of the paths after {1/seconds} s'),
                  p95: higher('p95 of the paths after {1/seconds} s'),
                },
              ),
              64,
            ),
          }),
          { bandPips: pips('Band') },
        ),
        6,
        { description: 'Same values by time: quantiles over the paths, quote atoms.' },
      ),
      slippage: list(
        measured(
          closed({
            sizeQuote: AtomicAmount,
            side: oneOf(['BUY', 'SELL'], 'Direction of the trade.'),
            medianPips: Pips,
            worst5Pips: Pips,
            worst1Pips: Pips,
          }),
          slippageFigures,
        ),
        24,
      ),
      timeInRangePips: Pips,
      inventory: Inventory,
      recovery: orNull(
        measured(
          closed({
            shocks: Count,
            pathsWithShock: Count,
            after: list(
              measured(
                closed({ seconds: Seconds, n: Count, medianPips: Count, worst5Pips: Count }),
                {
                  seconds: seconds('time after the shock'),
                  n: unitless,
                  medianPips: pips(
                    'median depth after {1/seconds} s, share of the depth before',
                    'HIGHER',
                  ),
                  worst5Pips: pips(
                    'worst 5 % of the depth after {1/seconds} s, share of the depth before',
                    'HIGHER',
                  ),
                },
              ),
              8,
            ),
          }),
          { shocks: count('shocks'), pathsWithShock: count('paths with a shock') },
        ),
      ),
      failure: measured(
        closed({
          rules: list(
            measured(closed({ rule: FailureRule, passage: FirstPassage }), {
              rule: unitless,
              passage: titled('Rule broken'),
            }),
            8,
          ),
          any: orNull(FirstPassage),
        }),
        { any: titled('Any rule broken') },
      ),
      operations: measured(
        closed({
          done: mapOf(Count, 'Transactions by kind, over all paths.'),
          refused: mapOf(Count, 'Actions blocked by a guard, by guard, over all paths.'),
          ownVolumeQuote: Dist,
        }),
        operationFigures,
      ),
      flow: measured(
        closed({
          arbitrageVolumeQuote: Dist,
          noiseVolumeQuote: Dist,
          arbitrageSharePips: Pips,
          refusedTrades: Count,
          markouts: list(
            measured(closed({ seconds: Seconds, mean: SignedAmount }), {
              seconds: seconds('Time after the trade'),
              mean: ofQuote('Markout after {1/seconds} s · mean'),
            }),
            4,
          ),
        }),
        {
          arbitrageVolumeQuote: ofQuote('Arbitrage volume'),
          noiseVolumeQuote: ofQuote('Noise volume'),
          arbitrageSharePips: pips('Arbitrage share of the volume'),
          refusedTrades: count('Refused trades', 'LOWER'),
        },
      ),
      fan: list(FanPoint, 64, { description: 'Quantiles over the paths, by moment.' }),
      sensitivity: orNull(ArmSensitivity),
    }),
    {
      waterfallHolder: titled('vs HODL'),
      waterfallMaker: titled('vs rebalancing'),
      netVsHold: higher('P&L vs initial capital'),
      depth: titled('Depth of the thinner side'),
      depthOverTime: titled('Depth of the thinner side over time'),
      slippage: titled('Slippage'),
      timeInRangePips: pips('Time in range', 'HIGHER'),
      recovery: titled('Recovery'),
      fan: titled('Fan'),
      sensitivity: titled('Sensitivity'),
    },
  ),
)
export type SimulatedArmResult = Static<typeof SimulatedArmResult>

/**
 * Two arms on the same paths. A or B only if p is below 5 % after Holm adjustment over all pairs. A
 * single path has no p, and the higher arm is favored.
 */
export const ArmComparison = named(
  'ArmComparison',
  measured(
    closed({
      a: ArmId,
      b: ArmId,
      metric: Type.Literal('NET_VS_HOLD'),
      diff: Dist,
      pHolmPips: orNull(Pips),
      verdict: oneOf(['A', 'B', 'INDISTINGUISHABLE'], 'Better arm in the paths.'),
    }),
    {
      diff: ofQuote('P&L vs initial capital, {1/a} minus {1/b}'),
      pHolmPips: pips('Adjusted p-value, {1/a} against {1/b}'),
    },
  ),
)
export type ArmComparison = Static<typeof ArmComparison>

/** Number of paths, and whether the precision goal was reached. */
export const PathCount = named(
  'PathCount',
  measured(
    closed({
      run: Count,
      most: Count,
      steps: Count,
      stepSeconds: Count,
      halfWidthPips: Type.Integer({
        minimum: 0,
        description: 'Requested half width, in pips of the capital.',
      }),
      precision: oneOf(
        ['REACHED', 'PRECISION_NOT_REACHED'],
        'Precision of the mean result vs initial capital.',
      ),
      varies: Type.Boolean({
        description:
          'True if paths differ. Without random inputs all paths are equal: intervals are points, and no test applies.',
      }),
    }),
    {
      run: count('Paths'),
      most: unitless,
      steps: count('Steps of a path'),
      stepSeconds: seconds('Length of a step'),
      halfWidthPips: unitless,
    },
  ),
)

/** A parameter estimated from the data, with its standard error, both in the unit of its name. */
const Estimate = closed({
  value: Type.Integer(),
  standardError: Type.Integer({ minimum: 0 }),
})

export const orNothing = <const S extends TSchema>(of: S, description: string) =>
  Type.Union([of, Type.Null()], { description })

/**
 * Method of reading external volatility: from the study's reference, else from the pool's own
 * price, which does not move within its fee band. Absent in results sealed before this estimator.
 */
export const VolatilityReading = named(
  'VolatilityReading',
  closed({
    estimator: oneOf(
      ['BAND_TWO_SCALE', 'REALIZED_FIVE_MINUTES', 'TWO_SCALE'],
      'BAND_TWO_SCALE: the pool alone through its fee band, or another venue through the fee band of that venue. For a reference series: realized over five minutes, or the difference of five and thirty minutes if the reference is noisy.',
    ),
    estimatorVersion: Type.Integer({ minimum: 1 }),
    state: oneOf(
      ['COMPLETED', 'ABSTAINED'],
      'ABSTAINED if the standard error exceeds a tenth of the volatility or cannot be computed.',
    ),
    reason: orNull(
      oneOf(
        ['VOLATILITY_BAND_TOO_WIDE', 'VOLATILITY_SCALES_DISAGREE', 'VOLATILITY_UNCERTAIN'],
        'Reason for ABSTAINED: the first two apply only to a pool or venue, the third to a series.',
      ),
    ),
    readPips: orNothing(
      Estimate,
      'Estimated volatility, in pips per year; not usable for calibration if ABSTAINED. Null if the series is shorter than its scales or constant.',
    ),
    feeBandPips: Type.Optional(
      orNothing(
        Estimate,
        'Value at the scales of the fee band, if longer scales contradict it. readPips is then that of the plateau. Null otherwise; absent before version 2.',
      ),
    ),
    daysNeeded: orNothing(
      Count,
      'Days of observation for a standard error of one tenth, at the estimated volatility.',
    ),
    observedSeconds: Count,
    gridSeconds: Count,
    feePips: Pips,
    blockMilliseconds: Type.Integer({ minimum: 0, description: 'Mean time between blocks.' }),
    bandPips: orNothing(Count, 'Half the width of the band of ln price, millionths.'),
    shortSeconds: orNothing(Count, 'The shorter of the two scales.'),
    longSeconds: orNothing(Count, 'The longer one.'),
    signature: list(
      closed({
        seconds: Count,
        annualVolatilityPips: Count,
        standardErrorPips: Type.Optional(Count),
      }),
      16,
      {
        description:
          'Realized volatility by sampling interval: low inside the fee band, high under noise, flat otherwise.',
      },
    ),
  }),
)
export type VolatilityReading = Static<typeof VolatilityReading>

/** Calibration of every model from the observations, used by the study or not. */
export const StudyCalibration = named(
  'StudyCalibration',
  closed({
    returns: Count,
    stepSeconds: Count,
    fromBlock: Count,
    toBlock: Count,
    annualVolatilityPips: orNothing(
      Estimate,
      'Volatility of the external price; null if ABSTAINED.',
    ),
    volatility: Type.Optional(VolatilityReading),
    jumps: orNothing(
      closed({
        found: Count,
        annualVolatilityPips: Estimate,
        jumpsPerYearMilli: Estimate,
        jumpMeanPips: Estimate,
        jumpDeviationPips: Estimate,
      }),
      'Null if only the pool price exists: its moves inside the fee band are no diffusion, so jumps cannot be detected.',
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
