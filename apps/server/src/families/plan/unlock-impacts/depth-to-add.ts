import { midPrice, swapToPrice } from '@liquidity-os/engine/amm'
import { integerSquareRoot, type Rat } from '@liquidity-os/engine/arithmetic'
import { wholeCurveInventory } from '@liquidity-os/engine/capital'
import type { ExitVenue } from '@liquidity-os/engine/stress'

const million = 1_000_000n
const scale = 10n ** 36n

/**
 * Full-range inventory to add at the best price of the pools. It absorbs the part of a sale that
 * exceeds the pools before the price falls by a limit. On a curve with liquidity L, a fall from p
 * to p(1 − d) absorbs L·(1/√(p(1 − d)) − 1/√p).
 *
 *     L = rest / (1/√(p(1 − d)) − 1/√p),  token = L/√p,  quote = L·√p,  rounded up
 *
 * The pool is assumed at the price of the first venue; its fee is ignored.
 *
 * @param venues venues with one common quote, the currency of the capital
 * @returns null without a venue
 */
export function depthToAdd(
  venues: readonly ExitVenue[],
  quantity: bigint,
  limit: number,
): { token: bigint; quote: bigint } | null {
  const [first] = venues
  if (!first) return null
  const price = midPrice(first.market, first.orientation)
  const pips = BigInt(Math.round(limit * 1e6))
  const target = { num: price.num * (million - pips), den: price.den * million }
  const taken = venues.reduce((sum, venue) => sum + takenTo(venue, target), 0n)
  const rest = quantity - taken
  if (rest <= 0n || pips >= million) return { token: 0n, quote: 0n }
  const [before, after] = [inverseRoot(price), inverseRoot(target)]
  // Rounded up: never too little liquidity.
  const liquidity = (rest * scale) / (after - before) + 1n
  return wholeCurveInventory(price, liquidity)
}

/** Base atoms that a pool takes until its price reaches a target. */
function takenTo({ market, orientation }: ExitVenue, target: Rat): bigint {
  const before = midPrice(market, orientation)
  if (before.num * target.den <= target.num * before.den) return 0n
  return swapToPrice(market, orientation, target).amountIn
}

/** 1/√p times 10^36, rounded down. */
const inverseRoot = ({ num, den }: Rat): bigint => integerSquareRoot((den * scale * scale) / num)
