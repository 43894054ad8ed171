// @module-tag long
// @covers apps/server/src/families/intelligence/price-series apps/server/src/families/platform/providers
// @covers apps/server/src/integrations/feeds

import { ApiFailure } from '@liquidity-os/client'
import { generatePrivateKey, type Hash, sign } from '@liquidity-os/evidence'
import { deployPriceFeed } from '@liquidity-os/localchain'
import { expect } from 'vitest'
import type { Failure } from '../src/failure.ts'
import { queueDue } from '../src/jobs/schedules.ts'
import { readReference } from '../src/market/prices/named-reference.ts'
import { startWorkers } from '../src/service.ts'
import { daySeconds, hourSeconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { providerBody } from './support/chain.ts'
import { priceTest as it } from './support/fixtures.ts'
import { candlesOf, type PriceSource } from './support/price-source.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const pair = {
  base: 'eip155:1/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  baseDecimals: 18,
  quote: 'iso4217:USD',
  quoteDecimals: 8,
}
const nowOf = (service: TestService) => Math.floor(service.clock.read() / 1000)
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

const candleBody = (priceSource: PriceSource, since: number, changes: object = {}) => ({
  payload: {
    providerId: 'exchange',
    kind: 'MARKET_DATA' as const,
    displayName: 'Exchange',
    endpoint: `${priceSource.url}/v1/secret-path-key`,
    configuration: {
      shape: 'CCXT',
      feeds: [
        {
          feed: 'eth-usd',
          kind: 'CANDLE',
          exchange: 'kraken',
          symbol: 'ETH/USD',
          timeframe: '5m',
          since: iso(since),
          ...pair,
          ...changes,
        },
      ],
    },
  },
  reason: 'For the test',
})

/** Reads every feed that is due, and waits until the jobs have ended. */
async function pull(service: TestService, { client }: TestMember, expected = 'COMPLETED') {
  service.clock.advance(400_000)
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  const jobs = await until('the feeds were read', async () => {
    const { data } = (await client.listOperatingSystemJobs()).body
    const pulls = data.filter(({ kind }) => kind === 'FEED_PULL')
    return pulls.length > 0 && pulls.every(({ finishedAt }) => finishedAt) ? pulls : null
  })
  await workers.stop()
  expect(jobs[0]).toMatchObject({ status: expected })
  return jobs[0]!
}

/** A day later, when who signed in before must do so again. */
function nextDay(service: TestService, { organizationId }: TestMember): Promise<TestMember> {
  service.clock.advance(daySeconds * 1000)
  return newMember(service, organizationId, 'OWNER')
}

/** What a refused request was answered. */
async function refusalOf(request: Promise<unknown>): Promise<ApiFailure> {
  const failure = await request.then(
    () => null,
    (error: unknown) => error,
  )
  if (failure instanceof ApiFailure) return failure
  throw new Error('It was not refused.', { cause: failure })
}

const seriesOf = async ({ client }: TestMember) => (await client.listPriceSeries()).body.data

async function pointsOf({ client }: TestMember, id: string, query: object) {
  const { body } = await client.readPriceSeries({ params: { id }, query })
  return JSON.parse(Buffer.from(body as never).toString()) as {
    points: { at: string; priceX36: string; priceX18: string; isProvisional: boolean }[]
    generations: { day: string; generation: number }[]
    gaps: { from: string; to: string; code: string }[]
  }
}

