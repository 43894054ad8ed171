import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { rootX36, X36 } from '../numerics/fixed-point.ts'
import { type PriceRange, rangeInventory } from './constant-product.ts'
import { type DepthTarget, type Inventory, isBelow, moved } from './move.ts'

/** A band of a ladder with the liquidity in it. */
export interface LadderBand extends PriceRange {
  readonly liquidity: bigint
}

/** Band of a ladder before it is scaled. */
export interface WeightedBand extends PriceRange {
  readonly weightPips: number
}

/** Both tokens of all bands, each rounded up. */
export function ladderInventory(price: Rat, bands: readonly LadderBand[]): Inventory {
  let [token, quote] = [0n, 0n]
  for (const band of bands) {
    const part = rangeInventory(price, band, band.liquidity)
    token += part.token
    quote += part.quote
  }
  return { token, quote }
}

/** Depth of a ladder between the price and a move, every band rounded down. */
export function ladderDepth(
  price: Rat,
  bands: readonly LadderBand[],
  { side, movePips }: Pick<DepthTarget, 'side' | 'movePips'>,
): bigint {
  const end = moved(price, side, movePips)
  return bands.reduce((sum, band) => sum + (band.liquidity * reach(price, end, band)) / X36, 0n)
}

/** Length of root price that a move covers inside a band, rounded down. */
function reach(price: Rat, end: Rat, { lower, upper }: PriceRange): bigint {
  const [from, to] = isBelow(price, end) ? [price, end] : [end, price]
  const start = isBelow(from, lower) ? lower : from
  const stop = isBelow(to, upper) ? to : upper
  if (!isBelow(start, stop)) return 0n
  const distance = rootX36(stop).low - rootX36(start).high
  return distance > 0n ? distance : 0n
}

/**
 * Scales a ladder to reach every target. Liquidity is λ·weight, with λ the largest that any target
 * requires, rounded up.
 *
 * @throws RangeError if no band of the ladder covers the path of a target
 */
export function scaleLadder(
  price: Rat,
  bands: readonly WeightedBand[],
  targets: readonly DepthTarget[],
): LadderBand[] {
  let scale = 0n
  for (const { side, movePips, depthQuote } of targets) {
    const end = moved(price, side, movePips)
    const perScale = bands.reduce(
      (sum, band) => sum + BigInt(band.weightPips) * reach(price, end, band),
      0n,
    )
    if (perScale === 0n) throw new RangeError(`no band of the ladder lies within ${movePips} pips`)
    const needed = divideRoundingUp(depthQuote * X36, perScale)
    if (needed > scale) scale = needed
  }
  return bands.map(({ lower, upper, weightPips }) => ({
    lower,
    upper,
    liquidity: scale * BigInt(weightPips),
  }))
}

/**
 * The cheapest ladder: on each side one band between consecutive targets, with just the depth that the
 * nearer ones do not give. The bid quote is then the sell depth itself.
 *
 *     L_k = (D_k − max D_{<k})⁺ / (√b_k − √a_k)
 */
export function targetLadder(price: Rat, targets: readonly DepthTarget[]): LadderBand[] {
  const bands: LadderBand[] = []
  for (const side of ['BUY', 'SELL'] as const) {
    const sorted = targets
      .filter((target) => target.side === side)
      .sort((a, b) => a.movePips - b.movePips)
    let nearest = price
    let reached = 0n
    for (const target of sorted) {
      const end = moved(price, side, target.movePips)
      const [lower, upper] = side === 'BUY' ? [nearest, end] : [end, nearest]
      const missing = target.depthQuote - reached
      if (missing <= 0n || !isBelow(lower, upper)) continue
      const distance = rootX36(upper).low - rootX36(lower).high
      bands.push({ lower, upper, liquidity: divideRoundingUp(missing * X36, distance) })
      reached = target.depthQuote
      nearest = end
    }
  }
  return bands
}
