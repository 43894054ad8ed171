import { swapToPrice } from '@liquidity-os/engine/amm'
import { expect, it } from 'vitest'
import { marketOfInline, orientationOf } from '../../../market/inline-market.ts'
import { depthToAdd } from './depth-to-add.ts'

const [base, quote] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
const pair = { chainId: 1, base, quote, baseDecimals: 18, quoteDecimals: 18 }
const market = marketOfInline(
  { kind: 'UNISWAP_V2', reserve0: '1000000', reserve1: '1000000', totalSupply: '1000000' },
  pair,
)
const venue = { venueId: 'venue_a', quoteId: 'quote', market, orientation: orientationOf(pair) }

it('adds enough liquidity for the rest of a sale, and at most an atom more', () => {
  const taken = swapToPrice(market, venue.orientation, { num: 1n, den: 2n }).amountIn
  for (let rest = 1n; rest <= 40n; rest += 1n) {
    const { token } = depthToAdd([venue], taken + rest, 0.5)!
    // At a price of 1, a curve of so much liquidity takes L·(√2 − 1) until the price has halved.
    const takes = (liquidity: bigint) => Number(liquidity) * (Math.SQRT2 - 1)
    expect(takes(token)).toBeGreaterThanOrEqual(Number(rest))
    expect(takes(token - 1n)).toBeLessThan(Number(rest))
  }
})

it('adds nothing where the pools take the whole sale', () => {
  expect(depthToAdd([venue], 1n, 0.5)).toEqual({ token: 0n, quote: 0n })
})