it('seals the days of a candle feed, keeps today provisional, and stores a correction as a new version', async ({
  service,
  priceSource,
}) => {
  const owner = await newOrganization(service)
  const today = Math.floor(nowOf(service) / daySeconds) * daySeconds
  const since = today - 2 * daySeconds
  let corrected = '2000.5'
  const hole = today - daySeconds + hourSeconds
  priceSource.answer = ({ searchParams }) =>
    candlesOf(searchParams, {
      grid: 300,
      now: nowOf(service),
      closeAt: (at) => (at === hole ? null : at === today - 600 ? corrected : '0.0000012345'),
    })
  await owner.client.putOperatingSystemProvider({ body: candleBody(priceSource, since) })
  await pull(service, owner)
  const [series] = await seriesOf(owner)
  expect(series!.payload.segment).toMatchObject({ generation: 1, points: 287, blocks: null })
  expect(series!.payload.segment!.gaps).toContainEqual({
    code: 'NO_TRADES',
    from: iso(hole),
    to: iso(hole + 300),
  })

  const read = await pointsOf(owner, series!.id, { from: iso(since), to: iso(nowOf(service)) })
  // 0.0000012345 USD of 10^8 atoms for 10^18 atoms: X36 is 12345·10^16, and X18 would have three digits.
  expect(read.points[0]).toMatchObject({ priceX36: '123450000000000000000', priceX18: null })
  // A close is known when its candle ends.
  expect(read.points.every(({ at }) => Date.parse(at) <= service.clock.read())).toBe(true)
  expect(read.points.at(-1)!.isProvisional).toBe(true)
  expect(read.points.find(({ at }) => at === iso(today - 300))).toMatchObject({
    isProvisional: false,
  })
  expect(read.points.some(({ at }) => at === iso(hole + 300))).toBe(false)

  corrected = '2001'
  const reader = await nextDay(service, owner)
  await pull(service, reader)
  const day = iso(today - daySeconds).slice(0, 10)
  const again = await pointsOf(reader, series!.id, { from: iso(since), to: iso(nowOf(service)) })
  expect(again.generations).toContainEqual(expect.objectContaining({ day, generation: 2 }))
  expect(again.points.find(({ at }) => at === iso(today - 300))!.priceX36).toBe(
    `${2001n * 10n ** 26n}`,
  )
  // On a grid of an hour: the last price at or before each, also where the price itself is missing.
  const hourly = await pointsOf(reader, series!.id, {
    from: iso(since + hourSeconds),
    to: iso(since + 4 * hourSeconds),
    grid: 3600,
  })
  expect(hourly.points.map(({ at }) => at)).toEqual([1, 2, 3, 4].map((h) => iso(since + h * 3600)))

  const exposed = JSON.stringify([
    (await reader.client.listOperatingSystemProviders()).body,
    (await reader.client.listOperatingSystemJobs()).body,
    again,
  ])
  expect(exposed).not.toContain('secret-path-key')
})

it.for([
  ['HTML', '<html></html>', /SHAPE, not valid JSON \(SYNTAX\)/],
  ['a document that ends early', '[[1', /SHAPE, not valid JSON \(SYNTAX\)/],
  ['names that stand twice', '[{"a":1,"a":2}]', /SHAPE, not valid JSON \(DUPLICATE_KEY\)/],
  ['a number that no double holds', '[[1e400,1,1,1,1,1]]', /SHAPE/],
  ['levels without end', '['.repeat(100_000), /TOO_LARGE/],
  ['half a million numbers', `{"bids":[${'1,'.repeat(510_000)}1]}`, /TOO_LARGE, more than 20000/],
  ['deep levels', '['.repeat(40) + ']'.repeat(40), /TOO_DEEP/],
  ['more than is read', `["${'x'.repeat(2 * 1024 * 1024)}"]`, /TOO_LARGE/],
  ['a candle outside of its own high', '[[0,2,1,1,2,1]]', /SHAPE/],
  ['no candles', '[]', /STALE/],
  ['a redirect', 302, /HTTP 302/],
  ['an error', 500, /HTTP 500/],
] as const)(
  'does not admit a source that answers %s',
  async ([_, answer, expected], { service, priceSource }) => {
    const owner = await newOrganization(service)
    priceSource.answer = () => answer
    const refused = await refusalOf(
      owner.client.putOperatingSystemProvider({ body: candleBody(priceSource, nowOf(service)) }),
    )
    expect(refused).toMatchObject({ status: 422, code: 'LIQUIDITY_PROVIDER_PROBE_FAILED' })
    expect(refused.message).toMatch(expected)
    expect(refused.message).not.toContain('secret-path-key')
  },
)

