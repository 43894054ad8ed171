import Type from 'typebox'
import { declareFamily } from '../family.ts'
import { csvMediaType, csvQuery, xlsxMediaType } from '../files.ts'
import { historyWindow } from '../intelligence/market-points.ts'
import { anyScope, bytes, operation } from '../operation.ts'
import { oneOf, Timestamp } from '../scalars.ts'

const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** Filters of all lists. A view accepts those of its list. */
const listFilters = {
  status: filter('List: records in this state.'),
  state: filter('List: rows in this state.'),
  severity: filter('List: alerts of this severity.'),
  kind: filter('List: rows of this kind.'),
  subject: filter('List: ID of the subject.'),
  pair: filter('List: key of the pair.'),
  partnerId: filter('List: ID of the partner.'),
  task: filter('List: kind of the scheduled job.'),
  createdFrom: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  order: filter('List: NEWEST or OLDEST.'),
}

export const downloadExport = operation({
  id: 'downloadExport',
  isExtension: true,
  method: 'GET',
  path: '/exports/{view}',
  hasPathTail: true,
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'Download a view as a file',
  description:
    'A file with the rows of a view: `lists/{list}` with the filters of the list, `studies/{id}`, `markets/{pair or venue ID}/history`, `mandates/{id}`, or `mandates/{id}/hours`. Maximum: 50,000 rows; lists also 32 MiB of records. One export of a list or study at a time per organization. By session, or by a credential with the read scope of the list or study; other views reject credentials.',
  auth: anyScope,
  permission: 'read',
  params: {
    view: Type.String({
      pattern:
        '^(lists/[a-z][a-z/-]{0,60}|studies/[^/]{1,160}|mandates/[^/]{1,160}(/hours)?|markets/[^/]{1,160}/history)$',
      description: 'Name of the view. Slashes may be sent as they are.',
      examples: ['lists/studies'],
    }),
  },
  query: {
    as: Type.Optional(oneOf(['csv', 'xlsx', 'json'], 'File format. Default: csv.')),
    ...csvQuery,
    ...historyWindow,
    ...listFilters,
  },
  cacheControl: 'private, no-cache',
  success: [200],
  response: bytes(csvMediaType, xlsxMediaType, 'application/json'),
  errors: [
    'LIQUIDITY_EXPORT_TOO_LARGE',
    'LIQUIDITY_STUDY_NOT_TERMINAL',
    'LIQUIDITY_STUDY_FAILED',
    'LIQUIDITY_MANDATE_NOT_OBSERVED',
  ],
})

export const exportFamily = declareFamily({
  module: 'platform/exports',
  operations: [downloadExport],
})
