import { expect, it } from 'vitest'
import { validatePair } from './pair.ts'

const base = '0x000000000000000000000000000000000000dEaD'
const quote = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const pair = { chainId: 1, base, quote, baseDecimals: 18, quoteDecimals: 6 }

it('names each member in which a pair is other than that of the venue, and none of the same', () => {
  expect(validatePair(pair, { ...pair }, 'payload.pair')).toEqual({})
  expect(validatePair(pair, { ...pair, chainId: 2, quoteDecimals: 18 }, 'payload.pair')).toEqual({
    'payload.pair.chainId': ['must match the venue, 2, got 1'],
    'payload.pair.quoteDecimals': ['must match the venue, 18, got 6'],
  })
})
