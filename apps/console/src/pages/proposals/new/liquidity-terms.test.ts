import type { contract } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import {
  type LiquidityTerms,
  readLiquidityCalls,
  readLiquidityTerms,
  titleOfLiquidity,
} from './liquidity-terms.ts'

const tokens = {
  base: { symbol: 'ENS', decimals: 18, address: `0x${'1'.repeat(40)}` },
  quote: { symbol: 'USDC', decimals: 6, address: `0x${'2'.repeat(40)}` },
}
const held = { base: 10n ** 21n, quote: 10n ** 10n }
const terms: LiquidityTerms = {
  change: 'ADD',
  venueId: 'venue_1',
  tokenId: '',
  manager: '',
  isFullRange: false,
  low: '18.5',
  high: '22',
  base: '1,000',
  quote: '9000.5',
  sharePips: '1000000',
  slippagePips: '10000',
}
const read = (more: Partial<LiquidityTerms> = {}) =>
  readLiquidityTerms({ ...terms, ...more }, tokens, { held, chainId: 1 })

describe('the terms of a deposit', () => {
  it('become atoms, and prices in atoms of the quote per atom of the base', () => {
    expect(read()).toEqual({
      faults: null,
      query: {
        venueId: 'venue_1',
        change: 'ADD',
        slippagePips: '10000',
        lowX36: `185${'0'.repeat(23)}`,
        highX36: `22${'0'.repeat(24)}`,
        base: `${10n ** 21n}`,
        quote: '9000500000',
      },
    })
  })

  it('of all prices, or into a position, state no prices', () => {
    const all = read({ isFullRange: true, low: '', high: '' })
    expect(all).toMatchObject({ faults: null })
    expect('query' in all && Object.keys(all.query)).not.toContain('lowX36')
    expect(read({ tokenId: '7', low: '', high: '' })).toMatchObject({ query: { tokenId: '7' } })
  })

  it('name the field of each fault', () => {
    expect(read({ low: '23' }).faults).toEqual({ high: 'Enter a price above the lower price.' })
    expect(read({ low: '', high: '0' }).faults).toEqual({
      low: '',
      high: 'Enter a price above zero.',
    })
    expect(read({ base: '1000.1', quote: '1.1234567' }).faults).toEqual({
      base: 'The Safe holds less ENS.',
      quote: 'Enter at most 6 decimals, got 7.',
    })
    expect(read({ base: '', quote: '' }).faults).toEqual({ base: '' })
    expect(read({ manager: '0x12' }).faults).toEqual({
      manager: 'Paste an address of this chain: 0x and 40 digits.',
    })
  })
})

describe('the terms of a withdrawal', () => {
  it('name a position and a share', () => {
    expect(read({ change: 'REMOVE' }).faults).toEqual({ tokenId: '' })
    expect(read({ change: 'REMOVE', tokenId: '7', sharePips: '500000' })).toEqual({
      faults: null,
      query: {
        venueId: 'venue_1',
        change: 'REMOVE',
        slippagePips: '10000',
        tokenId: '7',
        sharePips: '500000',
      },
    })
  })
})

describe('the calls of a deposit', () => {
  it('state the balances that may change', () => {
    const calls = {
      change: 'ADD',
      packets: [],
      minimum: { base: '990', quote: '0' },
    } as unknown as contract.LiquidityCalls
    expect(readLiquidityCalls(calls, { base: '1000', quote: '20' }, tokens).effects).toEqual([
      { asset: tokens.base.address, minimumDelta: '-1000', maximumDelta: '-990' },
      { asset: tokens.quote.address, minimumDelta: '-20', maximumDelta: '0' },
    ])
    const removal = { ...calls, change: 'REMOVE' } as contract.LiquidityCalls
    expect(readLiquidityCalls(removal, {}, tokens).effects).toBeNull()
  })
})

describe('the title of a proposal', () => {
  it('states the amounts and the position', () => {
    expect(titleOfLiquidity(terms, tokens)).toBe(
      'Add 1,000 ENS and 9000.5 USDC to a new position in ENS/USDC',
    )
    const removal = { ...terms, change: 'REMOVE', tokenId: '7' } as const
    expect(titleOfLiquidity(removal, tokens)).toBe('Withdraw all of position #7 in ENS/USDC')
    expect(titleOfLiquidity({ ...removal, sharePips: '250000' }, tokens)).toBe(
      'Withdraw 25 % of position #7 in ENS/USDC',
    )
  })
})
