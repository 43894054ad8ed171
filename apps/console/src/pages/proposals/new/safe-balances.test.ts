import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { mergeReads, sliceTokens } from './safe-balances.ts'

const read = (
  number: number,
  threshold: number,
  amounts: Readonly<Record<string, string>>,
): contract.VaultSafe =>
  ({
    block: { number },
    owners: ['0xA'],
    threshold,
    balances: Object.entries(amounts).map(([asset, amount]) => ({ asset, amount })),
  }) as unknown as contract.VaultSafe

it('requests all of 100 tokens, 40 at a time', () => {
  const tokens = Array.from({ length: 100 }, (_, index) => `0x${index}`)
  const slices = sliceTokens(tokens)
  expect(slices.map(({ length }) => length)).toEqual([40, 40, 20])
  expect(slices.flat()).toEqual(tokens)
  expect(sliceTokens([])).toEqual([[]])
  expect(sliceTokens(tokens.slice(0, 40))).toHaveLength(1)
})

it('takes control and repeated balances from the newest block', () => {
  const merged = mergeReads([
    read(12, 3, { native: '5', '0xb': '1' }),
    read(11, 2, { native: '4', '0xc': '2' }),
  ])
  expect(merged.threshold).toBe(3)
  expect(merged.balances).toEqual([
    { asset: 'native', amount: '5', block: 12 },
    { asset: '0xc', amount: '2', block: 11 },
    { asset: '0xb', amount: '1', block: 12 },
  ])
})
