// @module-tag postgres

import { type LooseRequest, send } from '@liquidity-os/client'
import { contract } from '@liquidity-os/contract'
import { openEvent } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { shareLinks } from '../src/families/operate/mandate-shares/records.ts'
import { mandates } from '../src/families/operate/market-maker-mandates/records.ts'
import { treasuryAssets } from '../src/families/plan/treasury-assets/records.ts'
import { limits } from '../src/limits.ts'
import { sql } from '../src/store/database/sql.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { test } from './support/fixtures.ts'
import { emptyBook, ingest, mandated, samplesFrom, termsWith, uptime } from './support/mandating.ts'
import { callOperation, versionOf } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

const it = test

interface Share {
  id: string
  resourceVersion: string
  status: string
  payload: contract.MandateShare
}

const share = (by: TestMember, id: string, payload: object = {}, more: LooseRequest = {}) =>
  callOperation<Share>(by, 'createMandateShareLink', {
    params: { id },
    body: { payload, reason: 'For the maker' },
    ...more,
  })

const revoke = async (by: TestMember, { id }: { id: string }, more: LooseRequest = {}) =>
  callOperation<Share>(by, 'revokeMandateShareLink', {
    params: { id },
    ifMatch: await versionOf(by, 'getMandateShares', id),
    body: { reason: 'No longer needed' },
    ...more,
  })

async function read({ baseUrl }: TestService, slug: string) {
  const answer = await send(
    { baseUrl, fetch: conformingFetch },
    contract.getSharedMarketMakerMandate,
    { params: { slug } },
  )
  const { data, error } = (await answer.json()) as {
    data: contract.SharedMandate
    error?: { code: string; message: string }
  }
  return { status: answer.status, headers: answer.headers, data, error }
}

/** Stores an active mandate without its loan, which only a chain read can create. */
async function withLoan(service: TestService, by: TestMember, kpis: readonly object[]) {
  const loan = { resourceType: 'TreasuryBucket', id: `treasury_bucket_${'1'.repeat(32)}` }
  const { sealed, change } = mandates.first(recordsOf(service, by), {
    status: 'ACTIVE',
    payload: termsWith({
      ...secrets,
      kpis,
      compensation: {
        model: 'LOAN_OPTION',
        loan: { ...loan, resourceVersion: `0x${'1'.repeat(64)}` },
      },
    }),
    reason: 'Signed',
    event: 'mandate.created',
  } as never)
  await service.services.committer.commit(change)
  return sealed.record
}

const page = ({ baseUrl }: TestService, slug: string) => fetch(`${baseUrl}/m/${slug}`)

const wallet = '0x00000000000000000000000000000000000000aa'
const secrets = {
  marketMaker: {
    name: 'A maker',
    legalEntity: 'A maker and sons',
    signerKeys: [],
    wallets: [{ chainId: 31_337, address: wallet }],
  },
  compensation: { model: 'RETAINER', feeQuotePerMonth: '777777777' },
}