it('seals candles of a pool, which are no reference for that pool', async ({
  service,
  priceSource,
}) => {
  const owner = await newOrganization(service)
  const today = Math.floor(nowOf(service) / daySeconds) * daySeconds
  const pool = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'
  priceSource.answer = ({ searchParams }) => {
    const end = Number(searchParams.get('before_timestamp'))
    const newest = Math.ceil(end / hourSeconds) * hourSeconds - hourSeconds
    const rows = Array.from({ length: 100 }, (_, index) => [
      newest - index * hourSeconds,
      2,
      2,
      2,
      2,
      1,
    ])
    return JSON.stringify({ data: { attributes: { ohlcv_list: rows } } })
  }
  await owner.client.putOperatingSystemProvider({
    body: {
      payload: {
        providerId: 'pools',
        kind: 'MARKET_DATA',
        displayName: 'Pools',
        endpoint: priceSource.url,
        configuration: {
          shape: 'GECKOTERMINAL',
          feeds: [
            {
              feed: 'weth',
              kind: 'POOL_CANDLE',
              pool,
              timeframe: '1h',
              since: iso(today - daySeconds),
              ...pair,
            },
          ],
        },
      },
      reason: 'For the test',
    },
  })
  await pull(service, owner)
  const [series] = await seriesOf(owner)
  expect(series!.payload.key).toMatchObject({ source: 'CANDLE', of: `pools:pool:${pool}` })
  expect(series!.payload.segment).toMatchObject({ generation: 1, blocks: null })
  const ref = { id: series!.id, resourceVersion: series!.resourceVersion as Hash }
  const refusal = await readReference(
    recordsOf(service, owner),
    { kind: 'SERIES', series: ref },
    {
      pair: {
        chainId: 1,
        base: pair.base.slice(-42),
        quote: `0x${'a'.repeat(40)}`,
        baseDecimals: 18,
        quoteDecimals: 6,
      },
      window: { from: today - daySeconds, to: today },
      evaluated: [pool],
      field: 'payload.reference',
      refusal: 'LIQUIDITY_STUDY_REFERENCE_REQUIRED',
      feePips: 500,
    },
  ).catch((error: unknown) => error)
  expect((refusal as Failure).detail.fieldErrors).toEqual({
    'payload.reference.series': [`must not be prices of the evaluated pool ${pool}`],
  })
})

it('names the error of a configuration', async ({ service, priceSource }) => {
  const owner = await newOrganization(service)
  const body = candleBody(priceSource, nowOf(service), { timeframe: '7m', extra: 1 })
  const refused = await refusalOf(owner.client.putOperatingSystemProvider({ body }))
  expect(refused.code).toBe('LIQUIDITY_PROVIDER_CONFIGURATION_INVALID')
  expect(refused.message).toContain('payload.configuration.feeds.0.timeframe')
  expect(refused.message).toContain('payload.configuration.feeds.0.extra')
})

it('takes signed prices of the pair, of now and by the key that was named, and seals them with their signatures', async ({
  service,
  priceSource,
}) => {
  const owner = await newOrganization(service)
  const key = generatePrivateKey()
  let statement: Record<string, string> = {}
  let signer = key
  priceSource.answer = () =>
    JSON.stringify({ ...statement, signature: sign(signer, 'signed-price/v1', statement) })
  const of = (at: number, changes: object = {}) => ({
    base: pair.base,
    quote: pair.quote,
    priceX18: `${2000n * 10n ** 18n}`,
    at: `${iso(at).slice(0, 19)}Z`,
    ...changes,
  })
  const body = {
    payload: {
      providerId: 'desk',
      kind: 'PRICE_ORACLE' as const,
      displayName: 'Desk',
      endpoint: priceSource.url,
      publicKeys: [key.publicKey.raw],
      configuration: {
        source: 'SIGNED',
        feeds: [{ feed: 'eth', ...pair, heartbeatSeconds: 3600, errorPips: 500 }],
      },
    },
    reason: 'For the test',
  }
  const refusals: [Record<string, string>, typeof key, RegExp][] = [
    [of(nowOf(service)), generatePrivateKey(), /SIGNATURE/],
    [of(nowOf(service), { base: 'iso4217:EUR' }), key, /WRONG_SUBJECT/],
    [of(nowOf(service) - 2 * daySeconds), key, /STALE/],
    [of(nowOf(service) + hourSeconds), key, /CLOCK/],
    [of(nowOf(service), { priceX18: '0' }), key, /CLAMPED/],
  ]
  for (const [signed, by, expected] of refusals) {
    ;[statement, signer] = [signed, by]
    const refused = await refusalOf(owner.client.putOperatingSystemProvider({ body }))
    expect(refused.message).toMatch(expected)
  }
  ;[statement, signer] = [of(nowOf(service)), key]
  expect((await owner.client.putOperatingSystemProvider({ body })).status).toBe(201)
  const first = nowOf(service)
  await pull(service, owner)
  const reader = await nextDay(service, owner)
  statement = of(nowOf(service))
  await pull(service, reader)
  const [series] = await seriesOf(reader)
  const { segment } = series!.payload
  expect(segment).toMatchObject({ day: iso(first).slice(0, 10), points: 1 })
  const sealed = await reader.client.downloadArtifact({
    params: { contentHash: segment!.artifactHash },
  })
  expect(Buffer.from(sealed.body as never).toString()).toContain('signature')

  // A price of before is a replay, and the schedule tells why the feed is not fresh.
  statement = of(first)
  expect((await pull(service, reader, 'FAILED')).error).toMatchObject({
    code: 'LIQUIDITY_PROVIDER_ANSWER_REFUSED',
  })

  // Who does not answer has the cause told; what was sealed stays as it was.
  priceSource.answer = () => 500
  service.clock.advance(hourSeconds * 1000)
  expect((await pull(service, reader, 'FAILED')).error).toMatchObject({
    code: 'LIQUIDITY_PROVIDER_UNAVAILABLE',
  })
  expect((await seriesOf(reader))[0]!.payload.segment).toEqual(segment)
})

