import Type, { type Static } from 'typebox'
import { OperatingSystemEvent, RecordStatus, UnpublishedPayload, versioned } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { anyScope, collection, data, operation, paging, session } from '../operation.ts'
import { closed, list, named, RecordId, Timestamp } from '../scalars.ts'

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

/** Maximum number of records for a name. */
export const recordsFound = 20

const FoundRecord = named(
  'FoundRecord',
  closed({
    id: RecordId,
    resourceType: Type.String({ description: 'Kind of the record.' }),
    name: Type.String({
      description: 'Record name, as its family list shows it.',
    }),
    status: RecordStatus,
    createdAt: Timestamp,
  }),
)

export const RecordsFound = named(
  'RecordsFound',
  closed({
    records: list(FoundRecord, recordsFound, {
      description: 'Records in their current versions, newest version first.',
    }),
    isWhole: Type.Boolean({ description: 'True if the list contains all matches.' }),
  }),
)
export type RecordsFound = Static<typeof RecordsFound>

export const findRecords = operation({
  id: 'findRecords',
  isExtension: true,
  method: 'GET',
  path: '/records',
  ...heading,
  summary: 'Find records by name',
  description:
    'Named records of every family, with all search words in the name, in any order and case. Records that the caller cannot read are not found. For interactive users only; a credential reads the list of a family.',
  auth: session,
  permission: 'read',
  query: {
    name: Type.String({
      minLength: 2,
      maxLength: 80,
      description: 'Words or word parts of the name, separated by spaces. Maximum: 8.',
      examples: ['range study'],
    }),
  },
  success: [200],
  response: data(RecordsFound),
})

/** A version of a record of any family; the operations of the family define its payload. */
export const AnyRecord = versioned('Any', UnpublishedPayload)

const byFamily =
  'By session, or by a credential with the read scope of the family of the record; session-only families reject credentials. A caller without access to the record gets 404.'

export const listRecordVersions = operation({
  id: 'listRecordVersions',
  isExtension: true,
  method: 'GET',
  path: '/records/{id}/versions',
  ...heading,
  summary: 'List the versions of any record',
  description: `Every version of one record, newest first, each with the hash of the previous one. ${byFamily}`,
  auth: anyScope,
  permission: 'read',
  params: { id: RecordId },
  paging: paging(50, 100, null, 'SEQUENCE'),
  success: [200],
  response: collection(AnyRecord),
})

export const listRecordEvents = operation({
  id: 'listRecordEvents',
  isExtension: true,
  method: 'GET',
  path: '/records/{id}/events',
  ...heading,
  summary: 'List the events of any record',
  description: `Every event of one record, newest first, each with the hash of the previous one. ${byFamily}`,
  auth: anyScope,
  permission: 'read',
  params: { id: RecordId },
  paging: paging(50, 100, null, 'SEQUENCE'),
  success: [200],
  response: collection(OperatingSystemEvent),
})

export const recordsFamily = declareFamily({
  module: 'platform/records',
  operations: [findRecords, listRecordVersions, listRecordEvents],
})
