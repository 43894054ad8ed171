import { expect, it } from 'vitest'
import type { LiveCustody } from '../treasury-custody/face.ts'
import { type Entry, liquidityIn, provenOf, quoteLegsOf, worthOf } from './ledger.ts'

const safe = `0x${'a'.repeat(40)}`
const safeKey = `eip155:1:${safe}`
const quote = `0x${'b'.repeat(40)}`
const pair = {
  ...{ chainId: 1, base: `0x${'c'.repeat(40)}`, quote, baseDecimals: 18, quoteDecimals: 6 },
}

const holding = (quantity: string, purpose = 'LIQUIDITY_PROGRAM') =>
  ({
    id: quantity,
    payload: {
      ...{ entryKind: 'ASSET', asset: `eip155:1/erc20:${quote}`, purpose, assetClass: 'STABLE' },
      ...{ container: { kind: 'SAFE', chainId: 1, address: safe }, containerKey: safeKey },
      observed: { quantity, legs: [] },
    },
  }) as unknown as Entry
const evidence = {
  ...{ container: safeKey, assetKey: 'eip155:1/slip44:60', authority: 'SAFE' },
  ...{ evidence: { id: 'one' }, expiresAt: Date.parse('2026-02-01') },
} as unknown as LiveCustody

it('liquidity that the treasury owns is what its Safe signed for, and nothing that is asserted', () => {
  const found = liquidityIn([holding('7'), holding('5'), holding('100', 'PAYROLL')], safeKey)
  const owned = (custody: LiveCustody[]) =>
    worthOf(provenOf(found, custody), pair, { num: 1n, den: 1n })
  expect(found.map(({ id }) => id)).toEqual(['7', '5'])
  expect(owned([])).toBe(0n)
  expect(owned([{ ...evidence, container: `eip155:10:${safe}` }])).toBe(0n)
  expect(owned([evidence])).toBe(12n)
})

it('owned liquidity is the quote in claims, and neither the own token nor what lies idle', () => {
  const leg = (token: string, quantity: string) => ({ asset: `eip155:1/erc20:${token}`, quantity })
  const claim = {
    ...holding('1'),
    payload: {
      ...holding('1').payload,
      assetClass: 'LP_CLAIM',
      observed: { quantity: '1', legs: [leg(pair.base, '900'), leg(quote, '40')] },
    },
  } as unknown as Entry
  expect(quoteLegsOf([claim, holding('7'), claim], pair)).toBe(80n)
  expect(quoteLegsOf([claim], { ...pair, chainId: 10 })).toBe(0n)
})
