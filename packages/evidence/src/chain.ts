import { openEvent } from './event.ts'
import { EvidenceError, type EvidenceFaultFacts } from './evidence-error.ts'
import type { Hash } from './hash.ts'
import { openRecord } from './record.ts'

/**
 * The last entry of a chain. Only a comparison with an independently stored head detects a
 * truncated end.
 */
export interface ChainHead {
  /** Record id; for events, the id of the subject. */
  readonly chainId: string
  readonly resourceType: string
  readonly organizationId: string
  /** Id of the last record or event. */
  readonly id: string
  readonly sequence: number
  readonly hash: Hash
}

export type ChainVerdict =
  | { readonly isIntact: true; readonly chains: number; readonly entries: number }
  | {
      readonly isIntact: false
      /** Entries that verified before the break. */
      readonly entries: number
      readonly break: EvidenceFaultFacts
    }

/** An entry as the walk sees it, whether record or event. */
interface Link extends ChainHead {
  readonly previousHash: Hash | null
  readonly previousMember: string
}

/**
 * Verifies chains of record versions and reports the first broken link.
 *
 * Any number of records can follow each other, each with all its versions in order; another id
 * begins another chain, at sequence 1. Memory use is constant.
 *
 * @param texts stored texts, ordered by id and then by sequence
 * @param onHead called with the last version of every intact chain
 */
export function verifyRecordChain(
  texts: Iterable<string>,
  onHead: (head: ChainHead) => void = ignore,
): ChainVerdict {
  return walk(texts, readRecordLink, onHead)
}

/**
 * Verifies chains of events and reports the first broken link. Chains are per subject: another
 * subject id begins another chain, at sequence 1.
 *
 * @param texts stored texts, ordered by subject and then by sequence
 * @param onHead called with the last event of every intact chain
 */
export function verifyEventChain(
  texts: Iterable<string>,
  onHead: (head: ChainHead) => void = ignore,
): ChainVerdict {
  return walk(texts, readEventLink, onHead)
}

function readRecordLink(text: string): Link {
  const record = openRecord(text)
  return {
    chainId: record.id,
    resourceType: record.resourceType,
    organizationId: record.organizationId,
    id: record.id,
    sequence: record.sequence,
    hash: record.resourceVersion,
    previousHash: record.previousResourceVersion,
    previousMember: 'previousResourceVersion',
  }
}

function readEventLink(text: string): Link {
  const event = openEvent(text)
  return {
    chainId: event.subject.id,
    resourceType: event.subject.resourceType,
    organizationId: event.organizationId,
    id: event.id,
    sequence: event.sequence,
    hash: event.evidenceHash,
    previousHash: event.previousEventHash,
    previousMember: 'previousEventHash',
  }
}

function walk(
  texts: Iterable<string>,
  read: (text: string) => Link,
  onHead: (head: ChainHead) => void,
): ChainVerdict {
  let previous: Link | null = null
  let entries = 0
  let chains = 0
  for (const text of texts) {
    let link: Link
    try {
      link = read(text)
    } catch (error) {
      if (!(error instanceof EvidenceError)) throw error
      return { isIntact: false, entries, break: error.facts }
    }
    const before: Link | null = previous?.chainId === link.chainId ? previous : null
    const fault = linkFault(before, link)
    if (fault !== null) return { isIntact: false, entries, break: fault }
    if (before === null) {
      if (previous !== null) onHead(headOf(previous))
      chains++
    }
    previous = link
    entries++
  }
  if (previous !== null) onHead(headOf(previous))
  return { isIntact: true, chains, entries }
}

/** The fault between two consecutive entries; `before` is null at the start of a chain. */
function linkFault(before: Link | null, link: Link): EvidenceFaultFacts | null {
  const { id, sequence } = link
  for (const member of ['organizationId', 'resourceType'] as const) {
    if (before === null || before[member] === link[member]) continue
    const fault = 'IDENTITY_CHANGED' as const
    return { fault, member, id, sequence, expected: before[member], found: link[member] }
  }
  const expectedSequence = before === null ? 1 : before.sequence + 1
  if (sequence !== expectedSequence) {
    const expected = String(expectedSequence)
    const fault = 'SEQUENCE_GAP' as const
    return { fault, member: 'sequence', id, sequence, expected, found: String(sequence) }
  }
  const expectedHash = before === null ? null : before.hash
  if (link.previousHash === expectedHash) return null
  return {
    fault: 'LINK_BROKEN',
    member: link.previousMember,
    id,
    sequence,
    expected: String(expectedHash),
    found: String(link.previousHash),
  }
}

function headOf(link: Link): ChainHead {
  const { chainId, resourceType, organizationId, id, sequence, hash } = link
  return { chainId, resourceType, organizationId, id, sequence, hash }
}

function ignore(): void {}
