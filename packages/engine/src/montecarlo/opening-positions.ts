import { midPrice } from '../amm/swap.ts'
import type { Holdings } from '../study/arm.ts'
import type { TickRange } from './market-session.ts'
import type { MonteCarloSpec } from './monte-carlo-spec.ts'
import { referencePrices } from './reference-price.ts'
import { openArm } from './run-path.ts'
import { scenarioSteps } from './scenario.ts'

/** Positions that an arm opens at the start of every path. */
export interface OpeningPositions {
  readonly armId: string
  /** Inventory before the deposits. */
  readonly start: Holdings
  /** True if it never changes its inventory by itself. */
  readonly isFixed: boolean
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
    const { desk, start } = openArm(spec, arm, price, () => 0n)
    return {
      armId: arm.armId,
      start,
      isFixed: arm.onStep === undefined,
      positions: [...desk.positions.values()].map((position) => ({ ...position })),
    }
  })
}
