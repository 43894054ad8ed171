import { addStableLiquidity } from '../amm/stableswap/liquidity.ts'
import { createStablePool, PRECISION, type StableState } from '../amm/stableswap/state.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import type { DepthTarget, Inventory } from './move.ts'

/** Size used to solve the curve: far above rounding errors, far below the contract's limits. */
const UNIT = 10n ** 26n

/**
 * Inventory of a balanced StableSwap pool that reaches every target, rounded up. The curve is
 * homogeneous, so the exact engine solves it once at unit size, without a fee. The result is
 * scaled.
 *
 * @param price quote atoms per token atom, the peg of the pool
 * @param amplification A, 1..100,000
 * @throws RangeError for a move that no pool size can reach
 */
export function stableInventory(
  price: Rat,
  targets: readonly DepthTarget[],
  amplification: number,
): Inventory {
  const pool = unitPool(amplification)
  let scale: Rat = { num: 0n, den: 1n }
  for (const { side, movePips, depthQuote } of targets) {
    const found = depthLadder(pool, { base: 0, quote: 1 }, [movePips]).find((d) => d.side === side)
    const depth = found?.quote ?? 0n
    if (depth === 0n) throw new RangeError(`no depth at ${movePips} pips`)
    if (depthQuote * scale.den > scale.num * depth) scale = { num: depthQuote, den: depth }
  }
  // Both coins of the unit pool have equal value, so the peg determines the number of tokens.
  const quote = divideRoundingUp(UNIT * scale.num, scale.den)
  return { token: divideRoundingUp(quote * price.den, price.num), quote }
}

/** A balanced pool of two coins of the same worth. */
function unitPool(amplification: number): StableState {
  if (!Number.isInteger(amplification) || amplification < 1 || amplification > 100_000) {
    throw new RangeError(`an amplification of ${amplification}; expected one in 1..100000`)
  }
  const pool = createStablePool({
    variant: 'A100',
    rates: [PRECISION, PRECISION],
    amplification: BigInt(amplification) * 100n,
    feeX10: 0n,
  })
  return addStableLiquidity(pool, [UNIT, UNIT]).state
}
