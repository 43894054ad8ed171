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
  hashSetRule,
  presentRule,
  sequenceRule,
  textRule,
  timeRule,
} from './member-rules.ts'

/** Hash domain of a record's payload. */
export const RECORD_PAYLOAD_TAG = 'record-payload/v1'
/** Hash domain of a record's envelope. */
export const RECORD_TAG = 'record/v1'

/** One version of a record. Appended, never changed; each version covers the one before it. */
export interface VersionedRecord<Payload = unknown> {
  /** `<prefix>_<32 hex>`, the same in all versions of the record. */
  readonly id: string
  readonly resourceType: string
  readonly organizationId: string
  /** 1 for the first version, then one more each time. */
  readonly sequence: number
  /** H('record/v1', every other member). */
  readonly resourceVersion: Hash
  /** `resourceVersion` of the version before; null exactly at sequence 1. */
  readonly previousResourceVersion: Hash | null
  readonly status: string
  readonly payload: Payload
  /** H('record-payload/v1', payload). */
  readonly artifactHash: Hash
  /** A set: sorted by code unit, each once. */
  readonly evidenceHashes: readonly Hash[]
  readonly reason: string
  /** UTC, `2026-01-31T12:00:00.000Z`. */
  readonly createdAt: string
  readonly createdBy: Actor
}

/** Version data before sealing; evidence hashes in any order. */
export type RecordDraft<Payload = unknown> = Omit<
  VersionedRecord<Payload>,
  'resourceVersion' | 'artifactHash'
>

export interface SealedRecord<Payload = unknown> {
  readonly record: VersionedRecord<Payload>
  /** Canonical JSON of `record`: the stored, sent and verified text. */
  readonly text: string
  readonly resourceVersion: Hash
  readonly artifactHash: Hash
}

const SHAPE: EnvelopeShape = {
  previousMember: 'previousResourceVersion',
  rules: [
    hashRule('artifactHash'),
    timeRule('createdAt'),
    actorRule('createdBy'),
    hashSetRule('evidenceHashes'),
    textRule('id'),
    textRule('organizationId'),
    presentRule('payload'),
    hashOrNullRule('previousResourceVersion'),
    textRule('reason'),
    textRule('resourceType'),
    hashRule('resourceVersion'),
    sequenceRule('sequence'),
    textRule('status'),
  ],
}

/**
 * Computes both hashes of a new version and its canonical text.
 *
 * The payload is canonicalized once and spliced into the envelope, whose members are written in
 * canonical order by hand.
 *
 * @param serializePayload a compiled canonical serializer; byte-equal to `canonicalize`
 * @throws CanonicalJsonError if the payload has no canonical form
 * @throws EvidenceError if a member of the envelope violates its shape: a bug of the caller
 */
export function sealRecord<Payload>(
  draft: RecordDraft<Payload>,
  serializePayload: (payload: Payload) => string = canonicalize,
): SealedRecord<Payload> {
  const payloadText = serializePayload(draft.payload)
  const unsealed = {
    artifactHash: hashCanonical(RECORD_PAYLOAD_TAG, payloadText),
    createdAt: draft.createdAt,
    createdBy: draft.createdBy,
    evidenceHashes: [...new Set(draft.evidenceHashes)].sort(),
    id: draft.id,
    organizationId: draft.organizationId,
    payload: draft.payload,
    previousResourceVersion: draft.previousResourceVersion,
    reason: draft.reason,
    resourceType: draft.resourceType,
    resourceVersion: UNSEALED,
    sequence: draft.sequence,
    status: draft.status,
  }
  const fault = shapeFault(unsealed, SHAPE)
  if (fault !== null) throw new EvidenceError(fault)
  const parts = writeParts(unsealed, payloadText)
  const resourceVersion = hashCanonical(RECORD_TAG, hashedText(parts))
  const { artifactHash } = unsealed
  const record = { ...unsealed, resourceVersion }
  return { record, text: wholeText(parts, resourceVersion), resourceVersion, artifactHash }
}

/**
 * Reads a stored record and verifies that it equals the sealed one. Its bytes must be canonical,
 * its payload must match `artifactHash`, and the whole must match `resourceVersion`.
 *
 * @throws EvidenceError with the differing member, its expected and its actual value
 */
export function openRecord(text: string): VersionedRecord {
  const members = parseEnvelope(text, SHAPE)
  const record = members as unknown as VersionedRecord // by the rules of SHAPE
  const payloadText = canonicalPayload(members)
  const parts = writeParts(record, payloadText)
  expectCanonical(members, wholeText(parts, record.resourceVersion), text)
  expectHash(members, 'artifactHash', hashCanonical(RECORD_PAYLOAD_TAG, payloadText))
  expectHash(members, 'resourceVersion', hashCanonical(RECORD_TAG, hashedText(parts)))
  return record
}

/** Placeholder for the hash until it is computed. */
const UNSEALED: Hash = `0x${'0'.repeat(64)}`

/** Members in the order of RFC 8785; a test holds this to `canonicalize`. */
function writeParts(
  record: Omit<VersionedRecord, 'resourceVersion'>,
  payload: string,
): EnvelopeParts {
  const { createdBy, evidenceHashes, previousResourceVersion: previous } = record
  const hashes = evidenceHashes.length === 0 ? '' : `"${evidenceHashes.join('","')}"`
  return {
    before:
      `{"artifactHash":"${record.artifactHash}","createdAt":"${record.createdAt}",` +
      `"createdBy":{"id":${canonicalString(createdBy.id)},"kind":"${createdBy.kind}"},` +
      `"evidenceHashes":[${hashes}],"id":${canonicalString(record.id)},` +
      `"organizationId":${canonicalString(record.organizationId)},"payload":${payload},` +
      `"previousResourceVersion":${previous === null ? 'null' : `"${previous}"`},` +
      `"reason":${canonicalString(record.reason)},` +
      `"resourceType":${canonicalString(record.resourceType)},`,
    hashMember: '"resourceVersion":',
    after: `"sequence":${record.sequence},"status":${canonicalString(record.status)}}`,
  }
}
