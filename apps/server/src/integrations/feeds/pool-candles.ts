import type { contract } from '@liquidity-os/contract'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { geckoTerminal } from '../market-data/geckoterminal.ts'
import type { FeedHost } from '../providers/provider-endpoint.ts'
import { assertAscending, candleOf, candleSeconds } from './candles.ts'
import { FeedError } from './feed-error.ts'
import { askForJson, listOf, membersOf } from './feed-http.ts'
import type { FeedPoint } from './feed-point.ts'

/** Path and query of GeckoTerminal for the length of a candle. */
const frames = {
  '1m': ['minute', '1'],
  '5m': ['minute', '5'],
  '15m': ['minute', '15'],
  '1h': ['hour', '1'],
  '4h': ['hour', '4'],
  '1d': ['day', '1'],
} as const satisfies Record<contract.PoolCandleFeed['timeframe'], readonly [string, string]>

/** Largest page of GeckoTerminal. */
const pageLength = 1_000

/**
 * Closes of the candles of a pool that ended in a time window, from GeckoTerminal. Each is dated at
 * the end of its candle. A candle without trades is missing. The service reads backwards, because
 * pages end at a time.
 *
 * @param window Unix seconds; `from` inclusive, `before` exclusive
 * @returns ascending
 * @throws FeedError
 */
export async function readPoolCandles(
  host: FeedHost,
  feed: contract.PoolCandleFeed,
  window: { readonly from: number; readonly before: number },
  services: ProviderAccess,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal },
): Promise<FeedPoint[]> {
  const grid = candleSeconds(feed)
  const before = Math.min(window.before, now + 1)
  const pages: (readonly FeedPoint[])[] = []
  for (let end = before; ; ) {
    if (pages.length >= limits.feedPages) {
      throw FeedError.refused('SHAPE', 'too many pages with almost no candles')
    }
    const { candles, isFull } = await readPage(host, feed, end, services, signal)
    pages.unshift(candles.filter(({ at }) => at >= window.from && at < before))
    const [first] = candles
    if (!isFull || first === undefined || first.at <= window.from) break
    // The next page ends before the first candle of this one opened.
    end = first.at - grid
  }
  return pages.flat()
}

/** Candles that opened before a time, ascending; others in the page are left out. */
async function readPage(
  host: FeedHost,
  feed: contract.PoolCandleFeed,
  before: number,
  services: ProviderAccess,
  signal: AbortSignal | undefined,
): Promise<{ readonly candles: readonly FeedPoint[]; readonly isFull: boolean }> {
  const grid = candleSeconds(feed)
  const [unit, aggregate] = frames[feed.timeframe]
  const { network, token } = subjectOf(feed)
  const path = ['networks', network, 'pools', feed.pool.toLowerCase(), 'ohlcv', unit]
  const query = {
    aggregate,
    before_timestamp: `${before}`,
    limit: `${pageLength}`,
    currency: feed.quote === 'iso4217:USD' ? 'usd' : 'token',
    token,
  }
  const answer = membersOf(await askForJson(host, path, query, services, signal), 'the answer')
  const { attributes } = membersOf(answer.data, 'data')
  const { ohlcv_list: rows } = membersOf(attributes, 'attributes')
  const newestFirst = listOf(rows, 'ohlcv_list').map((row) => {
    const [openAt, ...prices] = listOf(row, 'a candle')
    // Candles of exchanges open at milliseconds.
    return candleOf([`${openAt}000`, ...prices], feed, grid)
  })
  const candles = newestFirst.toReversed()
  assertAscending(candles, 0)
  // Pages must not overlap if the provider counts the time itself.
  return {
    candles: candles.filter(({ at }) => at - grid < before),
    isFull: candles.length >= pageLength,
  }
}

/**
 * Network and token of a feed in the terms of GeckoTerminal.
 *
 * @throws FeedError if the base is no token of a served chain
 */
function subjectOf({ base }: contract.PoolCandleFeed): { network: string; token: string } {
  const [, chainId, token] = /^eip155:(\d+)\/erc20:(0x[0-9a-f]{40})$/.exec(base) ?? []
  const network = chainId === undefined ? undefined : geckoTerminal.chains[Number(chainId)]
  if (network === undefined || token === undefined) {
    throw FeedError.refused('WRONG_SUBJECT', 'the base is no token of a chain of GeckoTerminal')
  }
  return { network, token }
}
