import type { contract } from '@liquidity-os/contract'
import { H, type Hash, makeInclusionProof, merkleRoot } from '@liquidity-os/evidence'

type Item = contract.CapturedItem

/** An item without its id, which derives from its content. */
type Named = Omit<Item, 'evidenceId'>

/** Derives the id of an item from its content, so that equal captures have equal ids. */
export function evidenceIdOf({ source, mediaType, contentHash, observedAt }: Named): string {
  const hash = H('capture-item/v1', { source, mediaType, contentHash, observedAt })
  return `evidence_${hash.slice(2, 34)}`
}

/** The 32-byte Merkle leaf of an item. */
const leafOf = ({ evidenceId, source, mediaType, contentHash, observedAt }: Item): Buffer => {
  const stated = { evidenceId, source, mediaType, contentHash, observedAt }
  return Buffer.from(H('capture-item/v1', stated).slice(2), 'hex')
}

/** Root of the tree (RFC 6962) over the items in the order of their names. */
export const captureRoot = (items: readonly Item[]): Hash => merkleRoot(items.map(leafOf))

/** Items in sealing order: sorted by id, without duplicates. */
export function inOrder(items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.evidenceId, item]))
  return [...byId.values()].sort((a, b) => (a.evidenceId < b.evidenceId ? -1 : 1))
}

/** An item with its path to the root. */
export function inclusionOf(items: readonly Item[], index: number) {
  const { leafIndex, treeSize, path } = makeInclusionProof(items.map(leafOf), index)
  return { leafIndex, treeSize, path: [...path] }
}
