import { expect, it } from 'vitest'
import { HeavyReads } from './heavy-reads.ts'

/** Work that ends when it is told, and counts how often it was begun. */
function heldWork() {
  const begun: PromiseWithResolvers<number>[] = []
  const work = () => {
    const one = Promise.withResolvers<number>()
    begun.push(one)
    return one.promise
  }
  const settle = () => new Promise((done) => setImmediate(done))
  return { begun, work, settle }
}

it('returns one response to concurrent callers, computed after their requests', async () => {
  const reads = new HeavyReads(4)
  const { begun, work, settle } = heldWork()
  const first = reads.read('a', work)
  const later = [reads.read('a', work), reads.read('a', work), reads.read('a', work)]
  await settle()
  expect(begun).toHaveLength(1)
  begun[0]!.resolve(1)
  expect(await first).toBe(1)
  await settle()
  expect(begun).toHaveLength(2)
  begun[1]!.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
})

it('takes its share of slots only, and a failure frees its own', async () => {
  const reads = new HeavyReads(2)
  const { begun, work, settle } = heldWork()
  const all = ['a', 'b', 'c', 'd'].map((key) => reads.read(key, work).catch(() => -1))
  await settle()
  expect(begun).toHaveLength(2)
  begun[0]!.reject(new Error('away'))
  begun[1]!.resolve(1)
  await settle()
  expect(begun).toHaveLength(4)
  begun[2]!.resolve(2)
  begun[3]!.resolve(3)
  expect(await Promise.all(all)).toEqual([-1, 1, 2, 3])
  // All places are free again.
  const again = reads.read('a', work)
  await settle()
  begun[4]!.resolve(4)
  expect(await again).toBe(4)
})
