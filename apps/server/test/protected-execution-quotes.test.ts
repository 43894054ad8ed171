// @module-tag long
// @covers apps/server/src/families/operate/protected-execution apps/server/src/outside/quotes

import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderUidOf } from '../src/families/operate/protected-execution/quotes/gpv2-order.ts'
import { expireQuotes } from '../src/families/operate/protected-execution/records.ts'
import { startWorkers } from '../src/service.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, startTestChain, type TestChain, validatedPool } from './support/chain.ts'
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
import { type PriceSource, startPriceSource } from './support/price-source.ts'
import { startDesk } from './support/proposing.ts'
import { type QuoteDesk, startQuoteDesk } from './support/quote-desk.ts'
import { tell } from './support/requests.ts'
import { startTestService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import { observed } from './support/vaults.ts'

let source: PriceSource
let maker: QuoteDesk
let test: TestChain
let service: TestService
let desk: ExecutionDesk
let policy: Policy
let request: QuoteRequest
beforeAll(async () => {
  source = await startPriceSource()
  maker = await startQuoteDesk()
  test = await startTestChain()
  service = await startTestService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl, source.url, maker.url),
    FEED_PULL_SECONDS: '300',
  })
  await catchUp(test.chain, service)
  desk = await withMakers(test, await startDesk(test, service))
})
afterAll(async () => {
  await service.stop()
  await source.stop()
  await maker.stop()
  await test.chain.stop()
})

const reason = 'For the test'
const rfq = (terms: Parameters<typeof rfqQuote>[4] = {}, of = request) =>
  rfqQuote(test, service, desk, of, terms)
const order = (terms: Parameters<typeof orderQuote>[4] = {}, of = request) =>
  orderQuote(test, service, desk, of, terms)
const body = (change: object = {}) => askBody(service, desk, change)

describe('a request for quotes', () => {
  it('needs an active policy of level 2, and members that fit', async () => {
    expect(refusal(await ask(desk, body()))).toEqual([422, 'LIQUIDITY_QUOTE_POLICY_LEVEL'])
    const first = await made(
      tell<Policy>(desk.owner, 'createAutonomyPolicies', {
        body: { payload: policyInput(test, desk, { level: 1 }), reason },
      }),
    )
    expect((await ask(desk, body())).fieldErrors['payload.vaultId']?.[0]).toContain('level 1')
    policy = await made(
      tell<Policy>(desk.owner, 'createAutonomyPolicies', {
        body: { payload: policyInput(test, desk), reason },
        ifMatch: first.resourceVersion,
      }),
    )
    for (const [change, field] of [
      [{ amount: '0' }, 'payload.amount'],
      [{ respondBy: isoIn(service, 5) }, 'payload.respondBy'],
      [{ respondBy: isoIn(service, 90_000) }, 'payload.respondBy'],
      [{ dispatch: ['nobody'] }, 'payload.dispatch.0'],
    ] as const) {
      const told = await ask(desk, body(change))
      expect([told.code, Object.keys(told.fieldErrors)]).toEqual([
        'LIQUIDITY_QUOTE_INPUT_INVALID',
        [field],
      ])
    }
  })

  it('says what makers sign, under a hash of its own', async () => {
    request = await made(ask(desk, body()))
    const again = await made(ask(desk, body()))
    expect(again.payload.requestHash).not.toBe(request.payload.requestHash)
    expect(request.payload).toMatchObject({
      taker: desk.safe,
      policy: refOf(policy),
      executionAuthorityGranted: false,
      sellToken: test.markets.tokens[0],
      buyToken: test.markets.tokens[1],
      typedData: { domain: { chainId, verifyingContract: desk.settlement.settlement } },
    })
  })
})

