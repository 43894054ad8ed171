import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Address, concatHex, encodeAbiParameters, type Hex, stringToHex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainClient, chainClient } from './client.ts'
import { readAtBlock, readFinalizedHead } from './finalized.ts'
import { deployMarkets } from './testing/markets.ts'
import { readSymbol } from './token-symbol.ts'
import { checkVenue, type UniswapIdentity } from './venue-checks.ts'

let chain: Localchain
let client: ChainClient
beforeAll(async () => {
  chain = await startLocalchain()
  await chain.mine(3)
  client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 30_000 })
})
afterAll(() => chain.stop())

const invalidOpcode: Hex = '0xfe'
/** A program counter that is no jump destination. */
const invalidJump: Hex = '0x5f56'
/** An endless loop: `JUMPDEST PUSH0 JUMP`. */
const burnsAllGas: Hex = '0x5b5f56'

const address: Address = '0x00000000000000000000000000000000000c0de1'

/** Symbol of a token whose contract consists of this code. */
async function symbolOf(bytecode: Hex, from = client): Promise<string | null> {
  await chain.testClient.setCode({ address, bytecode })
  await chain.mine(3)
  const head = await readFinalizedHead(from, 'finalized')
  return readAtBlock(from, head, (pin) => readSymbol(from, pin, address))
}

/** Code that returns these bytes for every call: `CODECOPY` of its own end, then `RETURN`. */
function returns(data: Hex): Hex {
  const bytes = toHex((data.length - 2) / 2, { size: 2 })
  return concatHex(['0x61', bytes, '0x80600a5f395ff3', data])
}

const text = (symbol: string) => returns(encodeAbiParameters([{ type: 'string' }], [symbol]))

describe('readSymbol', () => {
  it('reads texts, and 32 bytes of older tokens', async () => {
    expect(await symbolOf(text('WETH'))).toBe('WETH')
    expect(await symbolOf(returns(stringToHex('MKR', { size: 32 })))).toBe('MKR')
  })

  it.each([
    ['runs an invalid opcode', invalidOpcode],
    ['jumps to an invalid destination', invalidJump],
    ['burns all gas', burnsAllGas],
    ['returns malformed data', returns('0x01')],
  ])('returns null for a token that %s', async (_, code) => {
    expect(await symbolOf(code)).toBeNull()
  })

  it.each(['000', '.', '-', 'k', '1000', '1e9', '.ENS', 'A'.repeat(17), 'US DC', 'UЅDC'])(
    'drops the misleading symbol %j',
    async (symbol) => {
      expect(await symbolOf(text(symbol))).toBeNull()
    },
  )

  it.each(['1INCH', 'T'])('keeps the symbol %j', async (symbol) => {
    expect(await symbolOf(text(symbol))).toBe(symbol)
  })

  it('returns null for a response that is too large', async () => {
    const { rpcUrl: endpoint } = chain
    const small = chainClient({ endpoint, fetch, timeoutMs: 30_000, maximumAnswerBytes: 20_000 })
    const padded = concatHex([text('WETH'), toHex(0, { size: 12_000 })])
    const code = returns(`0x${padded.slice(2 + 2 * 10)}`)
    expect(await symbolOf(code)).toBe('WETH')
    expect(await symbolOf(code, small)).toBeNull()
  })

  it('fails without a response, or with a rejected key', async () => {
    const head = await readFinalizedHead(client, 'finalized')
    const reject = (status: number) =>
      chainClient({
        endpoint: chain.rpcUrl,
        fetch: async () => new Response('{}', { status }),
        timeoutMs: 5000,
      })
    const pin = { block: head, form: 'HASH' } as const
    await expect(readSymbol(reject(401), pin, address)).rejects.toThrow('HTTP_STATUS')
    const closed = chainClient({ endpoint: 'http://127.0.0.1:1', fetch, timeoutMs: 5000 })
    await expect(readSymbol(closed, pin, address)).rejects.toThrow('LIQUIDITY_CHAIN_UNAVAILABLE')
  })
})

describe('checkVenue with tokens whose symbol fails', () => {
  it.each([
    ['an invalid opcode', '0x5bfe'],
    ['all gas', '0x5b603c56'],
  ] as const)('passes with a symbol that ends with %s', async (_, code) => {
    const venue = await poolWithSymbol(code)
    const { checks } = await checkVenue([client], 'finalized', venue)
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    const observed = Object.fromEntries(checks.map((check) => [check.code, check.observed]))
    expect([observed.BASE_SYMBOL, observed.QUOTE_SYMBOL]).toContain('NO_ANSWER')
    expect([observed.BASE_SYMBOL, observed.QUOTE_SYMBOL].sort()).not.toEqual([
      'NO_ANSWER',
      'NO_ANSWER',
    ])
    const failed = await checkVenue([client], 'finalized', { ...venue, baseDecimals: 6 })
    expect(failed.checks.filter(({ ok }) => !ok).map((check) => check.code)).toEqual([
      'BASE_DECIMALS',
    ])
    expect(failed.checks.map((check) => check.code)).not.toContain('BASE_SYMBOL')
  })
})

/**
 * A pool whose base token runs `code` for `symbol()`, and delegates all other calls to its original
 * code (EIP-1167). `code` starts at offset 0x3c.
 */
async function poolWithSymbol(code: Hex): Promise<UniswapIdentity> {
  const markets = await deployMarkets(chain)
  await markets.mint(-600, 600, 10n ** 18n)
  const [base, quote] = markets.tokens
  const original = await chain.publicClient.getCode({ address: base })
  const implementation: Address = '0x00000000000000000000000000000000000c0de2'
  await chain.testClient.setCode({ address: implementation, bytecode: original! })
  const dispatch = '0x5f3560e01c6395d89b411461003c57'
  const forward = concatHex([
    ...['0x363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91603a57fd5bf3'],
  ] as Hex[])
  const bytecode = concatHex([dispatch, forward, code])
  await chain.testClient.setCode({ address: base, bytecode })
  await chain.mine(3)
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
  }
}
