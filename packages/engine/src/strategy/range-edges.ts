import type { Orientation } from '../amm/market.ts'
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  priceOfSqrtRatio,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '../amm/v3/tick-math.ts'
import { divideRoundingUp, integerSquareRoot } from '../arithmetic/integer.ts'
import type { TickRange } from '../montecarlo/market-session.ts'
import { X36 } from '../numerics/fixed-point.ts'

/** The edges of a range as prices of the base, quote atoms per base atom × 10³⁶, rounded down. */
export interface EdgePrices {
  readonly lowerPriceX36: bigint
  readonly upperPriceX36: bigint
}

/** Maximum distance of a lower edge below the price: a price cannot fall by 100 %. */
export const MOST_LOWER_PIPS = 999_999
const MILLION = 1_000_000n

/**
 * Ticks of the range from P·(1 − lowerPips/10⁶) to P·(1 + upperPips/10⁶), P the base price. The
 * lower edge is the last usable tick at or below, the upper edge the first at or above, so edges
 * are rounded outwards. They are clamped to the usable ticks.
 *
 * Exact: squares of root prices are compared as rationals. If the base is token1, the pool's price
 * is inverted, so the edges are inverted and swapped.
 *
 * @param place.sqrtPriceX96 √(token1/token0), Q64.96, above zero
 * @param lowerPips 0..999,999
 * @param upperPips 0 or more
 * @throws LowerPipsError for a lower edge at or below zero
 */
export function ticksBetweenPrices(
  place: { sqrtPriceX96: bigint; tickSpacing: number; orientation: Orientation },
  lowerPips: number,
  upperPips: number,
): TickRange {
  if (lowerPips > MOST_LOWER_PIPS) throw new LowerPipsError({ lowerPips })
  const { sqrtPriceX96, tickSpacing, orientation } = place
  const [low, high] = [MILLION - BigInt(lowerPips), MILLION + BigInt(upperPips)]
  const square = sqrtPriceX96 * sqrtPriceX96
  const [down, up] =
    orientation.base === 0
      ? [(square * low) / MILLION, divideRoundingUp(square * high, MILLION)]
      : [(square * MILLION) / high, divideRoundingUp(square * MILLION, low)]
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  // Adding zero makes one of minus zero.
  const floor = Math.floor(tickAtOrBelow(down) / tickSpacing) * tickSpacing + 0
  const ceil = Math.ceil(tickAtOrAbove(up) / tickSpacing) * tickSpacing + 0
  const within = (tick: number) => Math.min(Math.max(tick, -highest), highest)
  return { tickLower: within(floor), tickUpper: within(ceil) }
}

/** Greatest tick whose root price has at most this square. */
function tickAtOrBelow(square: bigint): number {
  return tickAtSqrtRatio(inDomain(integerSquareRoot(square)))
}

/** Smallest tick whose root price has at least this square. */
function tickAtOrAbove(square: bigint): number {
  const floor = integerSquareRoot(square)
  const root = inDomain(floor * floor === square ? floor : floor + 1n)
  const tick = tickAtSqrtRatio(root)
  return sqrtRatioAtTick(tick) === root ? tick : tick + 1
}

const inDomain = (root: bigint) =>
  root < MIN_SQRT_RATIO ? MIN_SQRT_RATIO : root >= MAX_SQRT_RATIO ? MAX_SQRT_RATIO - 1n : root

/**
 * Exact prices at the edges of a range: the square of a tick's root price in the contract, inverted
 * if the base is token1.
 *
 * @param range ticks in [MIN_TICK, MAX_TICK]
 */
export function edgePricesOf({ tickLower, tickUpper }: TickRange, o: Orientation): EdgePrices {
  const [low, high] = o.base === 0 ? [tickLower, tickUpper] : [tickUpper, tickLower]
  return { lowerPriceX36: priceX36At(low, o), upperPriceX36: priceX36At(high, o) }
}

function priceX36At(tick: number, { base }: Orientation): bigint {
  const { num, den } = priceOfSqrtRatio(sqrtRatioAtTick(tick))
  return base === 0 ? (num * X36) / den : (den * X36) / num
}

/** A range whose lower edge would lie at no price at all. */
export class LowerPipsError extends RangeError {
  readonly member = 'lowerPips'

  constructor(facts: { lowerPips: number }) {
    super(`lowerPips must be at most ${MOST_LOWER_PIPS}, got ${facts.lowerPips}`)
    this.name = 'LowerPipsError'
  }
}
