import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from '../reading.ts'
import { closed, Hash, list, named, Reason, RecordId } from '../scalars.ts'
import {
  TreasuryLedgerReconciliation,
  TreasuryReconciliationPreviewRequest,
} from './treasury-reconciliation.ts'

export * from './treasury-reconciliation.ts'

const heading = { tag: 'Operate', family: 'Treasury reconciliation' } as const

export const TreasuryReconciliationRecord = versioned(
  'TreasuryReconciliation',
  TreasuryLedgerReconciliation,
)

const TreasuryReconciliationCreate = named(
  'TreasuryReconciliationCreate',
  closed({
    request: TreasuryReconciliationPreviewRequest,
    expectedReconciliationHash: Hash,
    reconciliationId: Type.Optional(RecordId),
    resourceVersion: Type.Optional(Hash),
    requireSecondPerson: Type.Optional(
      Type.Boolean({
        description:
          'True if an author must not acknowledge it. Default: the treasury settings and the previous version; a request can only add the requirement, and false is rejected if they require it.',
      }),
    ),
    reason: Reason,
  }),
)

const TreasuryReconciliationAcknowledgement = named(
  'TreasuryReconciliationAcknowledgement',
  closed({
    lineKeys: Type.Union(
      [
        Type.Literal('ALL', { description: 'Every line.' }),
        list(Hash, 400, { minItems: 1, description: 'Lines by their key.' }),
      ],
      { description: 'Confirmed lines.' },
    ),
    assertion: Type.Literal('MAPPING_CONFIRMED', {
      description: 'Confirmation of the line mapping only.',
    }),
    note: Type.String({ minLength: 3, maxLength: 500, description: 'Reviewed evidence.' }),
    resourceVersion: Type.Optional(Hash),
    reason: Reason,
  }),
)

