import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { powerX36, X36 } from '../numerics/fixed-point.ts'
import type { DepthTarget, Inventory } from './move.ts'

const MILLION = 1_000_000n

/** Relative depth of a weighted pool: quote moved over the quote in it, rounded down. */
function relativeDepth(
  { side, movePips }: Pick<DepthTarget, 'side' | 'movePips'>,
  tokenWeightPips: number,
): bigint {
  const factor = side === 'BUY' ? MILLION + BigInt(movePips) : MILLION - BigInt(movePips)
  const weight = { num: BigInt(tokenWeightPips), den: MILLION }
  const { low, high } = powerX36({ num: factor, den: MILLION }, weight)
  return side === 'BUY' ? low - X36 : X36 - high
}

/**
 * Inventory of a weighted pool that reaches every target, rounded up.
 *
 *     BUY: D = y((1+u)^w − 1), SELL: D = y(1 − (1−d)^w);   x = y·w/((1 − w)·p)
 *
 * @param price quote atoms per token atom
 * @param tokenWeightPips w of the token, 10,000..990,000
 * @see Martinelli and Mushegian, “Balancer: a non-custodial portfolio manager” (2019)
 */
export function weightedInventory(
  price: Rat,
  targets: readonly DepthTarget[],
  tokenWeightPips: number,
): Inventory {
  assertWeight(tokenWeightPips)
  const quote = targets.reduce((most, target) => {
    const needed = divideRoundingUp(target.depthQuote * X36, relativeDepth(target, tokenWeightPips))
    return needed > most ? needed : most
  }, 0n)
  const weight = BigInt(tokenWeightPips)
  const token = divideRoundingUp(quote * weight * price.den, (MILLION - weight) * price.num)
  return { token, quote }
}

/** Depth of a weighted pool, rounded down. @param quote atoms of the quote in it */
export function weightedDepth(
  quote: bigint,
  target: Pick<DepthTarget, 'side' | 'movePips'>,
  tokenWeightPips: number,
): bigint {
  assertWeight(tokenWeightPips)
  return (quote * relativeDepth(target, tokenWeightPips)) / X36
}

function assertWeight(pips: number): void {
  if (!Number.isInteger(pips) || pips < 10_000 || pips > 990_000) {
    throw new RangeError(`a weight of ${pips} pips; expected a whole number in 10000..990000`)
  }
}
