import { expect, test, vi } from 'vitest'
import { linkedSigners, type SignedLeg, usersOf } from './linked-signers.ts'

/** A trade over no contract. */
const leg = (origin: string, base: bigint, at: number): SignedLeg => ({
  venueId: 'v',
  at,
  base,
  volumeQuote: 1n,
  origin,
  sender: '',
  recipient: '',
})

/** Groups of signers by what they traded alone. */
const groupsOf = (legs: readonly SignedLeg[]) => [
  ...new Set(linkedSigners(legs, usersOf(legs)).values()),
]

test('a chain of signers, each linked to the next, is one group for a few steps a signer', () => {
  const signers = 1_000
  const legs = Array.from({ length: signers - 1 }, (_, place) => {
    const handed = 1_234_567n + 1_000n * BigInt(place)
    return [leg(`s${place}`, handed, 2 * place), leg(`s${place + 1}`, -handed, 2 * place + 1)]
  }).flat()
  const set = vi.spyOn(Map.prototype, 'set')
  const groups = groupsOf(legs)
  const steps = set.mock.calls.length
  set.mockRestore()
  expect(groups.map(({ size }) => size)).toEqual([signers])
  expect(steps).toBeLessThan(20 * signers)
})

test('parts link whom they net to nothing with, not whom the difference is as large as', () => {
  const [large, small] = [10_000_000_000n, 1_234_567n]
  // One sells what two others bought, the last of them after it.
  const netted = [leg('a', large, 0), leg('b', -large - small, 60), leg('c', small, 120)]
  expect(groupsOf(netted)).toEqual([new Set(['a', 'b', 'c'])])
  const apart = [leg('a', large, 0), leg('b', small, 60), leg('c', small - large, 120)]
  expect(groupsOf(apart)).toEqual([])
})

test('parts link within an hour of each, the one of the same side as well', () => {
  const parts = (first: number) => [
    leg('a', -3_210_987n, first),
    leg('b', 7_654_321n, 7_000),
    leg('c', -4_443_334n, 7_200),
  ]
  expect(groupsOf(parts(3_600))).toEqual([new Set(['a', 'b', 'c'])])
  expect(groupsOf(parts(3_599))).toEqual([])
})
