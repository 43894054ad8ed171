import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { FeedError } from '../../../integrations/feeds/feed-error.ts'
import { atomsOfText } from '../../../integrations/feeds/feed-point.ts'
import type { BookLevel, OrderBook } from '../../../integrations/feeds/order-book.ts'
import { isoOf } from './mandate-terms.ts'

const x18 = 10n ** 18n

/**
 * Converts a provider's book to a batch with one sample. Prices are rounded down to X18 and sizes
 * to atoms. Levels with equal prices merge, and empty levels are dropped.
 *
 * @throws FeedError if a side is empty or the rounded book is crossed
 */
export function fetchedBatch(
  { at, bids, asks, clock }: OrderBook,
  feed: contract.BookFeed,
  venueKey: string,
): Uint8Array {
  const sample = {
    at: `${isoOf(at).slice(0, 19)}Z`,
    bids: levelsOf(bids, feed),
    asks: levelsOf(asks, feed),
  }
  const [bid, ask] = [sample.bids[0], sample.asks[0]]
  if (!bid || !ask)
    throw FeedError.refused('SHAPE', 'the book has no bids or no asks after rounding to atoms')
  if (BigInt(bid.priceX18) >= BigInt(ask.priceX18)) {
    throw FeedError.refused('SHAPE', 'the book is crossed at 18 digits')
  }
  const body: contract.ObservationBatchWrite = {
    payload: { source: 'PUBLIC_BOOK', venueKey, samples: [sample] },
    reason: `Book of ${feed.symbol} at ${feed.exchange}${clock === 'RECEIPT' ? ', dated by its receipt' : ''}`,
  }
  return new TextEncoder().encode(canonicalize(body))
}

function levelsOf(levels: readonly BookLevel[], { baseDecimals }: contract.BookFeed) {
  const sizes = new Map<bigint, bigint>()
  for (const { priceX36, amount } of levels) {
    const [price, size] = [priceX36 / x18, atomsOfText(amount, baseDecimals)]
    if (price > 0n && size > 0n) sizes.set(price, (sizes.get(price) ?? 0n) + size)
  }
  return [...sizes].map(([price, size]) => ({ priceX18: `${price}`, size: `${size}` }))
}
