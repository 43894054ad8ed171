import { fromRlp, type Hex, size } from 'viem'
import { keccak256 } from '../../keccak256.ts'

/** A node of a Merkle Patricia trie: 17 items of a branch, or a path and its target. */
type Node = readonly Item[]
type Item = Hex | readonly Item[]

/** A proof that fails: another root, a missing node, or another path. */
export class TrieProofError extends Error {
  constructor(reason: string) {
    super(`the proof is not valid: ${reason}`)
    this.name = 'TrieProofError'
  }
}

const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/**
 * Value under a key of a Merkle Patricia trie, from a proof.
 *
 * @param root hash of the trie's root node
 * @param key unhashed: 32 bytes of an address or storage slot
 * @param proof RLP of the nodes from the root on, as in `eth_getProof`
 * @returns RLP-decoded value; null if the proof shows absence
 * @throws TrieProofError if it shows neither
 * @see Ethereum Yellow Paper, appendix D; EIP-1186
 */
export function provenValue(root: Hex, key: Hex, proof: readonly Hex[]): Hex | null {
  if (proof.length === 0 && root === emptyRoot) return null
  let rest = nibblesOf(keccak256(key))
  let expected: Item = root
  let place = 0
  for (;;) {
    const node = nodeOf(expected, proof, place)
    // A node below 32 bytes is embedded in its parent.
    if (typeof expected === 'string') place += 1
    if (node.length === 17) {
      const [first] = rest
      if (first === undefined) return heldBy(node[16])
      rest = rest.slice(1)
      const next = node[first]
      if (next === undefined || next === '0x') return absent(place, proof)
      expected = next
      continue
    }
    if (node.length !== 2) throw new TrieProofError('a node is neither a branch nor a path')
    const [encoded, next] = node
    if (typeof encoded !== 'string' || next === undefined)
      throw new TrieProofError('a path is malformed')
    const { path, isLeaf } = pathOf(encoded)
    const isOnWay = path.every((nibble, index) => rest[index] === nibble)
    if (!isOnWay || (isLeaf && path.length !== rest.length)) return absent(place, proof)
    if (isLeaf) return heldBy(next)
    rest = rest.slice(path.length)
    expected = next
  }
}

function nodeOf(expected: Item, proof: readonly Hex[], index: number): Node {
  if (typeof expected !== 'string') return expected
  const encoded = proof[index]
  if (encoded === undefined) throw new TrieProofError('a node is missing')
  if (size(expected) !== 32 || keccak256(encoded) !== expected) {
    throw new TrieProofError(`node ${index} does not match its hash`)
  }
  const node = fromRlp(encoded, 'hex') as Item
  if (typeof node === 'string') throw new TrieProofError(`node ${index} is not a list`)
  return node
}

/** The path ends here, so the key is absent. Further proof nodes would belong to another path. */
function absent(place: number, proof: readonly Hex[]): null {
  if (place !== proof.length) throw new TrieProofError('it has nodes after its end')
  return null
}

function heldBy(item: Item | undefined): Hex | null {
  if (item === undefined || item === '0x') return null
  if (typeof item !== 'string') throw new TrieProofError('a value is a list')
  return item
}

const nibblesOf = (hex: Hex): number[] =>
  [...hex.slice(2)].map((digit) => Number.parseInt(digit, 16))

/**
 * Hex-prefix encoding: the first nibble encodes whether the node is a leaf and whether the path
 * length is odd.
 */
function pathOf(encoded: Hex): { path: number[]; isLeaf: boolean } {
  const [flag = 0, second = 0, ...rest] = nibblesOf(encoded)
  const isOdd = flag % 2 === 1
  return { path: isOdd ? [second, ...rest] : rest, isLeaf: flag >= 2 }
}

/** An account in the state trie. */
export interface ProvenAccount {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  readonly storageHash: Hex
  readonly codeHash: Hex
}

const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/**
 * An account under a state root.
 *
 * @throws TrieProofError
 */
export function provenAccount(stateRoot: Hex, address: Hex, proof: readonly Hex[]): ProvenAccount {
  const value = provenValue(stateRoot, address, proof)
  if (value === null) {
    return { nonce: 0n, balance: 0n, storageHash: emptyRoot, codeHash: emptyCode }
  }
  const fields = fromRlp(value, 'hex') as readonly Hex[]
  const [nonce, balance, storageHash, codeHash] = fields
  if (fields.length !== 4 || !storageHash || !codeHash || !nonce || !balance) {
    throw new TrieProofError('the account has an unexpected form')
  }
  return { nonce: numberOf(nonce), balance: numberOf(balance), storageHash, codeHash }
}

/**
 * Value of a storage slot under the account's storage root; 0 if empty.
 *
 * @param slot 32 bytes
 * @throws TrieProofError
 */
export function provenSlot(storageHash: Hex, slot: Hex, proof: readonly Hex[]): bigint {
  const value = provenValue(storageHash, slot, proof)
  return value === null ? 0n : numberOf(fromRlp(value, 'hex') as Hex)
}

const numberOf = (hex: Hex) => (hex === '0x' ? 0n : BigInt(hex))
