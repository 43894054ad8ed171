import Type, { type Static, type TSchema } from 'typebox'
import {
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  openObject,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from './scalars.ts'

export const recordStatuses = [
  'DRAFT',
  'VALIDATED',
  'ACTIVE',
  'PAUSED',
  'REVOKED',
  'COMPLETED',
  'PARTIAL',
  'ABSTAINED',
  'EXPIRED',
  'RETIRED',
  'FAILED',
] as const
export type RecordStatus = (typeof recordStatuses)[number]
export const RecordStatus = named(
  'RecordStatus',
  oneOf(recordStatuses, 'Record state. Each family uses a subset and names its transitions.'),
)

export const actorKinds = ['SESSION', 'API_KEY', 'OAUTH_CLIENT', 'SYSTEM'] as const
export const Actor = named(
  'Actor',
  closed({
    kind: oneOf(actorKinds, 'Authentication method of the actor; SYSTEM is the service.'),
    id: Type.String({
      maxLength: 160,
      description: 'User id, credential id, or the name of the part of the service that acted.',
    }),
  }),
)
export type Actor = Static<typeof Actor>

/** The envelope of a versioned record around a payload. */
export function versioned<const P extends TSchema>(name: string, payload: P) {
  return named(
    `${name}Record`,
    closed({
      id: RecordId,
      resourceType: Type.String({ description: 'Kind of the record.' }),
      organizationId: Type.String({ maxLength: 160 }),
      sequence: Type.Integer({ minimum: 1, description: 'Version number, from 1.' }),
      resourceVersion: Hash,
      previousResourceVersion: orNull(Hash),
      status: RecordStatus,
      payload,
      artifactHash: Hash,
      evidenceHashes: EvidenceHashes,
      reason: Type.String(),
      createdAt: Timestamp,
      createdBy: Actor,
    }),
  )
}

/** A payload whose schema is published together with its family. */
export const UnpublishedPayload = openObject('Family payload; its family publishes the schema.')

/** The common mutation body of versioned resources. */
export function mutation<const P extends TSchema>(payload: P) {
  return closed({ payload, evidenceHashes: Type.Optional(EvidenceHashes), reason: Reason })
}

/** An exact version of a record, never "latest". */
export const Ref = named('Ref', closed({ id: RecordId, resourceVersion: Hash }))
export type Ref = Static<typeof Ref>

/** An exact version of a record, named by its reader. */
export const SourceRef = named(
  'SourceRef',
  closed({
    resourceType: Type.String({
      pattern: '^[A-Z][A-Za-z0-9]{1,59}$',
      description: 'Record kind, equal to `resourceType`.',
      examples: ['TreasuryBucket'],
    }),
    id: RecordId,
    resourceVersion: Hash,
  }),
)
export type SourceRef = Static<typeof SourceRef>

/** A finalized block. */
export const Block = named(
  'Block',
  closed({
    chainId: Type.Integer({ minimum: 1 }),
    number: Type.Integer({ minimum: 0 }),
    hash: Hash,
    timestamp: Timestamp,
  }),
)
export type Block = Static<typeof Block>

export const Gap = named(
  'Gap',
  closed({
    code: Type.String({ maxLength: 80 }),
    detail: Type.String({ maxLength: 500 }),
    venueId: Type.Optional(RecordId),
    fromBlock: Type.Optional(Type.Integer({ minimum: 0 })),
    toBlock: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
)
export type Gap = Static<typeof Gap>

/** Mark of a record with evidence from a local or test chain. */
export const SimulatedMarket = named(
  'SimulatedMarket',
  closed({
    mark: Type.Literal('SIMULATED'),
    words: Type.String({
      maxLength: 2000,
      description: 'Human-readable location of the evidence.',
      examples: ['Local test chain: simulated market'],
    }),
  }),
)

/** Inputs of a computed result; equal evidence gives equal bytes. */
export const Evidence = named(
  'Evidence',
  closed({
    engineVersion: Type.String(),
    engineBuildHash: Hash,
    specHash: Hash,
    inputs: list(closed({ name: Type.String(), hash: Hash }), 256),
    blocks: list(Block, 256),
    seed: orNull(Hash),
    assumptions: list(
      closed({
        code: Type.String(),
        value: Type.String(),
        source: oneOf(['DECLARED', 'CALIBRATED', 'DEFAULT'], 'Source of the value.'),
      }),
      256,
    ),
    gaps: list(Gap, 256),
  }),
)
export type Evidence = Static<typeof Evidence>

export const EventSubject = closed({
  resourceType: Type.String(),
  id: Type.String(),
  resourceVersion: Hash,
})

export const OperatingSystemEvent = named(
  'OperatingSystemEvent',
  closed({
    id: RecordId,
    organizationId: Type.String({ maxLength: 160 }),
    sequence: Type.Integer({ minimum: 1, description: 'Number of the event of its subject.' }),
    kind: Type.String({ pattern: '^[a-z_]+(\\.[a-z_]+)+$', examples: ['venue.created'] }),
    subject: EventSubject,
    payload: openObject('Event data; the kind determines its fields.'),
    evidenceHash: Hash,
    previousEventHash: orNull(Hash),
    occurredAt: Timestamp,
    actor: Actor,
  }),
)
export type OperatingSystemEvent = Static<typeof OperatingSystemEvent>

export const jobStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
export type JobStatus = (typeof jobStatuses)[number]

export const ChainErrorDetails = named(
  'ChainErrorDetails',
  closed({
    providerId: orNull(Type.String({ maxLength: 63, description: 'Provider of the failed call.' })),
    host: orNull(
      Type.String({ maxLength: 253, description: 'Host of the provider; null without `operate`.' }),
    ),
    reason: Type.String({ description: 'Cause of the failure.', examples: ['RANGE_REFUSED'] }),
    method: orNull(Type.String({ examples: ['eth_getLogs'], description: 'JSON-RPC method.' })),
    rpcCode: orNull(Type.Integer({ description: 'JSON-RPC error code.' })),
    httpStatus: orNull(
      Type.Integer({ description: 'HTTP status; null after a successful HTTP request.' }),
    ),
    fromBlock: Type.Optional(Type.Integer({ minimum: 0, description: 'First block of the call.' })),
    toBlock: Type.Optional(Type.Integer({ minimum: 0, description: 'Last block of the call.' })),
    attempts: Type.Integer({ minimum: 0, description: 'Number of times that the call was sent.' }),
    retryAt: orNull(
      Type.String({
        format: 'date-time',
        description: 'Time when the provider accepts calls again, if known.',
      }),
    ),
    providerText: orNull(
      Type.String({
        maxLength: 200,
        description:
          'Error text of the provider without keys and URLs; null without `operate` or without a text.',
      }),
    ),
  }),
)
export type ChainErrorDetails = Static<typeof ChainErrorDetails>

export const OperatingSystemJob = named(
  'OperatingSystemJob',
  closed({
    id: RecordId,
    kind: Type.String({ examples: ['VENUE_INDEX'] }),
    status: oneOf(jobStatuses, 'Job state. COMPLETED, FAILED and CANCELLED are final.'),
    subject: EventSubject,
    progressPips: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    attempts: Type.Integer({ minimum: 0 }),
    waiting: Type.Optional(
      closed({
        reason: Type.String({
          description: 'RATE_LIMITED or QUOTA_EXHAUSTED.',
          examples: ['RATE_LIMITED'],
        }),
        until: Timestamp,
        providerId: orNull(Type.String({ maxLength: 63 })),
      }),
    ),
    preliminary: Type.Optional(
      openObject(
        'Interim findings of a running job; for STUDY_RUN, its StudyEstimates. Never part of a result.',
      ),
    ),
    result: Type.Optional(openObject('Output of the job.')),
    error: Type.Optional(
      closed({
        code: Type.String(),
        message: Type.String(),
        retryable: Type.Boolean(),
        details: Type.Optional(ChainErrorDetails),
      }),
    ),
    createdAt: Timestamp,
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
  }),
)
export type OperatingSystemJob = Static<typeof OperatingSystemJob>

export const PageMeta = named(
  'PageMeta',
  closed({
    count: Type.Integer({ minimum: 0, description: 'Number of records in this page.' }),
    hasMore: Type.Boolean(),
    nextCursor: Type.Optional(Type.String({ description: 'Opaque; send it as `cursor`.' })),
  }),
)

/** Common members of every preparation: no execution occurred and no authority was granted. */
export const noAuthority = {
  executionPerformed: Type.Literal(false),
  executionAuthorityGranted: Type.Literal(false),
} as const