describe('a link to a mandate', () => {
  it('shows promises, hours and gaps, without compensation and wallets', async ({
    owner,
    service,
  }) => {
    const { id } = await mandated(owner, {
      ...secrets,
      exclusions: [
        { from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z', reason: 'Venue upgrade' },
      ],
    })
    const day = Date.UTC(2026, 0, 4) / 1000
    const batches = [
      samplesFrom(day, 60),
      samplesFrom(day + 36_000, 6, emptyBook),
      samplesFrom(day + 39_600, 60),
    ]
    for (const samples of batches) expect((await ingest(owner, id, { samples })).status).toBe(201)
    const { status, data: made } = await share(owner, id)
    expect([status, made.status]).toEqual([201, 'ACTIVE'])
    const { slug, url } = made.payload
    expect(slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    expect(url).toBe(`${service.config.baseUrl}/m/${slug}`)
    const { data, headers } = await read(service, slug)
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(data).toMatchObject({
      title: 'On one book',
      marketMaker: 'A maker',
      status: 'ACTIVE',
      kpis: [{ kpiId: 'uptime' }],
      exclusions: [{ reason: 'Venue upgrade' }],
      expiresAt: made.payload.expiresAt,
    })
    expect(data.simulated).toBeDefined()
    const shown = data.days.find((one) => one.day === '2026-01-04')
    expect(shown?.bid.map((state) => state[0]).join('')).toBe('MMMMMMMMMMBMMMMMMMMMMGGG')
    expect(shown?.ask).toEqual(shown?.bid)
    // The last sample of 20:50 holds for two intervals, until 21:10.
    expect(data.gaps).toContainEqual(
      expect.objectContaining({
        from: '2026-01-04T21:00:00.000Z',
        reason: 'COVERAGE_BELOW_MINIMUM',
      }),
    )
    const html = await page(service, slug)
    const text = await html.text()
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('Uptime of 1\u00a00xC02a…6Cc2 within 2\u00a0% on both sides')
    expect(text).toContain('2026-01-04 10:00 UTC')
    const json = JSON.stringify(data)
    for (const secret of [wallet, '777777777', 'A maker and sons', 'feeQuotePerMonth', id]) {
      expect([json.includes(secret), text.includes(secret)], secret).toEqual([false, false])
    }
  })

  it('shows no loan coverage, and results by their listed members', async ({ owner, service }) => {
    const coverage = {
      kpiId: 'coverage',
      metric: 'LOAN_COVERAGE_PIPS',
      venueKey: 'ALL',
      side: 'BOTH',
      comparator: 'GTE',
      threshold: '654321',
      window: 'DAY',
    }
    const spread = {
      kpiId: 'spread',
      metric: 'SPREAD_PIPS',
      venueKey: 'book',
      side: 'BOTH',
      comparator: 'LTE',
      threshold: '50000',
      window: 'DAY',
      minimumCoveragePips: 123_456,
    }
    const { id } = await withLoan(service, owner, [coverage, uptime, spread])
    await ingest(owner, id, { samples: samplesFrom(Date.UTC(2026, 0, 5) / 1000, 12) })
    const { slug } = (await share(owner, id)).data.payload
    const { data } = await read(service, slug)
    expect(data.kpis.map(({ kpiId }) => kpiId)).toEqual(['uptime', 'spread'])
    expect(data.evaluations.map((one) => [one.kpiId, Object.keys(one).sort()])).toEqual(
      ['uptime', 'spread'].map((kpiId) => [
        kpiId,
        [
          'excludedSeconds',
          'gapSeconds',
          'kpiId',
          'observed',
          'optimistic',
          'pessimistic',
          'reason',
          'trust',
          'verdict',
          'window',
        ],
      ]),
    )
    const text = await (await page(service, slug)).text()
    expect(text).toContain('Spread ≤ 5\u00a0% daily, A book')
    for (const secret of ['overage', '654321', '65.4321', '123456', '12.3456', 'oan']) {
      const json = JSON.stringify(data).replaceAll('COVERAGE_BELOW_MINIMUM', '')
      expect([json.includes(secret), text.includes(secret)], secret).toEqual([false, false])
    }
    const only = await withLoan(service, owner, [coverage])
    const other = (await share(owner, only.id)).data.payload.slug
    expect((await read(service, other)).data).toMatchObject({ kpis: [], evaluations: [] })
    expect(await (await page(service, other)).text()).toContain('This page has no promises.')
  })

  it('takes token symbols from known tokens, never from venue names', async ({ service }) => {
    const owner = await newOrganization(service)
    const { id, payload } = await mandated(owner, {
      venues: [{ venueKey: 'book', kind: 'CEX', name: 'WETH/UNI 0.3 %' }],
    })
    const { slug } = (await share(owner, id)).data.payload
    expect((await read(service, slug)).data.symbols).toEqual({ base: null, quote: null })
    const unknown = await (await page(service, slug)).text()
    expect(unknown).toContain('A maker · 0xC183…9D72/0xC02a…6Cc2 · ')
    expect(unknown).toContain('Uptime of 1\u00a00xC02a…6Cc2 within 2\u00a0% on both sides')
    for (const [address, symbol] of [
      [payload.pair.base, 'UNI'],
      [payload.pair.quote, 'WETH'],
    ] as const) {
      const assetKey = `eip155:31337/erc20:${address.toLowerCase()}`
      const { change } = treasuryAssets.first(recordsOf(service, owner), {
        status: 'ACTIVE',
        payload: {
          decimals: 18,
          own: null,
          pending: null,
          assetKey,
          symbol,
          class: 'CRYPTO_OTHER',
        },
        reason: 'For the test',
        event: 'treasury.asset.declared',
      } as never)
      await service.services.committer.commit(change)
    }
    service.clock.advance(limits.sharedMandateMilliseconds)
    expect((await read(service, slug)).data.symbols).toEqual({ base: 'UNI', quote: 'WETH' })
    const known = await (await page(service, slug)).text()
    expect(known).toContain('A maker · UNI/WETH · ')
    expect(known).toContain('Uptime of 1\u00a0WETH within 2\u00a0% on both sides')
  })

  it('shows new evidence and new terms', async ({ owner, service }) => {
    const { id, resourceVersion } = await mandated(owner)
    const { data: made } = await share(owner, id)
    const { slug } = made.payload
    const [before] = (await read(service, slug)).data.evaluations
    expect(before).toMatchObject({ verdict: 'INDETERMINATE', trust: null })
    await ingest(owner, id, { samples: samplesFrom(Date.UTC(2026, 0, 5) / 1000, 12) })
    const [after] = (await read(service, slug)).data.evaluations
    expect(after).toMatchObject({ trust: 'SELF_REPORTED' })
    await callOperation(owner, 'supersedeMarketMakerMandates', {
      params: { id },
      ifMatch: resourceVersion,
      body: { payload: termsWith({ title: 'Renamed' }), reason: 'For the test' },
    })
    expect((await read(service, slug)).data.title).toBe('Renamed')
  })

  it('is 404 with one response if it is unknown, malformed, revoked or expired', async ({
    owner,
    service,
  }) => {
    const { id } = await mandated(owner)
    const [ended, short] = [
      await share(owner, id),
      await share(owner, id, {
        expiresAt: new Date(service.clock.read() + hourMilliseconds).toISOString(),
      }),
    ]
    expect((await revoke(owner, ended.data)).data.status).toBe('REVOKED')
    expect((await read(service, short.data.payload.slug)).status).toBe(200)
    service.clock.advance(hourMilliseconds)
    const slugs = [ended.data.payload.slug, short.data.payload.slug, 'x'.repeat(26), 'Not A Slug']
    for (const slug of slugs) {
      const { status, error } = await read(service, slug)
      expect([status, error?.code, error?.message]).toEqual([
        404,
        'LIQUIDITY_PUBLIC_MANDATE_UNAVAILABLE',
        'No shared mandate has this address.',
      ])
      const html = await page(service, encodeURIComponent(slug))
      expect([html.status, await html.text()]).toEqual([
        404,
        expect.stringContaining('No shared mandate has this address.'),
      ])
    }
    const late = await revoke(owner, short.data)
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_MANDATE_SHARE_TERMINAL'])
    await shareLinks.expire(service.services)
    const found = await callOperation<Share>(owner, 'getMandateShares', {
      params: { id: short.data.id },
    })
    expect(found.data.status).toBe('EXPIRED')
  })

  it('ends in the future, after a year at the latest, and belongs to one share', async ({
    owner,
    service,
  }) => {
    const { id } = await mandated(owner)
    const inTime = (milliseconds: number) =>
      new Date(service.clock.read() + milliseconds).toISOString()
    for (const expiresAt of [inTime(0), inTime(365 * dayMilliseconds + 1)]) {
      const { status, fieldErrors } = await share(owner, id, { expiresAt })
      expect([status, Object.keys(fieldErrors)]).toEqual([400, ['payload.expiresAt']])
    }
    const slug = `chosen-${id.slice(-12)}`
    expect((await share(owner, id, { slug })).data.payload.slug).toBe(slug)
    const again = await share(owner, id, { slug })
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_MANDATE_SHARE_SLUG_TAKEN'])
  })

  it('is for operators of the organization, and for a mandate that was active', async ({
    owner,
    stranger,
    service,
  }) => {
    const { id } = await mandated(owner)
    const draft = await mandated(owner, {}, 'DRAFT')
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const { data: made } = await share(owner, id)
    const answers = await Promise.all([
      share(stranger, id),
      share(viewer, id),
      share(owner, draft.id),
      revoke(stranger, made),
      revoke(viewer, made),
      callOperation(stranger, 'getMandateShares', { params: { id: made.id } }),
    ])
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [403, 'LIQUIDITY_ROLE_REQUIRED'],
      [409, 'LIQUIDITY_MANDATE_NOT_OBSERVED'],
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [403, 'LIQUIDITY_ROLE_REQUIRED'],
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
    ])
    const listed = await callOperation<Share[]>(stranger, 'listMandateShares', {})
    expect(listed.data).toEqual([])
  })

  it('is created and revoked once, against the reviewed version', async ({ owner, service }) => {
    const { id } = await mandated(owner)
    const outdated = await share(owner, id, {}, { ifMatch: `0x${'9'.repeat(64)}` })
    expect([outdated.status, outdated.code]).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
    const key = { idempotencyKey: `share-${id}` }
    const [first, second] = [await share(owner, id, {}, key), await share(owner, id, {}, key)]
    expect(second.data.id).toBe(first.data.id)
    const listed = await callOperation<Share[]>(owner, 'listMandateShares', {
      query: { subject: id },
    })
    expect(listed.data.map((one) => one.id)).toEqual([first.data.id])
    const stale = await revoke(owner, first.data, { ifMatch: `0x${'9'.repeat(64)}` })
    expect(stale.status).toBe(412)
    const ended = await revoke(owner, first.data, { ifMatch: first.data.resourceVersion })
    expect([ended.status, ended.data.status]).toEqual([200, 'REVOKED'])
    const [rows = []] = await service.database.tenant(owner.organizationId, [
      sql`select body from events where organization_id = ${owner.organizationId}
        and subject_id = ${first.data.id} order by sequence`,
    ])
    expect(rows.map(({ body }) => openEvent(String(body)).kind)).toEqual([
      'mandate_share.created',
      'mandate_share.revoked',
    ])
  })
})

