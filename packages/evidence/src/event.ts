import { canonicalize, canonicalString } from './canonical-json.ts'
import {
  canonicalPayload,
  type EnvelopeParts,
  type EnvelopeShape,
  expectCanonical,
  expectHash,
  hashedText,
  parseEnvelope,
  shapeFault,
  wholeText,
} from './envelope.ts'
import { EvidenceError } from './evidence-error.ts'
import { type Hash, hashCanonical } from './hash.ts'
import {
  type Actor,
  actorRule,
  hashOrNullRule,
  hashRule,
  presentRule,
  sequenceRule,
  subjectRule,
  textRule,
  timeRule,
} from './member-rules.ts'

/** Hash domain of an event. */
export const EVENT_TAG = 'event/v1'

/** The exact version of a record that an event is about. */
export interface EventSubject {
  readonly resourceType: string
  readonly id: string
  readonly resourceVersion: Hash
}

/** Something that happened to a record. Appended, never changed; chained per subject. */
export interface OperatingSystemEvent<Payload = unknown> {
  readonly id: string
  /** 1 for the first event of the subject, then one more each time. */
  readonly sequence: number
  /** Dotted lower case, such as `study.finished`. */
  readonly kind: string
  readonly organizationId: string
  readonly subject: EventSubject
  readonly payload: Payload
  /** H('event/v1', every other member). */
  readonly evidenceHash: Hash
  /** `evidenceHash` of the subject's event before; null exactly at sequence 1. */
  readonly previousEventHash: Hash | null
  /** UTC, `2026-01-31T12:00:00.000Z`. */
  readonly occurredAt: string
  readonly actor: Actor
}

/** Event data before sealing. */
export type EventDraft<Payload = unknown> = Omit<OperatingSystemEvent<Payload>, 'evidenceHash'>

export interface SealedEvent<Payload = unknown> {
  readonly event: OperatingSystemEvent<Payload>
  /** Canonical JSON of `event`: the stored, sent and verified text. */
  readonly text: string
  readonly evidenceHash: Hash
}

const SHAPE: EnvelopeShape = {
  previousMember: 'previousEventHash',
  rules: [
    actorRule('actor'),
    hashRule('evidenceHash'),
    textRule('id'),
    textRule('kind'),
    timeRule('occurredAt'),
    textRule('organizationId'),
    presentRule('payload'),
    hashOrNullRule('previousEventHash'),
    sequenceRule('sequence'),
    subjectRule('subject'),
  ],
}

/**
 * Computes the hash of a new event and its canonical text.
 *
 * @param serializePayload a compiled canonical serializer; byte-equal to `canonicalize`
 * @throws CanonicalJsonError if the payload has no canonical form
 * @throws EvidenceError if a member violates its shape: a bug of the caller
 */
export function sealEvent<Payload>(
  draft: EventDraft<Payload>,
  serializePayload: (payload: Payload) => string = canonicalize,
): SealedEvent<Payload> {
  const unsealed = {
    actor: draft.actor,
    evidenceHash: UNSEALED,
    id: draft.id,
    kind: draft.kind,
    occurredAt: draft.occurredAt,
    organizationId: draft.organizationId,
    payload: draft.payload,
    previousEventHash: draft.previousEventHash,
    sequence: draft.sequence,
    subject: draft.subject,
  }
  const fault = shapeFault(unsealed, SHAPE)
  if (fault !== null) throw new EvidenceError(fault)
  const parts = writeParts(unsealed, serializePayload(draft.payload))
  const evidenceHash = hashCanonical(EVENT_TAG, hashedText(parts))
  return {
    event: { ...unsealed, evidenceHash },
    text: wholeText(parts, evidenceHash),
    evidenceHash,
  }
}

/**
 * Reads a stored event and verifies that it equals the sealed one.
 *
 * @throws EvidenceError with the differing member, its expected and its actual value
 */
export function openEvent(text: string): OperatingSystemEvent {
  const members = parseEnvelope(text, SHAPE)
  const event = members as unknown as OperatingSystemEvent // by the rules of SHAPE
  const parts = writeParts(event, canonicalPayload(members))
  expectCanonical(members, wholeText(parts, event.evidenceHash), text)
  expectHash(members, 'evidenceHash', hashCanonical(EVENT_TAG, hashedText(parts)))
  return event
}

/** Placeholder for the hash until it is computed. */
const UNSEALED: Hash = `0x${'0'.repeat(64)}`

/** Members in the order of RFC 8785; a test holds this to `canonicalize`. */
function writeParts(
  event: Omit<OperatingSystemEvent, 'evidenceHash'>,
  payload: string,
): EnvelopeParts {
  const { actor, subject, previousEventHash: previous } = event
  return {
    before: `{"actor":{"id":${canonicalString(actor.id)},"kind":"${actor.kind}"},`,
    hashMember: '"evidenceHash":',
    after:
      `"id":${canonicalString(event.id)},"kind":${canonicalString(event.kind)},` +
      `"occurredAt":"${event.occurredAt}",` +
      `"organizationId":${canonicalString(event.organizationId)},"payload":${payload},` +
      `"previousEventHash":${previous === null ? 'null' : `"${previous}"`},` +
      `"sequence":${event.sequence},"subject":{"id":${canonicalString(subject.id)},` +
      `"resourceType":${canonicalString(subject.resourceType)},` +
      `"resourceVersion":"${subject.resourceVersion}"}}`,
  }
}
