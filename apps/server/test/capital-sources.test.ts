import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { describe, expect } from 'vitest'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { daySeconds } from '../src/units.ts'
import { priceTest } from './support/fixtures.ts'
import { type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { candlesOf } from './support/price-source.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'

type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Named = { id: string; resourceType: string; resourceVersion: string }

const it = priceTest.extend(
  'observed',
  { scope: 'file', auto: true },
  async ({ service, testChain, owner }) => {
    // Enough headers to measure the time between blocks.
    for (let swap = 0; swap < 40; swap += 1) {
      await testChain.markets.swap(swap % 2 === 0, 10n ** 12n)
    }
    return observedVenue(service, owner, testChain)
  },
)

const reason = 'For the test'
const e18 = 10n ** 18n
const keyOf = (token: string) => `eip155:31337/erc20:${token.toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: Named) => ({
  id,
  resourceType,
  resourceVersion,
})
const shapes = [{ shapeId: 'whole', sharePips: 1_000_000, feePips: 3_000, shape: { kind: 'V2' } }]
const compute = (owner: TestMember, payload: object, by = owner) =>
  callOperation<Study>(by, 'createCapitalRequirements', {
    body: { payload: { label: 'Two per cent', shapes, ...payload }, reason },
  })
/** Of the observed pool, at the price of one. */
const ofPool = (observed: ObservedVenue, more: object = {}) => ({
  token: keyOf(observed.pair.base),
  quote: keyOf(observed.pair.quote),
  reference: { kind: 'DECLARED', priceX18: `${e18}` },
  targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${100n * e18}` }],
  volatility: { kind: 'DECLARED', annualPips: 500_000 },
  ...more,
})

