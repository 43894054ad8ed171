import type { Orientation } from '../amm/market.ts'
import { amountsForLiquidity, roundingUp } from '../amm/v3/liquidity.ts'
import { liquidityForAmounts } from '../amm/v3/liquidity-amounts.ts'
import type { Pool } from '../amm/v3/pool.ts'
import { MAX_TICK, MIN_TICK } from '../amm/v3/tick-math.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'

/** One way of using the capital. */
export type StudyArm = { readonly armId: string } & (
  | { readonly kind: 'HOLD' }
  | { readonly kind: 'FULL_RANGE' }
  | { readonly kind: 'V3_RANGE'; readonly tickLower: number; readonly tickUpper: number }
)

/** An amount of both tokens by their role. */
export interface Holdings {
  readonly base: bigint
  readonly quote: bigint
}

/**
 * Capital of a study. AS_GIVEN deposits what the range can use and leaves the rest idle; EQUAL_VALUE first
 * converts it at the start price, without cost, to what the range needs.
 */
export interface StudyCapital extends Holdings {
  readonly normalization: 'AS_GIVEN' | 'EQUAL_VALUE'
}

/** A position to open, what goes into it and what stays outside. */
export interface Deposit {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly deposited: Holdings
  readonly idle: Holdings
}

/** Ticks of an arm, or null for one that only holds. @throws RangeError for ticks off the spacing */
export function rangeOf(
  arm: StudyArm,
  tickSpacing: number,
): { tickLower: number; tickUpper: number } | null {
  if (arm.kind === 'HOLD') return null
  if (arm.kind === 'FULL_RANGE') {
    const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
    return { tickLower: -highest, tickUpper: highest }
  }
  const { tickLower, tickUpper } = arm
  const aligned = tickLower % tickSpacing === 0 && tickUpper % tickSpacing === 0
  if (!aligned || tickLower >= tickUpper || tickLower < MIN_TICK || tickUpper > MAX_TICK) {
    throw new RangeError(
      `arm ${arm.armId}: ticks ${tickLower} and ${tickUpper} are no range of spacing ${tickSpacing}`,
    )
  }
  return { tickLower, tickUpper }
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

/**
 * Works out what an arm deposits into the pool at its start.
 *
 * @param price quote per base at the start
 */
export function planDeposit(
  pool: Pool,
  range: { tickLower: number; tickUpper: number },
  o: Orientation,
  capital: StudyCapital,
  price: Rat,
): Deposit {
  const needs = (liquidity: bigint) =>
    toHoldings(o, amountsForLiquidity(pool, range, liquidity, roundingUp))
  if (capital.normalization === 'EQUAL_VALUE') {
    return planEqualValue(range, needs, capital, price)
  }
  const [a0, a1] = o.base === 0 ? [capital.base, capital.quote] : [capital.quote, capital.base]
  const { tickLower, tickUpper } = range
  const liquidity = liquidityForAmounts(pool, tickLower, tickUpper, a0, a1)
  const deposited = needs(liquidity)
  const idle = {
    base: capital.base - deposited.base,
    quote: capital.quote - deposited.quote,
  }
  return { ...range, liquidity, deposited, idle }
}

function planEqualValue(
  range: { tickLower: number; tickUpper: number },
  needs: (liquidity: bigint) => Holdings,
  capital: StudyCapital,
  price: Rat,
): Deposit {
  const budget = quoteValue(capital.base, price) + capital.quote
  // A base atom can be worth many quote atoms, so the cost of what is needed is rounded up.
  const costOf = ({ base, quote }: Holdings) => -quoteValue(-base, price) + quote
  const trial = 1n << 100n
  let liquidity = (budget * trial) / costOf(needs(trial))
  while (liquidity > 0n && costOf(needs(liquidity)) > budget) {
    // Too much by rounding only: a part in 2^60, and one, is far more than rounding can be.
    liquidity -= (liquidity >> 60n) + 1n
  }
  const deposited = needs(liquidity)
  return { ...range, liquidity, deposited, idle: { base: 0n, quote: budget - costOf(deposited) } }
}
