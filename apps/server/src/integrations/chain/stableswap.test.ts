import { readFileSync } from 'node:fs'
import { exchangeStable, removeStableOneCoin, type StableState } from '@liquidity-os/engine/amm'
import { readStableState } from '@liquidity-os/engine/replay'
import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { type Address, getAddress, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallRevertedError } from './chain-error.ts'
import { type ChainClient, chainClient } from './client.ts'
import { readFinalizedHead } from './finalized.ts'
import { indexEvents } from './index-events.ts'
import { decodeLogs } from './logs.ts'
import { withPaidCoins } from './paid-coins.ts'
import { stableSwapEvents } from './stableswap-abi.ts'
import type { StableIdentity } from './stableswap-checks.ts'
import { readStableSwapState } from './stableswap-state.ts'
import {
  type RecordedBuild,
  type RecordedPool,
  recordedSigner,
  startRecordedPool,
} from './testing/recorded-pool.ts'
import { checkVenue } from './venue-checks.ts'

const exchange =
  'event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)'
const oneCoin =
  'event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount)'

const json = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const threePool = json('../../../../../datasets/onchain-quotes/curve_3pool_24407242.json')
const newPool = json(
  '../../../../../packages/engine/test/vectors/curve/ng_crvusd_usdce_arbitrum_185977087.json',
)

type Recording = {
  state: { tokens: { address: Address; decimals: number }[]; address: Address }
  quotes: { function: string; direction: string; amount: string; value: string }[]
}
const coinsOf = (recording: unknown) =>
  (recording as Recording).state.tokens.map(({ address, decimals }) => ({
    address: getAddress(address),
    decimals,
  }))

/** The pool as it was recorded, and what the deployed one answered. */
const classic = readStableState(threePool, '3pool')
const classicBuild: RecordedBuild = {
  address: getAddress((threePool as Recording).state.address),
  coins: coinsOf(threePool),
  lpToken: '0x6c3F90f043a72FA612CbAC8115EEe7f52CdE6E49',
}
const ng = readStableState(newPool, 'ng')
const ngBuild: RecordedBuild = {
  address: getAddress((newPool as Recording).state.address),
  coins: coinsOf(newPool),
  rates: 'DYNAMIC',
}

let chain: Localchain
const pools: RecordedPool[] = []
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(async () => {
  for (const pool of pools) await pool.stop()
  await chain.stop()
})

async function recorded(build: RecordedBuild) {
  const pool = await startRecordedPool(chain, build)
  pools.push(pool)
  return { pool, client: chainClient({ endpoint: pool.url, fetch, timeoutMs: 5000 }) }
}

const dollar = (state: StableState, coin: number) => 10n ** 36n / state.rates[coin]!

/** Exchanges one after the other, each in a block of its own. */
async function trade(pool: RecordedPool, start: StableState, count: number): Promise<StableState> {
  let state = start
  for (let step = 0; step < count; step += 1) {
    const [from, to] = step % 2 === 0 ? [0, 1] : [1, 0]
    const sold = BigInt(step + 1) * 100n * dollar(state, from)
    const done = exchangeStable(state, { from, to }, sold)
    state = done.state
    const values = [BigInt(from), sold, BigInt(to), done.amountOut]
    await pool.write([{ event: exchange, values }], state)
  }
  return state
}

function identity(build: RecordedBuild, state: StableState): StableIdentity {
  const [base, quote] = build.coins
  return {
    kind: 'STABLESWAP',
    chainId: 31337,
    address: build.address,
    variant: state.variant,
    coins: build.coins.map(({ address }) => address),
    ...(build.lpToken === undefined ? {} : { lpToken: build.lpToken }),
    base: base!.address,
    quote: quote!.address,
    baseDecimals: base!.decimals,
    quoteDecimals: quote!.decimals,
    feePips: Number((state.feeX10 + 9_999n) / 10_000n),
    logChunkBlocks: 10,
  }
}

async function failures(client: ChainClient, venue: StableIdentity) {
  const { checks } = await checkVenue([client], 'finalized', venue)
  return checks.filter(({ ok }) => !ok).map(({ code, observed }) => `${code}: ${observed}`)
}

