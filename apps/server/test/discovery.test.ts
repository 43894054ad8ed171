// @module-tag long
// @covers apps/server/src/families/intelligence/discovery

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { secondMilliseconds } from '../src/units.ts'
import { hostOf, startTestChain, type TestChain } from './support/chain.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { type MarketDataServer, startMarketDataServer } from './support/market-data-server.ts'
import { startTestService, type TestService } from './support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-discovery-'))
let test: TestChain
let proxy: ProviderProxy
let other: ProviderProxy
let service: TestService
let bare: TestService
let behave: Behaviour = honest
let behaveOther: Behaviour = honest
let clients = 0
/** Token and quote asset of the pair, in the order of the pool. */
let base: `0x${string}`
let quote: `0x${string}`

beforeAll(async () => {
  test = await startTestChain()
  const { rpcUrl, contracts } = test.chain
  proxy = await startProviderProxy(rpcUrl, (call, forward) => behave(call, forward))
  other = await startProviderProxy(rpcUrl, (call, forward) => behaveOther(call, forward))
  ;[base, quote] = test.markets.tokens
  const path = join(folder, 'chains.json')
  const chain = {
    chainId: 31_337,
    referenceQuote: quote,
    explorer: 'https://explorer.example/',
    endpoints: [proxy.url, other.url],
    factories: [
      { kind: 'UNISWAP_V2', address: contracts.uniswapV2Factory },
      { kind: 'UNISWAP_V3', address: contracts.uniswapV3Factory },
    ],
  }
  writeFileSync(path, JSON.stringify({ chains: [chain] }))
  service = await startTestService({
    PUBLIC_CHAINS: path,
    OUTBOUND_ALLOW: hostOf(proxy.url, other.url),
    // A node that hangs is waited for, and nothing else takes as long.
    PUBLIC_READ_MILLISECONDS: '6000',
    TRUSTED_PROXY_HOPS: '1',
  })
  bare = await startTestService({ TRUSTED_PROXY_HOPS: '1' })
})
afterEach(() => {
  behave = honest
  behaveOther = honest
})
afterAll(async () => {
  await Promise.all([service.stop(), bare.stop(), proxy.stop(), other.stop()])
  await test.chain.stop()
  rmSync(folder, { recursive: true })
})

/** A stranger who never came before. */
const nextClientIp = () => {
  clients += 1
  return `198.51.${Math.floor(clients / 250)}.${clients % 250}`
}

interface PublicResponse<Data> {
  status: number
  headers: Headers
  data: Data
  error: {
    code: string
    message: string
    retryable: boolean
    fieldErrors?: Record<string, string[]>
  }
}

