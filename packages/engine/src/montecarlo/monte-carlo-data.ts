import type { Market } from '../amm/market.ts'
import { strategyArm } from '../strategy/strategy-arm.ts'
import { assertRange, type StudyArm } from '../study/arm.ts'
import { fullRangeArm, holdArm, type MonteCarloArm, rangeArm, rebalancingArm } from './arms.ts'
import type { MonteCarloSpec } from './monte-carlo-spec.ts'

/** A Monte Carlo study as plain data: it can be sent to a thread, stored and hashed. */
export interface MonteCarloData extends Omit<MonteCarloSpec, 'arms'> {
  readonly arms: readonly StudyArm[]
  /** Between a trigger of a strategy and its action, default 60. */
  readonly actionLatencySeconds?: number
  /** Standard deviation of ln price per root of a second, for strategies that begin with it. */
  readonly volatility?: number | null
}

/** Ids of the benchmarks in every study. */
export const benchmarkArmIds = [
  'benchmark-hold',
  'benchmark-full-range',
  'benchmark-rebalancing',
] as const

/**
 * The study with its arms and the benchmarks. These are HODL, a full-range position with the same
 * capital, and the rebalancing portfolio without fee or slippage.
 *
 * @throws RangeError for two arms with one id, or a range off the spacing
 */
export function monteCarloSpec(data: MonteCarloData): MonteCarloSpec {
  const { arms, actionLatencySeconds = 60, volatility = null, ...spec } = data
  const ids = new Set([...arms.map(({ armId }) => armId), ...benchmarkArmIds])
  if (ids.size !== arms.length + benchmarkArmIds.length) {
    throw new RangeError('candidate IDs must be unique and differ from benchmark IDs')
  }
  const terms = { actionLatencySeconds, volatility }
  const tickSpacing = spacingOf(data.s0)
  const make = (arm: StudyArm): MonteCarloArm => {
    switch (arm.kind) {
      case 'HOLD':
        return holdArm(arm.armId)
      case 'FULL_RANGE':
        return fullRangeArm(arm.armId, tickSpacing)
      case 'V3_RANGE':
        assertRange(arm, tickSpacing)
        return rangeArm(arm.armId, arm)
      case 'STRATEGY':
        return strategyArm(arm.armId, arm.definition, terms)
    }
  }
  const [hold, full, rebalancing] = benchmarkArmIds
  return {
    ...spec,
    arms: () => [
      ...arms.map(make),
      holdArm(hold),
      fullRangeArm(full, tickSpacing),
      rebalancingArm(rebalancing),
    ],
  }
}

/** Tick spacing; 1 for a market without ranges, which never uses it. */
const spacingOf = (market: Market) => (market.kind === 'UNISWAP_V3' ? market.tickSpacing : 1)
