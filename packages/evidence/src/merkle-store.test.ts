import { describe, expect, it } from 'vitest'
import { sha256 } from './hash.ts'
import { bytesToHex, hexToBytes } from './hex.ts'
import {
  makeConsistencyProof,
  makeInclusionProof,
  merkleLeafHash,
  merkleRoot,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'
import {
  completeSubtrees,
  growTree,
  rootOfSubtrees,
  type Subtree,
  storedConsistency,
  storedInclusion,
  storedRoot,
} from './merkle-store.ts'

const leafOf = (index: number) => new TextEncoder().encode(`leaf ${index}`)
const hashOf = (index: number) => hexToBytes(merkleLeafHash(leafOf(index)).slice(2))
const keyOf = ({ level, place: itemIndex }: Subtree) => `${level}/${itemIndex}`

/** Everything that a log of a thousand leaves stores, appended in parts of changing length. */
function storeOf(size: number) {
  const stored = new Map<string, Uint8Array>()
  let [grown, peaks] = [0, [] as Uint8Array[]]
  for (let part = 1; grown < size; part = (part * 7) % 23 || 1) {
    const count = Math.min(part, size - grown)
    const leaves = Array.from({ length: count }, (_, index) => hashOf(grown + index))
    const next = growTree(grown, peaks, leaves)
    for (const subtree of next.completed) {
      expect(stored.has(keyOf(subtree))).toBe(false)
      stored.set(keyOf(subtree), subtree.hash)
    }
    peaks = next.peaks
    grown += count
  }
  const find = (subtree: Subtree) => {
    const hash = stored.get(keyOf(subtree))
    if (!hash) throw new Error(`not stored: ${keyOf(subtree)}`)
    return hash
  }
  return { find, peaks, stored }
}

const size = 1000
const { find, peaks, stored } = storeOf(size)

describe('a tree of stored hashes', () => {
  it('has the roots of the whole tree at every size to 1,000', () => {
    const leaves = Array.from({ length: size }, (_, index) => leafOf(index))
    for (let count = 0; count <= size; count++) {
      // The definition is quadratic over all sizes; every size to 70 and every 37th cover each shape of the edge.
      if (count > 70 && count % 37 !== 0 && count !== size) continue
      expect(storedRoot(count).make(find)).toBe(merkleRoot(leaves.slice(0, count)))
    }
    expect(`0x${bytesToHex(rootOfSubtrees(peaks))}`).toBe(storedRoot(size).make(find))
  })

  it('proves inclusion and consistency for all sizes to 1,000', () => {
    const roots = Array.from({ length: size + 1 }, (_, count) => storedRoot(count).make(find))
    for (let count = 1; count <= size; count++) {
      const root = roots[count]!
      // Of each tree the edges and one leaf of its own; of each pair of sizes one path.
      const leaves = new Set([0, count - 1, count >> 1, (count * 7919) % count])
      for (const leaf of leaves) {
        const proof = storedInclusion(leaf, count).make(find)
        expect(verifyInclusion(leafOf(leaf), proof, root)).toBe(true)
        expect(verifyInclusion(leafOf(leaf + 1), proof, root)).toBe(false)
      }
      for (const from of new Set([1, count, (count + 1) >> 1, ((count * 104_729) % count) + 1])) {
        const proof = storedConsistency(from, count).make(find)
        expect(verifyConsistency(proof, roots[from]!, root)).toBe(true)
        if (from < count) expect(verifyConsistency(proof, roots[from - 1]!, root)).toBe(false)
      }
    }
  })

  it('gives the proofs that the whole list gives', () => {
    const leaves = Array.from({ length: 45 }, (_, index) => leafOf(index))
    for (let count = 1; count <= leaves.length; count++) {
      const first = leaves.slice(0, count)
      for (let leaf = 0; leaf < count; leaf++) {
        expect(storedInclusion(leaf, count).make(find)).toEqual(makeInclusionProof(first, leaf))
        expect(storedConsistency(leaf + 1, count).make(find)).toEqual(
          makeConsistencyProof(first, leaf + 1),
        )
      }
    }
  })

  it('needs few hashes, however many leaves there are', () => {
    const many = 2 ** 40 - 1
    for (const proof of [storedInclusion(many - 1, many), storedInclusion(0, many)]) {
      expect(proof.needs.length).toBeLessThan(40 * 41)
    }
    expect(storedRoot(many).needs).toHaveLength(40)
    expect(stored.size).toBeLessThan(2 * size)
  })

  it('stores each complete subtree once, under its place', () => {
    expect(completeSubtrees(11)).toEqual([
      { level: 3, place: 0 },
      { level: 1, place: 4 },
      { level: 0, place: 10 },
    ])
    expect(completeSubtrees(0)).toEqual([])
  })

  it('rejects missing members', () => {
    expect(() => storedInclusion(5, 5)).toThrow(RangeError)
    expect(() => storedConsistency(0, 5)).toThrow(RangeError)
    expect(() => storedConsistency(6, 5)).toThrow(RangeError)
    expect(() => growTree(3, [sha256('one')], [])).toThrow(RangeError)
  })
})
