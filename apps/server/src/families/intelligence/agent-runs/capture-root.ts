import type { contract } from '@liquidity-os/contract'
import { H, type Hash, makeInclusionProof, merkleRoot } from '@liquidity-os/evidence'

type Item = contract.CapturedItem

/** An item without the name that follows from what it says. */
type Named = Omit<Item, 'evidenceId'>

/** The name of an item is of what it says, so that the same capture has the same names. */
export function evidenceIdOf({ source, mediaType, contentHash, observedAt }: Named): string {
  const hash = H('capture-item/v1', { source, mediaType, contentHash, observedAt })
  return `evidence_${hash.slice(2, 34)}`
}

/** The 32 bytes that stand for an item in the tree. */
const leafOf = ({ evidenceId, source, mediaType, contentHash, observedAt }: Item): Buffer => {
  const said = { evidenceId, source, mediaType, contentHash, observedAt }
  return Buffer.from(H('capture-item/v1', said).slice(2), 'hex')
}

/** Root of the tree (RFC 6962) over the items in the order of their names. */
export const captureRoot = (items: readonly Item[]): Hash => merkleRoot(items.map(leafOf))

/** Items as they are sealed: each once, in the order of their names. */
export function inOrder(items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.evidenceId, item]))
  return [...byId.values()].sort((a, b) => (a.evidenceId < b.evidenceId ? -1 : 1))
}

/** An item with its path to the root. */
export function inclusionOf(items: readonly Item[], index: number) {
  const { leafIndex, treeSize, path } = makeInclusionProof(items.map(leafOf), index)
  return { leafIndex, treeSize, path: [...path] }
}
