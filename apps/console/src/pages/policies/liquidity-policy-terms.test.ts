import { expect, it } from 'vitest'
import type { VenueLine } from '../../api/queries.ts'
import { isAmount, isPercent, liquidityMarkets } from './liquidity-policy-terms.ts'

const pair = { chainId: 1, base: '0xAa', quote: '0xBb', baseDecimals: 18, quoteDecimals: 18 }
const venue = (id: string, change: object = {}, status = 'VALIDATED'): VenueLine => ({
  id,
  status,
  payload: { name: id, kind: 'UNISWAP_V3', pair, address: '0x1', feePips: 3000, ...change },
})

it('offers validated Uniswap markets of the pair, in either direction', () => {
  const venues = [
    venue('v3'),
    venue('v2', { kind: 'UNISWAP_V2', pair: { ...pair, base: '0xbb', quote: '0xaa' } }),
    venue('draft', {}, 'DRAFT'),
    venue('curve', { kind: 'STABLESWAP' }),
    venue('chain', { pair: { ...pair, chainId: 10 } }),
    venue('pair', { pair: { ...pair, quote: '0xCc' } }),
  ]
  expect(liquidityMarkets({ chainId: 1, pair }, venues).map(({ id }) => id)).toEqual(['v3', 'v2'])
})

it.each([
  ['0.5', true],
  ['1000', true],
  ['1.5000', true],
  // One or one thousand: the grammar refuses it.
  ['1.000', false],
  ['0', false],
  ['1,5', false],
  ['', false],
])('reads the amount %s: %s', (text, isRead) => {
  expect(isAmount(text)).toBe(isRead)
})

it('reads a percentage', () => {
  expect(['1', '0.5', '12.25', '0.0125'].every(isPercent)).toBe(true)
  expect(['100', '1.', '0.125', '-1', ''].some(isPercent)).toBe(false)
})
