import Type from 'typebox'
import { EventSubject } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, scoped } from '../operation.ts'
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
  description: 'List artifacts.',
  auth: scoped('proof:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: collection(StoredArtifact),
})

export const artifactFamily = declareFamily({
  room: 'prove/artifacts',
  operations: [listOperatingSystemArtifacts],
})
