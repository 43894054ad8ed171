import { createStablePool, rateOfDecimals } from '@liquidity-os/engine/amm'
import { expect, it } from 'vitest'
import { hasPrice, heldQuote, priceX18 } from './quote-value.ts'

const side = { base: 0, quote: 1 }

it.each([
  ['less than a unit of a coin', [24, 18], [999_999n, 10n ** 24n]],
  ['more than its arithmetic holds', [18, 18], [10n ** 40n, 10n ** 40n]],
  ['three atoms against 10^30', [18, 18], [3n, 10n ** 30n]],
] as const)(
  'a StableSwap pool that holds %s has no price, and only its quote is counted',
  (...row) => {
    const [, decimals, balances] = row
    const empty = createStablePool({
      variant: 'A100_TWO_COIN',
      rates: decimals.map(rateOfDecimals),
      amplification: 20_000n,
      feeX10: 4_000_000n,
    })
    const pool = { ...empty, balances }
    expect(hasPrice(pool)).toBe(false)
    expect(priceX18(pool, side)).toBeNull()
    expect(heldQuote(pool, side)).toBe(balances[1])
  },
)
