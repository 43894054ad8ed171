// @module-tag postgres

import { basePath, contract } from '@liquidity-os/contract'
import { startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { describe, expect } from 'vitest'
import { deployMarkets } from '../src/integrations/chain/testing/markets.ts'
import { limits } from '../src/limits.ts'
import { evaluate, ownRange, type Watched, watchedMarkets } from './support/anomalous.ts'
import type { TestChain } from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember } from './support/service.ts'

type MarketMap = Static<typeof contract.MarketMap>
type Alert = Static<typeof contract.Alert>
type Ref = NonNullable<MarketMap['markets'][0]['targets'][0]['intent']>

/** Two venues, one with a position of ours, that are read a few minutes before the tests’ noon. */
async function startMarkets(): Promise<TestChain> {
  const timestamp = Date.parse('2026-01-05T11:50:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds: 4 })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.mint(ownRange.tickLower, ownRange.tickUpper, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  await markets.swap(true, 10n ** 17n)
  return { chain, markets }
}

const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startMarkets))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('watched', { scope: 'file' }, ({ service, testChain }) =>
    watchedMarkets(service, testChain),
  )
it.beforeAll(async ({ watched }) => {
  await watched.read()
})

const map = (watched: Watched, query: object = {}) =>
  callOperation<MarketMap>(watched.owner, 'getUnifiedLiquidityMap', { query: query as never })

describe('the pictures of the map', () => {
  it('are those of one pair, under the guards of the map', async ({ service, watched }) => {
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
    expect(await costs.text()).toContain('Best single venue')
    const foreignOwner = await newOrganization(service)
    expect((await ask(foreignOwner, path)).status).toBe(404)
    expect((await ask(watched.owner, `${path}?sizesQuote=much`)).status).toBe(400)
  })
})

