import { largestWithin } from '../src/amm/bisection.ts'
import type { Dir } from '../src/amm/market.ts'
import { PoolRevertError } from '../src/amm/pool-revert.ts'
import { exchangeStable, pointOf } from '../src/amm/stableswap/exchange.ts'
import { unsettledD } from '../src/amm/stableswap/invariant.ts'
import { priceAt } from '../src/amm/stableswap/price.ts'
import type { StableState } from '../src/amm/stableswap/state.ts'
import type { Rat } from '../src/arithmetic/integer.ts'

/**
 * Largest input that leaves the marginal price of a StableSwap pool at or above `limit`, `to` per
 * `from`. Evaluates the pool at every step of a bisection: slow, but simple enough as a reference.
 */
export function bisectedInput(state: StableState, d: Dir, limit: Rat): bigint {
  const isWithin = (amountIn: bigint): boolean => isPriceWithin(state, d, amountIn, limit)
  return isWithin(0n) ? largestWithin(isWithin, 1n << 128n) : 0n
}

/** Condition of the bisection for one input. */
export function isPriceWithin(state: StableState, d: Dir, amountIn: bigint, limit: Rat): boolean {
  const after = amountIn === 0n ? state : attempt(() => exchangeStable(state, d, amountIn).state)
  // The contract rejects inputs without output, and inputs that overflow its arithmetic.
  if (after === null) return amountIn <= state.balances[d.from]!
  const o = { base: d.from, quote: d.to }
  const price = attempt(() => priceAt(pointOf(after, unsettledD), after, o))
  return price !== null && price.num * limit.den >= limit.num * price.den
}

function attempt<T>(operation: () => T): T | null {
  try {
    return operation()
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}
