// @module-tag long
// @covers apps/server/src/families/operate/market-maker-mandates

import { send } from '@liquidity-os/client'
import { contract } from '@liquidity-os/contract'
import { D, generatePrivateKey, sign } from '@liquidity-os/evidence'
import { bytesToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect } from 'vitest'
import { checkQuota } from '../src/families/operate/market-maker-mandates/evaluate-evidence.ts'
import { sweepMandates } from '../src/families/operate/market-maker-mandates/mandate-sweep.ts'
import { limits } from '../src/limits.ts'
import { dayMilliseconds, daySeconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { it } from './support/fixtures.ts'
import {
  emptyBook,
  evaluate,
  ingest,
  level,
  type Mandate,
  mandated,
  noon,
  quotedBook,
  sampleAt,
  samplesFrom,
  termsWith,
  uptime,
} from './support/mandating.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, serviceForTest, type TestMember } from './support/service.ts'

const midnight = noon - daySeconds / 2
const change = (by: TestMember, before: Mandate, body: object) =>
  callOperation<Mandate>(by, 'supersedeMarketMakerMandates', {
    params: { id: before.id },
    ifMatch: before.resourceVersion,
    body: { reason: 'Agreed', ...body },
  })
const create = (owner: TestMember, changes: object) =>
  callOperation<Mandate>(owner, 'createMarketMakerMandates', {
    body: { payload: termsWith(changes), status: 'ACTIVE', reason: 'Signed' },
  })

describe('a day of books', () => {
  it('is evaluated with bounds for its data gaps, and names the owner of the measured quotes', async ({
    owner,
  }) => {
    const { id } = await mandated(owner)
    // Quoted to ten, then nothing is known until half past eleven.
    const first = await ingest(owner, id, { samples: samplesFrom(midnight, 60) })
    expect([first.status, first.data.status, first.fieldErrors]).toEqual([201, 'COMPLETED', {}])
    expect(first.data.payload).toMatchObject({
      number: 1,
      trust: 'SELF_REPORTED',
      samples: 60,
      repeated: 0,
      hasOwnOrders: false,
      executionAuthorityGranted: false,
      executionPerformed: false,
      // The evening before holds nothing yet, and might be contradicted.
      days: [{ day: '2026-01-04' }, { day: '2026-01-05' }],
    })
    await ingest(owner, id, { samples: samplesFrom(noon - 1_800, 4) })
    const [evaluation] = await evaluate(owner, id)
    // The last sample before the gap holds for twice ten minutes.
    const known = 60 * 600 + 600 + 1_800
    expect(evaluation).toMatchObject({
      kpiId: 'uptime',
      measured: 'PUBLIC_BOOK',
      trust: 'SELF_REPORTED',
      contradictions: 0,
      window: { from: '2026-01-05T00:00:00.000Z', to: '2026-01-05T12:00:00.000Z', isRunning: true },
      observed: '1000000',
      optimistic: '1000000',
      gapSeconds: 43_200 - known,
      pessimistic: `${Math.floor((known * 1_000_000) / 43_200)}`,
      verdict: 'INDETERMINATE',
      reason: 'COVERAGE_BELOW_MINIMUM',
      batches: { count: 2 },
    })
  })

  it('never fills gaps of own orders from the public book', async ({ owner }) => {
    const { id } = await mandated(owner)
    await ingest(owner, id, { samples: samplesFrom(midnight, 72) })
    const own = { source: 'MAKER_ORDERS', samples: samplesFrom(midnight, 36) }
    const { data } = await ingest(owner, id, own)
    expect(data.payload.evaluations[0]).toMatchObject({
      measured: 'MAKER_ORDERS',
      gapSeconds: 43_200 - 36 * 600 - 600,
      verdict: 'INDETERMINATE',
    })
  })

  it('is the same in whatever order its batches come', async ({ owner }) => {
    const [one, other] = [await mandated(owner), await mandated(owner)]
    const batches = [
      { samples: samplesFrom(midnight, 30) },
      { samples: samplesFrom(midnight + 18_000, 20, emptyBook) },
      { source: 'MAKER_ORDERS', samples: samplesFrom(midnight + 3_600, 40) },
    ]
    for (const batch of batches) await ingest(owner, one.id, batch)
    for (const batch of batches.toReversed()) await ingest(owner, other.id, batch)
    const [[a], [b]] = [await evaluate(owner, one.id), await evaluate(owner, other.id)]
    const { batches: _a, ...figures } = a!
    const { batches: _b, ...others } = b!
    expect(figures).toEqual(others)
    expect(figures.contradictions).toBeGreaterThan(0)
  })

  it('sums to its week and month without another book', async ({ owner }) => {
    const kpis = [uptime, { ...uptime, kpiId: 'month', window: 'MONTH' }]
    const { id } = await mandated(owner, { kpis })
    const days = [1, 2, 3, 4]
    for (const day of days) {
      const from = Date.UTC(2026, 0, day) / 1000
      const count = day === 3 ? 72 : 144
      const { status } = await ingest(owner, id, { samples: samplesFrom(from, count) })
      expect(status).toBe(201)
    }
    const [day, month] = await evaluate(owner, id, { at: '2026-01-03T08:00:00Z' })
    expect([day?.gapSeconds, month?.gapSeconds]).toEqual([
      ...[43_200 - 600, 43_200 - 600 + 43_200 - 600],
    ])
    expect(month).toMatchObject({ kpiId: 'month', batches: { count: 4 } })
    const [, current] = await evaluate(owner, id, {})
    const file = await send({ ...owner.options, fetch: conformingFetch }, contract.downloadExport, {
      params: { view: `mandates/${id}` },
      query: { as: 'json' },
    })
    const { data } = (await file.json()) as { data: object[] }
    expect(data).toMatchObject([
      { kpi: 'uptime', metric: 'uptime', window: 'Running', unit: '%' },
      { kpi: 'month', result: 'Inconclusive', lowExact: current?.pessimistic },
    ])
    // Only what was asked for.
    expect(await evaluate(owner, id, { kpiId: 'month' })).toHaveLength(1)
    const unknown = await callOperation(owner, 'evaluateMarketMakerMandate', {
      params: { id },
      query: { kpiId: 'nobody' },
    })
    expect([unknown.status, unknown.fieldErrors]).toEqual([
      ...[400, { 'query.kpiId': ['must be one of uptime, month, got nobody'] }],
    ])
  })

  it('counts excluded time for nothing, and every metric in its unit', async () => {
    const from = '2026-01-05T12:30:00.000Z'
    const kpis = [
      { ...uptime, side: 'BID' },
      ...(['DEPTH_QUOTE', 'TOP_SIZE_QUOTE'] as const).map((metric) => ({
        kpiId: metric.toLowerCase().replaceAll('_', '-'),
        metric,
        venueKey: 'ALL',
        side: 'BOTH',
        comparator: 'GTE',
        threshold: '1',
        window: 'DAY',
        ...(metric === 'DEPTH_QUOTE' ? { bandPips: 20_000 } : {}),
      })),
      {
        kpiId: 'spread',
        metric: 'SPREAD_PIPS',
        venueKey: 'book',
        side: 'BOTH',
        comparator: 'LTE',
        threshold: '20000',
        window: 'DAY',
      },
      {
        kpiId: 'presence',
        metric: 'PRESENCE_AT_BEST_PIPS',
        venueKey: 'book',
        side: 'ASK',
        comparator: 'GTE',
        threshold: '500000',
        window: 'DAY',
      },
      {
        kpiId: 'share',
        metric: 'DEPTH_SHARE_PIPS',
        venueKey: 'book',
        side: 'BOTH',
        bandPips: 20_000,
        comparator: 'GTE',
        threshold: '250000',
        window: 'DAY',
      },
    ]
    const exclusions = [{ from, to: '2026-01-05T13:00:00Z', reason: 'Maintenance' }]
    const period = { from: '2026-01-05T12:00:00Z', to: '2026-02-01T00:00:00Z' }
    const here = await serviceForTest()
    const by = await newOrganization(here)
    const { id } = await mandated(by, { kpis, exclusions, period })
    here.clock.advance(3_600_000)
    const own = { makerBids: [level(99, 1_000)], makerAsks: [level(102, 1_000)] }
    const deep = { bids: [level(99)], asks: [level(101), level(102)], ...own }
    await ingest(by, id, { samples: samplesFrom(noon, 3, deep) })
    const evaluations = await evaluate(by, id)
    const byId = new Map(evaluations.map((one) => [one.kpiId, one]))
    for (const one of evaluations) {
      expect([one.excludedSeconds, one.coveragePips, one.measured]).toEqual([
        ...[1_800, 1_000_000, 'MAKER_ORDERS'],
      ])
    }
    expect(byId.get('uptime')).toMatchObject({ verdict: 'BREACHED', observed: '0' })
    // An ask at 1.02 is two hundredths from the middle of the public book, and so within.
    expect(byId.get('depth-quote')?.observed).toBe('990000000000000000')
    expect(byId.get('top-size-quote')?.observed).toBe('990000000000000000')
    expect(byId.get('spread')).toMatchObject({ observed: '29851', spread95Pips: '29851' })
    expect(byId.get('presence')).toMatchObject({ observed: '0', verdict: 'BREACHED' })
    expect(byId.get('share')).toMatchObject({ observed: '125615', verdict: 'BREACHED' })
  })
})

describe('a maker', () => {
  it('that withdraws its quotes between samples breaks its promise', async ({ owner }) => {
    const { id } = await mandated(owner)
    const samples = Array.from({ length: 144 }, (_, index) =>
      sampleAt(midnight - daySeconds + index * 600, index % 4 === 1 ? emptyBook : quotedBook),
    )
    const { data } = await ingest(owner, id, { samples })
    expect(data.payload.evaluations[0]).toMatchObject({ verdict: 'BREACHED', optimistic: '750000' })
  })

  it('a book that no one else observed is contradicted, and counts as not quoting', async ({
    owner,
  }) => {
    const { id } = await mandated(owner)
    const from = midnight - daySeconds
    await ingest(owner, id, {
      samples: samplesFrom(from, 144, { bids: [level(98)], asks: [level(102)] }),
    })
    const { data } = await ingest(owner, id, {
      source: 'MAKER_ORDERS',
      samples: samplesFrom(from, 144),
    })
    expect([data.status, data.payload.contradictions.count]).toEqual(['PARTIAL', 144])
    expect(data.payload.contradictions.found[0]).toMatchObject({
      side: 'BID',
      code: 'BETTER_THAN_PUBLIC',
      publicSize: '0',
      publicTrust: 'SELF_REPORTED',
      at: '2026-01-04T00:00:00.000Z',
    })
    expect(data.payload.evaluations[0]).toMatchObject({
      contradictions: 144,
      observed: '0',
      measured: 'MAKER_ORDERS',
    })
    const response = await callOperation<{ events: { payload: object }[] }>(owner, 'listEvents', {
      query: { kind: 'mandate.contradicted' },
    })
    expect(JSON.stringify(response.data)).toContain(data.payload.batchHash)
  })

  it('that loses its feed is neither in breach nor fine', async ({ owner }) => {
    const { id } = await mandated(owner)
    const { data } = await ingest(owner, id, {
      samples: samplesFrom(midnight - daySeconds, 120),
    })
    expect(data.payload.evaluations[0]).toMatchObject({
      verdict: 'INDETERMINATE',
      reason: 'COVERAGE_BELOW_MINIMUM',
      optimistic: '1000000',
    })
  })
})

describe('trust', () => {
  it('is signed by a declared key, of either kind, and by no other', async ({ owner }) => {
    const key = generatePrivateKey()
    const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
    const signerKeys = [
      { algorithm: 'ED25519', publicKey: key.publicKey.raw },
      { algorithm: 'EIP191', address: account.address },
    ]
    const { id } = await mandated(owner, { marketMaker: { name: 'A', signerKeys, wallets: [] } })
    const payload = { source: 'MAKER_ORDERS', venueKey: 'book', samples: samplesFrom(midnight, 2) }
    const byKey = { keyIndex: 0, value: sign(key, 'mm-observation/v1', payload) }
    const signed = await ingest(owner, id, { ...payload, signature: byKey })
    expect([signed.status, signed.data.payload.trust, signed.data.payload.signer]).toEqual([
      ...[201, 'MAKER_SIGNED', { keyIndex: 0, key: key.publicKey.raw }],
    ])
    const other = { ...payload, samples: samplesFrom(midnight + 1_200, 2) }
    const raw = bytesToHex(D('mm-observation/v1', other))
    const value = await account.signMessage({ message: { raw } })
    const byAccount = await ingest(owner, id, { ...other, signature: { keyIndex: 1, value } })
    expect(byAccount.data.payload.signer?.key).toBe(account.address)
    for (const [signature, field, text] of [
      [{ keyIndex: 2, value }, 'keyIndex', 'must be below 2, got 2'],
      [
        { keyIndex: 1, value: byKey.value },
        'value',
        `must be a signature of the EIP191 key ${account.address}`,
      ],
      [
        { keyIndex: 0, value },
        'value',
        `must be a signature of the ED25519 key ${key.publicKey.raw}`,
      ],
      [{ ...byKey }, 'value', `must be a signature of the ED25519 key ${key.publicKey.raw}`],
    ] as const) {
      const refused = await ingest(owner, id, { ...other, signature })
      expect([refused.status, refused.code, refused.fieldErrors]).toEqual([
        ...[422, 'LIQUIDITY_MANDATE_SIGNATURE_INVALID'],
        { [`payload.signature.${field}`]: [text] },
      ])
    }
  })

  it('of the lowest that was used is that of an evaluation; where more holds, less is not used', async ({
    owner,
  }) => {
    const key = generatePrivateKey()
    const signerKeys = [{ algorithm: 'ED25519', publicKey: key.publicKey.raw }]
    const { id } = await mandated(owner, { marketMaker: { name: 'A', signerKeys, wallets: [] } })
    const payload = {
      source: 'PUBLIC_BOOK',
      venueKey: 'book',
      samples: samplesFrom(midnight, 72, emptyBook),
    }
    const signature = { keyIndex: 0, value: sign(key, 'mm-observation/v1', payload) }
    await ingest(owner, id, { ...payload, signature })
    // Words of one's own, a second behind each of them.
    await ingest(owner, id, { samples: samplesFrom(midnight + 1, 71) })
    expect((await evaluate(owner, id))[0]).toMatchObject({ trust: 'MAKER_SIGNED', observed: '0' })
    // The same words, now signed, are another record; unsigned again they are the one that exists.
    const unsigned = await ingest(owner, id, payload)
    const again = await ingest(owner, id, payload)
    expect([unsigned.data.payload.repeated, again.status]).toEqual([72, 201])
    expect(again.data).toEqual(unsigned.data)
  })
})

describe('a batch', () => {
  const bad: readonly [string, object, string, string][] = [
    [
      'is of another time order',
      { samples: [sampleAt(noon - 60), sampleAt(noon - 60)] },
      '1.at',
      'must be after',
    ],
    ['is of the future', { samples: [sampleAt(noon + 61)] }, '0.at', 'must be at most'],
    [
      'is before the period',
      { samples: [sampleAt(Date.UTC(2025, 11, 31) / 1000)] },
      '0.at',
      'must be in the period',
    ],
    [
      'has times in another form',
      { samples: [{ ...quotedBook, at: '2026-01-05T11:00:00.000Z' }] },
      '0.at',
      'must be a UTC time in whole seconds',
    ],
    [
      'has amounts in another form',
      { samples: [sampleAt(noon, { bids: [], asks: [{ priceX18: '01', size: '1' }] })] },
      '0.asks.0.priceX18',
      'must be an integer',
    ],
    [
      'is crossed',
      { samples: [sampleAt(noon, { bids: [level(101)], asks: [level(101)] })] },
      '0.asks.0',
      'must be above the best bid',
    ],
    [
      'is unsorted',
      { samples: [sampleAt(noon, { bids: [level(98), level(99)], asks: [] })] },
      '0.bids.1',
      'must be worse than the previous level',
    ],
    [
      'quotes nothing at a price',
      { samples: [sampleAt(noon, { bids: [level(99, 0)], asks: [] })] },
      '0.bids.0',
      'must have a price and a size above zero',
    ],
    [
      'tells one side of own orders',
      { samples: [{ ...sampleAt(noon), makerBids: [] }] },
      '0.makerAsks',
      'is required',
    ],
    [
      'tells own orders twice',
      { source: 'MAKER_ORDERS', samples: [{ ...sampleAt(noon), makerBids: [], makerAsks: [] }] },
      '0.makerBids',
      'must be omitted',
    ],
    [
      'has numbers that do not ascend',
      {
        samples: [
          { ...sampleAt(noon - 60), sequence: 5 },
          { ...sampleAt(noon), sequence: 5 },
        ],
      },
      '1.sequence',
      'must be above 5',
    ],
    [
      'is longer than may be',
      {
        samples: [
          sampleAt(Date.UTC(2026, 0, 1) / 1000),
          sampleAt(Date.UTC(2026, 0, 5) / 1000),
          sampleAt(noon),
        ],
      },
      '',
      '',
    ],
  ]
  it.for(bad.slice(0, -1))(
    'that %s is refused with the index',
    async ([_, payload, at, text], { owner }) => {
      const { id } = await mandated(owner)
      const { status, code, fieldErrors } = await ingest(owner, id, payload)
      expect([status, code, Object.keys(fieldErrors)]).toEqual([
        ...[422, 'LIQUIDITY_MANDATE_SAMPLE_INVALID', [`payload.samples.${at}`]],
      ])
      expect(fieldErrors[`payload.samples.${at}`]?.[0]).toContain(text)
    },
  )

  it('is refused where it has not the form of the contract, is no JSON, or is of no venue', async ({
    owner,
  }) => {
    const { id } = await mandated(owner)
    const form = await ingest(owner, id, { samples: [{ ...sampleAt(noon), more: 1 }] })
    expect([form.status, form.code, form.fieldErrors]).toEqual([
      ...[400, 'LIQUIDITY_INVALID_REQUEST'],
      { 'payload.samples.0.more': ['is not a field of this object'] },
    ])
    const venue = await ingest(owner, id, { venueKey: 'other', samples: [sampleAt(noon)] })
    expect([venue.code, venue.fieldErrors]).toEqual([
      ...[
        'LIQUIDITY_MANDATE_VENUE_UNKNOWN',
        { 'payload.venueKey': ['must be one of book, got other'] },
      ],
    ])
    const pool = await ingest(owner, id, {
      source: 'ONCHAIN',
      samples: [sampleAt(noon, emptyBook)],
    })
    expect(pool.code).toBe('LIQUIDITY_MANDATE_VENUE_UNKNOWN')
  })

  it('that says something else of a moment than an earlier one is refused', async ({ owner }) => {
    const { id } = await mandated(owner)
    await ingest(owner, id, { samples: samplesFrom(midnight, 3) })
    const again = samplesFrom(midnight + 600, 3)
    const repeated = await ingest(owner, id, { samples: again })
    expect([repeated.status, repeated.data.payload.repeated]).toEqual([201, 2])
    const other = [sampleAt(midnight + 600, emptyBook), sampleAt(midnight + 5_000)]
    const { status, code, fieldErrors } = await ingest(owner, id, { samples: other })
    expect([status, code, Object.keys(fieldErrors)]).toEqual([
      ...[409, 'LIQUIDITY_MANDATE_CONTRADICTS_EARLIER', ['payload.samples.0']],
    ])
  })

  it('is kept as the bytes that were sent, and repeats under its key byte for byte', async ({
    service,
    owner,
  }) => {
    const { id } = await mandated(owner)
    const body = {
      payload: { source: 'PUBLIC_BOOK', venueKey: 'book', samples: [sampleAt(noon)] },
      reason: 'Seen',
    }
    const request = { params: { id }, body, idempotencyKey: 'the-same-batch' }
    const first = await callOperation<{ payload: { rawArtifact: string } }>(
      owner,
      'ingestMarketMakerEvidence',
      request,
    )
    const again = await callOperation(owner, 'ingestMarketMakerEvidence', request)
    expect([again.isReplayed, again.data]).toEqual([true, first.data])
    const other = await callOperation(owner, 'ingestMarketMakerEvidence', {
      params: { id },
      body: { reason: body.reason, payload: body.payload },
      idempotencyKey: 'the-same-batch',
    })
    expect([other.status, other.code]).toEqual([409, 'LIQUIDITY_IDEMPOTENCY_KEY_REUSED'])
    const { services } = service
    const kept = await services.artifacts.find(owner.organizationId, first.data.payload.rawArtifact)
    expect(kept?.toString('utf8')).toBe(JSON.stringify(body))
  })

  it('has no room in a day that is full', () => {
    const size = { samples: 10, rawBytes: 1_000, venueKey: 'book' }
    const many = Array(limits.mandateDayBatches).fill(size) as (typeof size)[]
    expect(checkQuota(many.slice(1), size)).toBeNull()
    expect(checkQuota(many, size)).toBe(`must have at most ${limits.mandateDayBatches} batches`)
    const dense = { ...size, samples: limits.mandateDaySamples }
    expect(checkQuota([dense], size)).toContain('samples, would have')
    const heavy = { ...size, rawBytes: limits.mandateDayBytes }
    expect(checkQuota([heavy], size)).toContain('bytes of book')
    expect(checkQuota([{ ...heavy, venueKey: 'other' }], size)).toBeNull()
  })
})

describe('a mandate', () => {
  it('is observed by operators while active or paused, and listed by readers', async ({
    service,
    owner,
  }) => {
    const draft = await mandated(owner, {}, 'DRAFT')
    const refused = await ingest(owner, draft.id, { samples: [sampleAt(noon)] })
    expect([refused.status, refused.code, refused.fieldErrors]).toEqual([
      ...[409, 'LIQUIDITY_MANDATE_NOT_OBSERVED', { id: ['must be ACTIVE or PAUSED, got DRAFT'] }],
    ])
    const unseen = await callOperation(owner, 'evaluateMarketMakerMandate', {
      params: { id: draft.id },
    })
    expect(unseen.code).toBe('LIQUIDITY_MANDATE_NOT_OBSERVED')
    const active = await change(owner, draft, { status: 'ACTIVE' })
    const paused = await change(owner, active.data, { status: 'PAUSED' })
    expect((await ingest(owner, draft.id, { samples: [sampleAt(noon)] })).status).toBe(201)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await ingest(viewer, draft.id, { samples: [sampleAt(noon)] })).status).toBe(403)
    const list = await callOperation<unknown[]>(viewer, 'listMarketMakerEvidence', {
      params: { id: draft.id },
    })
    expect([list.status, list.data.length]).toEqual([200, 1])
    const none = await callOperation(viewer, 'listMarketMakerEvidence', {
      params: { id: `mandate_${'0'.repeat(32)}` },
    })
    expect(none.status).toBe(404)
    const move = await change(owner, paused.data, { status: 'DRAFT' })
    expect([move.status, move.code]).toEqual([409, 'LIQUIDITY_MANDATE_TRANSITION_REFUSED'])
    const nothing = await change(owner, paused.data, {})
    expect([nothing.status, nothing.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
    const revoked = await change(owner, paused.data, { status: 'REVOKED' })
    expect((await change(owner, revoked.data, { status: 'ACTIVE' })).code).toBe(
      'LIQUIDITY_MANDATE_TERMINAL',
    )
    expect((await ingest(owner, draft.id, { samples: [sampleAt(noon)] })).code).toBe(
      'LIQUIDITY_MANDATE_NOT_OBSERVED',
    )
  })

  it.for([
    ['kpis.0.venueKey', { kpis: [{ ...uptime, venueKey: 'other' }] }],
    ['kpis.0.bandPips', { kpis: [{ ...uptime, bandPips: undefined }] }],
    ['kpis.0.sizeQuote', { kpis: [{ ...uptime, metric: 'DEPTH_QUOTE' }] }],
    ['kpis.0.threshold', { kpis: [{ ...uptime, threshold: '1000001' }] }],
    ['kpis.1.kpiId', { kpis: [uptime, uptime] }],
    [
      'kpis.0.side',
      {
        kpis: [
          {
            kpiId: 's',
            metric: 'SPREAD_PIPS',
            venueKey: 'book',
            side: 'BID',
            comparator: 'LTE',
            threshold: '1',
            window: 'DAY',
          },
        ],
      },
    ],
    ['period.to', { period: { from: '2026-03-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }],
    ['period.from', { period: { from: '2026-01-01T00:00:00.500Z', to: '2026-02-01T00:00:00Z' } }],
    [
      'venues.0.venueKey',
      {
        venues: [{ venueKey: 'ALL', kind: 'CEX', name: 'All' }],
        kpis: [{ ...uptime, venueKey: 'ALL' }],
      },
    ],
    [
      'venues.1.venueKey',
      { venues: [0, 1].map(() => ({ venueKey: 'book', kind: 'CEX', name: 'Twice' })) },
    ],
    [
      'venues.0.venue',
      {
        venues: [
          {
            venueKey: 'book',
            kind: 'CEX',
            name: 'B',
            venue: { id: 'venue_x', resourceVersion: `0x${'1'.repeat(64)}` },
          },
        ],
      },
    ],
    [
      'venues.0.feed',
      {
        samplingSeconds: 60,
        venues: [
          { venueKey: 'book', kind: 'CEX', name: 'B', feed: { providerId: 'x', feed: 'y' } },
        ],
      },
    ],
    [
      'samplingSeconds',
      {
        samplingSeconds: 10,
        venues: ['book', 'b', 'c'].map((venueKey) => ({ venueKey, kind: 'CEX', name: 'B' })),
      },
    ],
    ['compensation.loan', { compensation: { model: 'HYBRID', feeQuotePerMonth: '1' } }],
    ['compensation.feeQuotePerMonth', { compensation: { model: 'RETAINER' } }],
    [
      'marketMaker.wallets',
      {
        kpis: [
          {
            kpiId: 'l',
            metric: 'LOAN_COVERAGE_PIPS',
            venueKey: 'ALL',
            side: 'BOTH',
            comparator: 'GTE',
            threshold: '1',
            window: 'DAY',
          },
        ],
      },
    ],
    [
      'marketMaker.wallets.0.chainId',
      {
        marketMaker: {
          name: 'A',
          signerKeys: [],
          wallets: [{ chainId: 1, address: `0x${'1'.repeat(40)}` }],
        },
      },
    ],
    [
      'marketMaker.signerKeys.0.publicKey',
      {
        marketMaker: {
          name: 'A',
          wallets: [],
          signerKeys: [{ algorithm: 'ED25519', publicKey: `${'A'.repeat(43)}=` }],
        },
      },
    ],
  ] as const)('whose %s does not hold together is refused', async ([field, changes], { owner }) => {
    const { status, code, fieldErrors } = await create(owner, changes)
    expect([status, code]).toEqual([422, 'LIQUIDITY_MANDATE_TERMS_INVALID'])
    expect(Object.keys(fieldErrors)).toContain(`payload.${field}`)
  })

  it('names existing records: a validated venue, an active provider, a loan', async ({ owner }) => {
    const ref = { id: `venue_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` }
    const venue = await create(owner, {
      venues: [{ venueKey: 'book', kind: 'DEX', name: 'P', venue: ref }],
    })
    expect([venue.status, venue.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const feed = { providerId: 'nobody', feed: 'x' }
    const fed = await create(owner, {
      venues: [{ venueKey: 'book', kind: 'CEX', name: 'B', feed }],
    })
    expect(fed.code).toBe('LIQUIDITY_PROVIDER_UNKNOWN')
    const loan = {
      resourceType: 'TreasuryBucket',
      id: `treasury_entry_${'0'.repeat(32)}`,
      resourceVersion: `0x${'1'.repeat(64)}`,
    }
    const lent = await create(owner, { compensation: { model: 'LOAN_OPTION', loan } })
    expect([lent.status, lent.code]).toEqual([412, 'LIQUIDITY_MANDATE_LOAN_UNAVAILABLE'])
  })

  it('that binds is tightened, never loosened for time that has elapsed', async ({ owner }) => {
    const mandate = await mandated(owner)
    for (const [field, changes] of [
      ['kpis.0.threshold', { kpis: [{ ...uptime, threshold: '899999' }] }],
      ['kpis.0.sizeQuote', { kpis: [{ ...uptime, sizeQuote: '1' }] }],
      ['kpis.0.bandPips', { kpis: [{ ...uptime, bandPips: 20_001 }] }],
      ['kpis.0.minimumCoveragePips', { kpis: [{ ...uptime, minimumCoveragePips: 1 }] }],
      ['kpis.0.window', { kpis: [{ ...uptime, window: 'MONTH' }] }],
      ['kpis', { kpis: [{ ...uptime, kpiId: 'other' }] }],
      [
        'samplingSeconds',
        {
          samplingSeconds: 300,
          kpis: [uptime],
          period: { from: '2026-01-02T00:00:00Z', to: '2026-03-01T00:00:00Z' },
        },
      ],
      ['period.to', { period: { from: '2026-01-01T00:00:00Z', to: '2026-01-05T11:00:00Z' } }],
      [
        'venues',
        {
          venues: [{ venueKey: 'other', kind: 'CEX', name: 'B' }],
          kpis: [{ ...uptime, venueKey: 'ALL' }],
        },
      ],
      [
        'exclusions.0.from',
        {
          exclusions: [
            { from: '2026-01-05T11:00:00Z', to: '2026-01-06T00:00:00Z', reason: 'Late' },
          ],
        },
      ],
    ] as const) {
      const { status, code, fieldErrors } = await change(owner, mandate, {
        payload: termsWith(changes),
      })
      expect([field, status, code]).toEqual([field, 409, 'LIQUIDITY_MANDATE_RETROACTIVE'])
      if (field !== 'samplingSeconds')
        expect(Object.keys(fieldErrors)).toContain(`payload.${field}`)
    }
    const exclusions = [
      { from: '2026-01-05T13:00:00Z', to: '2026-01-06T00:00:00Z', reason: 'Maintenance' },
    ]
    const kpis = [{ ...uptime, threshold: '950000', bandPips: 10_000 }]
    const next = await change(owner, mandate, { payload: termsWith({ kpis, exclusions }) })
    expect([next.status, next.fieldErrors]).toEqual([200, {}])
    // Before it binds it may become anything.
    const draft = await mandated(owner, {}, 'DRAFT')
    const loose = { payload: termsWith({ kpis: [{ ...uptime, threshold: '1' }] }) }
    expect((await change(owner, draft, loose)).status).toBe(200)
  })

  it('measures again if a tighter obligation needs another distance', async ({ owner }) => {
    const mandate = await mandated(owner)
    await ingest(owner, mandate.id, { samples: samplesFrom(midnight - daySeconds, 144) })
    const at = '2026-01-04T06:00:00Z'
    expect((await evaluate(owner, mandate.id, { at }))[0]).toMatchObject({ verdict: 'MET' })
    const kpis = [{ ...uptime, bandPips: 9_999 }]
    expect((await change(owner, mandate, { payload: termsWith({ kpis }) })).status).toBe(200)
    expect((await evaluate(owner, mandate.id, { at }))[0]).toMatchObject({
      verdict: 'BREACHED',
      observed: '0',
      batches: { count: 1 },
    })
  })
})

describe('the sweep', () => {
  it('publishes each closed window once, repeated breaches, and ends expired mandates', async () => {
    const here = await serviceForTest()
    const by = await newOrganization(here)
    const period = { from: '2026-01-04T06:00:00Z', to: '2026-01-06T00:00:00Z' }
    const mandate = await mandated(by, { period })
    const draft = await mandated(by, { period }, 'DRAFT')
    await ingest(by, mandate.id, { samples: samplesFrom(midnight - 18 * 3_600, 109, emptyBook) })
    // Sessions end while the clock is moved.
    const reader = () => newMember(here, by.organizationId, 'OWNER')
    const events = async () => {
      const who = await reader()
      const kinds = ['mandate.kpi_evaluated', 'mandate.kpi_breached']
      const responses = await Promise.all(
        kinds.map((kind) =>
          callOperation<{ events: { kind: string }[] }>(who, 'listEvents', { query: { kind } }),
        ),
      )
      return responses.flatMap(({ data }) => data.events.map(({ kind }) => kind))
    }
    await sweepMandates(here.services)
    expect(await events()).toEqual([])
    here.clock.advance(dayMilliseconds / 2)
    await sweepMandates(here.services)
    await sweepMandates(here.services)
    expect((await events()).sort()).toEqual(['mandate.kpi_breached', 'mandate.kpi_evaluated'])
    const [evaluation] = await evaluate(await reader(), mandate.id, { at: '2026-01-04T12:00:00Z' })
    expect(evaluation?.told).toEqual({ at: '2026-01-06T00:00:00.000Z', verdict: 'BREACHED' })
    here.clock.advance(dayMilliseconds)
    await sweepMandates(here.services)
    await sweepMandates(here.services)
    expect(await events()).toHaveLength(3)
    const who = await reader()
    const ended = await Promise.all(
      [mandate, draft].map(({ id }) =>
        callOperation<Mandate>(who, 'getMarketMakerMandates', { params: { id } }),
      ),
    )
    expect(ended.map(({ data }) => data.status)).toEqual(['COMPLETED', 'EXPIRED'])
    const { database, services } = here
    const report = await verifyHistory(database, by.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})

it('keeps names and chains that verify', async ({ service, owner }) => {
  const { database, services } = service
  const report = await verifyHistory(database, owner.organizationId, services.artifacts)
  expect(report.faults).toEqual([])
})