describe('the hours of a mandate as a file', () => {
  it('name a breached hour, a gap and its reason', async ({ owner, service }) => {
    const { id } = await mandated(owner)
    const day = Date.UTC(2026, 0, 3) / 1000
    await ingest(owner, id, { samples: samplesFrom(day, 60) })
    await ingest(owner, id, { samples: samplesFrom(day + 36_000, 6, emptyBook) })
    const file = await send({ ...owner.options, fetch: conformingFetch }, contract.downloadExport, {
      params: { view: `mandates/${id}/hours` },
      query: { as: 'json' },
    })
    const { data } = (await file.json()) as { data: { from: string }[] }
    expect(data[0]?.from).toBe('2026-01-01T00:00:00Z')
    expect(data.find(({ from }) => from === '2026-01-03T10:00:00Z')).toMatchObject({
      bid: 'Breached',
      ask: 'Breached',
      known: 3_600,
      bidQuoted: 0,
      counted: 3_600,
      reason: null,
    })
    // The last book, without quotes, holds until 11:10: too long for 90 % of the hour.
    expect(data.find(({ from }) => from === '2026-01-03T11:00:00Z')).toMatchObject({
      bid: 'Breached',
      known: 600,
    })
    expect(data.find(({ from }) => from === '2026-01-03T12:00:00Z')).toMatchObject({
      bid: 'Data gap',
      known: 0,
      reason: 'No samples',
    })
    const spread = { ...uptime, metric: 'SPREAD_PIPS', comparator: 'LTE', threshold: '10000' }
    const { bandPips: _, sizeQuote: __, ...plain } = spread
    const other = await mandated(owner, { kpis: [plain] })
    const refused = await fetch(
      `${service.baseUrl}/api/liquidity-studio/v2/exports/mandates/${other.id}/hours`,
      {
        headers: {
          cookie: `${service.config.sessionCookie}=${owner.cookie}`,
          'x-service-organization-id': owner.organizationId,
        },
      },
    )
    expect(refused.status).toBe(400)
  })
})
