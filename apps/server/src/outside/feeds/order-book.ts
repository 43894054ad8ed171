import type { contract } from '@liquidity-os/contract'
import { limits } from '../../limits.ts'
import type { Services } from '../../services.ts'
import { FeedError } from './feed-error.ts'
import { askForJson, type FeedHost, listOf, membersOf, textOfMember, wholeOf } from './feed-http.ts'
import { type FeedPoint, x36OfText } from './feed-point.ts'

/**
 * The middle of the best bid and the best ask of a book; half of what lies between them is its error.
 *
 * @throws FeedError for a book that is empty, crossed, unsorted or of another time
 */
export async function readBook(
  host: FeedHost,
  feed: contract.BookFeed,
  services: Services,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal },
): Promise<FeedPoint> {
  const query = { symbol: feed.symbol, limit: `${limits.feedBookLevels}` }
  const answer = await askForJson(host, [feed.exchange, 'orderbook'], query, services, signal)
  const book = membersOf(answer, 'the answer')
  if (book.symbol !== undefined && book.symbol !== feed.symbol) {
    throw FeedError.refused('WRONG_SUBJECT', 'a book of another symbol')
  }
  const milliseconds = wholeOf(book.timestamp, 'the time of the book')
  const at = Math.floor(milliseconds / 1000)
  if (at > now + limits.feedClockSeconds) throw FeedError.refused('CLOCK', 'a book of the future')
  if (at < now - limits.feedClockSeconds) {
    throw FeedError.refused('STALE', `a book more than ${limits.feedClockSeconds} s old`)
  }
  const [bids, asks] = [sideOf(book.bids, feed, 'bids'), sideOf(book.asks, feed, 'asks')]
  const isSorted =
    bids.every((price, place) => place === 0 || price < bids[place - 1]!) &&
    asks.every((price, place) => place === 0 || price > asks[place - 1]!)
  const [bid, ask] = [bids[0]!, asks[0]!]
  if (!isSorted) throw FeedError.refused('SHAPE', 'the levels of a book are not sorted')
  if (bid >= ask) throw FeedError.refused('SHAPE', 'a crossed book')
  const middle = (bid + ask) / 2n
  const errorPips = ((ask - bid) * 1_000_000n + 2n * middle - 1n) / (2n * middle)
  return { at, priceX36: middle, errorPips: Number(errorPips > 999_999n ? 999_999n : errorPips) }
}

function sideOf(side: unknown, feed: contract.BookFeed, what: string): bigint[] {
  const levels = listOf(side, what)
  if (levels.length === 0) throw FeedError.refused('SHAPE', `a book without ${what}`)
  return levels.map((level) =>
    x36OfText(textOfMember(listOf(level, 'a level')[0], 'the price of a level'), feed),
  )
}
