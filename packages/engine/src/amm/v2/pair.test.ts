import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDatasetJson, readDatasetRows } from '../../../test/datasets.ts'
import { PoolRevertError } from '../pool-revert.ts'
import { getAmountIn, getAmountOut } from './formulas.ts'
import {
  burnPair,
  mintPair,
  skimPair,
  swapPair,
  syncPair,
  transferLiquidity,
  transferToPair,
} from './pair.ts'
import {
  type CpmmState,
  createCpmmPair,
  LOCKED_ACCOUNT,
  PAIR_ACCOUNT,
  UNISWAP_V2_FEE,
} from './state.ts'

const E18 = 10n ** 18n

test('both formulas reproduce the 305 exact mainnet swaps', () => {
  const exact = readDatasetRows('v2-mainnet-swaps/swaps.csv').filter((row) =>
    ['EXACT_IN', 'EXACT_OUT'].includes(row.class!),
  )
  expect(exact).toHaveLength(305)
  for (const row of exact) {
    const value = (column: string) => BigInt(row[column]!)
    const [from, to] = value('amount0In') > 0n ? ['0', '1'] : ['1', '0']
    const amountIn = value(`amount${from}In`)
    const amountOut = value(`amount${to}Out`)
    const reserves = [value(`reserve${from}Before`), value(`reserve${to}Before`)] as const
    if (row.class === 'EXACT_IN') {
      expect(getAmountOut(amountIn, ...reserves, UNISWAP_V2_FEE)).toBe(amountOut)
    } else {
      expect(getAmountIn(amountOut, ...reserves, UNISWAP_V2_FEE)).toBe(amountIn)
    }
  }
})

test('a fork with a fee of 25/10000 answers the 24 recorded quotes', () => {
  type File = {
    state: {
      fee_numer: number
      fee_denom: number
      reserves_token0: string
      reserves_token1: number
      token0: { symbol: string }
    }
    quotes: { direction: string; amount: string; value: string }[]
  }
  const { state, quotes } = readDatasetJson<File>(
    'onchain-quotes/pancakeswap_v2_base_weth_usdbc_46875151.json',
  )
  expect(quotes).toHaveLength(24)
  const fee = { numerator: BigInt(state.fee_numer), denominator: BigInt(state.fee_denom) }
  const reserves = [BigInt(state.reserves_token0), BigInt(state.reserves_token1)] as const
  for (const { direction, amount, value } of quotes) {
    const [r0, r1] = reserves
    const ordered = direction.startsWith(state.token0.symbol)
      ? ([r0, r1] as const)
      : ([r1, r0] as const)
    expect(getAmountOut(BigInt(amount), ...ordered, fee)).toBe(BigInt(value))
  }
})

test('the first mint locks a thousand units and the second takes the smaller share', () => {
  const first = mintPair(transferToPair(createCpmmPair({}), E18, 4n * E18), 'alice')
  expect(first.liquidity).toBe(2n * E18 - 1000n)
  expect(first.state.liquidityOf).toEqual({ [LOCKED_ACCOUNT]: 1000n, alice: 2n * E18 - 1000n })
  const second = mintPair(transferToPair(first.state, E18, 2n * E18), 'bob')
  expect(second.liquidity).toBe(E18)
})

test('a burn pays the share of the balances, donations included', () => {
  const pair = transferToPair(seededPair(), 10n, 0n)
  const sent = transferLiquidity(pair, 'alice', PAIR_ACCOUNT, E18)
  const { state, amount0, amount1 } = burnPair(sent)
  expect(amount0).toBe((E18 * (1_000n * E18 + 10n)) / (1_000n * E18))
  expect(amount1).toBe(E18)
  expect(state.totalSupply).toBe(999n * E18)
})

