import Type from 'typebox'
import { EventSubject } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { anyScope, bytes, collection, operation, paging, scoped } from '../operation.ts'
import { closed, Hash, named, Timestamp } from '../scalars.ts'

export const StoredArtifact = named(
  'StoredArtifact',
  closed({
    contentHash: Hash,
    mediaType: Type.String(),
    byteLength: Type.Integer({ minimum: 0 }),
    producer: EventSubject,
    registeredAt: Timestamp,
  }),
)

export const listOperatingSystemArtifacts = operation({
  id: 'listOperatingSystemArtifacts',
  method: 'GET',
  path: '/artifacts',
  tag: 'Prove',
  family: 'Platform, credentials and webhooks',
  summary: 'List stored artifacts',
  description: 'Lists the stored files of the organization with hash, size and media type.',
  auth: scoped('proof:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: collection(StoredArtifact),
})

export const downloadArtifact = operation({
  id: 'downloadArtifact',
  isExtension: true,
  method: 'GET',
  path: '/artifacts/{contentHash}',
  tag: 'Prove',
  family: 'Platform, credentials and webhooks',
  summary: 'Fetch the bytes of an artifact',
  description:
    'Artifact bytes with this SHA-256 hash, verified before sending. By session, or by a credential with the read scope of the source family; session-only families reject credentials. Review artifacts of a proposal require access to the review (403, 412). One range at a time; always a download.',
  auth: anyScope,
  permission: 'read',
  params: { contentHash: Hash },
  cacheControl: 'private, no-cache',
  success: [200],
  response: bytes('*/*'),
  errors: ['LIQUIDITY_PRECONDITION_FAILED'],
})

export const artifactFamily = declareFamily({
  module: 'prove/artifacts',
  operations: [listOperatingSystemArtifacts, downloadArtifact],
  ui: {
    page: 'proof/log',
    task: 'Artifacts',
    icon: 'archive',
    summary: 'Source files of the figures, identified by hash.',
    empty: 'The service stores artifacts when it computes results.',
    title: 'mediaType',
    columns: ['contentHash', 'mediaType', 'byteLength', 'producer', 'registeredAt'],
    docs: 'platform',
  },
})
