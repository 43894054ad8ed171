import { type Hash, isHash, sha256 } from './hash.ts'
import { bytesToHex, hexToBytes } from './hex.ts'

/**
 * The Merkle tree of RFC 6962 over a list of byte strings.
 *
 * Leaves and nodes have different hash prefixes, so a node can never pass as a leaf. The tree of
 * every length is defined without padding.
 *
 *     MTH({})   = SHA-256()
 *     MTH({d})  = SHA-256(0x00 ‖ d)
 *     MTH(D[n]) = SHA-256(0x01 ‖ MTH(D[0:k]) ‖ MTH(D[k:n])), k the largest power of two below n
 */

/** Proof that a tree has one leaf at one index. */
export interface InclusionProof {
  /** From 0. */
  readonly leafIndex: number
  readonly treeSize: number
  /** Sibling hashes from the leaf to the root. */
  readonly path: readonly Hash[]
}

/** Proof that a tree begins with all leaves of an earlier one. */
export interface ConsistencyProof {
  readonly fromSize: number
  readonly treeSize: number
  readonly path: readonly Hash[]
}

/**
 * Root of the tree over the leaves; SHA-256 of the empty string without leaves.
 *
 * @see RFC 6962, §2.1
 */
export function merkleRoot(leaves: readonly Uint8Array[]): Hash {
  return toHash(rootOf(leaves.map(leafHash)))
}

/** Hash of one leaf: SHA-256(0x00 ‖ leaf). */
export function merkleLeafHash(leaf: Uint8Array): Hash {
  return toHash(leafHash(leaf))
}

/**
 * The path from one leaf to the root.
 *
 * @param leafIndex from 0, below the number of leaves
 * @throws RangeError if the leaf does not exist
 * @see RFC 6962, §2.1.1
 */
export function makeInclusionProof(
  leaves: readonly Uint8Array[],
  leafIndex: number,
): InclusionProof {
  if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= leaves.length) {
    throw new RangeError(`No leaf ${leafIndex} in a tree of ${leaves.length}.`)
  }
  const path = inclusionPath(leaves.map(leafHash), leafIndex)
  return { leafIndex, treeSize: leaves.length, path: path.map(toHash) }
}

/**
 * Whether the tree with this root has the leaf at the proof's index.
 *
 * Also returns false for a malformed proof; hostile input never throws.
 *
 * @see RFC 9162, §2.1.3.2
 */
export function verifyInclusion(leaf: Uint8Array, proof: InclusionProof, root: Hash): boolean {
  const { leafIndex, treeSize, path } = proof
  if (!isPlace(leafIndex, treeSize) || leafIndex >= treeSize || !path.every(isHash)) return false
  let node = leafHash(leaf)
  let index = leafIndex
  let last = treeSize - 1
  for (const sibling of path) {
    if (last === 0) return false
    if (index % 2 === 1 || index === last) {
      node = nodeHash(toBytes(sibling), node)
      while (index % 2 === 0 && index !== 0) {
        index /= 2
        last = Math.floor(last / 2)
      }
    } else {
      node = nodeHash(node, toBytes(sibling))
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && toHash(node) === root
}

/**
 * Proof that the first `fromSize` leaves are the whole of an earlier tree.
 *
 * @param fromSize from 1 to the number of leaves; the path is empty if both are equal
 * @throws RangeError for another size
 * @see RFC 6962, §2.1.2
 */
export function makeConsistencyProof(
  leaves: readonly Uint8Array[],
  fromSize: number,
): ConsistencyProof {
  if (!Number.isInteger(fromSize) || fromSize < 1 || fromSize > leaves.length) {
    throw new RangeError(`No tree of size ${fromSize} in a tree of size ${leaves.length}.`)
  }
  const path = consistencyPath(leaves.map(leafHash), fromSize, 'EARLIER_ROOT_KNOWN')
  return { fromSize, treeSize: leaves.length, path: path.map(toHash) }
}

/**
 * Whether the tree with root `root` begins with all leaves of the tree with root `fromRoot`.
 *
 * @see RFC 9162, §2.1.4.2
 */
export function verifyConsistency(proof: ConsistencyProof, fromRoot: Hash, root: Hash): boolean {
  const { fromSize, treeSize, path } = proof
  if (!isPlace(fromSize, treeSize) || fromSize < 1 || !path.every(isHash)) return false
  if (fromSize === treeSize) return path.length === 0 && fromRoot === root
  const siblings = isPowerOfTwo(fromSize) ? [fromRoot, ...path] : [...path]
  const [first, ...rest] = siblings
  if (first === undefined || !isHash(fromRoot)) return false
  let index = fromSize - 1
  let last = treeSize - 1
  while (index % 2 === 1) {
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  let earlier = toBytes(first)
  let later = earlier
  for (const sibling of rest) {
    if (last === 0) return false
    if (index % 2 === 1 || index === last) {
      earlier = nodeHash(toBytes(sibling), earlier)
      later = nodeHash(toBytes(sibling), later)
      while (index % 2 === 0 && index !== 0) {
        index /= 2
        last = Math.floor(last / 2)
      }
    } else {
      later = nodeHash(later, toBytes(sibling))
    }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && toHash(earlier) === fromRoot && toHash(later) === root
}

function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [first] = hashes
  if (first === undefined) return sha256(new Uint8Array())
  if (hashes.length === 1) return first
  const split = largestPowerOfTwoBelow(hashes.length)
  return nodeHash(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

function inclusionPath(hashes: readonly Uint8Array[], index: number): Uint8Array[] {
  if (hashes.length <= 1) return []
  const split = largestPowerOfTwoBelow(hashes.length)
  const left = hashes.slice(0, split)
  const right = hashes.slice(split)
  return index < split
    ? [...inclusionPath(left, index), rootOf(right)]
    : [...inclusionPath(right, index - split), rootOf(left)]
}

/** The verifier holds the earlier root; a subtree that is exactly that need not be repeated. */
function consistencyPath(
  hashes: readonly Uint8Array[],
  fromSize: number,
  subtree: 'EARLIER_ROOT_KNOWN' | 'INNER',
): Uint8Array[] {
  if (fromSize === hashes.length) return subtree === 'INNER' ? [rootOf(hashes)] : []
  const split = largestPowerOfTwoBelow(hashes.length)
  const left = hashes.slice(0, split)
  const right = hashes.slice(split)
  return fromSize <= split
    ? [...consistencyPath(left, fromSize, subtree), rootOf(right)]
    : [...consistencyPath(right, fromSize - split, 'INNER'), rootOf(left)]
}

/** The place where RFC 6962 splits a tree of more than one leaf. */
export function largestPowerOfTwoBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

function isPowerOfTwo(size: number): boolean {
  return size === 1 || largestPowerOfTwoBelow(size) * 2 === size
}

function isPlace(index: number, size: number): boolean {
  return Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index <= size
}

const LEAF_PREFIX = 0x00
const NODE_PREFIX = 0x01

function leafHash(leaf: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + leaf.length)
  bytes[0] = LEAF_PREFIX
  bytes.set(leaf, 1)
  return sha256(bytes)
}

/** Hash of an inner node: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + left.length + right.length)
  bytes[0] = NODE_PREFIX
  bytes.set(left, 1)
  bytes.set(right, 1 + left.length)
  return sha256(bytes)
}

function toHash(bytes: Uint8Array): Hash {
  return `0x${bytesToHex(bytes)}`
}

function toBytes(hash: Hash): Uint8Array {
  return hexToBytes(hash.slice(2))
}
