// @module-tag long

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bandTable, curveTable } from '../../test/detector-real-series.ts'
import { measureSchemes, schemeTable, tapes, washCharacteristic } from '../../test/wash-quality.ts'
import type { SignedLeg } from './linked-signers.ts'
import { washTrades } from './wash-trades.ts'

const HOUR = 3600

/** A trade at one price of two quote atoms, of which a hundredth is the fee. */
const leg = (origin: string, base: bigint, at: number, change: Partial<SignedLeg> = {}) => ({
  venueId: 'v',
  at,
  base,
  origin,
  sender: 'router',
  recipient: origin,
  volumeQuote: base > 0n ? (base * 202n) / 100n : (-base * 198n) / 100n,
  ...change,
})

/** Strangers who buy for good, each by the router, so that it is nobody's own. */
const strangers = ['p', 'q', 'r', 's'].map((origin, place) =>
  leg(origin, 100_000_000n + 7n ** BigInt(place + 6), 100 * HOUR + place),
)

/** Who traded with himself, as what kind of party; of all legs the ones found are the ones given. */
function partiesOf(legs: readonly SignedLeg[]): string[] {
  const found = washTrades([...legs, ...strangers])
  expect([...found.keys()].toSorted((a, b) => a.at - b.at)).toEqual(found.size > 0 ? legs : [])
  return [...new Set(found.values())]
}

test('three legs of one signer that close are wash trades, in whatever hour they began', () => {
  const trip = (from: number) =>
    [1_000n, -600n, -400n].map((base, place) => leg('a', base, from + 120 * place))
  expect(partiesOf(trip(0))).toEqual(['ONE_SIGNER'])
  expect(partiesOf(trip(HOUR - 120))).toEqual(['ONE_SIGNER'])
})

test('a purchase and a sale are a pattern only the second time within a day', () => {
  const trip = (from: number) => [leg('a', 1_000n, from), leg('a', -1_000n, from + 600)]
  expect(partiesOf(trip(0))).toEqual([])
  expect(partiesOf([...trip(0), ...trip(24 * HOUR)])).toEqual(['ONE_SIGNER'])
  expect(partiesOf([...trip(0), ...trip(24 * HOUR + 1)])).toEqual([])
})

test('legs that leave more than a twentieth of one of them, or take longer than an hour, do not close', () => {
  const trip = (left: bigint, seconds = 60) =>
    [1_000n, -500n, left - 500n].map((base, place) => leg('a', base, seconds * place))
  // The mean leg is 655 at a rest of 32, 658 at one of 34.
  expect(partiesOf(trip(32n))).toEqual(['ONE_SIGNER'])
  expect(partiesOf(trip(34n))).toEqual([])
  expect(partiesOf(trip(0n, 1800))).toEqual(['ONE_SIGNER'])
  expect(partiesOf(trip(0n, 1801))).toEqual([])
})

test('who sold for more than he bought for had a reason to trade', () => {
  const sold = (volumeQuote: bigint) => [
    leg('a', 1_000n, 0, { volumeQuote: 2_000n }),
    leg('a', -500n, 60, { volumeQuote: 1_000n }),
    leg('a', -500n, 120, { volumeQuote }),
  ]
  expect(partiesOf(sold(1_002n))).toEqual(['ONE_SIGNER'])
  expect(partiesOf(sold(1_003n))).toEqual([])
})

test('trades for good beside hide what closes by chance, not what closes to the crumb', () => {
  const beside = (rest: bigint) => {
    const trip = [1_000_000n, -500_000n, rest - 500_000n]
    const kept = leg('a', 5_000_000n, 180)
    return washTrades([...trip.map((base, place) => leg('a', base, 60 * place)), kept]).size
  }
  expect([beside(0n), beside(600n), beside(20_000n)]).toEqual([3, 3, 0])
})

test('a circle of signers who hand on what they bought is one party', () => {
  const [first, second] = [7_654_321n, 7_501_233n]
  const handed = [
    leg('a', first, 0),
    leg('b', -first, 60),
    leg('c', second, 120),
    leg('a', -second, 180),
  ]
  expect(partiesOf(handed)).toEqual(['LINKED_SIGNERS'])
  // Amounts that anybody may choose tell nothing.
  const round = [leg('a', 7_000_000n, 0), leg('b', -7_000_000n, 60), leg('c', 6_000_000n, 120)]
  expect(partiesOf([...round, leg('a', -6_000_000n, 180)])).toEqual([])
})

