// @module-tag long
// @covers apps/server/src/families/operate/protected-execution apps/server/src/integrations/quotes

import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect } from 'vitest'
import { orderUidOf } from '../src/families/operate/protected-execution/quotes/gpv2-order.ts'
import { expireQuotes } from '../src/families/operate/protected-execution/records.ts'
import { startWorkers } from '../src/service.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, type TestChain, validatedPool } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import {
  admit,
  ask,
  askBody,
  chainId,
  type ExecutionDesk,
  freeze,
  isoIn,
  made,
  makerOf,
  orderQuote,
  type Policy,
  plan,
  policyInput,
  pullPrices,
  type QuoteRequest,
  refOf,
  refusal,
  rfqQuote,
  secondsIn,
  withMakers,
} from './support/executing.ts'
import { started, test } from './support/fixtures.ts'
import { startDesk } from './support/proposing.ts'
import { type QuoteDesk, startQuoteDesk } from './support/quote-desk.ts'
import { callOperation } from './support/requests.ts'
import type { TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { observed } from './support/vaults.ts'

let policy: Policy
let request: QuoteRequest
const it = test
  .extend('maker', { scope: 'file' }, started(startQuoteDesk))
  .extend('settings', { scope: 'file' }, ({ testChain, priceSource, maker }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, priceSource.url, maker.url),
    FEED_PULL_SECONDS: '300',
  }))
  .extend('desk', { scope: 'file' }, async ({ service, testChain }) => {
    await catchUp(testChain.chain, service)
    return withMakers(testChain, await startDesk(testChain, service))
  })

const reason = 'For the test'
const rfq = (
  service: TestService,
  testChain: TestChain,
  desk: ExecutionDesk,
  terms: Parameters<typeof rfqQuote>[4] = {},
  of = request,
) => rfqQuote(testChain, service, desk, of, terms)
const order = (
  service: TestService,
  testChain: TestChain,
  desk: ExecutionDesk,
  terms: Parameters<typeof orderQuote>[4] = {},
  of = request,
) => orderQuote(testChain, service, desk, of, terms)
const body = (service: TestService, desk: ExecutionDesk, change: object = {}) =>
  askBody(service, desk, change)

describe('a request for quotes', () => {
  it('needs an active policy of level 2, and members that fit', async ({
    service,
    testChain,
    desk,
  }) => {
    expect(refusal(await ask(desk, body(service, desk)))).toEqual([
      422,
      'LIQUIDITY_QUOTE_POLICY_LEVEL',
    ])
    const first = await made(
      callOperation<Policy>(desk.owner, 'createAutonomyPolicies', {
        body: { payload: policyInput(testChain, desk, { level: 1 }), reason },
      }),
    )
    expect((await ask(desk, body(service, desk))).fieldErrors['payload.vaultId']?.[0]).toContain(
      'level 1',
    )
    policy = await made(
      callOperation<Policy>(desk.owner, 'createAutonomyPolicies', {
        body: { payload: policyInput(testChain, desk), reason },
        ifMatch: first.resourceVersion,
      }),
    )
    for (const [change, field] of [
      [{ amount: '0' }, 'payload.amount'],
      [{ respondBy: isoIn(service, 5) }, 'payload.respondBy'],
      [{ respondBy: isoIn(service, 90_000) }, 'payload.respondBy'],
      [{ dispatch: ['nobody'] }, 'payload.dispatch.0'],
    ] as const) {
      const response = await ask(desk, body(service, desk, change))
      expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
        'LIQUIDITY_QUOTE_INPUT_INVALID',
        [field],
      ])
    }
  })

  it('defines the signed data of market makers, with its own hash', async ({
    service,
    testChain,
    desk,
  }) => {
    request = await made(ask(desk, body(service, desk)))
    const again = await made(ask(desk, body(service, desk)))
    expect(again.payload.requestHash).not.toBe(request.payload.requestHash)
    expect(request.payload).toMatchObject({
      taker: desk.safe,
      policy: refOf(policy),
      executionAuthorityGranted: false,
      sellToken: testChain.markets.tokens[0],
      buyToken: testChain.markets.tokens[1],
      typedData: { domain: { chainId, verifyingContract: desk.settlement.settlement } },
    })
  })
})

