import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import type { Split } from './split-order.ts'

/** A price, and the quote atoms it is weighed with. */
export interface WeighedPrice {
  readonly mid: Rat
  readonly weight: bigint
}

const MILLION = 1_000_000n
const X36 = 10n ** 36n

/**
 * The weighted mean of the prices of several markets for one pair, rounded down in 10^-36.
 *
 * @param prices quote atoms per base atom, with weights of zero or more
 * @returns a single price unchanged, the first price if all weights are zero, null without prices
 */
export function commonMid(prices: readonly WeighedPrice[]): Rat | null {
  const [first, second] = prices
  if (first === undefined) return null
  if (second === undefined) return first.mid
  const weights = prices.reduce((sum, { weight }) => sum + weight, 0n)
  if (weights === 0n) return first.mid
  const sum = prices.reduce(
    (total, { mid, weight }) => total + weight * ((mid.num * X36) / mid.den),
    0n,
  )
  return { num: sum, den: weights * X36 }
}

/**
 * Cost of a split order against a price, pips in 0..1,000,000, rounded up; 1,000,000 if any part
 * was not filled.
 *
 * @param mid quote atoms per base atom
 */
export function splitPips(split: Split, side: Side, mid: Rat): number {
  const worth = quoteValue(side === 'BUY' ? split.amountOut : split.amountIn, mid)
  if (split.unfilled > 0n || worth === 0n) return Number(MILLION)
  const pips =
    side === 'BUY'
      ? divideRoundingUp(split.amountIn * MILLION, worth) - MILLION
      : MILLION - (split.amountOut * MILLION) / worth
  return Number(pips < 0n ? 0n : pips > MILLION ? MILLION : pips)
}
