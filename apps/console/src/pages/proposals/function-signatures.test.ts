import { expect, it } from 'vitest'
import { readArguments, readSignature } from './function-signatures.ts'

it.each([
  ['transfer(address to, uint256 amount)', '0xa9059cbb'],
  ['deposit()', '0xd0e30db0'],
  ['setPreSignature(bytes orderUid, bool signed)', '0xec6cb13f'],
  [
    'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
    '0x414bf389',
  ],
])('computes the selector of %s', (text, selector) => {
  expect(readSignature(text).selector).toBe(selector)
})

it('matches arguments by order, and only if their number is the same', () => {
  const transfer = readSignature('transfer(address to, uint256 amount)')
  const given = [{ value: '0x1' }, { value: '5' }]
  expect([...(readArguments(transfer, given) ?? [])]).toEqual([
    ['to', '0x1'],
    ['amount', '5'],
  ])
  expect(readArguments(transfer, [...given, { value: '6' }])).toBeNull()
  const tuple = readSignature('collect((uint256 tokenId, address recipient) params)')
  expect(readArguments(tuple, [{ value: '{ id: 7, to: 0x1 }' }])?.get('recipient')).toBe('0x1')
  expect(readArguments(tuple, given)).toBeNull()
})