describe('a quote', () => {
  it('without a price of a feed is admitted with its price unknown', async ({
    service,
    testChain,
    desk,
  }) => {
    const result = await made(admit(desk, request, [await rfq(service, testChain, desk)]))
    const [quote] = result.admitted
    expect(quote?.payload).toMatchObject({ funded: 'YES', canArm: false, kind: 'LIQUIDITY_RFQ' })
    expect(quote?.payload.checks.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual([
      ...['TYPED_HASH PASS', 'SIGNATURE PASS', 'MAKER PASS', 'WINDOW PASS', 'NONCE PASS'],
      ...['FUNDED PASS', 'PRICE UNKNOWN', 'AMOUNTS PASS', 'FIRM PASS'],
    ])
  })

  it('of a key or of a Safe is admitted in both forms, once, next to rejected ones', async ({
    service,
    testChain,
    priceSource,
    desk,
  }) => {
    await pullPrices(service, desk.owner, testChain, priceSource)
    // So many blocks made the makers that the chain is ahead of what a test begins with.
    service.clock.advance(900_000)
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    request = await made(ask(desk, body(service, desk)))
    const quotes = [
      await rfq(service, testChain, desk),
      await rfq(service, testChain, desk, { by: 'SAFE' }),
      await order(service, testChain, desk),
      await order(service, testChain, desk, { by: 'SAFE' }),
      await rfq(service, testChain, desk, { change: { buyAmount: '1' } }),
    ]
    const result = await made(admit(desk, request, quotes))
    expect(result.admitted.map(({ payload }) => [payload.kind, payload.canArm])).toEqual([
      ...[
        ['LIQUIDITY_RFQ', false],
        ['LIQUIDITY_RFQ', false],
      ],
      ...[
        ['GPV2_ORDER', true],
        ['GPV2_ORDER', true],
      ],
    ])
    expect(result.refused).toMatchObject([{ index: 4, code: 'SIGNATURE' }])
    const again = await made(admit(desk, request, quotes.slice(0, 4)))
    expect(again.admitted.map(refOf)).toEqual(result.admitted.map(refOf))
    const listed = await callOperation<unknown[]>(desk.owner, 'listExecutionQuotes', {
      query: { subject: request.id },
    })
    expect(listed.data).toHaveLength(4)
  })

  it('is refused by each check that it fails', async ({ service, testChain, desk }) => {
    const other = testChain.chain.accounts[9]!
    const wrongKey = {
      ...(await rfq(service, testChain, desk)),
      signature: await other.sign({ hash: `0x${'1'.repeat(64)}` }),
    }
    const malleable = await rfq(service, testChain, desk)
    const requested = await made(ask(desk, body(service, desk, { makers: [other.address] })))
    const used = await rfq(service, testChain, desk)
    await made(admit(desk, request, [used]))
    const filled = await order(service, testChain, desk, {
      signedAs: { validTo: secondsIn(service, 2_000) },
    })
    await testChain.chain.send({
      from: makerOf(testChain).address,
      to: desk.settlement.settlement,
      data: encodeFunctionData({
        abi: parseAbi(['function invalidateOrder(bytes orderUid)']),
        args: [orderUidOf(filled.order, filled.maker, chainId, desk.settlement.settlement)],
      }),
    })
    await testChain.chain.mine(4)
    const of = (signedAs: object) => rfq(service, testChain, desk, { signedAs })
    const cases: readonly (readonly [string, object])[] = [
      ['TYPED_HASH', await of({ requestHash: `0x${'1'.repeat(64)}` })],
      ['TYPED_HASH', await of({ taker: other.address })],
      ['TYPED_HASH', await of({ sellToken: request.payload.buyToken })],
      [
        'TYPED_HASH',
        await order(service, testChain, desk, { signedAs: { appData: `0x${'1'.repeat(64)}` } }),
      ],
      ['SIGNATURE', wrongKey],
      ['SIGNATURE', { ...malleable, signature: flipped(malleable.signature) }],
      [
        'SIGNATURE',
        {
          ...(await rfq(service, testChain, desk, { by: 'SAFE' })),
          signature: `0x${'11'.repeat(130)}`,
        },
      ],
      ['SIGNATURE', { ...(await rfq(service, testChain, desk)), makerKind: 'EIP1271' }],
      ['WINDOW', await of({ validFrom: secondsIn(service, 100) })],
      ['WINDOW', await of({ validUntil: secondsIn(service, -1) })],
      ['WINDOW', await of({ validUntil: secondsIn(service, 86_500) })],
      ['NONCE', await of({ nonce: used.message.nonce, sellAmount: `${5n * 10n ** 14n - 1n}` })],
      ['NONCE', filled],
      ['AMOUNTS', await of({ minimumFillSellAmount: `${10n ** 15n}` })],
      ['AMOUNTS', await of({ minimumFillSellAmount: '0' })],
      ['FUNDED', await of({ sellAmount: `${10n ** 17n + 1n}`, buyAmount: `${10n ** 17n + 1n}` })],
      ['PRICE', await of({ buyAmount: `${4n * 10n ** 14n}` })],
      ['PRICE', await of({ buyAmount: `${6n * 10n ** 14n}` })],
    ]
    const response = await admit(
      desk,
      request,
      cases.map(([, quote]) => quote),
    )
    expect(refusal(response)).toEqual([422, 'LIQUIDITY_QUOTE_NONE_ADMITTED'])
    expect(
      cases.map((_, index) => response.fieldErrors[`payload.quotes.${index}`]?.[0]?.split(':')[0]),
    ).toEqual(cases.map(([code]) => code))
    const foreign = await admit(desk, requested, [
      await rfq(service, testChain, desk, {}, requested),
    ])
    expect(foreign.fieldErrors['payload.quotes.0']?.[0]).toMatch(/^MAKER/)
  })

  it('counts with all other live quotes of its market maker, and reports a last look', async ({
    service,
    testChain,
    desk,
  }) => {
    const half = { sellAmount: `${6n * 10n ** 16n}`, buyAmount: `${6n * 10n ** 16n}` }
    const two = [
      await rfq(service, testChain, desk, { signedAs: half }),
      await rfq(service, testChain, desk, { signedAs: half }),
    ]
    const result = await made(admit(desk, request, two))
    expect([result.admitted.length, result.refused.map(({ code }) => code)]).toEqual([
      1,
      ['FUNDED'],
    ])
    const look = await made(
      admit(desk, request, [
        await rfq(service, testChain, desk, { by: 'SAFE', signedAs: { firm: false } }),
      ]),
    )
    expect(look.admitted[0]?.payload.checks.at(-1)).toMatchObject({ code: 'FIRM', outcome: 'WARN' })
  })

  it('in another form than the one that is signed is refused by the member, and no quote comes too late', async ({
    service,
    testChain,
    desk,
  }) => {
    const lower = { maker: desk.keyMaker.toLowerCase() }
    const response = await admit(desk, request, [
      await rfq(service, testChain, desk, { change: lower }),
    ])
    expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
      'LIQUIDITY_QUOTE_INPUT_INVALID',
      ['payload.quotes.0.message.maker'],
    ])
    const short = await made(ask(desk, body(service, desk, { respondBy: isoIn(service, 20) })))
    service.clock.advance(30_000)
    expect(
      refusal(await admit(desk, short, [await rfq(service, testChain, desk, {}, short)])),
    ).toEqual([...[409, 'LIQUIDITY_QUOTE_REQUEST_EXPIRED']])
  })
})

