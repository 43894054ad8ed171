import { expect, it } from 'vitest'
import { keyOf, orientationOf } from './plan-types.ts'

const owner = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const range = { venueId: 'venue_a', owner, tickLower: -60, tickUpper: 120 } as const

it('identifies an owner position by its checksummed owner, and a manager position by its token', () => {
  const ticks = { tickLower: -60, tickUpper: 120 }
  expect(keyOf({ ...range, tokenId: null })).toEqual({
    ...ticks,
    owner: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  })
  expect(keyOf({ ...range, tokenId: '7' })).toEqual({ ...ticks, owner: 'nft:7' })
})

it('names a location without ticks by zero', () => {
  const whole = { ...range, tickLower: null, tickUpper: null, tokenId: '7' }
  expect(keyOf(whole)).toEqual({ owner: 'nft:7', tickLower: 0, tickUpper: 0 })
})

it('orders tokens by the numbers of their addresses, not by their letters', () => {
  const [low, high] = [`0x${'0'.repeat(39)}b`, `0x${'0'.repeat(38)}A0`]
  expect(orientationOf({ base: low, quote: high })).toEqual({ base: 0, quote: 1 })
  expect(orientationOf({ base: high, quote: low })).toEqual({ base: 1, quote: 0 })
  // Capital letters come before small ones, and mean the same.
  const [small, capital] = [`0x${'a'.repeat(40)}`, `0x${'B'.repeat(40)}`]
  expect(orientationOf({ base: small, quote: capital })).toEqual({ base: 0, quote: 1 })
  expect(orientationOf({ base: capital, quote: small })).toEqual({ base: 1, quote: 0 })
})
