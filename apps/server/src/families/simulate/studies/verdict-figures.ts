import type { contract } from '@liquidity-os/contract'
import { hodlPnlOfReplay, holdScaleOf, isUnmoved, type StartedStudy } from './start-inventory.ts'

/** Minimum and maximum, quote atoms. */
export interface Range {
  readonly low: bigint
  readonly high: bigint
}

/** A candidate under one flow model, or the means of a simulation. */
interface RunFigures {
  readonly flowModel: contract.ArmResult['flowModel'] | null
  readonly netVsHodl: bigint
  /** P&L of HODL of the own starting inventory. */
  readonly hodl: bigint
  readonly fees: bigint
  /** Effect of impermanent loss; negative for a loss. */
  readonly il: bigint
  /** Price gain of later inventories beyond that of the starting inventory. */
  readonly inventoryEffect: bigint
  readonly inRangePips: number | null
}

/** A candidate over its flow models or paths. */
export interface Figures {
  readonly netVsHodl: Range
  /** P&L of HODL of the own starting inventory. */
  readonly hodl: Range
  readonly fees: Range
  readonly il: Range
  /** Price gain of later inventories beyond that of the starting inventory. */
  readonly inventoryEffect: Range
  /** Gas and rebalancing; positive for a cost. */
  readonly costs: Range
  readonly inRangePips: number | null
  readonly maxDrawdown: bigint
  /** Median of the thinner side. */
  readonly depth: readonly { readonly bandPips: number; readonly medianQuote: bigint }[]
  readonly runs: readonly RunFigures[]
}

/**
 * Metrics of a replay. Ranges span the flow models; other metrics use the worse model.
 *
 *     net vs HODL = net − HODL P&L = fees − IL + inventory effect − gas − rebalancing + rewards + rounding
 *
 * @returns null if the result does not contain the starting inventory
 */
export function figuresOfReplay(
  results: readonly contract.ArmResult[],
  study: StartedStudy,
): Figures | null {
  const runs = results.map((arm) => {
    const hodl = hodlPnlOfReplay(arm, study)
    return hodl === null ? null : runOf(arm, hodl)
  })
  const known = runs.filter((run) => run !== null)
  if (known.length < runs.length) return null
  const range = (read: (run: RunFigures) => bigint) => rangeOf(known.map(read))
  const shares = results.flatMap(({ timeInRangePips }) => timeInRangePips ?? [])
  return {
    netVsHodl: range(({ netVsHodl }) => netVsHodl),
    hodl: range(({ hodl }) => hodl),
    fees: range(({ fees }) => fees),
    il: range(({ il }) => il),
    inventoryEffect: range(({ inventoryEffect }) => inventoryEffect),
    costs: rangeOf(
      results.map(
        ({ waterfallHolder: { gas, rebalanceCost } }) => BigInt(gas) + BigInt(rebalanceCost),
      ),
    ),
    inRangePips: shares.length === 0 ? null : Math.min(...shares),
    maxDrawdown: rangeOf(results.map(({ risk }) => BigInt(risk.maxDrawdown.quote))).high,
    depth: thinnerSides(results.flatMap(({ depth }) => depth)),
    runs: known,
  }
}

function runOf(
  { flowModel, waterfallHolder, timeInRangePips }: contract.ArmResult,
  hodl: bigint,
): RunFigures {
  const { net, hold, exposureDrift, fees, divergenceLoss } = waterfallHolder
  return {
    flowModel,
    netVsHodl: BigInt(net) - hodl,
    hodl,
    fees: BigInt(fees),
    il: -BigInt(divergenceLoss),
    inventoryEffect: BigInt(hold) + BigInt(exposureDrift) - hodl,
    inRangePips: timeInRangePips,
  }
}

type Dist = contract.Dist

/**
 * Means of a simulation with bounds. The result has an interval for each line of the breakdown, but
 * none for their sum. The standard error of a sum is at most the sum of the standard errors. So the
 * sum of the intervals has at least their coverage.
 */