/** The other signature of the same message by the same key: s mirrored, v flipped. */
function flipped(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.slice(130) === '1b' ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

describe('a source of quotes', () => {
  const put = (maker: QuoteDesk, desk: ExecutionDesk) =>
    callOperation<unknown>(desk.owner, 'putOperatingSystemProvider', {
      body: {
        payload: {
          providerId: 'maker-desk',
          kind: 'QUOTE_SOURCE',
          displayName: 'Maker desk',
          endpoint: `${maker.url}/rfq`,
          configuration: { protocol: 'LIQUIDITY_RFQ_HTTP' },
        },
        reason,
      },
    })
  const jobOf = async (desk: ExecutionDesk, of: QuoteRequest) =>
    (await desk.owner.client.listOperatingSystemJobs()).body.data.find(
      ({ kind, subject }) => kind === 'QUOTE_DISPATCH' && subject.id === of.id,
    )
  const ended = (desk: ExecutionDesk, of: QuoteRequest) =>
    until('the source has been asked', async () => {
      const job = await jobOf(desk, of)
      return job?.finishedAt ? job : undefined
    })

  it('is admitted once it answers with a list', async ({ maker, desk }) => {
    maker.answer = async () => 'no list'
    expect(refusal(await put(maker, desk))).toEqual([422, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
    maker.answer = async () => ({ quotes: [] })
    expect((await put(maker, desk)).status).toBe(201)
    expect(maker.requests.at(-1)?.question).toEqual({ probe: true })
  })

  it('is requested by a job, and its response passes the same checks', async ({
    service,
    testChain,
    maker,
    desk,
  }) => {
    maker.answer = async (question) => {
      const { data } = await callOperation<QuoteRequest>(desk.owner, 'getQuoteRequest', {
        params: { id: `${question.requestId}` },
      })
      const good = await order(
        service,
        testChain,
        desk,
        { by: 'SAFE', signedAs: { validTo: secondsIn(service, 900) } },
        data,
      )
      const bad = await rfq(service, testChain, desk, { signedAs: { taker: desk.keyMaker } }, data)
      return { quotes: [good, bad, { kind: 'LIQUIDITY_RFQ' }, 'nonsense'] }
    }
    const request = await made(ask(desk, body(service, desk, { dispatch: ['maker-desk'] })))
    const workers = await startWorkers(service.services)
    const job = await ended(desk, request)
    expect(job.result).toMatchObject({
      admitted: 1,
      unreadable: 2,
      refused: [{ index: 1, code: 'TYPED_HASH' }],
    })
    const { requestHash } = request.payload
    expect(maker.requests.at(-1)?.question).toMatchObject({ requestHash, taker: desk.safe })
    expect(maker.requests.at(-1)?.question).not.toHaveProperty('policy')
    const { data } = await callOperation<{ payload: { providerId: string; canArm: boolean } }[]>(
      ...([desk.owner, 'listExecutionQuotes', { query: { subject: request.id } }] as const),
    )
    expect(data.map(({ payload }) => [payload.providerId, payload.canArm])).toEqual([
      ['maker-desk', true],
    ])
    maker.answer = async () => 500
    const lost = await made(ask(desk, body(service, desk, { dispatch: ['maker-desk'] })))
    await until(
      'the source was asked again',
      async () => ((await jobOf(desk, lost))?.attempts ?? 0) > 0,
    )
    await workers.stop()
  })
})

describe('a quote set', () => {
  it('freezes quotes by rank and pools at one block, under a hash of both', async ({
    testChain,
    desk,
  }) => {
    const venue = await validatedPoolOf(testChain, desk)
    const frozen = await made(freeze(desk, request, { pools: [refOf(venue)] }))
    const { payload } = frozen
    expect(payload.quotes.map(({ rank }) => rank)).toEqual(
      payload.quotes.map((_, index) => index + 1),
    )
    const prices = payload.quotes.map(({ unitPriceX36 }) => BigInt(unitPriceX36))
    expect(prices).toEqual(prices.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)))
    expect(payload.pools).toMatchObject([
      {
        kind: 'UNISWAP_V3',
        adapterId: 'uniswap-v3-swap-router',
        feePips: 3000,
        router: testChain.chain.contracts.swapRouter,
      },
    ])
    expect(payload).toMatchObject({
      relayer: desk.settlement.relayer,
      takerBalance: `${10n ** 18n}`,
      reference: { priceX36: `${10n ** 36n}` },
    })
    const again = await made(freeze(desk, request, { pools: [refOf(venue)] }))
    expect(again.payload.setHash).toBe(payload.setHash)
    const [first] = payload.quotes
    const one = await made(freeze(desk, request, { quoteHashes: [first?.quoteHash] }))
    expect([one.payload.quotes.length, one.payload.setHash === payload.setHash]).toEqual([1, false])
  })

  it('is refused for hashes of no live quote, pools of no venue and requests that have moved on', async ({
    service,
    desk,
  }) => {
    const wrong = `0x${'1'.repeat(64)}`
    expect((await freeze(desk, request, { quoteHashes: [wrong] })).code).toBe(
      'LIQUIDITY_QUOTE_INPUT_INVALID',
    )
    const unknownVenue = { id: `venue_${'0'.repeat(32)}`, resourceVersion: wrong }
    expect((await freeze(desk, request, { pools: [unknownVenue] })).code).toBe(
      'LIQUIDITY_SOURCE_UNAVAILABLE',
    )
    const stale = { ...request, resourceVersion: wrong as typeof request.resourceVersion }
    expect(refusal(await freeze(desk, stale))).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
    const empty = await made(ask(desk, body(service, desk)))
    expect(refusal(await freeze(desk, empty))).toEqual([409, 'LIQUIDITY_QUOTE_SET_EMPTY'])
  })

  it('includes quotes, drops expired ones, and allows no plan after it closes', async ({
    service,
    testChain,
    desk,
  }) => {
    const open = await made(ask(desk, body(service, desk)))
    const brief = await rfq(
      service,
      testChain,
      desk,
      { signedAs: { validUntil: secondsIn(service, 300) } },
      open,
    )
    const set = await made(freeze(desk, open, { quotes: [brief] }))
    expect(set.payload.quotes).toHaveLength(1)
    expect(Date.parse(set.payload.closesAt) / 1000).toBe(brief.message.validUntil)
    service.clock.advance(301_000)
    await expireQuotes(service.services)
    expect(refusal(await freeze(desk, open))).toEqual([409, 'LIQUIDITY_QUOTE_SET_EMPTY'])
    expect(refusal(await plan(service, desk, set, policy))).toEqual([
      ...[409, 'LIQUIDITY_PLAN_QUOTE_SET_EXPIRED'],
    ])
    const { database, artifacts } = service.services
    const report = await verifyHistory(database, desk.owner.organizationId, artifacts)
    expect(report.faults).toEqual([])
  })
})

async function validatedPoolOf(testChain: TestChain, desk: ExecutionDesk) {
  const { data } = await callOperation<{ id: string; resourceVersion: string; status: string }[]>(
    ...([desk.owner, 'listVenues'] as const),
  )
  return (
    data.find(({ status }) => status === 'VALIDATED') ??
    (await validatedPool(desk.owner, testChain))
  )
}