async function ask<Data>(
  path: string,
  body?: string | object,
  { from = nextClientIp(), at = service, headers = {} as Record<string, string> } = {},
): Promise<PublicResponse<Data>> {
  const answer = await conformingFetch(`${at.baseUrl}/api/liquidity-studio/v2/public/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const parsed = (await answer.json()) as { data: Data; error: PublicResponse<Data>['error'] }
  return { status: answer.status, headers: answer.headers, ...parsed }
}

type Analysis = contract.PublicProjectAnalysis
type Finding = contract.PublicLiquidityInvestigation
const resolve = (body: string | object, options = {}) =>
  ask<Analysis>('projects/resolve', body, options)
const investigate = (body: string | object, options = {}) =>
  ask<Finding>('projects/investigate', body, options)
const token = () => ({ chainId: 31_337, address: base })

/** Blocks are mined, and what was read of the last is a moment ago. */
async function later(): Promise<void> {
  await test.chain.mine(70)
  service.clock.advance(60 * secondMilliseconds)
}

const reservesAt = (blockNumber: number) =>
  test.chain.publicClient.readContract({
    address: test.markets.pair.address,
    blockNumber: BigInt(blockNumber),
    abi: parseAbi(['function getReserves() view returns (uint112, uint112, uint32)']),
    functionName: 'getReserves',
  })

describe('catalog content', () => {
  it('is searched page by page, the same every time', async () => {
    const first = await ask<contract.MarketDiscoverySearch>('discovery/search?q=wrapped')
    const path = 'discovery/search?q=%20Wrapped%20&page=2'
    const second = await ask<contract.MarketDiscoverySearch>(path)
    expect(first.data).toMatchObject({ query: 'wrapped', page: 1, pageSize: 20 })
    expect(first.data.total).toBeGreaterThan(20)
    expect(second.data.total).toBe(first.data.total)
    expect((await ask(path)).data).toEqual(second.data)
    const ids = [...first.data.results, ...second.data.results].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const beyond = await ask<contract.MarketDiscoverySearch>('discovery/search?q=wrapped&page=100')
    expect(beyond.data.results).toEqual([])
    const shared = await ask<contract.MarketDiscoverySearch>('discovery/search?q=weth')
    expect(shared.data.results.map(({ matched }) => matched)).toContain('SYMBOL')
  })

  it('names its source, and reports missing provider data as a gap', async () => {
    const { data } = await ask<contract.MarketDiscoveryEvidence>(
      'discovery/market/2930047658016157',
    )
    expect(data.facts.symbol).toMatchObject({
      value: 'WETH',
      block: null,
      source: { kind: 'CATALOGUE', provider: 'Uniswap Labs Default 22.21.0' },
    })
    expect(data.facts.liquidityUsd.value).toBeNull()
    expect(data.gaps.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'NO_PROVIDER /facts/liquidityUsd',
      'NO_PROVIDER /facts/volume24hUsd',
      'NO_PROVIDER /pools',
    ])
    const { evidenceHash, ...body } = data
    expect(evidenceHash).toBe(H('market-evidence/v1', body))
  })

  it('rejects an unsupported search, and knows no other number', async () => {
    for (const query of [
      'q=%20a%20',
      'q=a',
      'q=aa&page=0',
      'q=aa&page=101',
      'page=1',
      'q=aa&x=1',
    ]) {
      const { status, error } = await ask(`discovery/search?${query}`)
      expect([status, error.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
    }
    expect((await ask('discovery/market/1')).status).toBe(404)
    expect((await ask('discovery/market/0')).status).toBe(400)
  })
})

describe('a token', () => {
  it('is reported at one finalized block, with reserves equal to getReserves there', async () => {
    const { status, headers, data } = await resolve(token())
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const [block] = data.blocks
    const [reserve0, reserve1] = await reservesAt(block!.number)
    const pair = data.pools.find(({ kind }) => kind === 'UNISWAP_V2')!
    expect(pair).toMatchObject({
      address: test.markets.pair.address,
      codeKnown: true,
      feePips: null,
      reserveBase: { value: `${reserve0}`, block, source: { method: 'getReserves()' } },
      reserveQuote: { value: `${reserve1}`, source: { provider: '127.0.0.1, 127.0.0.1' } },
      midX36: { value: `${(reserve1 * 10n ** 36n) / reserve0}` },
    })
    const pool = data.pools.find(({ kind }) => kind === 'UNISWAP_V3')!
    expect(pool).toMatchObject({ feePips: 3000, codeKnown: true })
    expect(BigInt(pool.reserveQuote.value!)).toBeLessThanOrEqual(BigInt(pool.heldQuote.value!))
    expect(data).toMatchObject({
      state: 'COMPLETED',
      gaps: [],
      listings: [],
      marketId: null,
      token: { symbol: { value: 'ONE' }, decimals: { value: 18 } },
      control: { proxy: { value: 'NONE' }, implementation: { value: 'NONE' } },
      executionAuthorityGranted: false,
    })
    const { analysisHash, display, ...body } = data
    expect(analysisHash).toBe(H('public-analysis/v1', body))
    expect(display.explorerUrl).toBe(`https://explorer.example/token/${base}`)
  })

  it('is read once for ten who ask at once, and again for none within a minute', async () => {
    await later()
    const before = proxy.calls.length
    await resolve(token())
    const once = proxy.calls.length - before
    await later()
    const twins = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? resolve(token())
          : resolve({ query: `eip155:31337/erc20:${base.toLowerCase()}` }),
      ),
    )
    expect(proxy.calls.length - before).toBe(2 * once)
    expect(new Set(twins.map(({ data }) => data.analysisHash)).size).toBe(1)
    await investigate({ identifier: token(), question: 'RESERVE_SCALE', quoteSize: '1' })
    expect(proxy.calls.length - before).toBe(2 * once)
  })

  it('is no other contract, and no account', async () => {
    for (const address of [test.markets.pool.address, `0x${'0'.repeat(36)}dEaD`]) {
      const { status, error } = await resolve({ chainId: 31_337, address: address.toLowerCase() })
      expect([status, error.code]).toEqual([400, 'PUBLIC_PROJECT_INVALID_INPUT'])
      expect(error.fieldErrors!.address![0]).toContain('must be a token')
    }
  })

  it('is found by a pasted pool', async () => {
    const pool = test.markets.pool.address
    const { status, data } = await resolve({ query: `eip155:31337/erc20:${pool}` })
    expect([status, data.assetKey]).toEqual([200, (await resolve(token())).data.assetKey])
  })

  it('keeps what could not be read as a gap', async () => {
    await later()
    behave = async (call, forward) =>
      JSON.stringify(call.params).includes('18160ddd')
        ? { error: { code: -32_000, message: 'overloaded' } }
        : forward()
    const { data } = await resolve(token())
    expect(data).toMatchObject({ state: 'PARTIAL', token: { totalSupply: { value: null } } })
    expect(data.gaps.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['CALL_FAILED', '/token/totalSupply'],
    ])
  })

  it('has no figure on which two nodes disagree, and no answer where it is the decimals', async () => {
    await later()
    const answer = (selector: string, word: string): Behaviour => {
      return async (call, forward) =>
        call.method === 'eth_call' && JSON.stringify(call.params).includes(selector)
          ? { result: `0x${word.padStart(64, '0')}` }
          : forward()
    }
    behaveOther = answer('18160ddd', '1')
    const partial = await resolve(token())
    expect(partial.data.gaps.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['PROVIDERS_DISAGREE', '/token/totalSupply'],
    ])
    await later()
    behaveOther = async (call, forward) =>
      JSON.stringify(call.params).includes('18160ddd')
        ? { error: { code: 3, message: 'execution reverted' } }
        : forward()
    const reverting = await resolve(token())
    expect(reverting.data.gaps).toEqual(partial.data.gaps)
    await later()
    behaveOther = answer('313ce567', '7')
    const { status, error, headers } = await resolve(token())
    expect([status, error.code]).toEqual([503, 'PUBLIC_PROJECT_UNAVAILABLE'])
    expect([headers.get('retry-after'), error.retryable]).toEqual(['2', true])
  })
})

