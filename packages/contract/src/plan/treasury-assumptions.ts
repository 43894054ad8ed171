import Type, { type Static } from 'typebox'
import { SourceRef, versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from '../reading.ts'
import { closed, Hash, list, named, orNull, Reason } from '../scalars.ts'
import {
  assumptionMembers,
  TreasuryAssumptionInput,
  TreasuryAssumptionSet,
} from './treasury-assumption-set.ts'
import { AssetKey } from './treasury-terms.ts'

export * from './treasury-assumption-set.ts'
export * from './treasury-terms.ts'

const TreasuryAssumptionChange = named(
  'TreasuryAssumptionChange',
  closed({
    path: Type.String({
      pattern: '^(/[^/]*)+$',
      maxLength: 400,
      description:
        'Changed path in `assumptions`: a JSON Pointer (RFC 6901) with set elements by name instead of index, such as `/lines/payroll/amount`, `/scenarios/winter/inflowDelayMonths` and `/scenarios/winter/prices/T3/path`.',
      examples: ['/lines/payroll/amount'],
    }),
    from: Type.Unsafe<unknown>({ description: 'Previous value; null if absent.' }),
    to: Type.Unsafe<unknown>({ description: 'New value; null if removed.' }),
  }),
)

const TreasuryAsset = named(
  'TreasuryAsset',
  closed({
    assetKey: AssetKey,
    decimals: Type.Integer({
      minimum: 0,
      maximum: 255,
      description: 'Atoms of the asset are units times 10 to this power.',
    }),
    source: orNull(SourceRef),
  }),
)

/** Treasury assumptions of an organization, with the changes since the previous version. */
export const TreasuryAssumptions = named(
  'TreasuryAssumptions',
  closed({
    assumptions: TreasuryAssumptionSet,
    assets: list(TreasuryAsset, 1200, {
      description:
        'Every asset that the set names, in order of its key, with the record that knows it; null of money, which ISO 4217 knows.',
    }),
    changes: list(TreasuryAssumptionChange, 20_000, {
      description:
        'Minimal changes from the previous version, in path order; empty for the first version and for a version without changes.',
    }),
  }),
)
export type TreasuryAssumptions = Static<typeof TreasuryAssumptions>
export const TreasuryAssumptionsRecord = versioned('TreasuryAssumptions', TreasuryAssumptions)

const TreasuryAssumptionsCreate = named(
  'TreasuryAssumptionsCreate',
  closed({ ...assumptionMembers, reason: Reason }),
)

const TreasuryAssumptionsRevision = named(
  'TreasuryAssumptionsRevision',
  closed({
    assumptions: TreasuryAssumptionInput,
    resourceVersion: Type.Optional(Hash),
    reason: Reason,
  }),
)

const quote = 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const token = 'eip155:31337/erc20:0xc18360217d8f7ab5e7c516566761ea12ce7f9d72'

const assumptionsExample = {
  label: 'Annual plan',
  quoteKey: quote,
  startMonth: '2026-01',
  horizonMonths: 24,
  minimumCashQuote: '50000000000000000000',
  lines: [
    {
      lineId: 'payroll',
      label: 'Salaries',
      category: 'People',
      direction: 'OUTFLOW',
      assetKey: quote,
      amount: '12000000000000000000',
      growthAnnualPips: 30_000,
      schedule: { kind: 'RECURRING', firstAt: '2026-01-31T00:00:00Z', every: 'MONTH' },
      certainty: 'COMMITTED',
    },
    {
      lineId: 'grants',
      label: 'Grants',
      category: 'Ecosystem',
      direction: 'OUTFLOW',
      assetKey: token,
      amount: '2000000000000000000000',
      growthAnnualPips: 0,
      schedule: {
        kind: 'LINEAR',
        from: '2026-01-01T00:00:00Z',
        cliffAt: '2026-04-01T00:00:00Z',
        to: '2027-01-01T00:00:00Z',
        stepSeconds: 86_400,
      },
      certainty: 'EXPECTED',
    },
    {
      lineId: 'fees',
      label: 'Fees of the pools',
      category: 'Income',
      direction: 'INFLOW',
      assetKey: quote,
      amount: '9000000000000000000',
      growthAnnualPips: 100_000,
      schedule: { kind: 'RECURRING', firstAt: '2026-03-31T00:00:00Z', every: 'QUARTER' },
      certainty: 'UNCERTAIN',
      probabilityPips: 700_000,
    },
  ],
  scenarios: [
    {
      scenarioId: 'base',
      label: 'Base case',
      prices: [],
      inflowMultiplierPips: 1_000_000,
      outflowMultiplierPips: 1_000_000,
      inflowDelayMonths: 0,
    },
    {
      scenarioId: 'winter',
      label: 'Bear market',
      prices: [
        { assetKey: token, path: { kind: 'LINEAR', movePips: -800_000 } },
        { tier: 'T2', path: { kind: 'STEP', month: '2026-06', movePips: -500_000 } },
      ],
      inflowMultiplierPips: 400_000,
      outflowMultiplierPips: 1_000_000,
      inflowDelayMonths: 3,
    },
  ],
  ownTokenPolicy: { mode: 'EXCLUDE' },
} as const

const revisedExample = {
  ...assumptionsExample,
  lines: assumptionsExample.lines.map((line) =>
    line.lineId === 'payroll' ? { ...line, amount: '14000000000000000000' } : line,
  ),
}

const heading = { tag: 'Plan', family: 'Treasury assumptions' } as const

const assumptions = {
  path: '/treasury/assumptions',
  ...heading,
  one: 'assumptions record',
  record: TreasuryAssumptionsRecord,
  cacheControl: 'private, no-store',
  statedErrors: [400, 401, 403, 404, 429, 503],
  note: 'Errors carry {error: ApiError} and Cache-Control: private, no-store.',
} as const

const refusals = [
  'LIQUIDITY_ASSUMPTIONS_DUPLICATE_LINE',
  'LIQUIDITY_ASSUMPTIONS_SCHEDULE_INVALID',
  'LIQUIDITY_ASSUMPTIONS_PROBABILITY_REQUIRED',
  'LIQUIDITY_ASSUMPTIONS_OBLIGATION_DOUBLE_COUNTED',
  'LIQUIDITY_ASSUMPTIONS_SCENARIO_BASE_MISSING',
  'LIQUIDITY_ASSUMPTIONS_INCONSISTENT',
  'LIQUIDITY_ASSUMPTIONS_ASSET_UNKNOWN',
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_SOURCE_VERSION_CHANGED',
] as const

const moves = { VALIDATED: ['VALIDATED'] } as const

export const listTreasuryAssumptions = listOperation(assumptions, {
  id: 'listTreasuryAssumptions',
  summary: 'List treasury assumptions',
  description:
    'Lists the assumptions of the organization, newest first. The cursor is the id of the last record; an unknown id gives 404.',
  paging: paging(20, 20, '^treasury_assumptions_[a-f0-9]{32}$', 'ID'),
  query: recordQuery(moves),
})

export const createTreasuryAssumptions = operation({
  id: 'createTreasuryAssumptions',
  method: 'POST',
  path: '/treasury/assumptions',
  ...heading,
  summary: 'Create treasury assumptions',
  description:
    'Records the treasury assumptions of an organization, separate from facts: no balance and no price is accepted. 201, and 200 with Idempotency-Replayed for an identical request under its key. Idempotency-Key 8 to 200 printable ASCII characters; 409 if it was used for another request. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 409, 429, 503],
  body: TreasuryAssumptionsCreate,
  response: record(TreasuryAssumptionsRecord),
  errors: refusals,
  example: { body: { ...assumptionsExample, reason: 'Agreed with the board' } },
})

export const getTreasuryAssumptions = getOperation(assumptions, {
  id: 'getTreasuryAssumptions',
  summary: 'Get treasury assumptions',
  description: 'Current version of one assumptions record, with its ETag.',
})

export const listTreasuryAssumptionsVersions = versionsOperation(assumptions, {
  id: 'listTreasuryAssumptionsVersions',
  summary: 'List treasury assumptions versions',
  description:
    'Versions of one assumptions record, newest first; the cursor is the sequence of the last one.',
  paging: paging(20, 20, null, 'SEQUENCE'),
})

export const getTreasuryAssumptionsVersion = versionOperation(assumptions, {
  id: 'getTreasuryAssumptionsVersion',
  summary: 'Get treasury assumptions version',
  description: 'One version by sequence, counted from 1.',
})

export const reviseTreasuryAssumptions = operation({
  id: 'reviseTreasuryAssumptions',
  method: 'POST',
  path: '/treasury/assumptions/{id}/revisions',
  ...heading,
  summary: 'Revise treasury assumptions',
  description:
    'Appends the next version, whole, with the changes since the previous version; earlier versions stay unchanged. If-Match, or resourceVersion in the body, names the reviewed version: 428 if both are missing, 412 if it is no longer current. 201, and 200 with Idempotency-Replayed for an identical request under its key. Idempotency-Key 8 to 200 printable ASCII characters. Errors carry {error: ApiError} and Cache-Control: private, no-store.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'printable-200',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200, 201],
  statedErrors: [400, 401, 403, 404, 429, 503],
  body: TreasuryAssumptionsRevision,
  response: record(TreasuryAssumptionsRecord),
  errors: [...refusals, 'LIQUIDITY_PRECONDITION_AMBIGUOUS'],
  example: { body: { assumptions: revisedExample, reason: 'Two additional engineers' } },
})

export const treasuryAssumptionsFamily = declareFamily({
  module: 'plan/treasury-assumptions',
  operations: [
    listTreasuryAssumptions,
    createTreasuryAssumptions,
    getTreasuryAssumptions,
    listTreasuryAssumptionsVersions,
    getTreasuryAssumptionsVersion,
    reviseTreasuryAssumptions,
  ],
  type: 'TreasuryAssumptions',
  prefix: 'treasury_assumptions',
  name: 'assumptions record',
  plural: 'treasury assumptions',
  payload: TreasuryAssumptions,
  moves,
  events: ['treasury.assumptions.created', 'treasury.assumptions.revised'],
  title: 'payload.assumptions.label',
  columns: [
    'payload.assumptions.label',
    'payload.assumptions.startMonth',
    'payload.assumptions.quoteKey',
    'createdAt',
  ],
  ui: {
    page: 'treasury/runway',
    task: 'Assumptions',
    icon: 'sliders-horizontal',
    summary: 'Expected inflows and outflows by month.',
    empty: 'Add expected payments and income to compute the runway.',
    head: ['payload.assumptions.startMonth'],
    actions: {
      createTreasuryAssumptions: { label: 'Create assumptions' },
      reviseTreasuryAssumptions: { label: 'Revise assumptions' },
    },
    docs: 'treasury-assumptions',
  },
})
