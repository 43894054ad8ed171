import type { ClmmState } from '@liquidity-os/engine/amm'
import { describe, expect, it } from 'vitest'
import { expectedFees } from './market-facts.ts'

describe('expected fees', () => {
  const market = { kind: 'UNISWAP_V3', tick: 0, liquidity: 300n } as ClmmState
  const facts = { volatility: null, feesQuotePerDay: 1001n }
  const position = (tickLower: number, tickUpper: number, liquidity = 100n) => ({
    tickLower,
    tickUpper,
    liquidity,
  })

  it('are the part of the liquidity in range, rounded down', () => {
    expect(expectedFees(facts, market, [position(-60, 60)])).toBe(250n)
    expect(expectedFees(facts, market, [position(-60, 60), position(0, 60, 200n)])).toBe(500n)
  })

  it('are none of a range that the price is not in; its upper edge is outside', () => {
    expect(expectedFees(facts, market, [position(-60, 0), position(1, 60)])).toBe(0n)
  })

  it('are unknown where nothing was earned for a day, and of a market without ranges', () => {
    expect(expectedFees({ ...facts, feesQuotePerDay: null }, market, [])).toBeNull()
    expect(expectedFees(facts, { kind: 'UNISWAP_V2' } as never, [])).toBeNull()
  })
})
