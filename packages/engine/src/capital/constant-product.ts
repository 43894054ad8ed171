import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { rootX36, X36 } from '../numerics/fixed-point.ts'
import { type DepthTarget, type Inventory, isBelow, moved } from './move.ts'

/** A price range, lower below upper, quote per token. */
export interface PriceRange {
  readonly lower: Rat
  readonly upper: Rat
}

/**
 * Smallest liquidity of a constant product that gives a depth inside its range, rounded up.
 *
 *     BUY: L = D / (√(p(1+u)) − √p),   SELL: L = D / (√p − √(p(1−d)))
 *
 * @param price quote atoms per token atom
 * @returns L in √(token atoms · quote atoms)
 */
export function liquidityForDepth(price: Rat, target: DepthTarget): bigint {
  const [from, to] = [rootX36(price), rootX36(moved(price, target.side, target.movePips))]
  const distance = target.side === 'BUY' ? to.low - from.high : from.low - to.high
  return divideRoundingUp(target.depthQuote * X36, distance)
}

/** Liquidity that meets every target: the maximum over all targets. */
export function liquidityForDepths(price: Rat, targets: readonly DepthTarget[]): bigint {
  return targets.reduce((most, target) => {
    const liquidity = liquidityForDepth(price, target)
    return liquidity > most ? liquidity : most
  }, 0n)
}

/** Depth of a constant product inside its range, rounded down. */
export function depthOfLiquidity(
  price: Rat,
  liquidity: bigint,
  { side, movePips }: Pick<DepthTarget, 'side' | 'movePips'>,
): bigint {
  const [from, to] = [rootX36(price), rootX36(moved(price, side, movePips))]
  const distance = side === 'BUY' ? to.low - from.high : from.low - to.high
  return distance <= 0n ? 0n : (liquidity * distance) / X36
}

/** Inventory of liquidity on the whole curve, rounded up: token L/√p, quote L√p. */
export function wholeCurveInventory(price: Rat, liquidity: bigint): Inventory {
  const root = rootX36(price)
  return {
    token: divideRoundingUp(liquidity * X36, root.low),
    quote: divideRoundingUp(liquidity * root.high, X36),
  }
}

/**
 * Inventory of liquidity in a range, rounded up.
 *
 *     token L(1/√p − 1/√b), quote L(√p − √a), with p taken into [a, b]
 */
export function rangeInventory(price: Rat, range: PriceRange, liquidity: bigint): Inventory {
  const [lower, upper] = [rootX36(range.lower), rootX36(range.upper)]
  const inside = isBelow(price, range.lower)
    ? range.lower
    : isBelow(range.upper, price)
      ? range.upper
      : price
  const here = rootX36(inside)
  const up = upper.high - here.low
  const down = here.high - lower.low
  return {
    token: isBelow(inside, range.upper)
      ? divideRoundingUp(liquidity * X36 * up, here.low * upper.high)
      : 0n,
    quote: isBelow(range.lower, inside) ? divideRoundingUp(liquidity * down, X36) : 0n,
  }
}

/** Whether a range ends before a target does, so that no liquidity in it can reach the target. */
export function isNarrowerThan(price: Rat, range: PriceRange, target: DepthTarget): boolean {
  const end = moved(price, target.side, target.movePips)
  return target.side === 'BUY' ? isBelow(range.upper, end) : isBelow(end, range.lower)
}

/** Worth of the whole curve over that of the range with the same liquidity, in pips, rounded down. */
export function efficiencyPips(price: Rat, range: PriceRange, liquidity: bigint): bigint {
  const worth = ({ token, quote }: Inventory) => (token * price.num) / price.den + quote
  const whole = worth(wholeCurveInventory(price, liquidity))
  return (whole * 1_000_000n) / worth(rangeInventory(price, range, liquidity))
}