describe('an investigation', () => {
  const asking = (quoteSize: string) => ({
    identifier: token(),
    question: 'RESERVE_SCALE',
    quoteSize,
  })

  it('compares a size with the reserve of the deepest pool, rounded up', async () => {
    await later()
    const { data } = await resolve(token())
    const [deepest] = data.pools
    const reserve = BigInt(deepest!.reserveQuote.value!)
    const size = reserve / 200n
    const share = (amount: bigint) => Number((amount * 1_000_000n + reserve - 1n) / reserve)
    const response = await investigate(asking(`${size}`))
    expect(response.data).toMatchObject({
      state: 'COMPLETED',
      reasons: [],
      quoteSize: `${size}`,
      sharePips: share(size),
      pool: { address: deepest!.address },
      isQuote: false,
      isSlippageEstimate: false,
      isTradabilityClaim: false,
      gaps: [],
      executionAuthorityGranted: false,
    })
    expect(response.data.reserves!.quote).toEqual(deepest!.reserveQuote)
    expect(response.data.confidence).toBe(deepest!.kind === 'UNISWAP_V2' ? 'HIGH' : 'MEDIUM')
    const { findingHash, ...body } = response.data
    expect(findingHash).toBe(H('public-finding/v1', body))
    const abstained = await investigate(asking(`${2n ** 128n - 1n}`))
    expect(abstained.data).toMatchObject({
      state: 'ABSTAINED',
      reasons: ['SIZE_BEYOND_SCALE'],
      sharePips: null,
      confidence: null,
    })
    const itself = await investigate({
      ...asking('1'),
      identifier: { chainId: 31_337, address: quote },
    })
    expect(itself.data).toMatchObject({ state: 'ABSTAINED', reasons: ['NO_POOL'], pool: null })
  })

  it('refuses another question and a size that no pool can hold', async () => {
    for (const [body, field] of [
      [{ ...asking('1'), question: 'PRICE' }, 'question'],
      [asking('0'), 'quoteSize'],
      [asking(`${2n ** 128n}`), 'quoteSize'],
      [{ ...asking('1'), identifier: { chainId: 1 } }, 'identifier.address'],
      [{ ...asking('1'), identifier: { ...token(), chainId: 5 } }, 'identifier.chainId'],
    ] as const) {
      const { status, error } = await investigate(body)
      expect([status, error.code]).toEqual([400, 'PUBLIC_INVESTIGATION_INVALID_INPUT'])
      expect(Object.keys(error.fieldErrors!)).toEqual([field])
    }
    const { error } = await investigate(asking('1'), { at: bare })
    expect(error.code).toBe('PUBLIC_INVESTIGATION_UNAVAILABLE')
  })
})