describe('the market map', () => {
  it('shows both venues, and orders routed over them that no venue alone beats', async ({
    watched,
  }) => {
    const sizesQuote = `${10n ** 17n},${10n ** 18n}`
    const { data, status, headers } = await map(watched, { sizesQuote })
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
    expect(market!.reasons).toEqual(['GAS_NOT_CHARGED', 'NO_INTENT_VALIDATED'])
  })

  it('holds the depth of all venues against what VALIDATED intents of the pair want now', async ({
    watched,
  }) => {
    const { pair } = watched.subject() as { pair: MarketMap['markets'][0]['pair'] }
    const asset = (address: string) => `eip155:${pair.chainId}/erc20:${address.toLowerCase()}`
    const { composite, venues } = (await map(watched)).data.markets[0]!
    const sold = composite!.depth.find((one) => one.bandPips === 50_000 && one.side === 'SELL')!
    // Targets are net of fee, and what a ladder says of a purchase is not.
    const bought = venues.reduce((sum, { depth, feePips }) => {
      const rung = depth.find((one) => one.bandPips === 50_000 && one.side === 'BUY')!
      return sum + (BigInt(rung.quote) * BigInt(1_000_000 - feePips)) / 1_000_000n
    }, 0n)
    const there = (side: string) => (side === 'BUY' ? `${bought}` : sold.quote)
    const intend = async (status: string, change: object = {}) => {
      const sound = contract.createIntents.example.body.payload
      const payload = {
        ...sound,
        token: asset(pair.base),
        quote: asset(pair.quote),
        horizon: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
        targets: [{ side: 'BOTH', movePips: 50_000, depthQuote: there('BUY') }],
        success: [{ ...sound.success[0]!, movePips: 50_000, value: '1' }],
        ...change,
      }
      const body = { payload, status, reason: 'For the test' }
      const response = await callOperation<{ intent: Ref }>(watched.owner, 'createIntents', {
        body: body as never,
      })
      expect([response.status, response.fieldErrors]).toEqual([201, {}])
      const { id, resourceVersion } = response.data.intent
      return { id, resourceVersion }
    }
    await intend('DRAFT')
    await intend('VALIDATED', {
      horizon: { from: '2026-01-06T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    })
    expect((await map(watched)).data.markets[0]).toMatchObject({ targets: [] })
    const met = await intend('VALIDATED')
    // Newer ones that do not hold yet, as many as are read, take no place from it.
    for (let more = 0; more < limits.mapIntents; more += 1) {
      await intend('VALIDATED', {
        horizon: { from: '2026-01-06T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      })
    }
    const wanted = BigInt(there('SELL')) + 7n
    const missed = await intend('VALIDATED', {
      targets: [{ side: 'SELL', movePips: 50_000, depthQuote: `${wanted}` }],
    })
    const [market] = (await map(watched)).data.markets
    const band = { bandPips: 50_000 }
    const sellShort = BigInt(there('BUY')) - BigInt(there('SELL'))
    expect(market!.targets).toEqual([
      {
        intent: missed,
        side: 'SELL',
        ...band,
        targetQuote: `${wanted}`,
        actualQuote: there('SELL'),
        shortfallQuote: '7',
      },
      {
        intent: met,
        side: 'BUY',
        ...band,
        targetQuote: there('BUY'),
        actualQuote: there('BUY'),
        shortfallQuote: '0',
      },
      {
        intent: met,
        side: 'SELL',
        ...band,
        targetQuote: there('BUY'),
        actualQuote: there('SELL'),
        shortfallQuote: `${sellShort > 0n ? sellShort : 0n}`,
      },
    ])
    expect(market!.reasons).not.toContain('NO_INTENT_VALIDATED')
    await intend('VALIDATED', {
      targets: Array.from({ length: 6 }, (_, index) => ({
        side: 'BOTH',
        movePips: 60_000 + index,
        depthQuote: there('BUY'),
      })),
    })
    const full = (await map(watched)).data.markets[0]!
    expect(full.targets).toHaveLength(12)
    expect(full.reasons).toContain('TARGETS_LEFT_OUT')
  })

  it('shows only the requested pairs, and no data of another organization', async ({
    service,
    watched,
  }) => {
    expect((await map(watched, { chainId: 1 })).data.markets).toEqual([])
    const { base } = (watched.subject() as { pair: { base: string } }).pair
    expect((await map(watched, { base })).data.markets).toHaveLength(1)
    expect((await map(watched, { quote: base })).data.markets).toEqual([])
    const foreignOwner = await newOrganization(service)
    const other = await callOperation<MarketMap>(foreignOwner, 'getUnifiedLiquidityMap')
    expect(other.data.markets).toEqual([])
    expect((await map(watched)).data.markets[0]!.reasons).toContain('NO_SIZES')
  })

  it.for([
    ['sizesQuote', '0'],
    ['sizesQuote', '1,x'],
    ['base', 'x'],
    ['chainId', '0'],
  ] as const)('refuses %s=%s', async ([name, value], { watched }) => {
    const answer = await map(watched, { [name]: value })
    expect([answer.status, answer.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })

  it('leaves venues that were read long ago out, and alerts to them', async ({
    service,
    watched,
  }) => {
    const fresh = await callOperation<Alert[]>(watched.owner, 'listAlertsV2')
    expect(fresh.data).toEqual([])
    service.clock.advance(1_200_000)
    const [market] = (await map(watched, { sizesQuote: '1000' })).data.markets
    expect(market).toMatchObject({ state: 'ABSTAINED', composite: null, coveragePips: 0 })
    expect([market!.targets, market!.reasons.includes('TARGETS_NOT_COMPARED')]).toEqual([[], true])
    expect(market!.venues.map(({ flags }) => flags.includes('STALE'))).toEqual([true, true])
    expect(market!.venues[0]!.depth).not.toEqual([])
    await evaluate(watched.owner, 'INACTIVE_RANGE', watched.subject())
    const { data } = await callOperation<Alert[]>(watched.owner, 'listAlertsV2', {
      query: { limit: 1 },
    })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ kind: 'VENUE_STALE', severity: 'WARNING', state: 'OPEN' })
    const { pair } = data[0]!.subject
    const all = await callOperation<Alert[]>(watched.owner, 'listAlertsV2', { query: { pair } })
    expect(all.data.map(({ kind }) => kind)).toEqual(['VENUE_STALE', 'VENUE_STALE'])
    const other = `1|0x${'1'.repeat(40)}|0x${'2'.repeat(40)}`
    expect(
      (await callOperation<Alert[]>(watched.owner, 'listAlertsV2', { query: { pair: other } }))
        .data,
    ).toEqual([])
  })
})
