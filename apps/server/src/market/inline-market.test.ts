import {
  type ClmmState,
  createClmmPool,
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
} from '@liquidity-os/engine/amm'
import { depthLadder } from '@liquidity-os/engine/depth'
import { applyOperation } from '@liquidity-os/engine/parity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type InlineMarket,
  InlineMarketError,
  marketOfInline,
  orientationOf,
} from './inline-market.ts'

const [low, high] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
const pair = { chainId: 1, base: low, quote: high, baseDecimals: 18, quoteDecimals: 18 }
const reversed = { ...pair, base: high, quote: low }

const pool = {
  kind: 'UNISWAP_V3' as const,
  feePips: 3000,
  tickSpacing: 60,
  sqrtPriceX96: `${1n << 96n}`,
  ticks: [
    { index: -600, liquidityGross: '10', liquidityNet: '10' },
    { index: 600, liquidityGross: '10', liquidityNet: '-10' },
  ],
}
const twin = {
  kind: 'UNISWAP_V2' as const,
  reserve0: '1000000',
  reserve1: '2000000',
  totalSupply: '1400000',
}
const stable = {
  kind: 'STABLESWAP' as const,
  variant: 'A100' as const,
  coins: [high, low],
  balances: ['1000000000000000000000', '2000000000000000000000'],
  rates: ['1000000000000000000', '1000000000000000000'],
  amplification: '10000',
  feeX10: 4_000_000,
  totalSupply: '3000000000000000000000',
}

/** The description of a pool as somebody reads it from its contract, its ticks in no order. */
function described(state: ClmmState): InlineMarket {
  return {
    kind: 'UNISWAP_V3',
    feePips: state.feePips,
    tickSpacing: state.tickSpacing,
    sqrtPriceX96: `${state.sqrtPriceX96}`,
    ticks: state.ticks
      .map(({ index, liquidityGross, liquidityNet }) => ({
        index,
        liquidityGross: `${liquidityGross}`,
        liquidityNet: `${liquidityNet}`,
      }))
      .reverse(),
  }
}

describe('a market that is written out', () => {
  it('has the price, the liquidity and the depth of the pool that it describes', () => {
    const range = fc.record({
      lower: fc.integer({ min: -100, max: -1 }),
      upper: fc.integer({ min: 1, max: 100 }),
      liquidity: fc.bigInt({ min: 10n ** 15n, max: 10n ** 21n }),
    })
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 8 }), (ranges) => {
        let state = applyOperation(createClmmPool({ feePips: 3000, tickSpacing: 60 }), {
          kind: 'v3.initialize',
          timestamp: 0,
          sqrtPriceX96: 1n << 96n,
        }).state as ClmmState
        for (const [index, { lower, upper, liquidity }] of ranges.entries()) {
          const position = { tickLower: 60 * lower, tickUpper: 60 * upper, liquidity }
          const mint = { kind: 'v3.mint', timestamp: 0, owner: `${index}`, ...position } as const
          state = applyOperation(state, mint).state as ClmmState
        }
        const market = marketOfInline(described(state), pair) as ClmmState
        expect([market.tick, market.liquidity]).toEqual([state.tick, state.liquidity])
        const o = orientationOf(pair)
        expect(depthLadder(market, o, [20_000])).toEqual(depthLadder(state, o, [20_000]))
      }),
      { numRuns: 50 },
    )
  })

  it('has a root price from the smallest one to below the largest one', () => {
    const [bottom, top] = pool.ticks
    const ticks = [
      { ...bottom!, index: -887_272 },
      { ...top!, index: 887_272 },
    ]
    const widest = { ...pool, tickSpacing: 1, ticks }
    const at = (root: bigint) => () => marketOfInline({ ...widest, sqrtPriceX96: `${root}` }, pair)
    expect(at(MIN_SQRT_RATIO)).not.toThrow()
    expect(at(MAX_SQRT_RATIO - 1n)).not.toThrow()
    expect(at(MIN_SQRT_RATIO - 1n)).toThrow(InlineMarketError)
    expect(at(MAX_SQRT_RATIO)).toThrow(InlineMarketError)
  })

  it('knows which token is the base from the order of the contracts', () => {
    expect(orientationOf(pair)).toEqual({ base: 0, quote: 1 })
    expect(orientationOf(reversed)).toEqual({ base: 1, quote: 0 })
    expect(orientationOf(pair, stable)).toEqual({ base: 1, quote: 0 })
    expect(orientationOf(reversed, stable)).toEqual({ base: 0, quote: 1 })
  })

  it('keeps the scale of the fee that the contract of a pair has', () => {
    expect(marketOfInline(twin, pair)).toMatchObject({ fee: { numerator: 3n, denominator: 1000n } })
    const odd = { ...twin, feePips: 2500 }
    expect(marketOfInline(odd, pair)).toMatchObject({
      fee: { numerator: 2500n, denominator: 1_000_000n },
    })
  })

  const wide = `${10n ** 40n}`
  const refusals: [string, InlineMarket, string][] = [
    ['a price outside the curve', { ...pool, sqrtPriceX96: '1' }, 'sqrtPriceX96'],
    ['a share of the fee below a quarter', { ...pool, feeProtocol0: 2 }, 'feeProtocol0'],
    ['a tick twice', { ...pool, ticks: [pool.ticks[0]!, pool.ticks[0]!] }, 'ticks.1'],
    ['a tick off the spacing', ticks({ index: -601 }), 'ticks.0'],
    ['liquidity that does not close', { ...pool, ticks: pool.ticks.slice(0, 1) }, 'ticks'],
    ['more than a tick may hold', ticks({ liquidityGross: wide, liquidityNet: wide }), 'ticks.0'],
    ['a net that no gross leaves', ticks({ liquidityNet: '9' }), 'ticks.0'],
    ['a net above its gross', ticks({ liquidityNet: '12' }), 'ticks.0'],
    [
      'liquidity taken before it is there',
      { ...pool, ticks: pool.ticks.map((tick) => ({ ...tick, index: -tick.index })) },
      'ticks.1',
    ],
    [
      'no liquidity at the price',
      { ...pool, ticks: pool.ticks.map((tick, index) => ({ ...tick, index: 60 + 60 * index })) },
      'ticks',
    ],
    ['an empty pair', { ...twin, reserve0: '0' }, 'reserve0'],
    ['a reserve that the contract cannot hold', { ...twin, reserve1: wide }, 'reserve1'],
    ['a pair nobody provides', { ...twin, totalSupply: '1000' }, 'totalSupply'],
    ['a pair that keeps everything', { ...twin, feePips: 1_000_000 }, 'feePips'],
    ['coins of another pair', { ...stable, coins: [low, low] }, 'coins'],
    ['a coin that is not there', { ...stable, balances: ['0', '1'] }, 'balances'],
    ['a pool without shares', { ...stable, totalSupply: '0' }, 'totalSupply'],
    ['an amplification below one', { ...stable, amplification: '99' }, ''],
  ]

  it.each(refusals)('is refused with %s', (_, market, member) => {
    try {
      marketOfInline(market, pair)
      expect.unreachable('The market was taken.')
    } catch (error) {
      if (!(error instanceof InlineMarketError)) throw error
      const at = 'payload.market.inline'
      expect(Object.keys(error.fieldErrors)).toContain(member ? `${at}.${member}` : at)
    }
  })

  function ticks(change: Partial<(typeof pool.ticks)[number]>): InlineMarket {
    return { ...pool, ticks: [{ ...pool.ticks[0]!, ...change }, pool.ticks[1]!] }
  }
})
