import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  additionSlippagePips,
  liquiditySlippagePips,
  redeemedAtMid,
  takenAtMid,
  withdrawnAtMid,
} from './liquidity-slippage.ts'

const x36 = 10n ** 36n
const range = { lower: -600, upper: 600 }
const at = { midPriceX36: x36, isBaseToken0: true, range }

describe('slippage of liquidity', () => {
  it('takes both tokens equally at the middle of a symmetric range', () => {
    const taken = takenAtMid(at, { amount0: 10n ** 18n, amount1: 2n * 10n ** 18n })
    expect(taken.amount0).toBe(10n ** 18n)
    // The range is symmetric in ticks and tick prices are rounded, so the amounts agree to 10^-18.
    expect(taken.amount1 - 10n ** 18n).toBeLessThan(10n)
    expect(10n ** 18n - taken.amount1).toBeLessThan(10n)
  })

  it('takes one token outside of the range', () => {
    const above = { ...at, midPriceX36: 2n * x36 }
    const desired = { amount0: 1_000_000n, amount1: 1_000_000n }
    expect(takenAtMid(above, desired).amount0).toBe(0n)
    const below = { ...at, midPriceX36: x36 / 2n }
    expect(takenAtMid(below, desired).amount1).toBe(0n)
  })

  it('orients the price by the side of the base', () => {
    const desired = { amount0: 1_000n, amount1: 4_000n }
    const v2 = { midPriceX36: 4n * x36, isBaseToken0: true, range: null }
    expect(takenAtMid(v2, desired)).toEqual({ amount0: 1_000n, amount1: 4_000n })
    expect(takenAtMid({ ...v2, isBaseToken0: false }, desired)).toEqual({
      amount0: 1_000n,
      amount1: 250n,
    })
  })

  it('values a v2 share at the mid price instead of at the reserves', () => {
    const share = { reserve0: 4_000_000n, reserve1: 1_000_000n, shares: 1n, totalShares: 2n }
    const v2 = { midPriceX36: x36, isBaseToken0: true, range: null }
    expect(redeemedAtMid(v2, share)).toEqual({ amount0: 1_000_000n, amount1: 1_000_000n })
  })

  it('rounds the loss up and never below zero', () => {
    const exact = { amount0: 1_000n, amount1: 1_000n }
    expect(liquiditySlippagePips(at, { amount0: 990n, amount1: 990n }, exact)).toBe(10_000n)
    expect(liquiditySlippagePips(at, { amount0: 999n, amount1: 1_000n }, exact)).toBe(500n)
    expect(liquiditySlippagePips(at, { amount0: 2_000n, amount1: 2_000n }, exact)).toBe(0n)
    expect(liquiditySlippagePips(at, { amount0: 0n, amount1: 0n }, exact)).toBe(1_000_000n)
    const third = { amount0: 3n, amount1: 0n }
    expect(liquiditySlippagePips(at, { amount0: 2n, amount1: 0n }, third)).toBe(333_334n)
    const none = { amount0: 0n, amount1: 0n }
    expect(liquiditySlippagePips(at, none, none)).toBeNull()
  })

  it('counts a missing minimum, a minimum of the other token, and a surplus', () => {
    const v2 = { midPriceX36: x36, isBaseToken0: true, range: null }
    const desired = { amount0: 1_000n, amount1: 1_000n }
    const slippage = (amount0: bigint, amount1: bigint, more = desired) =>
      additionSlippagePips(v2, more, { amount0, amount1 })
    expect(slippage(990n, 990n)).toBe(10_000n)
    // All value in the minimum of one token: a moved pool can pay it alone.
    expect(slippage(0n, 1_980n)).toBe(500_000n)
    // A pool at a hundred times the price takes the whole surplus.
    expect(slippage(990n, 990n, { amount0: 1_000n, amount1: 100_000n })).toBe(980_199n)
    expect(slippage(0n, 0n, { amount0: 0n, amount1: 1_000n })).toBeNull()
  })

  it('never takes more than desired, and never withdraws more than was taken', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: x36 / 1_000n, max: x36 * 1_000n }),
        fc.boolean(),
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        (midPriceX36, isBaseToken0, amount0, amount1, liquidity) => {
          const position = { midPriceX36, isBaseToken0, range }
          const taken = takenAtMid(position, { amount0, amount1 })
          expect(taken.amount0 <= amount0 && taken.amount1 <= amount1).toBe(true)
          const out = withdrawnAtMid(position, liquidity)
          const back = takenAtMid(position, out)
          expect(back.amount0 <= out.amount0 && back.amount1 <= out.amount1).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})