test('quote that was paid to one and paid in by another is handed on as well', () => {
  const paid = { volumeQuote: 15_308_643n }
  const legs = [leg('a', -7_654_321n, 0, paid), leg('b', 7_600_001n, 60, paid)]
  const again = legs.map((one) => ({ ...one, at: one.at + HOUR }))
  expect(partiesOf([...legs, ...again])).toEqual(['LINKED_SIGNERS'])
})

test.each([
  ['one buys and two sell', [1n, -1n, -1n]],
  ['two buy and one sells', [1n, 1n, -1n]],
])('signers are a party of whom %s the parts of a whole', (_, sides) => {
  const [small, large] = [3_210_987n, 4_443_334n]
  const sizes = sides[1]! < 0n ? [small + large, small, large] : [small, large, small + large]
  const legs = sizes.map((size, place) => leg(`n${place}`, sides[place]! * size, 60 * place))
  expect(partiesOf(legs)).toEqual(['LINKED_SIGNERS'])
  const atomLess = legs.map((one, place) => (place === 2 ? { ...one, base: one.base + 1n } : one))
  expect(partiesOf(atomLess)).toEqual([])
})

test('signers who undo each other’s sizes are a party from the second size on', () => {
  const turn = (from: number, size: bigint) => [
    leg('a', size, from),
    leg('b', (-size * 991n) / 1_000n, from + 60),
  ]
  const [first, second] = [turn(0, 10_000_001n), turn(HOUR, 10_000_003n)]
  expect(partiesOf([...first, ...second])).toEqual(['LINKED_SIGNERS'])
  expect(partiesOf(first)).toEqual([])
  expect(partiesOf([...first, ...turn(HOUR, 10_000_001n)])).toEqual([])
  // Most of what b trades has nothing to do with a.
  const busy = [...first, ...second, leg('b', 90_000_000n, 30 * HOUR)]
  expect(washTrades([...busy, ...strangers]).size).toBe(0)
})

test.each([1_000_000n, 995_000n])(
  'a stranger who buys as much as another one sells each hour is none of his, %s',
  (sold) => {
    const unit = 10n ** 12n
    const day = Array.from({ length: 24 }, (_, hour) => [
      leg('a', 1_000_000n * unit, hour * HOUR),
      leg('b', -sold * unit, hour * HOUR + 600),
    ])
    // Most of what the router serves is of others.
    const others = strangers.map((one) => ({ ...one, volumeQuote: 10n ** 21n }))
    expect(washTrades([...day.flat(), ...others]).size).toBe(0)
  },
)

test('a contract of two or three belongs to them, and one of many is a party only to the crumb', () => {
  const own = { sender: 'own', recipient: 'own' }
  const two = [leg('a', 1_000n, 0, own), leg('b', -610n, 60, own), leg('b', -390n, 120, own)]
  expect(partiesOf(two)).toEqual(['LINKED_SIGNERS'])
  const many = (rest: bigint) =>
    ['a', 'b', 'c', 'd'].map((origin, place) =>
      leg(origin, place % 2 === 0 ? 100_000n : rest - 100_000n, 60 * place, own),
    )
  expect(partiesOf(many(60n))).toEqual(['ONE_CONTRACT'])
  expect(partiesOf(many(120n))).toEqual([])
})

test('a contract that serves many on another venue is no party on this one', () => {
  const legs = [leg('a', 1_000n, 0), leg('b', -610n, 60), leg('c', -360n, 120)]
  const elsewhere = strangers.map((one) => ({ ...one, venueId: 'w' }))
  expect(washTrades(legs).size).toBe(3)
  expect(washTrades([...legs, ...elsewhere]).size).toBe(0)
})

test('who receives what another one signed for belongs to him', () => {
  const legs = [leg('a', 1_000n, 0, { recipient: 'b' }), leg('b', -500n, 60), leg('b', -500n, 120)]
  expect(partiesOf(legs)).toEqual(['LINKED_SIGNERS'])
})

const page = readFileSync(
  new URL('../../../../docs/methodology/wash-trades.md', import.meta.url),
  'utf8',
)

test('what is found of every scheme, and said of recorded trades, is what the page says', () => {
  const recorded = tapes()
  const found = measureSchemes(recorded)
  for (const row of schemeTable(found).split('\n')) expect(page).toContain(row)
  const characteristic = washCharacteristic(recorded)
  const rows = [bandTable(characteristic, 'wash trades in the volume'), curveTable(characteristic)]
  for (const row of rows.join('\n').split('\n')) expect(page).toContain(row)
  // No window of recorded trades alone holds confidence or score down.
  expect(characteristic.bands[0]!.told).toMatchObject({ WARNING: 0, CRITICAL: 0 })
})
