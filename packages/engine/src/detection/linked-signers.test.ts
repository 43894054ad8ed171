import { expect, test, vi } from 'vitest'
import { linkedSigners, type SignedLeg, usersOf } from './linked-signers.ts'

/** A trade over no contract. */
const leg = (origin: string, base: bigint, at: number): SignedLeg => ({
  ...{ venueId: 'v', at, base, volumeQuote: 1n, origin, sender: '', recipient: '' },
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
