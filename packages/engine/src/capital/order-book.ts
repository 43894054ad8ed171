import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { rootX36, X36 } from '../numerics/fixed-point.ts'
import { type DepthTarget, type Inventory, moved } from './move.ts'

const MILLION = 1_000_000n

/**
 * Inventory behind posted depth, as a multiple of the depth: quote for the bids, token for the
 * asks. Asks are valued at the geometric mean of the price and the end of the move. Rounded up.
 *
 * @param inventoryMultiplePips 1,000,000..10,000,000
 */
export function orderBookInventory(
  price: Rat,
  targets: readonly DepthTarget[],
  inventoryMultiplePips: number,
): Inventory {
  const multiple = BigInt(inventoryMultiplePips)
  let [token, quote] = [0n, 0n]
  for (const { side, movePips, depthQuote } of targets) {
    const needed = divideRoundingUp(depthQuote * multiple, MILLION)
    if (side === 'SELL') {
      if (needed > quote) quote = needed
      continue
    }
    const end = moved(price, side, movePips)
    // √(p·p(1+u)), rounded down, so that the token side is never too small.
    const mean = rootX36({ num: price.num * end.num, den: price.den * end.den }).low
    const tokens = divideRoundingUp(needed * X36, mean)
    if (tokens > token) token = tokens
  }
  return { token, quote }
}

/**
 * The token that limits a budget, and the resulting scale: ⌊min over tokens of budget over need⌋.
 */
export function scaleToBudget(
  need: Inventory,
  budget: Inventory,
): { readonly scaleX18: bigint; readonly bindingSide: 'TOKEN' | 'QUOTE' } {
  const x18 = 10n ** 18n
  const byToken = need.token === 0n ? null : (budget.token * x18) / need.token
  const byQuote = need.quote === 0n ? null : (budget.quote * x18) / need.quote
  if (byQuote === null || (byToken !== null && byToken < byQuote)) {
    return { scaleX18: byToken ?? 0n, bindingSide: 'TOKEN' }
  }
  return { scaleX18: byQuote, bindingSide: 'QUOTE' }
}
