import { expect, test } from 'vitest'
import {
  type BlockAction,
  identicalSizeShares,
  jitShare,
  type SizedTrade,
} from './flow-patterns.ts'

const identicalSizeShare = (trades: readonly SizedTrade[]) =>
  identicalSizeShares(trades)(0, trades.length)

const position = { owner: 'a', tickLower: -60, tickUpper: 60, liquidity: 100n }
const mint = (block: number, change = {}): BlockAction => ({
  kind: 'MINT',
  block,
  ...position,
  ...change,
})
const burn = (block: number, change = {}): BlockAction => ({
  kind: 'BURN',
  block,
  ...position,
  ...change,
})
const swap = (block: number, volumeQuote: bigint, change = {}): BlockAction => ({
  kind: 'SWAP',
  block,
  tickBefore: 0,
  tickAfter: 10,
  volumeQuote,
  ...change,
})

test('a swap between a mint and its burn in one block was served just in time', () => {
  const actions = [swap(1, 60n), mint(2), swap(2, 30n), burn(2), swap(2, 10n)]
  expect(jitShare(actions)).toBe(300_000n)
  // Two providers around one swap serve it once.
  const other = { owner: 'b' }
  expect(jitShare([mint(2), mint(2, other), swap(2, 30n), burn(2, other), burn(2)])).toBe(
    1_000_000n,
  )
})

test('liquidity that stays, was there, belongs elsewhere or is not reached is not just in time', () => {
  const cases: BlockAction[][] = [
    [mint(2), swap(2, 30n), burn(3)],
    [mint(1), swap(2, 30n), burn(2)],
    [mint(2), swap(2, 30n), burn(2, { owner: 'b' })],
    [mint(2), swap(2, 30n), burn(2, { tickUpper: 120 })],
    [mint(2), swap(2, 30n), burn(2, { liquidity: 99n })],
    [mint(2), burn(2), swap(2, 30n)],
    [mint(2), swap(2, 30n, { tickBefore: 60, tickAfter: 90 }), burn(2)],
    [],
  ]
  for (const actions of cases) expect(jitShare(actions)).toBe(0n)
  const edge = swap(2, 30n, { tickBefore: 90, tickAfter: 59 })
  expect(jitShare([mint(2), edge, burn(2)])).toBe(1_000_000n)
})

test('a size is repeated from its fourth trade in an hour on, whichever side is the same', () => {
  const sized = (at: number, base: bigint, volumeQuote: bigint) => ({ at, base, volumeQuote })
  const four = [sized(0, 5n, 10n), sized(9, -5n, 11n), sized(99, 5n, 12n), sized(3599, -5n, 17n)]
  expect(identicalSizeShare(four)).toBe(1_000_000n)
  expect(identicalSizeShare([...four, sized(50, 6n, 50n)])).toBe(500_000n)
  expect(identicalSizeShare(four.slice(1))).toBe(0n)
  expect(identicalSizeShare([...four.slice(1), sized(3600, 5n, 9n)])).toBe(0n)
  expect(identicalSizeShare([1n, 2n, 3n, 4n].map((base) => sized(0, base, 7n)))).toBe(1_000_000n)
  expect(identicalSizeShare([])).toBe(0n)
})

test('windows of trades have the share of those trades alone', () => {
  const trades = Array.from({ length: 60 }, (_, place) => ({
    at: place * 150,
    base: BigInt((place * place) % 7) - 3n,
    volumeQuote: BigInt(1 + ((place * 5) % 11)),
  }))
  const shareOf = identicalSizeShares(trades)
  const seen = new Set<bigint>()
  for (let first = 0; first <= trades.length; first += 1) {
    for (let next = first; next <= trades.length; next += 1) {
      const share = identicalSizeShare(trades.slice(first, next))
      expect(shareOf(first, next)).toBe(share)
      seen.add(share)
    }
  }
  expect(seen.size).toBeGreaterThan(20)
})
