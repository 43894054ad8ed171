import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { readHeader } from './header.ts'
import { checkPairFee } from './pair-fee.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'
import { deployPairFork, type PairFork } from './testing/pair-fork.ts'
import { checkVenue, type UniswapIdentity } from './venue-checks.ts'

const ether = 10n ** 18n
let chain: Localchain
let markets: Markets
let fork: PairFork
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
  fork = await deployPairFork(chain, markets.tokens, 100n * ether)
})
afterAll(() => chain.stop())

async function check(feePips: number, logChunkBlocks = 1000) {
  const { address } = fork.market
  const head = await readHeader(client, 'latest')
  return checkPairFee(client, head, { address, feePips, logChunkBlocks })
}

async function venueChecks(changes: Partial<UniswapIdentity> = {}) {
  const [base, quote] = markets.tokens
  const { checks } = await checkVenue([client], 1, {
    kind: 'UNISWAP_V2',
    chainId: 31337,
    address: fork.market.address,
    base,
    quote,
    factory: fork.factory,
    baseDecimals: 18,
    quoteDecimals: 18,
    feePips: 2000,
    logChunkBlocks: 1000,
    ...changes,
  })
  return checks
}

describe('the fee of a pair with unknown code', () => {
  it('is not proved without trades', async () => {
    expect(await check(2000)).toMatchObject({
      ok: false,
      observed: '0 exact, 0 below, 0 above, 0 inconclusive since block 0',
    })
  })

  it('is proved only by exact swaps', async () => {
    for (let swap = 1n; swap <= 4n; swap += 1n) await fork.sell((swap * ether) / 7n)
    await chain.mine(2)
    expect(await check(2000)).toMatchObject({ code: 'FEE', ok: true })
    // A fee that is too high would not have let them through, one that is too low would have paid more.
    expect((await check(2500)).observed).toMatch(/^0 exact, 0 below, [34] above/)
    expect((await check(1000)).observed).toMatch(/^0 exact, [34] below, 0 above/)
    for (const feePips of [0, 1000, 1999, 2001, 2500, 3000]) {
      expect([feePips, (await check(feePips)).ok]).toEqual([feePips, false])
    }
    expect((await check(2000, 3)).ok).toBe(true)
  })

  it('is not proved by dust, which is exact at any fee', async () => {
    for (let swap = 0; swap < 4; swap += 1) await fork.sell(100n)
    await chain.mine(2)
    for (const feePips of [0, 500, 1999]) {
      const found = await check(feePips)
      expect([feePips, found.ok, found.observed]).toEqual([
        ...[feePips, false, expect.stringMatching(/^0 exact.* 4 inconclusive/)],
      ])
    }
    expect(await check(2000)).toMatchObject({
      ok: true,
      observed: expect.stringMatching(/^[34] exact, 0 below, 0 above, 4 inconclusive/),
    })
  })

  it('is not proved where most swaps took less than they could', async () => {
    for (let swap = 0; swap < 5; swap += 1) await fork.sell(ether / 5n, 4n)
    await chain.mine(2)
    expect(await check(2000)).toMatchObject({
      ok: false,
      observed: expect.stringMatching(/^4 exact, 5 below, 0 above/),
    })
    for (let swap = 0; swap < 2; swap += 1) await fork.sell(ether / 5n)
    await chain.mine(2)
    expect(await check(2000)).toMatchObject({ ok: true })
  })

  it('validates a fork, with a warning about its unknown code', async () => {
    const checks = await venueChecks()
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    const codes = checks.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['UNKNOWN_CODE', 'FEE', 'TOKEN_BEHAVIOUR']))
    expect(codes).not.toContain('CODE_HASH')
    expect(codes).not.toContain('ADDRESS_DERIVED')
    const failed = async (changes: Partial<UniswapIdentity>) =>
      (await venueChecks(changes)).filter(({ ok }) => !ok).map(({ code }) => code)
    expect(await failed({ feePips: 3000 })).toEqual(['FEE'])
    expect(await failed({ factory: chain.contracts.uniswapV2Factory })).toEqual([
      ...['FACTORY_NAMES_MARKET', 'MARKET_NAMES_FACTORY'],
    ])
    const { weth9 } = chain.contracts
    expect(await failed({ address: weth9 })).toEqual(
      expect.arrayContaining(['FACTORY_NAMES_MARKET', 'MARKET_NAMES_FACTORY', 'TOKEN0']),
    )
  })
})