test('the best output passes the product check and one unit more does not', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 24n), fc.boolean(), (amountIn, forward) => {
      const pair = transferToPair(seededPair(), forward ? amountIn : 0n, forward ? 0n : amountIn)
      const best = getAmountOut(amountIn, pair.reserve0, pair.reserve1, pair.fee)
      const take = (out: bigint) => swapPair(pair, forward ? 0n : out, forward ? out : 0n)
      if (best > 0n) expect(take(best).state.reserve0).toBeGreaterThan(0n)
      expect(() => take(best + 1n)).toThrow(new PoolRevertError({ reason: 'UniswapV2: K' }))
    }),
  )
})

test('a fork judges the product on its own scale', () => {
  const fee = { numerator: 25n, denominator: 10_000n }
  const pair = transferToPair({ ...seededPair(), fee }, E18, 0n)
  const best = getAmountOut(E18, pair.reserve0, pair.reserve1, fee)
  expect(swapPair(pair, 0n, best).amount0In).toBe(E18)
  expect(() => swapPair(pair, 0n, best + 1n)).toThrow('UniswapV2: K')
})

test('a swap refuses in the words of the pair', () => {
  const pair = seededPair()
  expect(() => swapPair(pair, 0n, 0n)).toThrow('INSUFFICIENT_OUTPUT_AMOUNT')
  expect(() => swapPair(pair, pair.reserve0, 0n)).toThrow('INSUFFICIENT_LIQUIDITY')
  expect(() => swapPair(pair, 1n, 0n)).toThrow('INSUFFICIENT_INPUT_AMOUNT')
  expect(() => mintPair(pair, 'alice')).toThrow('INSUFFICIENT_LIQUIDITY_MINTED')
  expect(() => burnPair(pair)).toThrow('INSUFFICIENT_LIQUIDITY_BURNED')
  expect(() => transferLiquidity(pair, 'nobody', 'bob', 1n)).toThrow('ds-math-sub-underflow')
  expect(() => syncPair(transferToPair(pair, 1n << 112n, 0n))).toThrow('OVERFLOW')
})

test('the protocol share is one sixth of the growth of the root product', () => {
  const on = mintPair(
    transferToPair({ ...seededPair(), feeTo: 'treasury' }, E18, E18),
    'alice',
  ).state
  const traded = swapPair(transferToPair(on, 100n * E18, 0n), 0n, 90n * E18).state
  const { state } = mintPair(transferToPair(traded, E18, E18), 'alice')
  const treasury = state.liquidityOf.treasury!
  // In the limit of small growth the share times the supply is a sixth of what k grew by.
  const root = (s: CpmmState) => Number(s.reserve0) ** 0.5 * Number(s.reserve1) ** 0.5
  const expected = (Number(on.totalSupply) * (root(traded) - root(on))) / root(on) / 6
  expect(Number(treasury) / expected).toBeCloseTo(1, 2)
  expect(mintPair(transferToPair({ ...state, feeTo: null }, E18, E18), 'alice').state.kLast).toBe(
    0n,
  )
})

test('cumulative prices advance by the old price once per second, across the wrap of the clock', () => {
  const start = 2 ** 32 - 10
  const pair = { ...seededPair(), blockTimestampLast: start, blockTimestamp: start + 30 }
  const later = syncPair(transferToPair(pair, 1000n * E18, 0n))
  expect(later.price0CumulativeLast).toBe((1n << 112n) * 30n)
  expect(later.blockTimestampLast).toBe(20)
  const again = syncPair(transferToPair(later, 5n, 0n))
  expect(again.price0CumulativeLast).toBe(later.price0CumulativeLast)
})

test('skim returns exactly a donation', () => {
  const { state, amount0, amount1 } = skimPair(transferToPair(seededPair(), 3n, 4n))
  expect([amount0, amount1]).toEqual([3n, 4n])
  expect(state).toEqual(seededPair())
})

function seededPair(): CpmmState {
  return mintPair(transferToPair(createCpmmPair({}), 1_000n * E18, 1_000n * E18), 'alice').state
}
