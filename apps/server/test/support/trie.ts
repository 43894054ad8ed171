import { concatHex, type Hex, keccak256, numberToHex, pad, size, toRlp } from 'viem'

type Item = Hex | Item[]
type Entry = readonly [path: readonly number[], value: Hex]
interface Node {
  readonly item: Item[]
  /** Nodes below this one, by the nibble or the path that leads to them. */
  readonly below: ReadonlyMap<number, Node>
  readonly prefix: readonly number[]
}

const nibblesOf = (hex: Hex) => [...hex.slice(2)].map((digit) => Number.parseInt(digit, 16))

function hexPrefix(path: readonly number[], isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2)
  const nibbles = path.length % 2 === 1 ? [flag, ...path] : [flag, 0, ...path]
  return `0x${nibbles.map((one) => one.toString(16)).join('')}`
}

function buildNode(entries: readonly Entry[]): Node {
  const [[first, value]] = entries as [Entry]
  if (entries.length === 1)
    return { item: [hexPrefix(first, true), value], below: new Map(), prefix: first }
  let shared = 0
  while (entries.every(([path]) => path[shared] === first[shared])) shared += 1
  if (shared > 0) {
    const child = buildNode(entries.map(([path, held]) => [path.slice(shared), held]))
    const prefix = first.slice(0, shared)
    return {
      item: [hexPrefix(prefix, false), referenceTo(child)],
      below: new Map([[-1, child]]),
      prefix,
    }
  }
  const below = new Map<number, Node>()
  for (let nibble = 0; nibble < 16; nibble += 1) {
    const own = entries.filter(([path]) => path[0] === nibble)
    if (own.length > 0)
      below.set(nibble, buildNode(own.map(([path, held]) => [path.slice(1), held])))
  }
  const branch = Array.from({ length: 16 }, (_, nibble): Item => {
    const child = below.get(nibble)
    return child ? referenceTo(child) : '0x'
  })
  return { item: [...branch, '0x'], below, prefix: [] }
}

/** A node of less than 32 bytes is stored in its parent. */
function referenceTo({ item }: Node): Item {
  const encoded = toRlp(item)
  return size(encoded) < 32 ? item : keccak256(encoded)
}

/** The nodes on the way to a key, as `eth_getProof` returns them. */
function proofOf(root: Node, key: Hex): Hex[] {
  const proof: Hex[] = []
  let rest = nibblesOf(keccak256(key))
  let node: Node | undefined = root
  while (node) {
    const encoded = toRlp(node.item)
    if (node === root || size(encoded) >= 32) proof.push(encoded)
    const { prefix, below }: Node = node
    if (prefix.some((one, index) => one !== rest[index])) break
    rest = rest.slice(prefix.length)
    if (below.has(-1)) node = below.get(-1)
    else {
      node = below.get(rest[0] ?? -2)
      rest = rest.slice(1)
    }
  }
  return proof
}

/** The Merkle Patricia trie of an account or a state: keys before hashing, values in RLP. */
export function trieOf(entries: readonly (readonly [key: Hex, value: Hex])[]) {
  if (entries.length === 0) return { root: keccak256('0x80'), proofOf: () => [] }
  const root = buildNode(entries.map(([key, value]) => [nibblesOf(keccak256(key)), value]))
  return { root: keccak256(toRlp(root.item)), proofOf: (key: Hex) => proofOf(root, key) }
}

const number = (value: bigint): Hex => (value === 0n ? '0x' : numberToHex(value))
export const word = (value: bigint): Hex => pad(numberToHex(value), { size: 32 })
export const mapped = (key: Hex, slot: bigint): Hex =>
  keccak256(concatHex([pad(key, { size: 32 }), word(slot)]))

interface AccountSlots {
  readonly address: Hex
  readonly slots: ReadonlyMap<Hex, bigint>
}

/** A block whose state holds these accounts, and the proof file of all their slots, zero ones included. */
export function provenBlock(
  { chainId, blockNumber, seconds }: { chainId: number; blockNumber: number; seconds: number },
  accounts: readonly AccountSlots[],
) {
  const codeHash = keccak256('0x60')
  const tries = accounts.map(({ address, slots }) => {
    const stored = [...slots].filter(([, value]) => value !== 0n)
    const storage = trieOf(stored.map(([key, value]) => [key, toRlp(number(value))]))
    const account = toRlp([number(1n), '0x', storage.root, codeHash])
    return { address, slots, storage, account }
  })
  // Other accounts give the proofs some depth.
  const others = Array.from({ length: 12 }, (_, index): readonly [Hex, Hex] => [
    pad(numberToHex(index + 1), { size: 20 }),
    toRlp([number(BigInt(index + 1)), '0x', keccak256('0x80'), keccak256('0x')]),
  ])
  const state = trieOf([
    ...others,
    ...tries.map(({ address, account }) => [address, account] as const),
  ])
  const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
  const header = toRlp([
    ...[zeros(32), zeros(32), zeros(20), state.root, zeros(32), zeros(32), zeros(256)],
    ...['0x', number(BigInt(blockNumber)), '0x', '0x', number(BigInt(seconds)), '0x'],
    ...[zeros(32), zeros(8)],
  ] as Hex[])
  return {
    chainId,
    number: blockNumber,
    hash: keccak256(header),
    header,
    timestamp: new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'),
    accounts: tries.map(({ address, slots, storage }) => ({
      address,
      codeHash,
      accountProof: state.proofOf(address),
      storage: [...slots].map(([key, value]) => ({
        key,
        value: word(value),
        proof: storage.proofOf(key),
      })),
    })),
  }
}
export type ProvenBlock = ReturnType<typeof provenBlock>
