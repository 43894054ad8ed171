// @module-tag postgres

import { basePath, type contract } from '@liquidity-os/contract'
import { startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployMarkets } from '../src/outside/chain/testing/markets.ts'
import { startWorkers, type Workers } from '../src/service.ts'
import { evaluate, ownRange, type Watched, watchedMarkets } from './support/anomalous.ts'
import { hostOf, type TestChain } from './support/chain.ts'
import { tell } from './support/requests.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type MarketMap = Static<typeof contract.MarketMap>
type Alert = Static<typeof contract.Alert>

let test: TestChain
let service: TestService
let workers: Workers
let watched: Watched
beforeAll(async () => {
  // Read a few minutes before the tests’ noon.
  const timestamp = Date.parse('2026-01-05T11:50:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds: 4 })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.mint(ownRange.tickLower, ownRange.tickUpper, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  await markets.swap(true, 10n ** 17n)
  test = { chain, markets }
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) })
  workers = await startWorkers(service.services)
  watched = await watchedMarkets(service, test)
  await watched.read()
})
afterAll(async () => {
  await workers.stop()
  await service.stop()
  await test.chain.stop()
})

const map = (query: object = {}) =>
  tell<MarketMap>(watched.owner, 'getUnifiedLiquidityMap', { query: query as never })

describe('the pictures of the map', () => {
  it('are those of one pair, under the guards of the map', async () => {
    const { chainId, base, quote } = (
      watched.subject() as { pair: MarketMap['markets'][0]['pair'] }
    ).pair
    const path = `${basePath}/pictures/market-map/${chainId}-${base}-${quote}`
    const ask = (by: TestMember, url: string) =>
      fetch(`${service.baseUrl}${url}`, {
        headers: {
          cookie: `${service.config.sessionCookie}=${by.cookie}`,
          'x-service-organization-id': by.organizationId,
        },
      })
    const answer = await ask(watched.owner, `${path}?sizesQuote=${10n ** 17n},${10n ** 18n}`)
    const { data } = (await answer.json()) as {
      data: { name: string; href: string; hash: string; table: { rows: unknown[] } }[]
    }
    expect(data.map(({ name }) => name)).toEqual([
      ...['map-depth', 'map-shares', 'map-costs', 'map-targets'],
    ])
    expect(data.map(({ table }) => table.rows.length)).toEqual([20, 2, 4, 0])
    const costs = await ask(watched.owner, data[2]!.href)
    expect([costs.status, costs.headers.get('etag')]).toEqual([200, `"${data[2]!.hash}"`])
    expect(await costs.text()).toContain('best single venue')
    const stranger = await newOrganization(service)
    expect((await ask(stranger, path)).status).toBe(404)
    expect((await ask(watched.owner, `${path}?sizesQuote=much`)).status).toBe(400)
  })
})

describe('the market map', () => {
  it('shows both venues, and orders routed over them that no venue alone beats', async () => {
    const sizesQuote = `${10n ** 17n},${10n ** 18n}`
    const { data, status, headers } = await map({ sizesQuote })
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const [market] = data.markets
    expect(market).toMatchObject({ state: 'COMPLETED', coveragePips: 1_000_000, targets: [] })
    expect(market!.asOf).toHaveLength(2)
    const [pool, pair] = market!.venues
    expect(pool!.depthSharePips! + pair!.depthSharePips!).toBeCloseTo(1_000_000, -1)
    // Half of the depth around the price is the issuer’s own.
    expect(pool!.ownDepthSharePips! / 1_000_000).toBeCloseTo(0.5, 2)
    expect(pair!.ownDepthSharePips).toBeNull()
    const { composite } = market!
    expect(composite!.executable).toHaveLength(4)
    for (const order of composite!.executable) {
      expect(order.bestSingle!.allInPips).toBeGreaterThanOrEqual(order.allInPips)
      expect(order.gasQuote).toBeNull()
      if (order.side === 'SELL') continue
      const spent = order.split.reduce((sum, leg) => sum + BigInt(leg.amountQuote), 0n)
      expect(spent).toBe(BigInt(order.sizeQuote))
    }
    for (const rung of composite!.depth) {
      const parts = market!.venues.map(
        ({ depth }) =>
          depth.find((one) => one.bandPips === rung.bandPips && one.side === rung.side)!.quote,
      )
      expect(parts.reduce((sum, quote) => sum + BigInt(quote), 0n)).toBe(BigInt(rung.quote))
    }
    expect(market!.reasons).toEqual(['GAS_NOT_CHARGED', 'TARGETS_NOT_AVAILABLE'])
  })

  it('shows only the pairs that were asked for, and nothing of another organization', async () => {
    expect((await map({ chainId: 1 })).data.markets).toEqual([])
    const { base } = (watched.subject() as { pair: { base: string } }).pair
    expect((await map({ base })).data.markets).toHaveLength(1)
    expect((await map({ quote: base })).data.markets).toEqual([])
    const stranger = await newOrganization(service)
    const other = await tell<MarketMap>(stranger, 'getUnifiedLiquidityMap')
    expect(other.data.markets).toEqual([])
    expect((await map()).data.markets[0]!.reasons).toContain('NO_SIZES')
  })

  it.each([
    ['sizesQuote', '0'],
    ['sizesQuote', '1,x'],
    ['base', 'x'],
    ['chainId', '0'],
  ])('refuses %s=%s', async (name, value) => {
    const answer = await map({ [name]: value })
    expect([answer.status, answer.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })

  it('leaves venues that were read long ago out, and alerts to them', async () => {
    const fresh = await tell<Alert[]>(watched.owner, 'listAlertsV2')
    expect(fresh.data).toEqual([])
    service.clock.advance(1_200_000)
    const [market] = (await map({ sizesQuote: '1000' })).data.markets
    expect(market).toMatchObject({ state: 'ABSTAINED', composite: null, coveragePips: 0 })
    expect(market!.venues.map(({ flags }) => flags.includes('STALE'))).toEqual([true, true])
    expect(market!.venues[0]!.depth).not.toEqual([])
    await evaluate(watched.owner, 'INACTIVE_RANGE', watched.subject())
    const { data } = await tell<Alert[]>(watched.owner, 'listAlertsV2', { query: { limit: 1 } })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ kind: 'VENUE_STALE', severity: 'WARNING', state: 'OPEN' })
    const { pair } = data[0]!.subject
    const all = await tell<Alert[]>(watched.owner, 'listAlertsV2', { query: { pair } })
    expect(all.data.map(({ kind }) => kind)).toEqual(['VENUE_STALE', 'VENUE_STALE'])
    const other = `1|0x${'1'.repeat(40)}|0x${'2'.repeat(40)}`
    expect(
      (await tell<Alert[]>(watched.owner, 'listAlertsV2', { query: { pair: other } })).data,
    ).toEqual([])
  })
})