describe('a refusal', () => {
  it('of what cannot be read has one code, whatever is wrong', async () => {
    const invalid = [
      ['{"x":1}', 'x'],
      ['{', '(body)'],
      ['{"chainId":31337,"address":"0x12"}', 'address'],
      ['{"query":"ens"}', 'query'],
      ['{"marketId":1}', 'marketId'],
      [`{"chainId":1,"address":"${base}"}`, 'chainId'],
    ] as const
    for (const [body, field] of invalid) {
      const { status, error, headers } = await resolve(body)
      expect([body, status, error.code]).toEqual([body, 400, 'PUBLIC_PROJECT_INVALID_INPUT'])
      expect(Object.keys(error.fieldErrors!)).toContain(field)
      expect([headers.get('cache-control'), error.retryable]).toEqual(['no-store', false])
    }
    const typed = await resolve('{}', { headers: { 'content-type': 'text/plain' } })
    expect([typed.status, typed.error.code]).toEqual([400, 'PUBLIC_PROJECT_INVALID_INPUT'])
    const long = await resolve(`"${'x'.repeat(2047)}"`)
    expect([long.status, long.error.code]).toEqual([413, 'PUBLIC_PROJECT_INVALID_INPUT'])
    expect(long.error.fieldErrors).toEqual({ body: ['must have at most 2048 bytes'] })
  })

  it('a caller above the limit is rejected at the eleventh concurrent request, without effect on others', async () => {
    const from = nextClientIp()
    const statuses: number[] = []
    for (let requestCount = 0; requestCount < 10; requestCount += 1) {
      statuses.push((await resolve('{"x":1}', { from })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([400]))
    const { status, error, headers } = await resolve(token(), { from })
    expect([status, error.code, headers.get('retry-after')]).toEqual([
      429,
      'PUBLIC_PROJECT_BUSY',
      '3',
    ])
    expect((await resolve(token())).status).toBe(200)
    expect((await ask('plans', undefined, { from })).status).toBe(200)
    service.clock.advance(3 * secondMilliseconds)
    expect((await resolve(token(), { from })).status).toBe(200)
    expect((await resolve(token(), { from })).status).toBe(429)
  })

  it('of a deployment without chains, and of nodes that are away or hang, says so', async () => {
    expect((await resolve(token(), { at: bare })).error.code).toBe('PUBLIC_PROJECT_UNAVAILABLE')
    await later()
    behave = async () => ({ error: { code: -32_000, message: 'secret of the node' } })
    const dead = await resolve(token())
    expect([dead.status, dead.error.code]).toEqual([503, 'PUBLIC_PROJECT_UNAVAILABLE'])
    expect(JSON.stringify(dead)).not.toContain('secret')
    await later()
    behave = async () => 'HANG'
    const late = await resolve(token())
    expect([late.status, late.error.code]).toEqual([503, 'PUBLIC_PROJECT_TIMEOUT'])
  })
})

it('states the chains that it reads for public requests, and their limits', async () => {
  const { data } = await ask<contract.MarketDiscoveryCapabilities>('discovery/capabilities')
  expect(data).toMatchObject({
    chains: [{ chainId: 31_337, providers: 2, factories: [{}, {}] }],
    catalogue: { version: '22.21.0' },
    marketData: [],
    limits: { projectRequestsPerMinute: 20, projectBurst: 10 },
  })
  expect(data.chains[0]!.referenceQuote.assetKey).toBe(`eip155:31337/erc20:${quote.toLowerCase()}`)
  const none = await ask<contract.MarketDiscoveryCapabilities>(
    'discovery/capabilities',
    undefined,
    { at: bare },
  )
  expect(none.data.chains).toEqual([])
})

it('lets a page of any origin ask', async () => {
  const url = `${service.baseUrl}/api/liquidity-studio/v2/public/projects/resolve`
  const answer = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
  })
})