describe('what others keep in a pool', () => {
  const newest = async (owner: TestMember, observed: ObservedVenue) =>
    (await owner.client.listVenueObservations()).body.data.find(
      ({ payload }) => payload.venue.id === observed.venue.id,
    ) as unknown as Named

  it('is taken off each target, by the share that is assumed to stay', async ({
    owner,
    observed,
  }) => {
    const observations = [refOf(await newest(owner, observed))]
    const alone = (await compute(owner, ofPool(observed))).data.payload
    const none = (
      await compute(
        owner,
        ofPool(observed, { existingDepth: { observations, persistencePips: 0 } }),
      )
    ).data
    expect(none.payload.base).toEqual(alone.base)
    const half = (await compute(owner, ofPool(observed, { existingDepth: { observations } }))).data
      .payload
    const all = (
      await compute(
        owner,
        ofPool(observed, { existingDepth: { observations, persistencePips: 1_000_000 } }),
      )
    ).data.payload
    for (const [index, { grossQuote, existingQuote, netQuote }] of all.targets.entries()) {
      expect(BigInt(existingQuote)).toBeGreaterThan(0n)
      expect(BigInt(grossQuote)).toBe(BigInt(existingQuote) + BigInt(netQuote))
      expect(BigInt(half.targets[index]!.existingQuote)).toBe(BigInt(existingQuote) / 2n)
    }
    expect(BigInt(all.base?.quote ?? 0)).toBeLessThan(BigInt(half.base?.quote ?? 0))
    expect(all.computation.sources).toEqual(observations)
    expect(alone.blockTime).toBeNull()
    expect(all.blockTime).toEqual({ milliseconds: 12_000, source: 'HEADERS' })
  })

  it('is refused of another pair, twice, and of a version that was replaced', async ({
    service,
    owner,
    observed,
  }) => {
    const observation = refOf(await newest(owner, observed))
    const refused = async (payload: object) => {
      const { status, code, fieldErrors } = await compute(owner, payload)
      return [status, code, Object.keys(fieldErrors)]
    }
    const at = 'payload.existingDepth.observations'
    const turned = { token: keyOf(observed.pair.quote), quote: keyOf(observed.pair.base) }
    const invalid = [422, 'LIQUIDITY_CAPITAL_REQUEST_INVALID']
    const existingDepth = { observations: [observation] }
    expect(await refused(ofPool(observed, { ...turned, existingDepth }))).toEqual([
      ...invalid,
      [`${at}.0`],
    ])
    const twice = { observations: [observation, observation] }
    expect(await refused(ofPool(observed, { existingDepth: twice }))).toEqual([
      ...invalid,
      [`${at}.1`],
    ])
    const older = { observations: [{ ...observation, resourceVersion: `0x${'1'.repeat(64)}` }] }
    expect(await refused(ofPool(observed, { existingDepth: older }))).toEqual([
      ...[412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'],
      [`${at}.0`],
    ])
    const foreignOwner = await newOrganization(service)
    const { status, code } = await compute(owner, ofPool(observed, { existingDepth }), foreignOwner)
    expect([status, code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  })
})

describe('ledger content', () => {
  it('is counted where it is free, and the rest is the gap', async ({
    testChain,
    owner,
    observed,
  }) => {
    const holder = testChain.chain.accounts[6]!.address
    const token = observed.pair.base as Address
    const args = [holder, 1_000n * e18] as const
    const paid = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await testChain.chain.send({
      from: testChain.chain.accounts[0]!.address,
      to: token,
      data: paid,
    })
    await testChain.chain.mine(70)
    const { data: entry, fieldErrors } = await callOperation<Named>(
      owner,
      'createTreasuryEntries',
      {
        body: {
          payload: {
            entryKind: 'ASSET',
            label: 'For liquidity',
            purpose: 'LIQUIDITY_PROGRAM',
            asset: keyOf(token),
            container: { kind: 'EOA', chainId: 31_337, address: holder },
            restrictions: [{ kind: 'LEGAL', quantity: `${400n * e18}` }],
          },
          reason,
        },
      },
    )
    expect(fieldErrors).toEqual({})
    const { data } = await compute(owner, ofPool(observed, { ledgerSources: [refOf(entry)] }))
    const { available, total, gap, computation } = data.payload
    expect(available).toEqual({ token: `${600n * e18}`, quote: '0' })
    expect(BigInt(gap?.token ?? 0)).toBe(BigInt(total?.token ?? 0) - 600n * e18)
    expect(gap?.quote).toBe(total?.quote)
    expect(computation.sources).toEqual([refOf(entry)])
  })
})

describe('a price from a provider', () => {
  const pair = {
    base: 'eip155:1/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    baseDecimals: 18,
    quote: 'iso4217:USD',
    quoteDecimals: 8,
  }
  const requestFor = (more: object = {}) => ({
    token: pair.base,
    quote: pair.quote,
    reference: { kind: 'ORACLE', providerId: 'exchange' },
    targets: [{ side: 'BUY', movePips: 20_000, depthQuote: '10000000' }],
    volatility: { kind: 'OBSERVED', days: 60 },
    ...more,
  })

  it('is the reference, with the volatility of its days; another generation is refused', async ({
    service,
    priceSource,
    owner,
  }) => {
    const now = () => Math.floor(service.clock.read() / 1000)
    const begin = Math.floor(now() / daySeconds) * daySeconds - 70 * daySeconds
    priceSource.answer = ({ searchParams }) =>
      candlesOf(searchParams, {
        grid: daySeconds,
        now: now(),
        closeAt: (openAt) => (Math.round(openAt / daySeconds) % 2 === 0 ? '2000' : '2020.1003'),
      })
    await owner.client.putOperatingSystemProvider({
      body: {
        payload: {
          providerId: 'exchange',
          kind: 'MARKET_DATA',
          displayName: 'Exchange',
          endpoint: priceSource.url,
          configuration: {
            shape: 'CCXT',
            feeds: [
              {
                feed: 'eth-usd',
                kind: 'CANDLE',
                exchange: 'kraken',
                symbol: 'ETH/USD',
                timeframe: '1d',
                since: new Date(begin * 1000).toISOString(),
                ...pair,
              },
            ],
          },
        },
        reason,
      },
    } as never)
    const workers = await startWorkers(service.services)
    let by = owner
    const study = await until('the days were read', async () => {
      service.clock.advance(400_000)
      await queueDue(service.services)
      by = await newMember(service, owner.organizationId, 'OWNER')
      const { data } = await compute(owner, requestFor(), by)
      return data.status === 'COMPLETED' ? data : null
    })
    await workers.stop()
    const { annualVolatilityPips, priceX36, buffer, computation } = study.payload
    // Every day one per cent up or down.
    expect(Number(annualVolatilityPips) / 1e6).toBeCloseTo(0.01 * Math.sqrt(365), 3)
    expect(['2000', '2020']).toContain(`${BigInt(priceX36 ?? 0) / 10n ** 20n}`)
    expect(buffer).not.toBeNull()
    const [{ generation } = { generation: '' }] = computation.prices
    const reference = { kind: 'ORACLE', providerId: 'exchange' }
    const pinned = await compute(
      owner,
      requestFor({ reference: { ...reference, oracleGeneration: generation } }),
      by,
    )
    expect(pinned.status).toBe(201)
    const oracleGeneration = `0x${'1'.repeat(64)}`
    const { status, code } = await compute(
      owner,
      requestFor({ reference: { ...reference, oracleGeneration } }),
      by,
    )
    expect([status, code]).toEqual([409, 'LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE'])
  })
})