const reconciliations = {
  path: '/treasury/reconciliations',
  ...heading,
  one: 'reconciliation',
  record: TreasuryReconciliationRecord,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

const refusals = [
  'LIQUIDITY_SOURCE_VERSION_CHANGED',
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_RECONCILIATION_EVIDENCE_UNAVAILABLE',
  'LIQUIDITY_RECONCILIATION_MAPPING_OVERLAP',
  'LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT',
  'LIQUIDITY_RECONCILIATION_BLOCK_TOO_OLD',
  'LIQUIDITY_RECONCILIATION_TOO_WIDE',
  'LIQUIDITY_PROVIDER_UNKNOWN',
  ...chainErrors,
  'LIQUIDITY_CHAIN_REORGED',
  'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
] as const

export const previewTreasuryReconciliation = operation({
  id: 'previewTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliation-preview',
  ...heading,
  summary: 'Preview treasury reconciliation',
  description:
    'Body TreasuryReconciliationPreviewRequest. Stores no data, so no Idempotency-Key. Interactive owner or treasury administrator only. 200 data TreasuryLedgerReconciliation with ETag, the quoted reconciliationHash. 404 private evidence unavailable; 412 a referenced source version differs. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 412, 429, 503],
  body: TreasuryReconciliationPreviewRequest,
  response: record(TreasuryLedgerReconciliation),
  errors: refusals,
  example: { body: { scope: { kind: 'ALL_ACTIVE' } } },
})

const open = ['COMPLETED', 'PARTIAL', 'ABSTAINED'] as const
const moves = { COMPLETED: open, PARTIAL: open, ABSTAINED: open } as const

export const listTreasuryReconciliations = listOperation(reconciliations, {
  id: 'listTreasuryReconciliations',
  summary: 'List treasury reconciliations',
  description: '200 data TreasuryReconciliationList.',
  paging: paging(20, 20, '^reconciliation_[a-f0-9]{32}$', 'ID'),
  query: recordQuery(moves),
})

export const createTreasuryReconciliation = operation({
  id: 'createTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliations',
  ...heading,
  summary: 'Create treasury reconciliation',
  description:
    'Repeats the comparison at the pinned blocks of `request.asOf` and stores it, with treasury authority and a recent sign-in; 412 if the result differs from the reviewed one. `reconciliationId` appends a version to a reconciliation; If-Match or `resourceVersion` in the body names its reviewed version. 201 new, 200 for an identical binding, like the related treasury writes. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: TreasuryReconciliationCreate,
  response: record(TreasuryReconciliationRecord),
  errors: [
    ...refusals,
    'LIQUIDITY_RECONCILIATION_ALREADY_KEPT',
    'LIQUIDITY_RECONCILIATION_SOURCE_CHANGED',
    'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_PRECONDITION_FAILED',
    'LIQUIDITY_RESOURCE_NOT_FOUND',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
  ],
  example: {
    body: {
      request: {
        scope: { kind: 'ALL_ACTIVE' },
        asOf: [
          {
            chainId: 31337,
            blockNumber: 1,
            blockHash: '0x1111111111111111111111111111111111111111111111111111111111111111',
          },
        ],
      },
      expectedReconciliationHash:
        '0x2222222222222222222222222222222222222222222222222222222222222222',
      reason: 'Close of the month',
    },
  },
})

export const getTreasuryReconciliation = getOperation(reconciliations, {
  id: 'getTreasuryReconciliation',
  summary: 'Get treasury reconciliation',
  description: 'Current version of one reconciliation, with its ETag.',
})

export const listTreasuryReconciliationVersions = versionsOperation(reconciliations, {
  id: 'listTreasuryReconciliationVersions',
  summary: 'List treasury reconciliation versions',
  paging: paging(20, 20, null, 'SEQUENCE'),
})

export const getTreasuryReconciliationVersion = versionOperation(reconciliations, {
  id: 'getTreasuryReconciliationVersion',
  summary: 'Get treasury reconciliation version',
  description: 'Returns one version by its sequence number.',
})

export const acknowledgeTreasuryReconciliation = operation({
  id: 'acknowledgeTreasuryReconciliation',
  method: 'POST',
  path: '/treasury/reconciliations/{id}/acknowledge',
  ...heading,
  summary: 'Acknowledge treasury reconciliation',
  description:
    'Records actor and time; confirms only a mapping assertion: no number changes. A reconciliation write: treasury authority and recent authentication. If-Match, or resourceVersion in the body, names the reviewed version. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: TreasuryReconciliationAcknowledgement,
  response: record(TreasuryReconciliationRecord),
  errors: [
    'LIQUIDITY_RECONCILIATION_LINE_UNKNOWN',
    'LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT',
    'LIQUIDITY_RECONCILIATION_SELF_ACKNOWLEDGEMENT',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
  ],
  example: {
    body: {
      lineKeys: 'ALL',
      assertion: 'MAPPING_CONFIRMED',
      note: 'Compared with the custodian statement',
      reason: 'Close of the month',
    },
  },
})

export const treasuryReconciliationsFamily = declareFamily({
  module: 'operate/treasury-reconciliations',
  operations: [
    previewTreasuryReconciliation,
    listTreasuryReconciliations,
    createTreasuryReconciliation,
    getTreasuryReconciliation,
    listTreasuryReconciliationVersions,
    getTreasuryReconciliationVersion,
    acknowledgeTreasuryReconciliation,
  ],
  type: 'TreasuryReconciliation',
  prefix: 'reconciliation',
  name: 'reconciliation',
  plural: 'reconciliations',
  payload: TreasuryLedgerReconciliation,
  moves,
  events: [
    'treasury.reconciliation.created',
    'treasury.reconciliation.repeated',
    'treasury.reconciliation.acknowledged',
    'treasury.reconciliation.break_opened',
    'treasury.reconciliation.break_closed',
  ],
  title: null,
  columns: ['payload.agreement', 'payload.request.period', 'status', 'createdAt'],
  ui: {
    page: 'treasury/close',
    task: 'Close',
    icon: 'check-check',
    summary: 'Compare ledger, custody and on-chain balances.',
    empty: 'Add holdings first, then compare the ledger with the chain.',
    head: ['payload.agreement'],
    actions: {
      previewTreasuryReconciliation: { label: 'Preview reconciliation' },
      createTreasuryReconciliation: { label: 'Create reconciliation' },
      acknowledgeTreasuryReconciliation: {
        label: 'Acknowledge result',
        when: ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
      },
    },
    docs: 'books',
  },
})
