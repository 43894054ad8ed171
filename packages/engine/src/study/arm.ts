import type { Orientation } from '../amm/market.ts'
import { MAX_TICK, MIN_TICK } from '../amm/v3/tick-math.ts'
import type { StrategyDefinition } from '../strategy/definition.ts'

/** One way of using the capital. */
export type StudyArm = { readonly armId: string } & (
  | { readonly kind: 'HOLD' }
  | { readonly kind: 'FULL_RANGE' }
  | { readonly kind: 'V3_RANGE'; readonly tickLower: number; readonly tickUpper: number }
  | { readonly kind: 'STRATEGY'; readonly definition: StrategyDefinition }
)

/** An amount of both tokens by their role. */
export interface Holdings {
  readonly base: bigint
  readonly quote: bigint
}

/**
 * Capital of a study. AS_GIVEN deposits the amounts that the range can use and leaves the rest
 * idle. EQUAL_VALUE first converts the capital at the start price, without cost, to the token ratio
 * of the range.
 */
export interface StudyCapital extends Holdings {
  readonly normalization: 'AS_GIVEN' | 'EQUAL_VALUE'
}

/** Ticks of a fixed range. @throws RangeError for ticks off the spacing */
export function assertRange(
  { armId, tickLower, tickUpper }: { armId: string; tickLower: number; tickUpper: number },
  tickSpacing: number,
): void {
  const aligned = tickLower % tickSpacing === 0 && tickUpper % tickSpacing === 0
  if (!aligned || tickLower >= tickUpper || tickLower < MIN_TICK || tickUpper > MAX_TICK) {
    throw new RangeError(
      `candidate ${armId}: ticks ${tickLower} and ${tickUpper} are not a valid range for spacing ${tickSpacing}`,
    )
  }
}

/** Tokens by number from tokens by role, and back. */
export function toHoldings(
  o: Orientation,
  amounts: { amount0: bigint; amount1: bigint },
): Holdings {
  return o.base === 0
    ? { base: amounts.amount0, quote: amounts.amount1 }
    : { base: amounts.amount1, quote: amounts.amount0 }
}