it('reads every answer of an aggregator at final blocks, over a change of the aggregator', async ({
  service,
  testChain,
}) => {
  const owner = await newOrganization(service)
  const feed = await deployPriceFeed(testChain.chain, {
    decimals: 8,
    min: 1n,
    max: 10_000n * 10n ** 8n,
  })
  const startBlock = Number(await testChain.chain.publicClient.getBlockNumber())
  await feed.answer(2000n * 10n ** 8n)
  await feed.answer(2010n * 10n ** 8n)
  await feed.nextPhase()
  await feed.answer(2020n * 10n ** 8n)
  // At its own bound an aggregator may hide any price beyond.
  await feed.answer(10_000n * 10n ** 8n)
  await feed.answer(2030n * 10n ** 8n)
  await testChain.chain.mine(70)
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
  const body = {
    payload: {
      providerId: 'oracle',
      kind: 'PRICE_ORACLE' as const,
      displayName: 'Oracle',
      configuration: {
        source: 'AGGREGATOR',
        chainProviderId: 'local-chain',
        feeds: [
          {
            feed: 'eth-usd',
            ...pair,
            proxy: feed.proxy as string,
            startBlock,
            heartbeatSeconds: 3600,
            deviationPips: 5000,
          },
        ],
      },
    },
    reason: 'For the test',
  }
  const put = await owner.client.putOperatingSystemProvider({ body })
  expect(put.status, JSON.stringify(put.body)).toBe(201)
  await pull(service, owner)
  const [series] = await seriesOf(owner)
  const block = await testChain.chain.publicClient.getBlock({ blockNumber: BigInt(startBlock) })
  const from = Number(block.timestamp)
  const { points } = await pointsOf(owner, series!.id, {
    from: iso(from),
    to: iso(from + daySeconds),
  })
  expect(points.map(({ priceX36 }) => BigInt(priceX36) / 10n ** 26n)).toEqual([
    2000n,
    2010n,
    2020n,
    2030n,
  ])

  const early = structuredClone(body)
  early.payload.providerId = 'early-oracle'
  early.payload.configuration.feeds[0]!.startBlock = 1
  const tooEarly = await refusalOf(owner.client.putOperatingSystemProvider({ body: early }))
  const began = Number(/began in block (\d+), but startBlock is 1/.exec(tooEarly.message)?.[1])
  const codeAt = (number: number) =>
    testChain.chain.publicClient.getCode({ address: feed.proxy, blockNumber: BigInt(number) })
  expect([await codeAt(began - 1), (await codeAt(began))!.length > 2]).toEqual([undefined, true])
  early.payload.configuration.feeds[0]!.startBlock = began
  expect((await owner.client.putOperatingSystemProvider({ body: early })).status).toBe(201)

  const wrong = structuredClone(body)
  wrong.payload.configuration.feeds[0]!.proxy = testChain.markets.pool.address
  wrong.payload.providerId = 'no-oracle'
  const refused = await refusalOf(owner.client.putOperatingSystemProvider({ body: wrong }))
  expect(refused.message).toMatch(/WRONG_SUBJECT/)
})

