import { expect, test } from 'vitest'
import { ArtifactCache } from './cached-artifacts.ts'

/** Ten times what one takes beside its bytes. */
const unitBytes = 10_240
const bytesOf = (units: number) => new Uint8Array(units * unitBytes).fill(units)
const makeCache = (units: number) => new ArtifactCache(units * unitBytes)

/** Asks for names, whose bytes are as many units as their number, and says which were read. */
async function readsOf(cache: ArtifactCache, names: readonly number[]): Promise<number[]> {
  const reads: number[] = []
  for (const name of names) {
    const read = () => {
      reads.push(name)
      return Promise.resolve(bytesOf(name))
    }
    expect(await cache.find(`${name}`, read)).toEqual(bytesOf(name))
  }
  return reads
}

test('reads data once into memory that threads share', async () => {
  const cache = makeCache(100)
  expect(await readsOf(cache, [5, 5, 6, 5])).toEqual([5, 6])
  const found = await cache.find('5', () => Promise.resolve(null))
  expect(found?.buffer).toBeInstanceOf(SharedArrayBuffer)
})

test('evicts the least recently read data, and does not cache data larger than the cache', async () => {
  const cache = makeCache(100)
  expect(await readsOf(cache, [40, 50, 40, 20])).toEqual([40, 50, 20])
  expect(await readsOf(cache, [40, 20, 50])).toEqual([50])
  expect(await readsOf(cache, [101, 101, 20, 50])).toEqual([101, 101])
})

test('counts the overhead of small entries, so fewer fit', async () => {
  const cache = makeCache(1)
  const ask = async (name: string) => {
    let isRead = false
    await cache.find(name, async () => {
      isRead = true
      return new Uint8Array()
    })
    return isRead
  }
  const names = Array.from({ length: 11 }, (_, index) => `${index}`)
  for (const name of names) await ask(name)
  expect([await ask('1'), await ask('0')]).toEqual([false, true])
})

test('those who ask at the same time wait for one reading', async () => {
  const cache = makeCache(100)
  let reads = 0
  const ask = () =>
    cache.find('9', async () => {
      reads += 1
      return bytesOf(9)
    })
  const [first, second] = await Promise.all([ask(), ask()])
  expect(first).toBe(second)
  expect(reads).toBe(1)
})

test('a reading that failed or found nothing is made again', async () => {
  const cache = makeCache(100)
  await expect(cache.find('9', () => Promise.reject(new Error('is damaged')))).rejects.toThrow(
    'is damaged',
  )
  expect(await cache.find('9', () => Promise.resolve(null))).toBeNull()
  expect(await readsOf(cache, [9, 9])).toEqual([9])
})
