import { CanonicalJsonError, canonicalize } from './canonical-json.ts'
import { EvidenceError, type EvidenceFaultFacts } from './evidence-error.ts'
import type { Hash } from './hash.ts'
import type { MemberRule } from './member-rules.ts'

/** How an envelope links to the one before it: null exactly at sequence 1. */
export interface EnvelopeShape {
  /** One rule for each member; together they name all members there may be. */
  readonly rules: readonly MemberRule[]
  readonly previousMember: string
}

type Members = Readonly<Record<string, unknown>>

/**
 * The canonical text of an envelope around the member that hashes it, which is the only one its
 * own hash does not cover.
 */
export interface EnvelopeParts {
  readonly before: string
  /** `"member":`, as canonical order places it between the two other parts. */
  readonly hashMember: string
  readonly after: string
}

/** The canonical text that the envelope's hash covers. */
export function hashedText(parts: EnvelopeParts): string {
  return parts.before + parts.after
}

/** The canonical text of the whole envelope. */
export function wholeText(parts: EnvelopeParts, hash: Hash): string {
  return `${parts.before}${parts.hashMember}"${hash}",${parts.after}`
}

/** The first violation of the envelope shape by the members, or null. */
export function shapeFault(members: Members, shape: EnvelopeShape): EvidenceFaultFacts | null {
  const facts = nameOf(members)
  for (const { member, expected, holds } of shape.rules) {
    if (holds(members[member])) continue
    return { ...facts, fault: 'MALFORMED', member, expected, found: shown(members[member]) }
  }
  const names = Object.keys(members)
  if (names.length !== shape.rules.length) {
    const unknown = names.filter((name) => !shape.rules.some((rule) => rule.member === name))
    const [member = ''] = unknown
    return { ...facts, fault: 'MALFORMED', member, expected: 'no such field', found: 'it' }
  }
  const member = shape.previousMember
  const isFirst = members.sequence === 1
  if (isFirst === (members[member] === null)) return null
  const expected = isFirst ? 'null at sequence 1' : 'the hash of the previous entry'
  return { ...facts, fault: 'LINK_BROKEN', member, expected, found: shown(members[member]) }
}

/**
 * Parses a stored envelope and establishes its shape.
 *
 * @throws EvidenceError `MALFORMED` or `LINK_BROKEN`
 */
export function parseEnvelope(text: string, shape: EnvelopeShape): Members {
  const facts = { id: null, sequence: null, fault: 'MALFORMED', member: '' } as const
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new EvidenceError({ ...facts, expected: 'JSON', found: shown(text) })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EvidenceError({ ...facts, expected: 'an object', found: shown(value) })
  }
  const members = value as Members
  const fault = shapeFault(members, shape)
  if (fault !== null) throw new EvidenceError(fault)
  return members
}

/**
 * Canonical text of a parsed payload.
 *
 * @throws EvidenceError `NOT_CANONICAL` when it holds what canonical JSON refuses
 */
export function canonicalPayload(members: Members): string {
  try {
    return canonicalize(members.payload)
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error
    const member = ['payload', ...error.path].join('.')
    const facts = { ...nameOf(members), fault: 'NOT_CANONICAL', member } as const
    throw new EvidenceError({ ...facts, expected: 'canonical JSON', found: error.reason })
  }
}

/** @throws EvidenceError `NOT_CANONICAL` when the text is not the canonical one */
export function expectCanonical(members: Members, canonical: string, text: string): void {
  if (canonical === text) return
  let at = 0
  while (canonical[at] === text[at]) at++
  const facts = { ...nameOf(members), fault: 'NOT_CANONICAL', member: '' } as const
  const expected = `${shown(canonical.slice(at, at + 24))} at position ${at}`
  throw new EvidenceError({ ...facts, expected, found: shown(text.slice(at, at + 24)) })
}

/** @throws EvidenceError `CONTENT_ALTERED` when the hash found is not the one computed */
export function expectHash(members: Members, member: string, computed: Hash): void {
  const found = members[member]
  if (found === computed) return
  const facts = { ...nameOf(members), fault: 'CONTENT_ALTERED', member } as const
  throw new EvidenceError({ ...facts, expected: computed, found: shown(found) })
}

function nameOf(members: Members): { id: string | null; sequence: number | null } {
  const { id, sequence } = members
  return {
    id: typeof id === 'string' ? id : null,
    sequence: typeof sequence === 'number' ? sequence : null,
  }
}

/** Formats any value for a message, truncated. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
