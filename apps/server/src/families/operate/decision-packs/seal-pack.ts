import { contract } from '@liquidity-os/contract'
import { H, type Hash, makeInclusionProof, merkleRoot } from '@liquidity-os/evidence'
import type { Pack } from './pack-types.ts'

type Section = contract.DecisionSection
/** Sealed sections: everything except results of the decision. */
export type Sealed = Pick<Pack, Section>

/**
 * The hash of one section: H("decision-pack/v1", { section, value }). The hash includes the name,
 * so no section can replace another.
 */
export function sectionHash(pack: Sealed, section: Section): Hash {
  return H('decision-pack/v1', { section, value: pack[section] })
}

const leavesOf = (pack: Sealed) =>
  contract.decisionSections.map((section) =>
    Buffer.from(sectionHash(pack, section).slice(2), 'hex'),
  )

/**
 * Root of the RFC 6962 tree over the section hashes (32 bytes), in the order of the section names.
 */
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
