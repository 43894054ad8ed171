import { contract } from '@liquidity-os/contract'
import { H, type Hash, makeInclusionProof, merkleRoot } from '@liquidity-os/evidence'
import type { Pack } from './pack-types.ts'

type Section = contract.DecisionSection
/** Sealed sections: everything except results of the decision. */
export type Sealed = Pick<Pack, Section>

/**
 * The hash of one section: H("decision-pack/v1", { section, value }). Its name is under the hash, so that no section can
 * pass for another.
 */
export function sectionHash(pack: Sealed, section: Section): Hash {
  return H('decision-pack/v1', { section, value: pack[section] })
}

const leavesOf = (pack: Sealed) =>
  contract.decisionSections.map((section) =>
    Buffer.from(sectionHash(pack, section).slice(2), 'hex'),
  )

/** Root of the tree (RFC 6962) whose leaves are the 32 bytes of the sections' hashes, in the order of their names. */
export function sealOf(pack: Sealed): Hash {
  return merkleRoot(leavesOf(pack))
}

export const sealed = <P extends Omit<Pack, 'sealHash'>>(pack: P): P & Pick<Pack, 'sealHash'> => ({
  ...pack,
  sealHash: sealOf(pack),
})

export function provenSection(pack: Pack, section: Section) {
  const { leafIndex, treeSize, path } = makeInclusionProof(
    leavesOf(pack),
    contract.decisionSections.indexOf(section),
  )
  return {
    section,
    value: pack[section],
    sectionHash: sectionHash(pack, section),
    proof: { leafIndex, treeSize, path: [...path] },
    sealHash: pack.sealHash,
  }
}
