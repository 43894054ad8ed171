import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Amounts } from './amounts.ts'

type Arm = Static<typeof contract.SimulatedArmResult>
type Shared = Static<typeof contract.SharedSimulatedResult>
type Disclosure = Static<typeof contract.StudyDisclosure>
type Dist = Static<typeof contract.Dist>
type Risk = Static<typeof contract.RiskFigures>
type Passage = Static<typeof contract.FirstPassage>
type Comparison = Static<typeof contract.ArmComparison>
type Scale = Amounts['quote']

/**
 * Redacted arm over all paths. Fields are picked by name, at every depth.
 *
 * Without amounts all market data is omitted: depth, volumes, slippage sizes and limits of failure
 * rules. A reader with market data could compute the scale from each of these values.
 */
export function redactPaths(
  arm: Arm,
  { showAmounts, showStrategyParameters }: Disclosure,
  amounts: Amounts,
): Shared {
  const { quote } = amounts
  const { risk, failure, operations, flow } = arm
  return {
    armId: arm.armId,
    // Results sealed by earlier releases have no positions.
    positions: redactPositions(arm.positions ?? [], { showAmounts, showStrategyParameters }),
    waterfallHolder: linesOf(arm.waterfallHolder, holderLines, quote),
    waterfallMaker: linesOf(arm.waterfallMaker, makerLines, quote),
    netVsHold: distOf(arm.netVsHold, quote),
    risk: {
      net: riskOf(risk.net, quote),
      netVsHold: riskOf(risk.netVsHold, quote),
      maxDrawdown: distOf(risk.maxDrawdown, quote),
    },
    ...(showAmounts ? marketOf(arm) : { depth: [], depthOverTime: [], slippage: [] }),
    timeInRangePips: arm.timeInRangePips,
    inventory: inventoryOf(arm.inventory, amounts),
    recovery: arm.recovery && recoveryOf(arm.recovery),
    failure: {
      rules: failure.rules.map(({ rule, passage }) => ({
        kind: rule.kind,
        rule: showAmounts ? rule : null,
        passage: passageOf(passage),
      })),
      any: failure.any && passageOf(failure.any),
    },
    ownVolumeQuote: distOf(operations.ownVolumeQuote, quote),
    operations: showStrategyParameters
      ? { done: operations.done, refused: operations.refused }
      : null,
    arbitrageSharePips: flow.arbitrageSharePips,
    flow: showAmounts
      ? {
          arbitrageVolumeQuote: distOf(flow.arbitrageVolumeQuote, quote),
          noiseVolumeQuote: distOf(flow.noiseVolumeQuote, quote),
          refusedTrades: flow.refusedTrades,
          markouts: flow.markouts.map(({ seconds, mean }) => ({ seconds, mean })),
        }
      : null,
    fan: arm.fan.map(({ seconds, netVsHold, baseSharePips: { p05, p50, p95 } }) => ({
      seconds,
      netVsHold: {
        p05: quote(netVsHold.p05),
        p25: quote(netVsHold.p25),
        p50: quote(netVsHold.p50),
        p75: quote(netVsHold.p75),
        p95: quote(netVsHold.p95),
      },
      baseSharePips: { p05, p50, p95 },
    })),
    sensitivity: arm.sensitivity && sensitivityOf(arm.sensitivity, quote),
  }
}

/** Positions of an arm, if the owner discloses strategy parameters. */
export function redactPositions(
  positions: NonNullable<Arm['positions']>,
  {
    showAmounts,
    showStrategyParameters,
  }: Pick<Disclosure, 'showAmounts' | 'showStrategyParameters'>,
): Shared['positions'] {
  if (!showStrategyParameters) return null
  return positions.map(({ tickLower, tickUpper, lowerPriceX36, upperPriceX36, liquidity }) => ({
    tickLower,
    tickUpper,
    lowerPriceX36,
    upperPriceX36,
    liquidity: showAmounts ? liquidity : null,
  }))
}

function sensitivityOf(
  { paths, tornado, breakeven: { volume, volatility } }: NonNullable<Arm['sensitivity']>,
  scale: Scale,
): NonNullable<Arm['sensitivity']> {
  const shown = ({ factorPips, reason }: typeof volume) => ({ factorPips, reason })
  return {
    paths,
    tornado: tornado.map(({ parameter, factorPips, meanNetVsHold }) => ({
      parameter,
      factorPips,
      meanNetVsHold: scale(meanNetVsHold),
    })),
    breakeven: { volume: shown(volume), volatility: shown(volatility) },
  }
}

