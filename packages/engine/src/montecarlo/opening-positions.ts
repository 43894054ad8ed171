import { midPrice } from '../amm/swap.ts'
import type { TickRange } from './market-session.ts'
import type { MonteCarloSpec } from './monte-carlo-spec.ts'
import { referencePrices } from './reference-price.ts'
import { openArm } from './run-path.ts'
import { scenarioSteps } from './scenario.ts'

/** Positions that an arm opens at the start of every path. */
export interface OpeningPositions {
  readonly armId: string
  readonly positions: readonly (TickRange & { readonly liquidity: bigint })[]
}

/**
 * The positions of all arms at the start of a path, in arm order. They do not depend on random
 * draws.
 */
export function openingPositions(spec: MonteCarloSpec): OpeningPositions[] {
  const { s0, cfg, scenario } = spec
  const [told] = scenario === undefined ? [] : scenarioSteps(scenario, 0, cfg.stepSeconds)
  const price = referencePrices(midPrice(s0, cfg.orientation))(told?.priceFactor ?? 1)
  return spec.arms().map((arm) => {
    const { desk } = openArm(spec, arm, price, () => 0n)
    return {
      armId: arm.armId,
      positions: [...desk.positions.values()].map((position) => ({ ...position })),
    }
  })
}