describe('market data providers', () => {
  const token = '0x1111111111111111111111111111111111111111'
  const key = `eip155:8453/erc20:${token}`
  let gecko: MarketDataServer
  let screener: MarketDataServer
  let reading: TestService
  beforeAll(async () => {
    gecko = await startMarketDataServer('GECKOTERMINAL')
    screener = await startMarketDataServer('DEXSCREENER')
    reading = await startTestService({
      PUBLIC_MARKET_DATA: `GECKOTERMINAL=${gecko.url},DEXSCREENER=${screener.url}`,
      OUTBOUND_ALLOW: hostOf(gecko.url, screener.url),
      TRUSTED_PROXY_HOPS: '1',
    })
  })
  afterAll(() => Promise.all([reading.stop(), gecko.stop(), screener.stop()]))
  afterEach(() => {
    gecko.behavior = 'HONEST'
    screener.behavior = 'HONEST'
    gecko.figures = { liquidity: '2000.5', volume: '100' }
    screener.figures = { liquidity: '1500', volume: '90' }
    reading.clock.advance(11 * 60 * secondMilliseconds)
  })
  const find = (query: string) =>
    ask<contract.MarketDiscoverySearch>(`discovery/search?q=${query}`, undefined, { at: reading })
  const market = (id: number) =>
    ask<contract.MarketDiscoveryEvidence>(`discovery/market/${id}`, undefined, { at: reading })

  it('find a token outside the catalog at two sources, behind the catalog, under an id of its own', async () => {
    const { data } = await find('moonbase')
    expect(data.gaps).toEqual([])
    const found = data.results.find(({ assetKey }) => assetKey === key)!
    expect(found).toMatchObject({
      name: 'Moonbase',
      symbol: 'MOONB',
      decimals: 9,
      matched: 'NAME_PREFIX',
      sources: ['GECKOTERMINAL', 'DEXSCREENER'],
      symbolShared: false,
    })
    const wrapped = await find('wrapped%20ether')
    expect(wrapped.data.results[0]?.sources[0]).toBe('CATALOGUE')
    const catalogued = wrapped.data.results.findIndex(({ sources }) => sources[0] !== 'CATALOGUE')
    const later = wrapped.data.results.slice(catalogued)
    if (catalogued >= 0) expect(later.some(({ sources }) => sources[0] === 'CATALOGUE')).toBe(false)
    const { data: evidence } = await market(found.id)
    expect(evidence).toMatchObject({
      assetKey: key,
      facts: {
        name: { value: 'Moonbase', source: { kind: 'MARKET_DATA' } },
        decimals: { value: 9 },
        liquidityUsd: { value: '200050000000', source: { provider: new URL(gecko.url).host } },
        volume24hUsd: { value: '10000000000' },
      },
      gaps: [],
    })
    expect(
      evidence.reports.map(({ dialect, liquidityUsd }) => [dialect, liquidityUsd.value]),
    ).toEqual([
      ['GECKOTERMINAL', '200050000000'],
      ['DEXSCREENER', '150000000000'],
    ])
    expect(evidence.pools).toHaveLength(1)
    const { evidenceHash, ...body } = evidence
    expect(evidenceHash).toBe(H('market-evidence/v1', body))
    // The id resolves on any node, because the token is stored.
    const { error } = await resolve({ marketId: found.id }, { at: reading })
    expect(error.code).toBe('PUBLIC_PROJECT_UNAVAILABLE')
  })

  it('share one request between equal ones within a minute', async () => {
    const before = gecko.requests.length
    await Promise.all([find('moonbase'), find('moonbase'), find('Moonbase%20')])
    await find('moonbase')
    expect(gecko.requests.length - before).toBe(1)
  })

  it('that are more than two times apart are a gap, and both stay visible', async () => {
    const { data } = await find('moonbase')
    screener.figures = { liquidity: '4001.1', volume: '90' }
    const { data: evidence } = await market(data.results[0]!.id)
    expect(evidence.gaps).toEqual([
      expect.objectContaining({ code: 'PROVIDERS_DISAGREE', pointer: '/facts/liquidityUsd' }),
    ])
    expect(evidence.facts.liquidityUsd.value).toBe('200050000000')
  })

  it.each([
    ['RATE_LIMITED', /refused the request for its rate limit \(HTTP 429\)/],
    ['FORBIDDEN', /refused the request \(HTTP 403\)/],
    ['HTML', /responded in another form than its API describes/],
    ['DOUBLED_KEYS', /responded in another form than its API describes/],
  ] as const)(
    'that answer %s are a gap in words, and the others still answer',
    async (behavior, words) => {
      gecko.behavior = behavior
      const { status, data } = await find('moonbase')
      expect(status).toBe(200)
      expect(data.gaps).toEqual([
        { code: 'CALL_FAILED', pointer: '/results', detail: expect.stringMatching(words) },
      ])
      expect(data.results[0]).toMatchObject({ assetKey: key, sources: ['DEXSCREENER'] })
      expect(JSON.stringify(data)).not.toContain('moonbase?')
      const { data: capabilities } = await ask<contract.MarketDiscoveryCapabilities>(
        'discovery/capabilities',
        undefined,
        { at: reading },
      )
      expect(capabilities.marketData.map(({ dialect, live }) => [dialect, live])).toEqual([
        ['GECKOTERMINAL', false],
        ['DEXSCREENER', true],
      ])
    },
  )

  it('serve an answer of the last ten minutes after a failure, with its own time', async () => {
    const { data } = await find('moonbase')
    const { data: before } = await market(data.results[0]!.id)
    reading.clock.advance(5 * 60 * secondMilliseconds)
    gecko.behavior = 'RATE_LIMITED'
    const { data: after } = await market(data.results[0]!.id)
    expect(after.facts.liquidityUsd).toEqual(before.facts.liquidityUsd)
    reading.clock.advance(6 * 60 * secondMilliseconds)
    const { data: late } = await market(data.results[0]!.id)
    expect(late.facts.liquidityUsd.source.provider).toBe(new URL(screener.url).host)
    expect(late.gaps.map(({ pointer }) => pointer)).toEqual(['/reports'])
  })

  it('get no request while they demand to wait, and one after that', async () => {
    gecko.behavior = 'RATE_LIMITED'
    await find('moonbase')
    const before = gecko.requests.length
    gecko.behavior = 'HONEST'
    reading.clock.advance(60 * secondMilliseconds)
    const { data } = await find('moonbase')
    expect(gecko.requests.length).toBe(before)
    expect(data.gaps.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /received no request: it failed before, and the next request is due in 30 s/,
      ),
    ])
    reading.clock.advance(31 * secondMilliseconds)
    expect((await find('moonbase')).data.gaps).toEqual([])
    expect(gecko.requests.length).toBe(before + 1)
  })

  it('are not asked beyond their requests of a minute', async () => {
    const before = gecko.requests.length
    const gaps = []
    for (let index = 0; index < 32; index += 1) gaps.push((await find(`word${index}`)).data.gaps)
    expect(gecko.requests.length - before).toBe(30)
    expect(gaps.slice(30).flat()).toEqual(
      Array(2).fill({
        code: 'CALL_FAILED',
        pointer: '/results',
        detail: `${new URL(gecko.url).host} received no request: the 30 requests of this minute are used.`,
      }),
    )
  })
})