/** Two candidates on the same paths, with their difference as displayed. */
export function redactComparison(
  { a, b, metric, diff, pHolmPips, verdict }: Comparison,
  { quote }: Amounts,
): Comparison {
  return { a, b, metric, diff: distOf(diff, quote), pHolmPips, verdict }
}

const holderLines = [
  'hold',
  'divergenceLoss',
  'exposureDrift',
  'fees',
  'rewards',
  'gas',
  'rebalanceCost',
  'rounding',
  'net',
] as const
const makerLines = [
  'deltaPnl',
  'lvr',
  'fees',
  'rewards',
  'gas',
  'rebalanceCost',
  'rounding',
  'net',
] as const

function linesOf<Line extends string>(
  waterfall: Readonly<Record<Line, Dist>>,
  lines: readonly Line[],
  scale: Scale,
): Record<Line, Dist> {
  const entries = lines.map((line) => [line, distOf(waterfall[line], scale)])
  return Object.fromEntries(entries) as Record<Line, Dist>
}

function distOf({ n, mean, sd, q, meanCi95: [low, high] }: Dist, scale: Scale): Dist {
  return {
    n,
    mean: scale(mean),
    sd: scale(sd),
    q: {
      p01: scale(q.p01),
      p05: scale(q.p05),
      p25: scale(q.p25),
      p50: scale(q.p50),
      p75: scale(q.p75),
      p95: scale(q.p95),
      p99: scale(q.p99),
    },
    meanCi95: [scale(low), scale(high)],
  }
}

function riskOf(risk: Risk, scale: Scale): Risk {
  const both = ([low, high]: Risk['medianCi95']) => [scale(low), scale(high)] as const
  return {
    var95: scale(risk.var95),
    es95: scale(risk.es95),
    var99: scale(risk.var99),
    es99: scale(risk.es99),
    medianCi95: both(risk.medianCi95),
    es95Ci95: both(risk.es95Ci95),
    es99Ci95: both(risk.es99Ci95),
  }
}

function marketOf({ depth, depthOverTime, slippage }: Arm) {
  return {
    depth: depth.map(({ bandPips, medianQuote, worst5Quote, worst1Quote }) => ({
      bandPips,
      medianQuote,
      worst5Quote,
      worst1Quote,
    })),
    depthOverTime: depthOverTime.map(({ bandPips, points }) => ({
      bandPips,
      points: points.map(({ seconds, p05, p50, p95 }) => ({ seconds, p05, p50, p95 })),
    })),
    slippage: slippage.map(({ sizeQuote, side, medianPips, worst5Pips, worst1Pips }) => ({
      sizeQuote,
      side,
      medianPips,
      worst5Pips,
      worst1Pips,
    })),
  }
}

function inventoryOf(inventory: Arm['inventory'], { base }: Amounts): Arm['inventory'] {
  const { baseChange, baseSold, versusVwap, timeToTarget, quoteDepleted } = inventory
  return {
    baseChange: distOf(baseChange, base),
    baseSold: distOf(baseSold, base),
    versusVwap: versusVwap && {
      n: versusVwap.n,
      p05Pips: versusVwap.p05Pips,
      medianPips: versusVwap.medianPips,
      p95Pips: versusVwap.p95Pips,
    },
    timeToTarget: timeToTarget && passageOf(timeToTarget),
    quoteDepleted: passageOf(quoteDepleted),
  }
}

function recoveryOf({ shocks, pathsWithShock, after }: NonNullable<Arm['recovery']>) {
  return {
    shocks,
    pathsWithShock,
    after: after.map(({ seconds, n, medianPips, worst5Pips }) => ({
      seconds,
      n,
      medianPips,
      worst5Pips,
    })),
  }
}

function passageOf(passage: Passage): Passage {
  const { paths, hits, probabilityPips, ci95Pips, medianSeconds, curve } = passage
  return {
    paths,
    hits,
    probabilityPips,
    ci95Pips,
    medianSeconds,
    curve: curve.map(({ seconds, sharePips, lowPips, highPips }) => ({
      seconds,
      sharePips,
      lowPips,
      highPips,
    })),
  }
}