describe('the logs of a StableSwap pool', () => {
  it('have the topics of the deployed contracts', () => {
    const topics = [
      // TokenExchange, and AddLiquidity of two and of three coins.
      '0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140',
      '0x26f55a85081d24974e85c6c00045d0f0453991e95873f52bff0d21af4079a768',
      '0x423f6495a08fc652425cf4ed0d1f9e37e571d9b9529b1c1c23cce780b2e7df0d',
    ]
    expect(topics.map((topic) => stableSwapEvents.get(topic)?.name)).toEqual([
      ...['TokenExchange', 'AddLiquidity', 'AddLiquidity'],
    ])
    expect(stableSwapEvents.has(toEventSelector('event Approval(address,address,uint256)'))).toBe(
      false,
    )
  })

  it('decode as a pool on Ethereum wrote one', () => {
    const word = (value: bigint) => value.toString(16).padStart(64, '0')
    // Transaction 0xb3714635df17cc2ff83f8efbe4b8551b8475f0944a1ad6a91dd8e6582d40a591 of DAI for USDC.
    const values = [0n, 10_280_650_154_971_836_348_634n, 1n, 10_275_174_053n]
    const [found] = decodeLogs(
      'STABLESWAP',
      [
        {
          address: '0xDeBF20617708857ebe4F679508E7b7863a8A8EeE',
          topics: [
            '0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140',
            '0x000000000000000000000000e2a1933cd8f7698674096718327b061ce523df5b',
          ],
          data: `0x${values.map(word).join('')}`,
          blockNumber: 5,
          blockHash: '0x01',
          logIndex: 2,
          transactionHash: '0x02',
        },
      ],
      new Map([[5, 1_700_000_000]]),
    )
    expect(found).toMatchObject({
      event: {
        type: 'TokenExchange',
        block: 5,
        logIndex: 2,
        timestamp: 1_700_000_000,
        soldId: 0,
        boughtId: 1,
        tokensSold: values[1],
        tokensBought: values[3],
      },
      parties: { sender: '0xE2a1933Cd8f7698674096718327B061ce523DF5B' },
    })
  })
})

