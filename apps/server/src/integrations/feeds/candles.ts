import { contract } from '@liquidity-os/contract'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { minuteSeconds } from '../../units.ts'
import type { FeedHost } from '../providers/provider-endpoint.ts'
import { readExchange } from './exchange-feed.ts'
import { FeedError } from './feed-error.ts'
import { askForJson, listOf, textOfMember, wholeOf } from './feed-http.ts'
import { type FeedPoint, type PairDecimals, x36OfText } from './feed-point.ts'

/** Length of the candles of a feed in seconds. */
export const candleSeconds = ({ timeframe }: Pick<contract.CandleFeed, 'timeframe'>): number =>
  contract.candleFrames[timeframe]

/**
 * Time after which the close of a candle that ended at `at` should be stable, because exchanges
 * correct their last candles.
 */
export const settledAt = (at: number, gridSeconds: number): number =>
  at + 2 * gridSeconds + minuteSeconds

/**
 * Closes of candles that ended in a time window. Each is dated at the end of its candle, because it
 * was unknown before. A candle without trades may be missing.
 *
 * @param window Unix seconds; `from` inclusive, `before` exclusive
 * @returns ascending
 * @throws FeedError
 */
export async function readCandles(
  host: FeedHost,
  feed: contract.CandleFeed,
  window: { readonly from: number; readonly before: number },
  services: ProviderAccess,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal },
): Promise<FeedPoint[]> {
  const grid = candleSeconds(feed)
  const before = Math.min(window.before, now + 1)
  const points: FeedPoint[] = []
  let pages = 0
  for (let since = window.from - grid; since + grid < before; ) {
    pages += 1
    if (pages > limits.feedPages)
      throw FeedError.refused('SHAPE', 'too many pages with almost no candles')
    const answer = await askForCandles(host, feed, since, services, signal)
    const candles = listOf(answer, 'the answer').map((row) => candleOf(row, feed, grid))
    assertAscending(candles, since)
    for (const { at, ...point } of candles) {
      if (at < window.from || at >= before) continue
      points.push({ at, ...point })
    }
    const last = candles.at(-1)
    // An empty page does not mean the end: exchanges start at their first available candle.
    since = last === undefined || last.at >= before ? before : last.at
  }
  return points
}

/** Candles in the unified shape of ccxt, from a gateway or from the exchange itself. */
async function askForCandles(
  host: FeedHost,
  { exchange, symbol, timeframe }: contract.CandleFeed,
  since: number,
  services: ProviderAccess,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (host.readsExchanges) {
    const sinceMilliseconds = since * 1000
    const count = limits.feedCandles
    const request = {
      kind: 'CANDLES',
      exchange,
      symbol,
      timeframe,
      sinceMilliseconds,
      count,
    } as const
    return (await readExchange(request, services, signal)).answer
  }
  const query = { symbol, timeframe, since: `${since * 1000}`, limit: `${limits.feedCandles}` }
  return askForJson(host, [exchange, 'ohlcv'], query, services, signal)
}

/**
 * Point of a candle `[openMilliseconds, open, high, low, close]`; further members are ignored.
 *
 * @throws FeedError
 */
export function candleOf(row: unknown, feed: PairDecimals, grid: number): FeedPoint {
  const [openMs, open, high, low, close] = listOf(row, 'a candle')
  const openAt = wholeOf(openMs, 'the time of a candle')
  if (openAt % (grid * 1000) !== 0) {
    throw FeedError.refused('SHAPE', `a candle does not start at a multiple of ${grid} s`)
  }
  const prices = [open, high, low, close].map((price) =>
    x36OfText(textOfMember(price, 'a price of a candle'), feed),
  )
  const [o, h, l, c] = prices as [bigint, bigint, bigint, bigint]
  const isCandle = h >= o && h >= c && l <= o && l <= c
  if (!isCandle) throw FeedError.refused('SHAPE', 'a candle is outside its high and low')
  return { at: openAt / 1000 + grid, priceX36: c, errorPips: spreadPips(h, l, c) }
}

/** Half the range of a candle in millionths of its close, rounded up: how far trades were from it. */
function spreadPips(high: bigint, low: bigint, close: bigint): number {
  const pips = ((high - low) * 1_000_000n + 2n * close - 1n) / (2n * close)
  return Number(pips > 999_999n ? 999_999n : pips)
}

/** @throws FeedError if candles precede a time, or do not ascend */
export function assertAscending(candles: readonly FeedPoint[], since: number): void {
  const [first] = candles
  if (first && first.at <= since) {
    throw FeedError.refused('WRONG_SUBJECT', 'candles precede the requested time')
  }
  const isAscending = candles.every(({ at }, index) => index === 0 || at > candles[index - 1]!.at)
  if (!isAscending) throw FeedError.refused('SHAPE', 'candles are not in ascending order')
}
