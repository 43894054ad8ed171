import type { contract } from '@liquidity-os/contract'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import type { FeedHost } from '../providers/provider-endpoint.ts'
import { readExchange } from './exchange-feed.ts'
import { FeedError } from './feed-error.ts'
import { askForJson, listOf, membersOf, textOfMember, wholeOf } from './feed-http.ts'
import { type FeedPoint, x36OfText } from './feed-point.ts'

export interface BookLevel {
  /** Quote atoms per base atom, times 10^36. */
  readonly priceX36: bigint
  /** Base units as the provider wrote them. */
  readonly amount: string
}

export interface OrderBook {
  /** Unix seconds. */
  readonly at: number
  /** Best first, at least one on each side, not crossed. */
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  /** Source of `at`. Large exchanges send no time: then it is the time of receipt. */
  readonly clock: 'EXCHANGE' | 'RECEIPT'
}

/**
 * Midpoint of best bid and best ask; half of the spread is its error.
 *
 * @throws FeedError if the book is empty, crossed, unsorted or of another time
 */
export async function readBook(
  host: FeedHost,
  feed: contract.BookFeed,
  services: ProviderAccess,
  requested: { readonly now: number; readonly signal?: AbortSignal },
): Promise<FeedPoint> {
  const levels = limits.feedBookLevels
  const { at, bids, asks } = await readWholeBook(host, feed, services, { ...requested, levels })
  const [bid, ask] = [bids[0]!.priceX36, asks[0]!.priceX36]
  const middle = (bid + ask) / 2n
  const errorPips = ((ask - bid) * 1_000_000n + 2n * middle - 1n) / (2n * middle)
  return { at, priceX36: middle, errorPips: Number(errorPips > 999_999n ? 999_999n : errorPips) }
}

/**
 * A book with its levels. Rejects a book that is empty, crossed, unsorted or of another time.
 *
 * @param input.levels requested levels per side; a provider may return fewer, and further ones are
 * ignored
 * @throws FeedError
 */
export async function readWholeBook(
  host: FeedHost,
  feed: contract.BookFeed,
  services: ProviderAccess,
  {
    now,
    signal,
    levels,
  }: { readonly now: number; readonly signal?: AbortSignal; readonly levels: number },
): Promise<OrderBook> {
  const { answer, receivedAt } = await askForBook(host, feed, services, levels, signal)
  const book = membersOf(answer, 'the answer')
  if (book.symbol !== undefined && book.symbol !== feed.symbol) {
    throw FeedError.refused('WRONG_SUBJECT', 'a book for another symbol')
  }
  const isDated = book.timestamp !== undefined || receivedAt === null
  const milliseconds = isDated ? wholeOf(book.timestamp, 'the time of the book') : receivedAt
  const at = Math.floor(milliseconds / 1000)
  if (at > now + limits.feedClockSeconds)
    throw FeedError.refused('CLOCK', 'a book dated in the future')
  if (at < now - limits.feedClockSeconds) {
    throw FeedError.refused('STALE', `a book more than ${limits.feedClockSeconds} s old`)
  }
  const bids = sideOf(book.bids, feed, 'bids', levels)
  const asks = sideOf(book.asks, feed, 'asks', levels)
  const isSorted =
    bids.every(({ priceX36 }, index) => index === 0 || priceX36 < bids[index - 1]!.priceX36) &&
    asks.every(({ priceX36 }, index) => index === 0 || priceX36 > asks[index - 1]!.priceX36)
  if (!isSorted) throw FeedError.refused('SHAPE', 'the levels of a book are not sorted')
  if (bids[0]!.priceX36 >= asks[0]!.priceX36) throw FeedError.refused('SHAPE', 'a crossed book')
  return { at, bids, asks, clock: isDated ? 'EXCHANGE' : 'RECEIPT' }
}

/** A book in the unified shape of ccxt, from a gateway or from the exchange itself. */
async function askForBook(
  host: FeedHost,
  { exchange, symbol }: contract.BookFeed,
  services: ProviderAccess,
  levels: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer: unknown; readonly receivedAt: number | null }> {
  if (host.readsExchanges) {
    const request = { kind: 'BOOK', exchange, symbol, levels } as const
    const { answer, receivedAt, roundTripMilliseconds } = await readExchange(
      request,
      services,
      signal,
    )
    if (roundTripMilliseconds > limits.exchangeMilliseconds) {
      throw FeedError.refused(
        'STALE',
        `a book that took more than ${limits.exchangeMilliseconds} ms`,
      )
    }
    return { answer, receivedAt }
  }
  const query = { symbol, limit: `${levels}` }
  const answer = await askForJson(host, [exchange, 'orderbook'], query, services, signal)
  return { answer, receivedAt: null }
}

/** @param count number of levels; further ones are ignored */
function sideOf(side: unknown, feed: contract.BookFeed, what: string, count: number): BookLevel[] {
  const levels = listOf(side, what).slice(0, count)
  if (levels.length === 0) throw FeedError.refused('SHAPE', `a book without ${what}`)
  return levels.map((level) => {
    const [price, amount] = listOf(level, 'a level')
    return {
      priceX36: x36OfText(textOfMember(price, 'the price of a level'), feed),
      amount: textOfMember(amount, 'the amount of a level'),
    }
  })
}
