import type { contract } from '@liquidity-os/contract'

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
  readonly inRangePips: number | null
}

/** A candidate over its flow models or paths. */
export interface Figures {
  readonly netVsHodl: Range
  /** P&L of HODL of the own starting inventory. */
  readonly hodl: Range
  readonly fees: Range
  readonly il: Range
  /** Gas and rebalancing; positive for a cost. */
  readonly costs: Range
  readonly inRangePips: number | null
  readonly maxDrawdown: bigint
  /** Median of the thinner side. */
  readonly depth: readonly { readonly bandPips: number; readonly medianQuote: bigint }[]
  readonly runs: readonly RunFigures[]
}

type Holder = contract.ArmResult['waterfallHolder']

/** End value minus the value of the own starting inventory at the end price, as an amount. */
export const vsHodlOf = (holder: Pick<Holder, 'net' | 'hold' | 'exposureDrift'>): string =>
  `${netVsHodlOf(holder)}`

const netVsHodlOf = ({
  net,
  hold,
  exposureDrift,
}: Pick<Holder, 'net' | 'hold' | 'exposureDrift'>) =>
  BigInt(net) - BigInt(hold) - BigInt(exposureDrift)

/** P&L of HODL of the own starting inventory: HODL P&L of the capital and inventory effect. */
const hodlPnlOf = ({ hold, exposureDrift }: Pick<Holder, 'hold' | 'exposureDrift'>) =>
  BigInt(hold) + BigInt(exposureDrift)

/** Metrics of a replay. Ranges span the flow models; other metrics use the worse model. */
export function figuresOfReplay(results: readonly contract.ArmResult[]): Figures {
  const holders = results.map(({ waterfallHolder }) => waterfallHolder)
  const range = (read: (holder: Holder) => bigint) => rangeOf(holders.map(read))
  const shares = results.flatMap(({ timeInRangePips }) => timeInRangePips ?? [])
  return {
    netVsHodl: range(netVsHodlOf),
    hodl: range(hodlPnlOf),
    fees: range(({ fees }) => BigInt(fees)),
    il: range(({ divergenceLoss }) => -BigInt(divergenceLoss)),
    costs: range(({ gas, rebalanceCost }) => BigInt(gas) + BigInt(rebalanceCost)),
    inRangePips: shares.length === 0 ? null : Math.min(...shares),
    maxDrawdown: rangeOf(results.map(({ risk }) => BigInt(risk.maxDrawdown.quote))).high,
    depth: thinnerSides(results.flatMap(({ depth }) => depth)),
    runs: results.map(({ flowModel, waterfallHolder: holder, timeInRangePips }) => ({
      flowModel,
      netVsHodl: netVsHodlOf(holder),
      hodl: hodlPnlOf(holder),
      fees: BigInt(holder.fees),
      il: -BigInt(holder.divergenceLoss),
      inRangePips: timeInRangePips,
    })),
  }
}

type Dist = contract.Dist

/**
 * Means of a simulation with bounds. The result has an interval for each line of the breakdown, but
 * none for their sum. The standard error of a sum is at most the sum of the standard errors. So the
 * sum of the intervals has at least their coverage.
 */
export function figuresOfSimulation(arm: contract.SimulatedArmResult): Figures {
  const { fees, divergenceLoss, gas, rebalanceCost, rewards, rounding } = arm.waterfallHolder
  const { hold, exposureDrift } = arm.waterfallHolder
  const il = negated(intervalOf(divergenceLoss))
  const costs = sumOf([intervalOf(gas), intervalOf(rebalanceCost)])
  const more = [intervalOf(fees), intervalOf(rewards), intervalOf(rounding)]
  const mean = (dist: Dist) => BigInt(dist.mean)
  return {
    netVsHodl: sumOf([...more, il, negated(costs)]),
    hodl: sumOf([intervalOf(hold), intervalOf(exposureDrift)]),
    fees: intervalOf(fees),
    il,
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
          mean(rounding) -
          mean(divergenceLoss) -
          mean(gas) -
          mean(rebalanceCost),
        hodl: mean(hold) + mean(exposureDrift),
        fees: mean(fees),
        il: -mean(divergenceLoss),
        inRangePips: arm.timeInRangePips,
      },
    ],
  }
}

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
