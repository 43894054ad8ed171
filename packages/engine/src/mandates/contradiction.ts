import type { BookSide, QuotedBook, QuotedLevel } from './quoted-book.ts'

/** An order that a maker claims and the public book of the same moment has no room for. */
export interface Contradiction {
  readonly side: BookSide
  readonly code: 'BETTER_THAN_PUBLIC' | 'LARGER_THAN_PUBLIC'
  readonly priceX18: bigint
  readonly size: bigint
  /** What the public book has at that price; 0 where it has nothing. */
  readonly publicSize: bigint
}

/**
 * The first own order, bids before asks and best first, that does not fit inside a public book: it is better than the best public
 * one of its side, or larger than all that the public book has at its price. An order behind the last public level is not judged,
 * as nobody knows where the public book was cut off.
 *
 * @returns null where all of them fit
 */
export function contradictionOf(own: QuotedBook, seen: QuotedBook): Contradiction | null {
  return (
    sideContradiction('BID', own.bids, seen.bids) ?? sideContradiction('ASK', own.asks, seen.asks)
  )
}

function sideContradiction(
  side: BookSide,
  own: readonly QuotedLevel[],
  seen: readonly QuotedLevel[],
): Contradiction | null {
  const [best, last] = [seen[0]?.priceX18, seen.at(-1)?.priceX18]
  const isBetter = (a: bigint, b: bigint) => (side === 'BID' ? a > b : a < b)
  const sizes = new Map(seen.map(({ priceX18, size }) => [priceX18, size]))
  for (const { priceX18, size } of own) {
    if (best === undefined || last === undefined || isBetter(priceX18, best)) {
      return { side, code: 'BETTER_THAN_PUBLIC', priceX18, size, publicSize: 0n }
    }
    if (isBetter(last, priceX18)) continue
    const publicSize = sizes.get(priceX18) ?? 0n
    if (size > publicSize) {
      return { side, code: 'LARGER_THAN_PUBLIC', priceX18, size, publicSize }
    }
  }
  return null
}
