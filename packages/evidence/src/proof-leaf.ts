import { D, type Hash } from './hash.ts'

/** Tag of what the proof log holds. */
export const proofLeafTag = 'proof-leaf/v1'

/**
 * The bytes of one leaf of the proof log: hashes and a time, so that everybody may see every leaf and learns nothing of
 * what others did.
 *
 * @param subjectHash the `evidenceHash` of the event
 * @param loggedAt seconds since 1970, when the log took it in
 */
export function proofLeaf(subjectHash: Hash, loggedAt: number): Uint8Array {
  return D(proofLeafTag, { kind: 'EVENT', loggedAt: printSeconds(loggedAt), subjectHash })
}

/** A time in whole seconds, as what others sign and hash has it: `2027-01-01T00:00:00Z`. */
export function printSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
