import type { BookSide, QuotedBook, QuotedLevel } from './quoted-book.ts'

/** An order that a market maker claims but the public book of the same moment cannot contain. */
export interface Contradiction {
  readonly side: BookSide
  readonly code: 'BETTER_THAN_PUBLIC' | 'LARGER_THAN_PUBLIC'
  readonly priceX18: bigint
  readonly size: bigint
  /** Size in the public book at this price; 0 if absent. */
  readonly publicSize: bigint
}

/**
 * The first own order that does not fit into a public book, bids before asks and best first. It is
 * better than the best public price of its side, or larger than the public size at its price.
 * Orders beyond the last public level are skipped, because the public book can be truncated there.
 *
 * @returns null if all orders fit
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
