// @module-tag long
// @covers apps/server/src/families/operate/market-maker-mandates

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { describe, expect } from 'vitest'
import type { ProviderPayload } from '../src/integrations/providers/chain-providers.ts'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { startExchangeServer } from './support/exchange-server.ts'
import { priceTest, started } from './support/fixtures.ts'
import {
  emptyBook,
  evaluate,
  ingest,
  type Mandate,
  mandated,
  termsWith,
  timeOf,
  uptime,
} from './support/mandating.ts'
import { observedVenue } from './support/observed-venue.ts'
import { callOperation } from './support/requests.ts'
import { indexTo } from './support/scoring.ts'
import { newMember, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const it = priceTest
  .extend('exchange', { scope: 'file' }, started(startExchangeServer))
  .extend('settings', { scope: 'file' }, ({ testChain, priceSource, exchange }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, priceSource.url, exchange.url),
    EXCHANGE_MIRRORS: `api.kraken.com=${exchange.url}`,
    FEED_PULL_SECONDS: '300',
  }))
  .extend('observed', { scope: 'file', auto: true }, async ({ service, testChain, owner }) => {
    await catchUp(testChain.chain, service)
    const observed = await observedVenue(service, owner, testChain)
    return observed
  })

const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const maker = (testChain: TestChain) => testChain.chain.accounts[7]!.address
const period = { from: '2026-01-05T00:00:00Z', to: '2026-02-01T00:00:00Z' }
const promised = (metric: string, threshold: string, more: object = {}) => ({
  kpiId: metric.split('_')[0]!.toLowerCase(),
  metric,
  venueKey: 'ALL',
  side: 'BOTH',
  comparator: 'GTE',
  threshold,
  window: 'DAY',
  minimumCoveragePips: 0,
  ...more,
})

/** Runs what is due, and gives the job that read a mandate last. */
async function read(
  service: TestService,
  owner: TestMember,
): Promise<{ status: string; error?: { code: string } }> {
  service.clock.advance(400_000)
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  const jobs = await until('mandates were read', async () => {
    const { data } = (await owner.client.listOperatingSystemJobs()).body
    const reads = data.filter(({ kind }) => kind === 'MANDATE_READ')
    return reads.length > 0 && reads.every(({ finishedAt }) => finishedAt) ? reads : null
  })
  await workers.stop()
  return jobs[0] as { status: string; error?: { code: string } }
}

async function revoke(owner: TestMember, mandate: Mandate): Promise<void> {
  await callOperation(owner, 'supersedeMarketMakerMandates', {
    params: { id: mandate.id },
    ifMatch: mandate.resourceVersion,
    body: { status: 'REVOKED', reason: 'Over' },
  })
}

const readings = async (owner: TestMember, id: string) =>
  (
    await callOperation<VersionedRecord<contract.MarketMakerObservation>[]>(
      owner,
      'listMarketMakerEvidence',
      { params: { id } },
    )
  ).data

