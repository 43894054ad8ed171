import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostOf, startTestChain, type TestChain } from './support/chain.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { startTestService, type TestService } from './support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-token-page-'))
let test: TestChain
let service: TestService
let bare: TestService
let base: `0x${string}`
let clients = 0

beforeAll(async () => {
  test = await startTestChain()
  const { rpcUrl, contracts, chainId } = test.chain
  const [token, referenceQuote] = test.markets.tokens
  base = token
  const path = join(folder, 'chains.json')
  const factories = [
    { kind: 'UNISWAP_V2', address: contracts.uniswapV2Factory },
    { kind: 'UNISWAP_V3', address: contracts.uniswapV3Factory },
  ]
  const chains = [{ chainId, endpoints: [rpcUrl], referenceQuote, factories }]
  writeFileSync(path, JSON.stringify({ chains }))
  service = await startTestService({
    PUBLIC_CHAINS: path,
    OUTBOUND_ALLOW: hostOf(rpcUrl),
    TRUSTED_PROXY_HOPS: '1',
  })
  bare = await startTestService()
})
afterAll(async () => {
  await Promise.all([service.stop(), bare.stop()])
  await test.chain.stop()
  rmSync(folder, { recursive: true })
})

/** Somebody who never came before. */
const nextClientIp = () => {
  clients += 1
  return `198.51.100.${clients}`
}

async function resolve(): Promise<{ data: contract.PublicProjectAnalysis }> {
  const url = `${service.baseUrl}/api/liquidity-studio/v2/public/projects/resolve`
  const answer = await conformingFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextClientIp() },
    body: JSON.stringify({ chainId: 31_337, address: base }),
  })
  return (await answer.json()) as { data: contract.PublicProjectAnalysis }
}

describe('the page of a token', () => {
  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.baseUrl}/token/${path}`, {
      headers: { 'x-forwarded-for': nextClientIp(), ...headers },
    })

  it('shows the public data as a page, without scripts and external requests', async () => {
    const { data } = await resolve()
    const answer = await open(`31337/${base}`)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      ...[200, 'text/html; charset=utf-8'],
    ])
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(text).not.toMatch(/<script|src=|@import|url\(/)
    for (const expectedText of [data.analysisHash, data.display.disclaimer, base.toLowerCase()])
      expect(text).toContain(expectedText)
    const held = data.pools[0]!.heldQuote.value!
    const whole = BigInt(held) / 10n ** BigInt(data.pools[0]!.quote.decimals!)
    expect(text).toContain(`${whole}`.replaceAll(/\B(?=(\d{3})+$)/g, ','))
    expect(text).toContain('SIMULATED · Local test chain: simulated market')
    expect(text).toContain('Is its code upgradeable?')
    expect(text).toContain(`${service.config.baseUrl}/?address=${base.toLowerCase()}`)
    // Where the chain is not named those that are read are tried.
    expect(await (await open(base)).text()).toBe(text)
  })

  it.each([
    ['an address that is none', '31337/0x12', 400],
    ['a chain that is not read', `5/0x${'1'.repeat(40)}`, 400],
    ['a chain that is none', `one/0x${'1'.repeat(40)}`, 400],
    ['an account without code', `31337/0x${'1'.repeat(40)}`, 400],
    ['something that is asked besides', `31337/0x${'1'.repeat(40)}?as=json`, 400],
  ])('says in words what is wrong with %s', async (_what, path, status) => {
    const answer = await open(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      ...[status, 'text/html; charset=utf-8'],
    ])
    expect(await answer.text()).toContain('Token unavailable')
  })

  it('is limited like the operation, and reports an unavailable chain', async () => {
    const from = nextClientIp()
    const statuses = new Set<number>()
    for (let times = 0; times < 40 && !statuses.has(429); times += 1)
      statuses.add((await open(`31337/${base}`, { 'x-forwarded-for': from })).status)
    expect([...statuses]).toEqual([200, 429])
    const away = await fetch(`${bare.baseUrl}/token/31337/${base}`)
    expect([away.status, await away.text()]).toEqual([
      ...[503, expect.stringContaining('Token unavailable')],
    ])
  })
})
