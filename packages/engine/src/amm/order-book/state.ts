import type { Rat } from '../../arithmetic/integer.ts'

export interface BookLevel {
  /** The price in ticks, above zero. */
  readonly ticks: bigint
  /** Atoms of base offered or bid at this level, above zero. */
  readonly base: bigint
}

/**
 * A displayed order book at one moment: the base is token 0, the quote token 1. It excludes later
 * orders, hidden orders and priority within a level.
 */
export interface BookState {
  readonly kind: 'ORDER_BOOK'
  /** Quote atoms per base atom of one tick. */
  readonly tickSize: Rat
  /** Taker fee, deducted from the taker's proceeds, in millionths. */
  readonly takerFeePips: number
  /** Buyers, best (highest) price first. */
  readonly bids: readonly BookLevel[]
  /** Sellers, best (lowest) price first. */
  readonly asks: readonly BookLevel[]
}

/** Most levels of both sides together. */
export const MAX_BOOK_LEVELS = 2_000

/**
 * Creates a book from levels in any order; merges levels of the same price.
 *
 * @throws RangeError for a price or size that is not above zero, a crossed book, a fee outside
 * 0..999,999, or more than `MAX_BOOK_LEVELS` levels
 */
export function createBook(terms: Omit<BookState, 'kind'>): BookState {
  const book: BookState = {
    kind: 'ORDER_BOOK',
    tickSize: terms.tickSize,
    takerFeePips: terms.takerFeePips,
    bids: gather(terms.bids, (a, b) => (a.ticks > b.ticks ? -1 : 1)),
    asks: gather(terms.asks, (a, b) => (a.ticks < b.ticks ? -1 : 1)),
  }
  const fault = findBookFault(book)
  if (fault !== null) throw new RangeError(fault)
  return book
}

/** Validates a displayed book. Returns a description of the first problem, or null. */
export function findBookFault({ tickSize, takerFeePips, bids, asks }: BookState): string | null {
  if (tickSize.num <= 0n || tickSize.den <= 0n) return 'a tick size that is not positive'
  if (!Number.isInteger(takerFeePips) || takerFeePips < 0 || takerFeePips >= 1_000_000) {
    return `a taker fee of ${takerFeePips} pips; expected a whole number in 0..999999`
  }
  const levels = [...bids, ...asks]
  if (levels.length > MAX_BOOK_LEVELS) return `${levels.length} levels, above ${MAX_BOOK_LEVELS}`
  if (levels.some(({ ticks, base }) => ticks <= 0n || base <= 0n)) {
    return 'a level whose price or size is not positive'
  }
  const [bid, ask] = [bids[0], asks[0]]
  if (bid !== undefined && ask !== undefined && bid.ticks >= ask.ticks) return 'a crossed book'
  return null
}

function gather(
  levels: readonly BookLevel[],
  byBest: (a: BookLevel, b: BookLevel) => number,
): readonly BookLevel[] {
  const sizes = new Map<bigint, bigint>()
  for (const { ticks, base } of levels) sizes.set(ticks, (sizes.get(ticks) ?? 0n) + base)
  return [...sizes].map(([ticks, base]) => ({ ticks, base })).sort(byBest)
}