describe('a pool', () => {
  it('is measured from its proved observations, only at their times', async ({
    owner,
    observed,
  }) => {
    const { venue, pair } = observed
    const kpis = [
      promised('DEPTH_QUOTE', '1', { bandPips: 20_000 }),
      promised('SPREAD_PIPS', '7000', { comparator: 'LTE' }),
      { ...promised('TOP_SIZE_QUOTE', '1') },
    ]
    const venues = [{ venueKey: 'pool', kind: 'DEX', name: 'The pool', venue }]
    const { range } = (
      await callOperation<VersionedRecord<contract.VenueObservation>[]>(
        owner,
        'listVenueObservations',
        {
          query: {},
        },
      )
    ).data[0]!.payload
    const from = Date.parse(range.from.timestamp) / 1000
    const to = Date.parse(range.to.timestamp) / 1000
    const whole = { from: timeOf(from - 600), to: '2026-03-01T00:00:00Z' }
    const bestOfPool = await callOperation(owner, 'createMarketMakerMandates', {
      body: {
        reason: 'x y z',
        payload: {
          ...termsWith({
            pair,
            venues,
            kpis,
            period: whole,
          }),
        },
      },
    })
    expect(bestOfPool.fieldErrors).toEqual({
      'payload.kpis.2.venueKey': ['must be an order book: the pool pool has no best level'],
    })
    const { id } = await mandated(owner, {
      pair,
      venues,
      kpis: kpis.slice(0, 2),
      period: whole,
      samplingSeconds: 60,
    })
    const pool = { source: 'ONCHAIN', venueKey: 'pool' }
    const outside = await ingest(owner, id, {
      ...pool,
      samples: [{ at: timeOf(from - 300), ...emptyBook }],
    })
    expect([outside.code, outside.fieldErrors]).toEqual([
      ...[
        'LIQUIDITY_MANDATE_SAMPLE_INVALID',
        {
          'payload.samples.0.at': [
            'must be in an interval of 60 s that a proved observation covers to its end',
          ],
        },
      ],
    ])
    const response = await ingest(owner, id, {
      ...pool,
      samples: [
        { at: timeOf(Math.floor((from + to) / 2)), bids: [{ priceX18: '1', size: '1' }], asks: [] },
      ],
    })
    expect(response.fieldErrors['payload.samples.0.bids']).toEqual([
      'must be empty for ONCHAIN: the service derives the book',
    ])
    const { status, data, fieldErrors } = await ingest(owner, id, {
      ...pool,
      samples: [{ at: timeOf(to - 120), ...emptyBook }],
    })
    expect([status, fieldErrors]).toEqual([201, {}])
    expect(data.payload).toMatchObject({ trust: 'ONCHAIN', observations: [{}], signer: null })
    const [depth, spread] = data.payload.evaluations
    expect(depth).toMatchObject({ trust: 'ONCHAIN', measured: 'PUBLIC_BOOK' })
    // From p·(1 − f) to p / (1 − f) at a fee of 0.3 %: ⌈2·10⁶·(1 − 0.997²) / (1 + 0.997²)⌉.
    expect(spread?.observed).toBe('6009')
  })
})

describe('a moment between two observations that follow each other', () => {
  it('has the state at the end of the first one', async ({
    service,
    owner,
    testChain,
    observed,
  }) => {
    const { chain } = testChain
    const { venue, pair } = observed
    // No event in the interval that ends with the first observation.
    await chain.mine(70)
    const before = await chain.publicClient.getBlock()
    service.clock.advance(7_200_000)
    await catchUp(chain, service)
    await chain.mine(70)
    const workers = await startWorkers(service.services)
    await indexTo(owner, venue.id, Number(before.number))
    await indexTo(owner, venue.id)
    await workers.stop()
    const end = Number(before.timestamp)
    const kpis = [promised('DEPTH_QUOTE', '1', { bandPips: 20_000 })]
    const venues = [{ venueKey: 'pool', kind: 'DEX', name: 'The pool', venue }]
    const { id } = await mandated(owner, {
      pair,
      venues,
      kpis,
      period: { from: timeOf(end - 600), to: '2026-03-01T00:00:00Z' },
    })
    const measuredAt = async (at: number) => {
      const { status, data, fieldErrors } = await ingest(owner, id, {
        source: 'ONCHAIN',
        venueKey: 'pool',
        samples: [{ at: timeOf(at), ...emptyBook }],
      })
      expect([status, fieldErrors]).toEqual([201, {}])
      return data.payload
    }
    const between = await measuredAt(end + 1800)
    expect(between.observations).toHaveLength(2)
    const atEnd = await measuredAt(end)
    expect(between.evaluations[0]?.observed).toBe(atEnd.evaluations[0]?.observed)
  })
})

