/** A level of an order book. */
export interface QuotedLevel {
  /** Quote atoms for one base atom, times 10^18; above zero. */
  readonly priceX18: bigint
  /** Base atoms; above zero. */
  readonly size: bigint
}

/** Orders of one moment: bids descending, asks ascending, best first. */
export interface QuotedBook {
  readonly bids: readonly QuotedLevel[]
  readonly asks: readonly QuotedLevel[]
}

export type BookSide = 'BID' | 'ASK'

export interface BookFault {
  readonly side: BookSide
  /** Place of the level in its side. */
  readonly level: number
  readonly fault: 'NOT_POSITIVE' | 'UNSORTED' | 'CROSSED'
}

/**
 * The first fault of a book, or null for a valid book. Faults are zero prices or sizes, levels that
 * are not strictly sorted from the best on, and a best bid that reaches the best ask.
 */
export function bookFault({ bids, asks }: QuotedBook): BookFault | null {
  const fault = sideFault('BID', bids) ?? sideFault('ASK', asks)
  if (fault) return fault
  const [bid, ask] = [bids[0], asks[0]]
  const isCrossed = bid !== undefined && ask !== undefined && bid.priceX18 >= ask.priceX18
  return isCrossed ? { side: 'ASK', level: 0, fault: 'CROSSED' } : null
}

function sideFault(side: BookSide, levels: readonly QuotedLevel[]): BookFault | null {
  for (const [level, { priceX18, size }] of levels.entries()) {
    if (priceX18 <= 0n || size <= 0n) return { side, level, fault: 'NOT_POSITIVE' }
    const better = levels[level - 1]?.priceX18
    if (better === undefined) continue
    const isSorted = side === 'BID' ? priceX18 < better : priceX18 > better
    if (!isSorted) return { side, level, fault: 'UNSORTED' }
  }
  return null
}
