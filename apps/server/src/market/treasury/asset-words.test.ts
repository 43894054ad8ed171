import { expect, it } from 'vitest'
import { assetWords, unitsWords } from './asset-words.ts'

it.each([
  [0n, 18, '0'],
  [1n, 18, '0…'],
  [1_500_000n, 6, '1.5'],
  [-1_234_567_890_000n, 6, '−1,234,567.89'],
  [10n ** 24n + 1n, 18, '1,000,000…'],
  [123_456n, 0, '123,456'],
  [123_456n, null, '123,456'],
])('prints %s atoms of %s decimals as %s', (atoms, decimals, expected) => {
  expect(unitsWords(atoms, decimals)).toBe(expected)
})

it('distinguishes assets by their type', () => {
  expect(assetWords('iso4217:USD')).toBe('USD')
  expect(assetWords('eip155:1/slip44:60')).toBe('coin of 1')
  expect(assetWords(`eip155:1/erc20:0x${'ab'.repeat(20)}`)).toBe('0xabab…abab')
})