describe('a book from a provider', () => {
  it('is fetched by itself, trusted as such, and refused where it is none', async ({
    service,
    priceSource,
    owner,
    observed,
  }) => {
    const { pair } = observed
    const priced = {
      base: keyOf(pair.base),
      quote: keyOf(pair.quote),
      baseDecimals: pair.baseDecimals,
      quoteDecimals: pair.quoteDecimals,
    }
    const feed = { feed: 'book', kind: 'BOOK', exchange: 'kraken', symbol: 'A/B', ...priced }
    const other = { ...feed, feed: 'other', base: priced.quote, quote: priced.base }
    const price = () =>
      JSON.stringify({
        symbol: 'A/B',
        timestamp: service.clock.read(),
        bids: [
          [0.99, 4.5],
          [0.98, 1],
        ],
        asks: [[1.01, 4]],
      })
    priceSource.answer = price
    await owner.client.putOperatingSystemProvider({
      body: {
        payload: {
          providerId: 'exchange',
          kind: 'MARKET_DATA',
          displayName: 'Exchange',
          endpoint: `${priceSource.url}/v1`,
          configuration: { shape: 'CCXT', feeds: [feed, other] },
        },
        reason: 'For the test',
      } as never,
    })
    const venues = (name: string) => [
      {
        venueKey: 'book',
        kind: 'CEX',
        name: 'A book',
        feed: { providerId: 'exchange', feed: name },
      },
    ]
    const terms = termsWith({
      pair,
      venues: venues('other'),
      period,
    })
    const wrong = await callOperation(owner, 'createMarketMakerMandates', {
      body: { payload: terms, reason: 'For the test' },
    })
    expect(wrong.fieldErrors['payload.venues.0.feed.feed']?.[0]).toContain(
      'must be a BOOK feed of the provider for the pair',
    )
    const mandate = await mandated(owner, {
      pair,
      venues: venues('book'),
      period,
      kpis: [{ ...uptime, minimumCoveragePips: 0 }],
    })
    expect((await read(service, owner)).status).toBe('COMPLETED')
    const [batch] = await readings(owner, mandate.id)
    expect(batch).toMatchObject({
      createdBy: { kind: 'SYSTEM' },
      payload: {
        source: 'PUBLIC_BOOK',
        trust: 'INDEPENDENT',
        provider: { id: expect.any(String) },
        samples: 1,
      },
    })
    service.clock.advance(60_000)
    expect((await evaluate(owner, mandate.id))[0]).toMatchObject({
      trust: 'INDEPENDENT',
      contradictions: 0,
    })
    priceSource.answer = () =>
      JSON.stringify({
        symbol: 'A/B',
        timestamp: service.clock.read(),
        bids: [[1.02, 1]],
        asks: [[1.01, 4]],
      })
    expect(await read(service, owner)).toMatchObject({
      status: 'FAILED',
      error: { code: 'LIQUIDITY_PROVIDER_ANSWER_REFUSED' },
    })
    expect(await readings(owner, mandate.id)).toHaveLength(1)
    await revoke(owner, mandate)
  })
})

describe('a book of an exchange', () => {
  it('is independent evidence from the first sample, without a gateway', async ({
    service,
    exchange,
    owner,
    observed,
  }) => {
    const { pair } = observed
    const feed = {
      feed: 'eth',
      kind: 'BOOK',
      exchange: 'kraken',
      symbol: 'ETH/USD',
      base: keyOf(pair.base),
      quote: keyOf(pair.quote),
      baseDecimals: pair.baseDecimals,
      quoteDecimals: pair.quoteDecimals,
    }
    const put = (configuration: object, more: object = {}) =>
      callOperation<VersionedRecord<ProviderPayload>>(owner, 'putOperatingSystemProvider', {
        body: {
          payload: {
            providerId: 'kraken',
            kind: 'MARKET_DATA',
            displayName: 'Kraken',
            configuration: { shape: 'EXCHANGES', ...configuration },
            ...more,
          },
          reason: 'For the test',
        },
      })
    const unknown = await put({ feeds: [{ ...feed, exchange: 'mtgox' }] })
    expect(unknown.fieldErrors['payload.configuration.feeds.0.exchange']).toEqual([
      'must be an exchange with public order books in ccxt, got mtgox',
    ])
    const reached = await put({ feeds: [feed] }, { endpoint: exchange.url })
    expect(reached.fieldErrors['payload.endpoint']).toEqual([
      'must be omitted with shape EXCHANGES: the service reads the exchanges itself',
    ])
    const { status, data: provider } = await put({ feeds: [feed] })
    expect(status).toBe(201)
    // The midpoint of 1999.5 and 2000.5, as the probe saw it.
    expect(provider.payload.probe?.facts.eth).toContain('2000')
    const mandate = await mandated(owner, {
      pair,
      venues: [
        {
          venueKey: 'book',
          kind: 'CEX',
          name: 'Kraken',
          feed: { providerId: 'kraken', feed: 'eth' },
        },
      ],
      period,
      kpis: [{ ...uptime, minimumCoveragePips: 0 }],
    })
    expect((await read(service, owner)).status).toBe('COMPLETED')
    const [batch] = await readings(owner, mandate.id)
    expect(batch?.payload).toMatchObject({ trust: 'INDEPENDENT', samples: 1 })
    const bytes = await service.services.artifacts.find(
      owner.organizationId,
      batch?.payload && 'rawArtifact' in batch.payload ? batch.payload.rawArtifact : 'none',
    )
    const sealed = JSON.parse(Buffer.from(bytes ?? []).toString())
    expect(sealed.reason).toBe('Book of ETH/USD at kraken, dated by its receipt')
    // Size as the exchange wrote it, in atoms.
    const digits = '20123456789012345678'
    expect(sealed.payload.samples[0].bids[0].size).toBe(
      pair.baseDecimals === 18 ? digits : digits.slice(0, pair.baseDecimals - 18),
    )
    await revoke(owner, mandate)
  })
})

