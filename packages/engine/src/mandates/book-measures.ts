import type { QuotedBook, QuotedLevel } from './quoted-book.ts'

const pips = 1_000_000n
const x18 = 10n ** 18n

/** Depth of a book within a distance of its mid price, each side in quote atoms. */
export interface BandDepth {
  readonly bandPips: number
  readonly bid: bigint
  readonly ask: bigint
}

/** All that the metrics of a mandate read of a book: a sample of 400 levels becomes a few integers. */
export interface BookMeasures {
  /** Best prices; 0 for a side that is empty. */
  readonly bidX18: bigint
  readonly askX18: bigint
  /** Quote atoms at the best prices, rounded down; 0 for a side that is empty. */
  readonly topBid: bigint
  readonly topAsk: bigint
  /** One entry per requested band, in the same order. */
  readonly depth: readonly BandDepth[]
}

/** An empty book: the value of a contradicted sample. */
export function nothingQuoted(bandsPips: readonly number[]): BookMeasures {
  return {
    bidX18: 0n,
    askX18: 0n,
    topBid: 0n,
    topAsk: 0n,
    depth: bandsPips.map((bandPips) => ({ bandPips, bid: 0n, ask: 0n })),
  }
}

/**
 * Measures a book around a mid price.
 *
 *     mid = (bid + ask) / 2      depth = ⌊ Σ size·price / 10^18 ⌋ over mid·(1 − b) ≤ price ≤ mid·(1 + b)
 *
 * Bounds are compared exactly, 2·10^6·price against (bid + ask)·(10^6 ∓ b). Value is rounded down
 * once, after the sum.
 *
 * @param book valid, see `bookFault`
 * @param bandsPips distances from the mid price, 1..1,000,000
 * @param around the book that defines the mid price: the public one for own orders. Default: the
 * book itself. A one-sided book has no mid price, and no depth within a distance.
 */
export function measureBook(
  book: QuotedBook,
  bandsPips: readonly number[],
  around: QuotedBook = book,
): BookMeasures {
  const { bids, asks } = book
  const [bid, ask] = [bids[0], asks[0]]
  const [low, high] = [around.bids[0]?.priceX18, around.asks[0]?.priceX18]
  const twiceMiddle = low === undefined || high === undefined ? null : low + high
  return {
    bidX18: bid?.priceX18 ?? 0n,
    askX18: ask?.priceX18 ?? 0n,
    topBid: bid ? quoteValue([bid]) : 0n,
    topAsk: ask ? quoteValue([ask]) : 0n,
    depth: bandsPips.map((bandPips) => {
      if (twiceMiddle === null) return { bandPips, bid: 0n, ask: 0n }
      const least = twiceMiddle * (pips - BigInt(bandPips))
      const most = twiceMiddle * (pips + BigInt(bandPips))
      const isWithin = ({ priceX18 }: QuotedLevel) => {
        const scaled = 2n * pips * priceX18
        return scaled >= least && scaled <= most
      }
      return {
        bandPips,
        bid: quoteValue(bids.filter(isWithin)),
        ask: quoteValue(asks.filter(isWithin)),
      }
    }),
  }
}

const quoteValue = (levels: readonly QuotedLevel[]): bigint =>
  levels.reduce((sum, { priceX18, size }) => sum + priceX18 * size, 0n) / x18

/** Spread of a one-sided book: the limit of the formula. */
export const widestSpreadPips = 2_000_000n

/**
 * Spread in millionths of the mid price: ⌈ 2·10^6·(ask − bid) / (ask + bid) ⌉, 0 if prices of
 * several venues cross.
 *
 * @returns null if a side is empty
 */
export function spreadPips({
  bidX18,
  askX18,
}: Pick<BookMeasures, 'bidX18' | 'askX18'>): bigint | null {
  if (bidX18 === 0n || askX18 === 0n) return null
  if (bidX18 >= askX18) return 0n
  const sum = askX18 + bidX18
  return (2n * pips * (askX18 - bidX18) + sum - 1n) / sum
}

/**
 * Merges books of several venues. Best prices are the best of all venues, with the sizes of the
 * venues that quote them. Depths are summed, each around its venue's mid price.
 *
 * @param books at least one, all with the same bands
 */
export function joinMeasures(books: readonly BookMeasures[]): BookMeasures {
  const [first] = books as readonly [BookMeasures, ...BookMeasures[]]
  if (books.length === 1) return first
  const bidX18 = books.reduce((best, book) => (book.bidX18 > best ? book.bidX18 : best), 0n)
  const askX18 = books.reduce(
    (best, { askX18: ask }) => (ask > 0n && (best === 0n || ask < best) ? ask : best),
    0n,
  )
  const sum = (of: (book: BookMeasures) => bigint) =>
    books.reduce((total, book) => total + of(book), 0n)
  return {
    bidX18,
    askX18,
    topBid: sum((book) => (book.bidX18 === bidX18 ? book.topBid : 0n)),
    topAsk: sum((book) => (book.askX18 === askX18 ? book.topAsk : 0n)),
    depth: first.depth.map(({ bandPips }, place) => ({
      bandPips,
      bid: sum(({ depth }) => depth[place]?.bid ?? 0n),
      ask: sum(({ depth }) => depth[place]?.ask ?? 0n),
    })),
  }
}
