/**
 * Fault of a stored record or event.
 *
 * - `MALFORMED`: not JSON, or a member is missing, unknown or not of its shape
 * - `NOT_CANONICAL`: the same content with other bytes
 * - `CONTENT_ALTERED`: a hash does not match the content it covers
 * - `IDENTITY_CHANGED`: an entry of a chain belongs to another organization or type
 * - `SEQUENCE_GAP`: an entry is missing, repeated or out of order
 * - `LINK_BROKEN`: an entry does not point to the one before it
 */
export type EvidenceFault =
  | 'MALFORMED'
  | 'NOT_CANONICAL'
  | 'CONTENT_ALTERED'
  | 'IDENTITY_CHANGED'
  | 'SEQUENCE_GAP'
  | 'LINK_BROKEN'

export interface EvidenceFaultFacts {
  readonly fault: EvidenceFault
  /** The member at fault, such as `artifactHash`; empty when it is the text as a whole. */
  readonly member: string
  /** Record or event id, as far as it could be read. */
  readonly id: string | null
  readonly sequence: number | null
  readonly expected: string
  readonly found: string
}

/** A stored record or event differs from its sealed state. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError'
  readonly facts: EvidenceFaultFacts
  constructor(facts: EvidenceFaultFacts) {
    const subject = facts.id === null ? 'An entry' : `${facts.id} at sequence ${facts.sequence}`
    const member = facts.member === '' ? '' : ` in ${facts.member}`
    super(`${subject}: ${facts.fault}${member}, expected ${facts.expected}, found ${facts.found}.`)
    this.facts = facts
  }
}