describe('a loan', () => {
  it('is read at a final block with the proof of each wallet, until it is settled', async ({
    service,
    testChain,
    owner,
    observed,
  }) => {
    const { pair } = observed
    const send = async (amount: bigint) => {
      const args = [maker(testChain), amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      await testChain.chain.send({
        from: testChain.chain.accounts[0]!.address,
        to: pair.base as Address,
        data,
      })
      await testChain.chain.mine(70)
    }
    await send(600n)
    const entry = await callOperation<VersionedRecord<contract.TreasuryHolding>>(
      owner,
      'createTreasuryEntries',
      {
        body: {
          payload: {
            entryKind: 'ASSET',
            label: 'Lent',
            asset: keyOf(pair.base),
            purpose: 'LIQUIDITY_PROGRAM',
            container: { kind: 'MARKET_MAKER_ACCOUNT', chainId: 31_337, address: maker(testChain) },
            loan: { lentTokens: '1000', returnAt: '2027-01-01T00:00:00Z', callTranches: [] },
          },
          reason: 'For the test',
        },
      },
    )
    expect(entry.fieldErrors).toEqual({})
    const { id, resourceType, resourceVersion } = entry.data
    const terms = {
      pair,
      period,
      kpis: [promised('LOAN_COVERAGE_PIPS', '900000')],
      marketMaker: {
        name: 'A',
        signerKeys: [],
        wallets: [{ chainId: 31_337, address: maker(testChain) }],
      },
      compensation: { model: 'LOAN_OPTION', loan: { id, resourceType, resourceVersion } },
    }
    const stale = {
      ...terms.compensation,
      loan: { ...terms.compensation.loan, resourceVersion: `0x${'1'.repeat(64)}` },
    }
    const refused = await callOperation(owner, 'createMarketMakerMandates', {
      body: { payload: termsWith({ ...terms, compensation: stale }), reason: 'For the test' },
    })
    expect([refused.status, refused.code]).toEqual([412, 'LIQUIDITY_MANDATE_LOAN_UNAVAILABLE'])
    const mandate = await mandated(owner, terms)
    expect((await read(service, owner)).status).toBe('COMPLETED')
    const [reading] = await readings(owner, mandate.id)
    expect(reading?.payload).toMatchObject({
      source: 'LOAN',
      onChain: '600',
      attested: '0',
      lent: '1000',
      coveragePips: '600000',
      wallets: [{ balance: '600', proof: 'MERKLE' }],
      executionAuthorityGranted: false,
    })
    expect((await evaluate(owner, mandate.id))[0]).toMatchObject({
      verdict: 'BREACHED',
      optimistic: '600000',
      measured: 'LOAN',
      trust: 'ONCHAIN',
      attestedPips: '0',
    })
    // Within the hour nothing is read again.
    await read(service, owner)
    expect(await readings(owner, mandate.id)).toHaveLength(1)
    const retired = await callOperation(
      await newMember(service, owner.organizationId, 'OWNER'),
      'retireTreasuryLedgerEntry',
      {
        params: { id },
        ifMatch: resourceVersion,
        body: { disposition: 'MOVED', reason: 'It came back' },
      },
    )
    expect([retired.status, retired.fieldErrors]).toEqual([200, {}])
    service.clock.advance(3_600_000)
    expect(await read(service, owner)).toMatchObject({
      status: 'FAILED',
      error: { code: 'LIQUIDITY_MANDATE_LOAN_UNAVAILABLE' },
    })
  })

  it('leaves chains and names that verify', async ({ service, owner }) => {
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