describe('a quote', () => {
  it('without a price of a feed is admitted with its price unknown', async () => {
    const told = await made(admit(desk, request, [await rfq()]))
    const [quote] = told.admitted
    expect(quote?.payload).toMatchObject({ funded: 'YES', canArm: false, kind: 'LIQUIDITY_RFQ' })
    expect(quote?.payload.checks.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual([
      ...['TYPED_HASH PASS', 'SIGNATURE PASS', 'MAKER PASS', 'WINDOW PASS', 'NONCE PASS'],
      ...['FUNDED PASS', 'PRICE UNKNOWN', 'AMOUNTS PASS', 'FIRM PASS'],
    ])
  })

  it('of a key or of a Safe is admitted in both forms, once, whatever else is refused beside it', async () => {
    await pullPrices(service, desk.owner, test, source)
    // So many blocks made the makers that the chain is ahead of what a test begins with.
    service.clock.advance(900_000)
    await catchUp(test.chain, service)
    await observed(service, desk)
    request = await made(ask(desk, body()))
    const quotes = [
      await rfq(),
      await rfq({ by: 'SAFE' }),
      await order(),
      await order({ by: 'SAFE' }),
      await rfq({ change: { buyAmount: '1' } }),
    ]
    const told = await made(admit(desk, request, quotes))
    expect(told.admitted.map(({ payload }) => [payload.kind, payload.canArm])).toEqual([
      ...[
        ['LIQUIDITY_RFQ', false],
        ['LIQUIDITY_RFQ', false],
      ],
      ...[
        ['GPV2_ORDER', true],
        ['GPV2_ORDER', true],
      ],
    ])
    expect(told.refused).toMatchObject([{ index: 4, code: 'SIGNATURE' }])
    const again = await made(admit(desk, request, quotes.slice(0, 4)))
    expect(again.admitted.map(refOf)).toEqual(told.admitted.map(refOf))
    const listed = await tell<unknown[]>(desk.owner, 'listExecutionQuotes', {
      query: { subject: request.id },
    })
    expect(listed.data).toHaveLength(4)
  })

  it('is refused by each check that it fails', async () => {
    const other = test.chain.accounts[9]!
    const wrongKey = {
      ...(await rfq()),
      signature: await other.sign({ hash: `0x${'1'.repeat(64)}` }),
    }
    const malleable = await rfq()
    const asked = await made(ask(desk, body({ makers: [other.address] })))
    const used = await rfq()
    await made(admit(desk, request, [used]))
    const filled = await order({ signedAs: { validTo: secondsIn(service, 2_000) } })
    await test.chain.send({
      from: makerOf(test).address,
      to: desk.settlement.settlement,
      data: encodeFunctionData({
        abi: parseAbi(['function invalidateOrder(bytes orderUid)']),
        args: [orderUidOf(filled.order, filled.maker, chainId, desk.settlement.settlement)],
      }),
    })
    await test.chain.mine(4)
    const of = (signedAs: object) => rfq({ signedAs })
    const cases: readonly (readonly [string, object])[] = [
      ['TYPED_HASH', await of({ requestHash: `0x${'1'.repeat(64)}` })],
      ['TYPED_HASH', await of({ taker: other.address })],
      ['TYPED_HASH', await of({ sellToken: request.payload.buyToken })],
      ['TYPED_HASH', await order({ signedAs: { appData: `0x${'1'.repeat(64)}` } })],
      ['SIGNATURE', wrongKey],
      ['SIGNATURE', { ...malleable, signature: flipped(malleable.signature) }],
      ['SIGNATURE', { ...(await rfq({ by: 'SAFE' })), signature: `0x${'11'.repeat(130)}` }],
      ['SIGNATURE', { ...(await rfq()), makerKind: 'EIP1271' }],
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
    const told = await admit(
      desk,
      request,
      cases.map(([, quote]) => quote),
    )
    expect(refusal(told)).toEqual([422, 'LIQUIDITY_QUOTE_NONE_ADMITTED'])
    expect(
      cases.map((_, place) => told.fieldErrors[`payload.quotes.${place}`]?.[0]?.split(':')[0]),
    ).toEqual(cases.map(([code]) => code))
    const foreign = await admit(desk, asked, [await rfq({}, asked)])
    expect(foreign.fieldErrors['payload.quotes.0']?.[0]).toMatch(/^MAKER/)
  })

  it('counts against what its maker has with all its other live quotes, and with a last look is told so', async () => {
    const half = { sellAmount: `${6n * 10n ** 16n}`, buyAmount: `${6n * 10n ** 16n}` }
    const two = [await rfq({ signedAs: half }), await rfq({ signedAs: half })]
    const told = await made(admit(desk, request, two))
    expect([told.admitted.length, told.refused.map(({ code }) => code)]).toEqual([1, ['FUNDED']])
    const look = await made(
      admit(desk, request, [await rfq({ by: 'SAFE', signedAs: { firm: false } })]),
    )
    expect(look.admitted[0]?.payload.checks.at(-1)).toMatchObject({ code: 'FIRM', outcome: 'WARN' })
  })

  it('in another form than the one that is signed is refused by the member, and no quote comes too late', async () => {
    const lower = { maker: desk.keyMaker.toLowerCase() }
    const told = await admit(desk, request, [await rfq({ change: lower })])
    expect([told.code, Object.keys(told.fieldErrors)]).toEqual([
      'LIQUIDITY_QUOTE_INPUT_INVALID',
      ['payload.quotes.0.message.maker'],
    ])
    const short = await made(ask(desk, body({ respondBy: isoIn(service, 20) })))
    service.clock.advance(30_000)
    expect(refusal(await admit(desk, short, [await rfq({}, short)]))).toEqual([
      ...[409, 'LIQUIDITY_QUOTE_REQUEST_EXPIRED'],
    ])
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
  const put = () =>
    tell<unknown>(desk.owner, 'putOperatingSystemProvider', {
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
  const jobOf = async (of: QuoteRequest) =>
    (await desk.owner.client.listOperatingSystemJobs()).body.data.find(
      ({ kind, subject }) => kind === 'QUOTE_DISPATCH' && subject.id === of.id,
    )
  const ended = (of: QuoteRequest) =>
    until('the source has been asked', async () => {
      const job = await jobOf(of)
      return job?.finishedAt ? job : undefined
    })

  it('is admitted once it answers with a list', async () => {
    maker.answer = async () => 'no list'
    expect(refusal(await put())).toEqual([422, 'LIQUIDITY_PROVIDER_PROBE_FAILED'])
    maker.answer = async () => ({ quotes: [] })
    expect((await put()).status).toBe(201)
    expect(maker.asked.at(-1)?.question).toEqual({ probe: true })
  })

  it('is asked by a job, and what it answers takes the same checks, whatever else it sends', async () => {
    maker.answer = async (question) => {
      const { data } = await tell<QuoteRequest>(desk.owner, 'getQuoteRequest', {
        params: { id: `${question.requestId}` },
      })
      const good = await order({ by: 'SAFE', signedAs: { validTo: secondsIn(service, 900) } }, data)
      const bad = await rfq({ signedAs: { taker: desk.keyMaker } }, data)
      return { quotes: [good, bad, { kind: 'LIQUIDITY_RFQ' }, 'nonsense'] }
    }
    const asked = await made(ask(desk, body({ dispatch: ['maker-desk'] })))
    const workers = await startWorkers(service.services)
    const job = await ended(asked)
    expect(job.result).toMatchObject({
      admitted: 1,
      unreadable: 2,
      refused: [{ index: 1, code: 'TYPED_HASH' }],
    })
    const { requestHash } = asked.payload
    expect(maker.asked.at(-1)?.question).toMatchObject({ requestHash, taker: desk.safe })
    expect(maker.asked.at(-1)?.question).not.toHaveProperty('policy')
    const { data } = await tell<{ payload: { providerId: string; canArm: boolean } }[]>(
      ...([desk.owner, 'listExecutionQuotes', { query: { subject: asked.id } }] as const),
    )
    expect(data.map(({ payload }) => [payload.providerId, payload.canArm])).toEqual([
      ['maker-desk', true],
    ])
    maker.answer = async () => 500
    const lost = await made(ask(desk, body({ dispatch: ['maker-desk'] })))
    await until('the source was asked again', async () => ((await jobOf(lost))?.attempts ?? 0) > 0)
    await workers.stop()
  })
})

describe('a quote set', () => {
  it('freezes quotes by rank and pools at one block, under a hash of both', async () => {
    const venue = await validatedPoolOf()
    const frozen = await made(freeze(desk, request, { pools: [refOf(venue)] }))
    const { payload } = frozen
    expect(payload.quotes.map(({ rank }) => rank)).toEqual(
      payload.quotes.map((_, place) => place + 1),
    )
    const prices = payload.quotes.map(({ unitPriceX36 }) => BigInt(unitPriceX36))
    expect(prices).toEqual(prices.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)))
    expect(payload.pools).toMatchObject([
      {
        kind: 'UNISWAP_V3',
        adapterId: 'uniswap-v3-swap-router',
        feePips: 3000,
        router: test.chain.contracts.swapRouter,
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

  it('is refused for hashes of no live quote, pools of no venue and requests that have moved on', async () => {
    const wrong = `0x${'1'.repeat(64)}`
    expect((await freeze(desk, request, { quoteHashes: [wrong] })).code).toBe(
      'LIQUIDITY_QUOTE_INPUT_INVALID',
    )
    const nobody = { id: `venue_${'0'.repeat(32)}`, resourceVersion: wrong }
    expect((await freeze(desk, request, { pools: [nobody] })).code).toBe(
      'LIQUIDITY_SOURCE_UNAVAILABLE',
    )
    const stale = { ...request, resourceVersion: wrong as typeof request.resourceVersion }
    expect(refusal(await freeze(desk, stale))).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
    const empty = await made(ask(desk, body()))
    expect(refusal(await freeze(desk, empty))).toEqual([409, 'LIQUIDITY_QUOTE_SET_EMPTY'])
  })

  it('takes quotes with itself, drops what has run out, and nothing is planned on it once it is closed', async () => {
    const open = await made(ask(desk, body()))
    const brief = await rfq({ signedAs: { validUntil: secondsIn(service, 300) } }, open)
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

async function validatedPoolOf() {
  const { data } = await tell<{ id: string; resourceVersion: string; status: string }[]>(
    ...([desk.owner, 'listVenues'] as const),
  )
  return (
    data.find(({ status }) => status === 'VALIDATED') ?? (await validatedPool(desk.owner, test))
  )
}