describe('a StableSwap pool', () => {
  it.each([
    ['CLASSIC', classicBuild, classic],
    ['NG', ngBuild, ng],
    ['CLASSIC with signed indexes', { ...classicBuild, isSigned: true }, classic],
    [
      'A100_TWO_COIN with fixed rates',
      { ...ngBuild, rates: 'FIXED' },
      { ...ng, variant: 'A100_TWO_COIN', offpegFeeMultiplierX10: 0n },
    ],
  ] as const)(
    'of the build %s is read unchanged and passes every check',
    async (_, build, start) => {
      const { pool, client } = await recorded(build)
      await pool.write([], start)
      const state = await trade(pool, start, 4)
      await chain.mine(3)
      const venue = identity(build, start)
      const head = await readFinalizedHead(client, 'finalized')
      const read = await readStableSwapState(client, head, venue)
      expect(read).toEqual({ ...state, blockTimestamp: head.timestamp })
      const { checks } = await checkVenue([client], 'finalized', venue)
      expect(checks.filter(({ ok }) => !ok)).toEqual([])
      expect(checks.map(({ code }) => code)).toEqual([
        ...['CHAIN_ID', 'FINALIZED_BLOCK', 'CODE_PRESENT', 'COINS', 'BASE_DECIMALS'],
        ...['QUOTE_DECIMALS', 'COIN_DECIMALS', 'FEE', 'LIQUIDITY', 'RATES', 'VIRTUAL_PRICE'],
        ...['EXCHANGES', 'BASE_SYMBOL', 'QUOTE_SYMBOL'],
      ])
    },
  )

  it('is refused for each claim that is not true', async () => {
    const { pool, client } = await recorded(classicBuild)
    await pool.write([], classic)
    await trade(pool, classic, 4)
    await chain.mine(3)
    const venue = identity(classicBuild, classic)
    expect(await failures(client, { ...venue, chainId: 1 })).toEqual(['CHAIN_ID: 31337'])
    expect(await failures(client, { ...venue, feePips: 4 })).toEqual(['FEE: 150'])
    expect(await failures(client, { ...venue, baseDecimals: 6 })).toEqual(['BASE_DECIMALS: 18'])
    const [first, second] = venue.coins
    const coins = await failures(client, { ...venue, coins: [first!, second!] })
    expect(coins).toEqual([`COINS: ${venue.coins.join(' ')}`])
    const emptyAccount = chain.accounts[5]!.address
    expect(await failures(client, { ...venue, address: emptyAccount })).toEqual([
      ...['CODE_PRESENT: 0 bytes', 'COINS: none'],
    ])
  })

  it('of a build other than claimed is detected by its computation', async () => {
    const { pool, client } = await recorded(classicBuild)
    await pool.write([], classic)
    await trade(pool, classic, 4)
    await chain.mine(3)
    const scaled = { ...identity(classicBuild, classic), variant: 'A100' as const }
    const found = await failures(client, scaled)
    expect(found.map((text) => text.split(':')[0])).toEqual(['VIRTUAL_PRICE', 'EXCHANGES'])
    expect(found[1]).toMatch(/TokenExchange in block \d+: tokensBought: recorded \d+, computed \d+/)
  })

  it('with moving rates or few trades is rejected', async () => {
    const moving = { ...ng, rates: [ng.rates[0]! + 10n ** 15n, ng.rates[1]!] }
    const { pool, client } = await recorded(ngBuild)
    await pool.write([], moving)
    await trade(pool, moving, 2)
    await chain.mine(3)
    expect(await failures(client, identity(ngBuild, ng))).toEqual([
      `RATES: ${moving.rates.join(' ')}`,
      expect.stringMatching(/^EXCHANGES: 2 since block \d+$/),
    ])
  })

  it.each([
    ['without rates of its own', classicBuild, classic],
    ['that says its rates', { ...classicBuild, rates: 'FIXED' as const }, classic],
  ])(
    '%s is rejected by name for a coin outside the pair whose decimals no rate can represent',
    async (_, build, start) => {
      for (const decimals of [37, 255]) {
        const coins = build.coins.map((coin, at) => (at === 2 ? { ...coin, decimals } : coin))
        const { pool, client } = await recorded({ ...build, coins })
        await pool.write([], start)
        await trade(pool, start, 3)
        await chain.mine(3)
        expect(await failures(client, identity(build, start))).toEqual([
          `COIN_DECIMALS: 18 6 ${decimals}`,
        ])
        const head = await readFinalizedHead(client, 'finalized')
        if (build === classicBuild) {
          const read = readStableSwapState(client, head, identity(build, start))
          await expect(read).rejects.toBeInstanceOf(CallRevertedError)
        }
      }
    },
  )

  it('is rejected by name if a coin outside the pair is not a token', async () => {
    const { pool, client } = await recorded(classicBuild)
    await pool.write([], classic)
    await trade(pool, classic, 3)
    await chain.mine(3)
    const venue = identity(classicBuild, classic)
    const coins = venue.coins.map((coin, at) => (at === 2 ? chain.accounts[7]!.address : coin))
    expect(await failures(client, { ...venue, coins })).toEqual([
      `COINS: ${venue.coins.join(' ')}`,
      'COIN_DECIMALS: 18 6 NO_ANSWER',
    ])
  })

  it('is indexed with who signed, and with the coin that only a transfer names', async () => {
    const { pool, client } = await recorded(classicBuild)
    const start = await pool.write([], classic)
    const traded = await trade(pool, classic, 1)
    const liquidity = 10n ** 18n
    const { state, amounts } = removeStableOneCoin(traded, liquidity, 2)
    const values = [liquidity, amounts[2]]
    // In the same transaction the pool pays another coin, in another amount.
    const transfers = [
      { coin: 0, amount: amounts[2]! + 1n },
      { coin: 2, amount: amounts[2]! },
    ]
    await pool.write([{ event: oneCoin, values }], state, transfers)
    await chain.mine(3)
    const to = await readFinalizedHead(client, 'finalized')
    const { address, coins } = identity(classicBuild, classic)
    const request = { address, fromBlock: start + 1, to, logChunkBlocks: 100 }
    const steps = await Array.fromAsync(indexEvents(client, { kind: 'STABLESWAP', ...request }))
    const events = steps.flatMap((step) => (step.outcome === 'EVENTS' ? step.events : []))
    expect(events).toMatchObject([
      { event: { type: 'TokenExchange' }, parties: { origin: getAddress(recordedSigner) } },
      { event: { type: 'RemoveLiquidityOne', tokenId: null } },
    ])
    const completed = await withPaidCoins(client, { address, coins }, events)
    expect(completed[1]?.event).toMatchObject({ tokenId: 2, coinAmount: amounts[2] })
    const other = await withPaidCoins(client, { address, coins: coins.slice(0, 2) }, events)
    expect(other[1]?.event).toMatchObject({ tokenId: null })
  })
})
