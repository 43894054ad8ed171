import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'
import { checkVenue, type UniswapIdentity } from './venue-checks.ts'

let chain: Localchain
let markets: Markets
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  await markets.mint(-600, 600, 10n ** 18n)
  await markets.provide(10n ** 18n, 10n ** 18n)
  await chain.mine(3)
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
})
afterAll(() => chain.stop())

function pool(changes: Partial<UniswapIdentity> = {}): UniswapIdentity {
  const [base, quote] = markets.tokens
  return {
    kind: 'UNISWAP_V3',
    chainId: 31337,
    address: markets.pool.address,
    base,
    quote,
    factory: chain.contracts.uniswapV3Factory,
    baseDecimals: 18,
    quoteDecimals: 18,
    feePips: 3000,
    tickSpacing: 60,
    logChunkBlocks: 1000,
    ...changes,
  }
}

function pair(changes: Partial<UniswapIdentity> = {}): UniswapIdentity {
  const { uniswapV2Factory: factory } = chain.contracts
  return pool({ kind: 'UNISWAP_V2', address: markets.pair.address, factory, ...changes })
}

async function failures(venue: UniswapIdentity): Promise<string[]> {
  const { checks } = await checkVenue([client], 'finalized', venue)
  return checks.filter(({ ok }) => !ok).map(({ code }) => code)
}

describe('checkVenue', () => {
  it('passes a genuine pool and a genuine pair, whichever token is the base', async () => {
    const [first, second] = markets.tokens
    expect(await failures(pool())).toEqual([])
    expect(await failures(pool({ base: second, quote: first }))).toEqual([])
    expect(await failures(pair())).toEqual([])
    const { checks } = await checkVenue([client], 'finalized', pool())
    expect(checks.map(({ code }) => code)).toEqual([
      ...['CHAIN_ID', 'FINALIZED_BLOCK', 'CODE_PRESENT', 'CODE_HASH', 'ADDRESS_DERIVED'],
      ...['FACTORY_NAMES_MARKET', 'MARKET_NAMES_FACTORY', 'TOKEN0', 'TOKEN1', 'BASE_DECIMALS'],
      ...['QUOTE_DECIMALS', 'FEE', 'TICK_SPACING', 'LIQUIDITY', 'TOKEN_BEHAVIOUR'],
      ...['BASE_SYMBOL', 'QUOTE_SYMBOL'],
    ])
  })

  it('names each claim that is not true', async () => {
    expect(await failures(pool({ chainId: 1 }))).toEqual(['CHAIN_ID'])
    expect(await failures(pool({ baseDecimals: 6 }))).toEqual(['BASE_DECIMALS'])
    expect(await failures(pool({ tickSpacing: 10 }))).toEqual(['TICK_SPACING'])
    expect(await failures(pool({ feePips: 500 }))).toEqual([
      ...['ADDRESS_DERIVED', 'FACTORY_NAMES_MARKET', 'FEE'],
    ])
    expect(await failures(pair({ feePips: 500 }))).toEqual(['FEE'])
  })

  it('does not take a token, an account or a pair for a pool', async () => {
    const { weth9 } = chain.contracts
    expect(await failures(pool({ address: weth9 }))).toContain('CODE_HASH')
    expect(await failures(pool({ address: chain.accounts[5]!.address }))).toEqual(
      expect.arrayContaining(['CODE_PRESENT', 'CODE_HASH', 'FEE', 'LIQUIDITY']),
    )
    expect(await failures(pool({ address: markets.pair.address }))).toContain('CODE_HASH')
  })

  it('sees that a pool has no liquidity', async () => {
    const [tokenA, tokenB] = markets.tokens
    const empty = await chain.createV3Pool({ tokenA, tokenB, fee: 500, sqrtPriceX96: 2n ** 96n })
    await chain.mine(3)
    const { address } = empty
    expect(await failures(pool({ address, feePips: 500, tickSpacing: 10 }))).toEqual(['LIQUIDITY'])
  })
})