export function figuresOfSimulation(
  arm: contract.SimulatedArmResult,
  study: StartedStudy,
): Figures | null {
  const { fees, divergenceLoss, gas, rebalanceCost, rewards, rounding } = arm.waterfallHolder
  const started = startOfSimulation(arm, study)
  if (started === null) return null
  const il = negated(intervalOf(divergenceLoss))
  const costs = sumOf([intervalOf(gas), intervalOf(rebalanceCost)])
  const more = [intervalOf(fees), intervalOf(rewards), intervalOf(rounding)]
  const mean = (dist: Dist) => BigInt(dist.mean)
  return {
    netVsHodl: sumOf([...more, il, started.inventoryEffect.range, negated(costs)]),
    hodl: started.hodl.range,
    fees: intervalOf(fees),
    il,
    inventoryEffect: started.inventoryEffect.range,
    costs,
    inRangePips: arm.timeInRangePips,
    maxDrawdown: BigInt(arm.risk.maxDrawdown.q.p50),
    depth: arm.depth.map(({ bandPips, medianQuote }) => ({
      bandPips,
      medianQuote: BigInt(medianQuote),
    })),
    runs: [
      {
        flowModel: null,
        netVsHodl:
          mean(fees) +
          mean(rewards) +
          mean(rounding) +
          started.inventoryEffect.mean -
          mean(divergenceLoss) -
          mean(gas) -
          mean(rebalanceCost),
        hodl: started.hodl.mean,
        fees: mean(fees),
        il: -mean(divergenceLoss),
        inventoryEffect: started.inventoryEffect.mean,
        inRangePips: arm.timeInRangePips,
      },
    ],
  }
}

interface Bounded {
  readonly mean: bigint
  readonly range: Range
}

/** HODL of the starting inventory over the paths, and the price gain of later inventories beyond it. */
function startOfSimulation(
  arm: contract.SimulatedArmResult,
  study: StartedStudy,
): { readonly hodl: Bounded; readonly inventoryEffect: Bounded } | null {
  const [hold, drift] = [arm.waterfallHolder.hold, arm.waterfallHolder.exposureDrift].map(
    (dist): Bounded => ({ mean: BigInt(dist.mean), range: intervalOf(dist) }),
  ) as [Bounded, Bounded]
  if (isUnmoved(arm.armId, study.spec)) {
    const none: Bounded = { mean: 0n, range: { low: 0n, high: 0n } }
    return { hodl: plus(hold, drift), inventoryEffect: none }
  }
  const scale = holdScaleOf(arm, study)
  if (scale === null) return null
  const { start, capital } = scale
  const scaled = (factor: bigint): Bounded => {
    const [low, high] = [hold.range.low, hold.range.high].map(
      (end) => (end * factor) / capital,
    ) as [bigint, bigint]
    return { mean: (hold.mean * factor) / capital, range: rangeOf([low, high]) }
  }
  return { hodl: scaled(start), inventoryEffect: plus(drift, scaled(capital - start)) }
}

const plus = (a: Bounded, b: Bounded): Bounded => ({
  mean: a.mean + b.mean,
  range: sumOf([a.range, b.range]),
})

const intervalOf = ({ meanCi95: [low, high] }: Dist): Range => ({
  low: BigInt(low),
  high: BigInt(high),
})

const negated = ({ low, high }: Range): Range => ({ low: -high, high: -low })

const sumOf = (ranges: readonly Range[]): Range => ({
  low: ranges.reduce((sum, { low }) => sum + low, 0n),
  high: ranges.reduce((sum, { high }) => sum + high, 0n),
})

/** @throws Error for no amount: an arm of a result has at least one run */
export function rangeOf(amounts: readonly bigint[]): Range {
  const [low, ...others] = amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  if (low === undefined) throw new Error('A candidate in the result has no figures.')
  return { low, high: others.at(-1) ?? low }
}

/** Lowest median per band, over sides and flow models. */
function thinnerSides(depth: contract.ArmResult['depth']): Figures['depth'] {
  const byBand = Map.groupBy(depth, ({ bandPips }) => bandPips)
  return [...byBand].map(([bandPips, sides]) => ({
    bandPips,
    medianQuote: rangeOf(sides.map(({ medianQuote }) => BigInt(medianQuote))).low,
  }))
}
