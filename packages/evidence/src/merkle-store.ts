import type { Hash } from './hash.ts'
import { sha256 } from './hash.ts'
import { bytesToHex } from './hex.ts'
import {
  type ConsistencyProof,
  type InclusionProof,
  largestPowerOfTwoBelow,
  nodeHash,
} from './merkle.ts'

/**
 * The tree of RFC 6962 from stored hashes. A growing list of leaves is stored as the hashes of its
 * complete subtrees, which are written once and never change. A root, a path or a consistency proof
 * then needs at most O(log² n) hashes.
 */

/** A subtree of 2^level leaves; `place` is its index within the level. Level 0 is a leaf. */
export interface Subtree {
  readonly level: number
  readonly place: number
}

export interface StoredSubtree extends Subtree {
  readonly hash: Uint8Array
}

/** A computation from stored hashes: the required subtrees, and the function. */
export interface FromStored<T> {
  readonly needs: readonly Subtree[]
  /** @throws whatever `hashOf` throws for a hash that is not there */
  readonly make: (hashOf: (subtree: Subtree) => Uint8Array) => T
}

/**
 * The complete subtrees of a tree, from the left: one per binary digit of the size.
 *
 * @param size number of leaves of the tree or part
 * @param from first leaf of the part; a multiple of a power of two that is not below `size`
 */
export function completeSubtrees(size: number, from = 0): Subtree[] {
  const subtrees: Subtree[] = []
  let [begin, left] = [from, size]
  for (let level = Math.floor(Math.log2(Math.max(1, size))) + 1; level >= 0; level--) {
    const width = 2 ** level
    if (width > left) continue
    subtrees.push({ level, place: begin / width })
    begin += width
    left -= width
  }
  return subtrees
}

/** Root over the hashes of `completeSubtrees`; SHA-256 of the empty string for an empty tree. */
export function rootOfSubtrees(hashes: readonly Uint8Array[]): Uint8Array {
  const [last, ...others] = hashes.toReversed()
  if (last === undefined) return sha256(new Uint8Array())
  return others.reduce((root, left) => nodeHash(left, root), last)
}

/** The root of the tree of a size. */
export function storedRoot(size: number): FromStored<Hash> {
  const whole = range(0, size)
  return { needs: whole.needs, make: (hashOf) => toHash(whole.make(hashOf)) }
}

/**
 * The path from one leaf to the root of a tree of a given size.
 *
 * @throws RangeError if the leaf does not exist
 * @see RFC 6962, §2.1.1
 */
export function storedInclusion(leafIndex: number, treeSize: number): FromStored<InclusionProof> {
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize) {
    throw new RangeError(`No leaf ${leafIndex} in a tree of ${treeSize}.`)
  }
  const siblings = siblingsOfLeaf(leafIndex, 0, treeSize)
  return join(siblings, (path) => ({ leafIndex, treeSize, path }))
}

/**
 * Proof that a tree of a size begins with the whole of an earlier one.
 *
 * @param fromSize from 1 to `treeSize`
 * @throws RangeError for another size
 * @see RFC 6962, §2.1.2
 */
export function storedConsistency(
  fromSize: number,
  treeSize: number,
): FromStored<ConsistencyProof> {
  if (!Number.isSafeInteger(fromSize) || fromSize < 1 || fromSize > treeSize) {
    throw new RangeError(`No tree of size ${fromSize} in a tree of size ${treeSize}.`)
  }
  const parts = consistencyParts(fromSize, 0, treeSize, 'EARLIER_ROOT_KNOWN')
  return join(parts, (path) => ({ fromSize, treeSize, path }))
}

/**
 * Appends leaves to a tree.
 *
 * @param size number of leaves before
 * @param peaks hashes of its `completeSubtrees`
 * @param leafHashes hashes of the appended leaves
 * @returns every newly complete subtree, leaves included, and the peaks after
 */
export function growTree(
  size: number,
  peaks: readonly Uint8Array[],
  leafHashes: readonly Uint8Array[],
): { completed: StoredSubtree[]; peaks: Uint8Array[] } {
  const open = completeSubtrees(size).map(({ level }, index) => ({ level, hash: peaks[index] }))
  const edge: { level: number; hash: Uint8Array }[] = []
  for (const { level, hash } of open) {
    if (hash === undefined)
      throw new RangeError(`A tree of size ${size} has more peaks than given.`)
    edge.push({ level, hash })
  }
  const completed: StoredSubtree[] = []
  leafHashes.forEach((leaf, index) => {
    const count = size + index + 1
    let [level, hash] = [0, leaf]
    completed.push({ level, place: count - 1, hash })
    for (let left = edge.at(-1); left?.level === level; left = edge.at(-1)) {
      edge.pop()
      hash = nodeHash(left.hash, hash)
      level += 1
      completed.push({ level, place: count / 2 ** level - 1, hash })
    }
    edge.push({ level, hash })
  })
  return { completed, peaks: edge.map(({ hash }) => hash) }
}

/** The root over the leaves from one to before another. */
function range(from: number, to: number): FromStored<Uint8Array> {
  const needs = completeSubtrees(to - from, from)
  return { needs, make: (hashOf) => rootOfSubtrees(needs.map(hashOf)) }
}

function siblingsOfLeaf(leaf: number, from: number, to: number): FromStored<Uint8Array>[] {
  if (to - from <= 1) return []
  const split = from + largestPowerOfTwoBelow(to - from)
  return leaf < split
    ? [...siblingsOfLeaf(leaf, from, split), range(split, to)]
    : [...siblingsOfLeaf(leaf, split, to), range(from, split)]
}

/** The verifier holds the earlier root; a subtree that is exactly that need not be repeated. */
function consistencyParts(
  size: number,
  from: number,
  to: number,
  subtree: 'EARLIER_ROOT_KNOWN' | 'INNER',
): FromStored<Uint8Array>[] {
  if (size === to) return subtree === 'INNER' ? [range(from, to)] : []
  const split = from + largestPowerOfTwoBelow(to - from)
  return size <= split
    ? [...consistencyParts(size, from, split, subtree), range(split, to)]
    : [...consistencyParts(size, split, to, 'INNER'), range(from, split)]
}

function join<T>(
  parts: readonly FromStored<Uint8Array>[],
  finish: (path: Hash[]) => T,
): FromStored<T> {
  return {
    needs: parts.flatMap(({ needs }) => needs),
    make: (hashOf) => finish(parts.map(({ make }) => toHash(make(hashOf)))),
  }
}

const toHash = (bytes: Uint8Array): Hash => `0x${bytesToHex(bytes)}`
