import type { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PriceSource, startPriceSource } from '../../../test/support/price-source.ts'
import type { ProviderAccess } from '../../services.ts'
import { hourSeconds } from '../../units.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { FeedError } from './feed-error.ts'
import { readPoolCandles } from './pool-candles.ts'

let source: PriceSource
let services: ProviderAccess
let close: () => Promise<void>
beforeAll(async () => {
  source = await startPriceSource()
  const outbound = createOutbound({ allowHttp: true, allow: [new URL(source.url).host] })
  close = () => outbound.close()
  services = { outbound: async () => outbound } as unknown as ProviderAccess
})
afterAll(async () => {
  await close()
  await source.stop()
})

const pool = '0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640'
const token = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const feed: contract.PoolCandleFeed = {
  kind: 'POOL_CANDLE',
  feed: 'weth',
  base: `eip155:1/erc20:${token}`,
  quote: 'iso4217:USD',
  baseDecimals: 18,
  quoteDecimals: 8,
  pool,
  timeframe: '1h',
  since: '2026-01-01T00:00:00.000Z',
}
const start = 1_767_225_600
const now = start + 3_000 * hourSeconds

/** Candles with the hour as price, newest first, as GeckoTerminal pages them. */
function pageOf({ searchParams }: URL, first = start): string {
  const before = Number(searchParams.get('before_timestamp'))
  const rows: string[] = []
  const newest = Math.ceil(before / hourSeconds) * hourSeconds - hourSeconds
  for (
    let at = newest;
    at >= first && rows.length < Number(searchParams.get('limit'));
    at -= hourSeconds
  ) {
    const price = `${(at - start) / hourSeconds + 1}.000000000000000001`
    rows.push(`[${at},${price},${price},${price},${price},1.5e3]`)
  }
  return `{"data":{"id":"x","type":"ohlcv_request_response","attributes":{"ohlcv_list":[${rows.join(',')}]}}}`
}
const read = (change: Partial<contract.PoolCandleFeed>, window: { from: number; before: number }) =>
  readPoolCandles(
    { endpoint: `${source.url}/api/v2`, credentialReference: null, organizationId: 'org_example' },
    { ...feed, ...change },
    window,
    services,
    { now },
  )
const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof FeedError ? error.reason : error),
  )

describe('candles of a pool', () => {
  it('are read backwards over pages, and keep every digit', async () => {
    source.requests.length = 0
    source.answer = (url) => pageOf(url)
    const points = await read({}, { from: start + hourSeconds, before: now })
    // The candle of an hour ends with it; the one that is open is not returned.
    expect(points).toHaveLength(2_999)
    expect(points.map(({ at }) => at)).toEqual(
      Array.from({ length: 2_999 }, (_, index) => start + (index + 1) * hourSeconds),
    )
    // 1.000000000000000001 USD of 10^8 atoms for 10^18 atoms.
    expect(points[0]?.priceX36).toBe(1_000_000_000_000_000_001n * 10n ** 8n)
    expect(source.requests[0]?.path).toBe(
      `/api/v2/networks/eth/pools/${pool.toLowerCase()}/ohlcv/hour`,
    )
    expect(source.requests.length).toBeLessThanOrEqual(4)
  })

  it('are asked for the base, in dollars or in the other token', async () => {
    const queries: string[] = []
    source.answer = (url) => {
      queries.push(url.search)
      return pageOf(url)
    }
    const window = { from: now - 2 * hourSeconds, before: now }
    await read({}, window)
    await read({ quote: `eip155:1/erc20:0x${'a'.repeat(40)}`, timeframe: '1h' }, window)
    expect(queries[0]).toContain(`currency=usd&token=${token}`)
    expect(queries[1]).toContain(`currency=token&token=${token}`)
  })

  it('do not overlap if the provider counts the time of a page itself', async () => {
    source.answer = (url) => {
      const end = Number(url.searchParams.get('before_timestamp'))
      url.searchParams.set('before_timestamp', `${end + hourSeconds}`)
      return pageOf(url)
    }
    const points = await read({}, { from: start + hourSeconds, before: now })
    const times = points.map(({ at }) => at)
    expect(new Set(times).size).toBe(times.length)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('of a young pool end with its first one', async () => {
    source.answer = (url) => pageOf(url, now - 3 * hourSeconds)
    // The third candle ends at the end of the window, which is exclusive.
    expect(await read({}, { from: start, before: now })).toHaveLength(2)
  })

  it.each([
    ['an error', () => 500, 'HTTP 500'],
    ['a limit', () => 429, 'HTTP 429'],
    ['no list', () => '{"data":{"attributes":{}}}', 'SHAPE, ohlcv_list is not a list'],
    [
      'an unordered list',
      () =>
        `{"data":{"attributes":{"ohlcv_list":[[${start},1,1,1,1,1],[${start + hourSeconds},1,1,1,1,1]]}}}`,
      'SHAPE, candles are not in ascending order',
    ],
    [
      'a candle outside its range',
      () => `{"data":{"attributes":{"ohlcv_list":[[${start},1,1,1,2,1]]}}}`,
      'SHAPE, a candle is outside its high and low',
    ],
    [
      'a candle off the grid',
      () => `{"data":{"attributes":{"ohlcv_list":[[${start + 60},1,1,1,1,1]]}}}`,
      'SHAPE, a candle does not start at a multiple of 3600 s',
    ],
  ])('are refused for %s', async (_, answer, words) => {
    source.answer = answer
    expect(await reason(read({}, { from: start, before: now }))).toBe(words)
  })

  it('need a token of a served chain', async () => {
    expect(await reason(read({ base: 'eip155:5/slip44:60' }, { from: start, before: now }))).toBe(
      'WRONG_SUBJECT, the base is no token of a chain of GeckoTerminal',
    )
  })
})
