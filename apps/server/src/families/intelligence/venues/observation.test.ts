import {
  createClmmPool,
  createCpmmPair,
  mint,
  type PoolMarket,
  swapExactIn,
} from '@liquidity-os/engine/amm'
import { applyOperation } from '@liquidity-os/engine/parity'
import { describe, expect, it } from 'vitest'
import { firstDifference } from './observation.ts'

/** A pool that has seen a deposit and two swaps, so that no field of it is empty. */
function tradedPool(): PoolMarket {
  const empty = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const open = { kind: 'v3.initialize', timestamp: 1_700_000_000, sqrtPriceX96: 2n ** 96n } as const
  const priced = applyOperation({ ...empty, balance0: null, balance1: null }, open)
    .state as typeof empty
  const key = { owner: '0x1', tickLower: -600, tickUpper: 600 }
  const { state } = mint(priced, key, 10n ** 20n)
  const there = swapExactIn(state, { from: 0, to: 1 }, 10n ** 15n).state
  return swapExactIn(there, { from: 1, to: 0 }, 10n ** 14n).state
}

type Fields = Record<string, bigint | number>
const bumped = (value: bigint | number) => (typeof value === 'bigint' ? value + 1n : value + 1)

describe('the end of an observation', () => {
  it('is proved when every field is the one that was computed', () => {
    expect(firstDifference(tradedPool(), tradedPool())).toBeNull()
  })

  it.each([
    'sqrtPriceX96',
    'tick',
    'liquidity',
    'feeGrowthGlobal0X128',
    'feeGrowthGlobal1X128',
    'protocolFees0',
    'observationCardinality',
  ])('is not when %s differs', (field) => {
    const pool = tradedPool() as unknown as Fields
    const other = { ...pool, [field]: bumped(pool[field] as bigint) } as unknown as PoolMarket
    expect(firstDifference(tradedPool(), other)).toMatchObject({ field: expect.any(String) })
  })

  it.each(['liquidityNet', 'liquidityGross', 'feeGrowthOutside0X128'])(
    'is not when %s of a tick differs',
    (field) => {
      const pool = tradedPool() as Extract<PoolMarket, { kind: 'UNISWAP_V3' }>
      const ticks = pool.ticks.map((tick, index) =>
        index === 0
          ? { ...tick, [field]: bumped((tick as unknown as Fields)[field] as bigint) }
          : tick,
      )
      expect(firstDifference(pool, { ...pool, ticks })).not.toBeNull()
    },
  )

  it('is not when a position differs, or is not there', () => {
    const pool = tradedPool() as Extract<PoolMarket, { kind: 'UNISWAP_V3' }>
    const [position] = pool.positions
    const other = { ...position!, liquidity: position!.liquidity + 1n }
    expect(firstDifference(pool, { ...pool, positions: [other] })).not.toBeNull()
    expect(firstDifference(pool, { ...pool, positions: [] })).not.toBeNull()
  })

  it('does not ask for balances, nor for more than the reserves of a pair', () => {
    const pair = { ...createCpmmPair({}), reserve0: 5n, reserve1: 7n }
    expect(firstDifference(pair, { ...pair, liquidityOf: { a: 1n }, balance0: 6n })).toBeNull()
    const minted = { ...pair, totalSupply: 9n }
    expect(firstDifference(pair, minted)).toMatchObject({ field: 'totalSupply' })
    expect(firstDifference(pair, minted, ['totalSupply'])).toBeNull()
    expect(firstDifference(pair, { ...pair, reserve1: 8n })).toMatchObject({
      field: 'reserve1',
      expected: '8',
      computed: '7',
    })
  })
})
