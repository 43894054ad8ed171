import type { contract } from '@liquidity-os/contract'
import { readCandles } from './candles.ts'
import type { FeedPoint } from './feed-point.ts'
import { readPoolCandles } from './pool-candles.ts'

type Window = Parameters<typeof readCandles>[2]
type Rest = [
  services: Parameters<typeof readCandles>[3],
  requested: Parameters<typeof readCandles>[4],
]

/**
 * Closes of candles of an exchange or of a pool; see `readCandles`.
 *
 * @throws FeedError
 */
export const readAnyCandles = (
  host: Parameters<typeof readCandles>[0],
  feed: contract.CandleFeed | contract.PoolCandleFeed,
  window: Window,
  ...rest: Rest
): Promise<FeedPoint[]> =>
  feed.kind === 'CANDLE'
    ? readCandles(host, feed, window, ...rest)
    : readPoolCandles(host, feed, window, ...rest)
