import { divideRoundingUp, integerSquareRoot, type Rat } from '../arithmetic/integer.ts'
import { X36 } from '../numerics/fixed-point.ts'
import { type Bid, inOrder, isAtMost, type Sale, type SalePoint } from './demand.ts'

const MILLION = 1_000_000n

/** Liquidity between two roots of the price (quote per token), with 36 places. */
export interface SeededBand {
  readonly lowerRootX36: bigint
  /** Null for an unbounded range: a constant product over every price. */
  readonly upperRootX36: bigint | null
  readonly liquidity: bigint
}

/** A newly seeded pool. Bands ascend and do not overlap. */
export interface SeededPool {
  readonly price: Rat
  readonly bands: readonly SeededBand[]
  readonly feePips: number
}

/**
 * Buys from a pool in order of arrival. Each bid buys up to its limit, its budget or the last band.
 * With the root r of the price and net input q in a band of liquidity L
 *
 *     r' = r + q/L,   tokens = L·(1/r − 1/r')
 *
 * The root is rounded down with 36 decimals, tokens down and payments up. No one sells: the result
 * shows the effect of demand alone on the price.
 *
 * @see Uniswap v3 whitepaper, §6.2
 */
export function sellFromPool({ price, bands, feePips }: SeededPool, bids: readonly Bid[]): Sale {
  let root = integerSquareRoot((price.num * X36 * X36) / price.den)
  let [sold, raised, filled] = [0n, 0n, 0]
  const path: SalePoint[] = [{ atSeconds: 0, price: squareOf(root), sold, raised }]
  for (const bid of inOrder(bids)) {
    if (isAtMost(bid.maximumPrice, squareOf(root))) continue
    const limit = integerSquareRoot((bid.maximumPrice.num * X36 * X36) / bid.maximumPrice.den)
    const net = (bid.budget * (MILLION - BigInt(feePips))) / MILLION
    const bought = buy(bands, root, limit, net)
    if (bought.tokens === 0n) continue
    root = bought.root
    sold += bought.tokens
    raised += divideRoundingUp(bought.paid * MILLION, MILLION - BigInt(feePips))
    filled += 1
    path.push({ atSeconds: bid.atSeconds, price: squareOf(root), sold, raised })
  }
  return { sold, raised, filled, isSuccessful: true, path }
}

const squareOf = (root: bigint): Rat => ({ num: root * root, den: X36 * X36 })

/** Walks up through the bands with an amount that is net of the fee. */
function buy(bands: readonly SeededBand[], from: bigint, limit: bigint, net: bigint) {
  let [root, left, tokens] = [from, net, 0n]
  for (const { lowerRootX36, upperRootX36, liquidity } of bands) {
    if (liquidity === 0n || (upperRootX36 !== null && upperRootX36 <= root)) continue
    const start = root > lowerRootX36 ? root : lowerRootX36
    if (start >= limit) break
    const end = upperRootX36 !== null && upperRootX36 < limit ? upperRootX36 : limit
    const needed = divideRoundingUp(liquidity * (end - start), X36)
    const reached = left >= needed ? end : start + (left * X36) / liquidity
    tokens += (liquidity * X36 * (reached - start)) / (start * reached)
    left -= left >= needed ? needed : left
    root = reached
    if (left === 0n) break
  }
  return { root, tokens, paid: net - left }
}
