import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, list, named, Reason } from '../scalars.ts'
import { TreasuryGap } from './treasury-computation.ts'
import { projectionRequest, TreasuryProjection } from './treasury-projection.ts'
import { TreasurySummary } from './treasury-summary.ts'

export * from './treasury-projection.ts'
export * from './treasury-summary.ts'

export const TreasuryProjectionRecord = versioned('TreasuryProjection', TreasuryProjection)

const TreasuryProjectionCreate = named(
  'TreasuryProjectionCreate',
  closed({ ...projectionRequest, reason: Reason }),
)

const TreasuryProjectionWrite = named(
  'TreasuryProjectionWrite',
  closed({
    projection: TreasuryProjectionRecord,
    warnings: list(TreasuryGap, 400, { description: 'Gaps of the projection.' }),
  }),
)

const heading = { tag: 'Plan', family: 'Treasury projections and summary' } as const

const projections = {
  path: '/treasury/projections',
  ...heading,
  one: 'projection',
  record: TreasuryProjectionRecord,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

const moves = { COMPLETED: [], PARTIAL: [], ABSTAINED: [] } as const

export const listTreasuryProjections = listOperation(projections, {
  id: 'listTreasuryProjections',
  summary: 'List treasury projections',
  description: 'Lists the treasury projections of the organization.',
  paging: paging(20, 20, '^treasury_projection_[a-f0-9]{32}$', 'ID'),
  query: recordQuery(moves),
})

export const createTreasuryProjection = operation({
  id: 'createTreasuryProjection',
  method: 'POST',
  path: '/treasury/projections',
  ...heading,
  summary: 'Create treasury projection',
  description:
    'Idempotency-Key 8 to 200 printable ASCII characters. Body TreasuryProjectionCreate; data TreasuryProjectionWrite with ETag. 409 when the key already binds another scenario; 412 when the exact saved source binding differs. Computed by the server from one common block snapshot; caller balances are never accepted. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 412, 429, 503],
  body: TreasuryProjectionCreate,
  response: record(TreasuryProjectionWrite),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_PROJECTION_SOURCE_CHANGED',
    'LIQUIDITY_PROJECTION_UNKNOWN_SCENARIO',
    'LIQUIDITY_PROJECTION_HORIZON_OVER',
    'LIQUIDITY_PROJECTION_ENTRY_NOT_ACTIVE',
    'LIQUIDITY_PROJECTION_TOO_LARGE',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
  ],
  example: {
    body: {
      assumptions: {
        resourceType: 'TreasuryAssumptions',
        id: 'treasury_assumptions_example',
        resourceVersion: `0x${'1'.repeat(64)}`,
      },
      monteCarlo: { paths: 500, seed: '42' },
      reason: 'Before the board meeting',
    },
  },
})

export const getTreasuryProjection = getOperation(projections, {
  id: 'getTreasuryProjection',
  summary: 'Get treasury projection',
  description: 'One projection, with its ETag. Never establishes financial permission.',
})

export const getTreasurySummary = operation({
  id: 'getTreasurySummary',
  method: 'GET',
  path: '/treasury/summary',
  ...heading,
  summary: 'Get treasury summary',
  description:
    'Ledger assets and obligations from stored records, each figure with its block and time; no chain read. The own token is separate and excluded from totals. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 401, 403, 404, 429, 503],
  response: data(TreasurySummary),
})

export const treasuryProjectionsFamily = declareFamily({
  module: 'plan/treasury-projections',
  operations: [
    listTreasuryProjections,
    createTreasuryProjection,
    getTreasuryProjection,
    getTreasurySummary,
  ],
  type: 'TreasuryProjection',
  prefix: 'treasury_projection',
  name: 'treasury projection',
  plural: 'treasury projections',
  payload: TreasuryProjection,
  moves,
  events: ['treasury.projection.computed', 'treasury.projection.threshold_crossed'],
  title: 'payload.label',
  columns: ['payload.label', 'payload.startMonth', 'payload.quoteKey', 'status', 'createdAt'],
  ui: {
    page: 'treasury/runway',
    task: 'Runway',
    icon: 'hourglass',
    summary: 'Treasury runway in months, by scenario.',
    empty: 'Add holdings and assumptions first, then compute the runway.',
    head: [],
    actions: {
      createTreasuryProjection: { label: 'Create projection' },
    },
    docs: 'books',
  },
})
