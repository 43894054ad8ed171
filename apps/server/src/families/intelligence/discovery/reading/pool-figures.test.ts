import { expect, it } from 'vitest'
import { midX36, type PairState, reservesOf, sharePips } from './pool-figures.ts'

const pair: PairState = { kind: 'UNISWAP_V2', reserve0: 3n * 10n ** 18n, reserve1: 6_000_000n }
const range = (sqrtPriceX96: bigint, liquidity: bigint) =>
  ({ kind: 'UNISWAP_V3', sqrtPriceX96, liquidity }) as const

it('prices the token in the quote asset, whichever comes first, rounded down', () => {
  // 6 USDC of 6 decimals for 3 tokens of 18: 2e-12 atoms per atom.
  expect(midX36(pair, true)).toBe(2n * 10n ** 24n)
  expect(midX36(pair, false)).toBe(5n * 10n ** 47n)
  expect(midX36({ ...pair, reserve0: 0n }, true)).toBeNull()
  expect(midX36(range(2n ** 97n, 1n), true)).toBe(4n * 10n ** 36n)
  expect(midX36(range(2n ** 97n, 1n), false)).toBe(25n * 10n ** 34n)
  expect(midX36(range(0n, 0n), true)).toBeNull()
  const tiny = range(4295128739n, 1n)
  // The lowest price that a pool can have keeps its digits where X18 has none.
  expect(midX36(tiny, true)).toBe((4295128739n ** 2n * 10n ** 36n) / 2n ** 192n)
})

it('counts the payout of the range as reserve, and never more than the balance', () => {
  const held = { held0: 10n ** 6n, held1: 10n ** 6n }
  expect(reservesOf(pair, held)).toEqual({ reserve0: pair.reserve0, reserve1: pair.reserve1 })
  expect(reservesOf(range(2n ** 97n, 1_000n), held)).toEqual({ reserve0: 500n, reserve1: 2_000n })
  expect(reservesOf(range(2n ** 97n, 10n ** 9n), held)).toEqual({
    reserve0: 10n ** 6n,
    reserve1: 10n ** 6n,
  })
  expect(reservesOf(range(2n ** 97n, 0n), held)).toEqual({ reserve0: 0n, reserve1: 0n })
  expect(reservesOf(range(0n, 0n), held)).toEqual({ reserve0: 0n, reserve1: 0n })
})

it('rounds a share up: 1e10 of 2e12 is 5000 pips, one atom more is 5001', () => {
  expect(sharePips(10n ** 10n, 2n * 10n ** 12n)).toBe(5_000n)
  expect(sharePips(10n ** 10n + 1n, 2n * 10n ** 12n)).toBe(5_001n)
  expect(sharePips(1n, 10n ** 30n)).toBe(1n)
  expect(sharePips(3n, 1n)).toBe(3_000_000n)
})
