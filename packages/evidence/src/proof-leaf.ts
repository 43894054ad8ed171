import { D, type Hash } from './hash.ts'

export const proofLeafTag = 'proof-leaf/v1'

/**
 * The bytes of one leaf of the proof log: hashes and a time. All leaves can be public, because they
 * reveal no tenant data.
 *
 * @param subjectHash the `evidenceHash` of the event
 * @param loggedAt seconds since 1970, when the log accepted it
 */
export function proofLeaf(subjectHash: Hash, loggedAt: number): Uint8Array {
  return D(proofLeafTag, { kind: 'EVENT', loggedAt: printSeconds(loggedAt), subjectHash })
}

/** A time in whole seconds, as what others sign and hash has it: `2027-01-01T00:00:00Z`. */
export function printSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