it('rejects a feed whose decimals differ from its contracts or changed', async ({
  service,
  testChain,
}) => {
  const owner = await newOrganization(service)
  const feed = await deployPriceFeed(testChain.chain, {
    decimals: 8,
    min: 1n,
    max: 10n ** 30n,
  })
  const startBlock = Number(await testChain.chain.publicClient.getBlockNumber())
  await feed.answer(2000n * 10n ** 8n)
  await testChain.chain.mine(70)
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
  const token = `eip155:31337/erc20:${testChain.markets.tokens[0].toLowerCase()}`
  const body = (changes: object) => ({
    payload: {
      providerId: 'oracle',
      kind: 'PRICE_ORACLE' as const,
      displayName: 'Oracle',
      configuration: {
        source: 'AGGREGATOR',
        chainProviderId: 'local-chain',
        feeds: [
          {
            feed: 'eth-usd',
            ...pair,
            proxy: feed.proxy as string,
            startBlock,
            heartbeatSeconds: 3600,
            deviationPips: 5000,
            ...changes,
          },
        ],
      },
    },
    reason: 'For the test',
  })
  const put = (changes: object) =>
    owner.client.putOperatingSystemProvider({ body: body(changes) } as never)
  const answers = await refusalOf(put({ answerDecimals: 18 }))
  expect([answers.status, answers.message]).toEqual([
    422,
    expect.stringContaining('DECIMALS, the contract returns 8 decimals, but answerDecimals is 18'),
  ])
  const assets = await refusalOf(put({ base: token, baseDecimals: 6 }))
  expect(assets.message).toContain('DECIMALS, the base has 18 decimals, but baseDecimals is 6')
  const none = `eip155:31337/erc20:${'0x'.padEnd(42, '1')}`
  const absent = await refusalOf(put({ base: none }))
  expect(absent.message).toContain('DECIMALS, the base is not a token, but baseDecimals is 18')
  expect((await put({ answerDecimals: 8, base: token })).status).toBe(201)
  await pull(service, owner)
  const [series] = await seriesOf(owner)

  // Whoever took the answers of both for the same would have one price 10^10 times the other.
  await feed.nextPhase(18)
  await feed.answer(2010n * 10n ** 18n)
  await testChain.chain.mine(70)
  const stated = await pull(service, owner, 'FAILED')
  expect(stated.error!.message).toMatch(
    /DECIMALS, the aggregator up to block \d+ returned 8 decimals, but the proxy returns 18/,
  )
  expect(await seriesOf(owner)).toEqual([series])
})

it('keeps series and their prices to their organization', async ({ service, priceSource }) => {
  const owner = await newOrganization(service)
  priceSource.answer = ({ searchParams }) =>
    candlesOf(searchParams, { grid: 300, now: nowOf(service), closeAt: () => '2000' })
  await owner.client.putOperatingSystemProvider({
    body: candleBody(priceSource, nowOf(service) - hourSeconds),
  })
  await pull(service, owner)
  const [series] = await seriesOf(owner)
  const foreignOwner = await newOrganization(service)
  expect(await seriesOf(foreignOwner)).toEqual([])
  const params = { id: series!.id }
  expect(await refusalOf(foreignOwner.client.readPriceSeries({ params }))).toMatchObject({
    status: 404,
  })
})

it('reports stale feeds, and resolves after a read', async ({ service, priceSource }) => {
  const owner = await newOrganization(service)
  const candles: PriceSource['answer'] = ({ searchParams }) =>
    candlesOf(searchParams, { grid: 300, now: nowOf(service), closeAt: () => '2000.5' })
  priceSource.answer = candles
  await owner.client.putOperatingSystemProvider({
    body: candleBody(priceSource, nowOf(service) - hourSeconds),
  })
  await pull(service, owner)
  const alerts = async () =>
    (await owner.client.listAlertsV2()).body.data.filter(({ kind }) => kind === 'FEED_STALE')
  expect(await alerts()).toEqual([])

  priceSource.answer = () => 503
  service.clock.advance(600_000)
  await pull(service, owner, 'FAILED')
  expect(await alerts()).toMatchObject([{ severity: 'WARNING', state: 'OPEN' }])
  service.clock.advance(hourSeconds * 1000)
  expect(await alerts()).toMatchObject([{ severity: 'CRITICAL' }])

  priceSource.answer = candles
  service.clock.advance(hourSeconds * 1000)
  await pull(service, owner)
  expect(await alerts()).toEqual([])
})
