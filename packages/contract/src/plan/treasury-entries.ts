import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation, versionsOperation } from '../reading.ts'
import { closed, EvidenceHashes, named, Reason } from '../scalars.ts'
import {
  ReservationInput,
  TreasuryBucket,
  TreasuryBucketInput,
  TreasuryRefresh,
  TreasuryRetirement,
} from './treasury-bucket.ts'

export * from './treasury-bucket.ts'
export * from './treasury-computation.ts'
export * from './treasury-control.ts'

const heading = { tag: 'Plan', family: 'Treasury ledger and capital planning' } as const

export const TreasuryBucketRecord = versioned('TreasuryBucket', TreasuryBucket)

const TreasuryEntryCreate = named(
  'TreasuryEntryCreate',
  closed({
    payload: Type.Union([TreasuryBucketInput, ReservationInput]),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const TreasuryEntryRefresh = named(
  'TreasuryEntryRefresh',
  closed({ ...TreasuryRefresh, evidenceHashes: Type.Optional(EvidenceHashes), reason: Reason }),
)

const TreasuryEntryRetirement = named(
  'TreasuryEntryRetirement',
  closed({ ...TreasuryRetirement, evidenceHashes: Type.Optional(EvidenceHashes), reason: Reason }),
)

const moves = {
  ACTIVE: ['ACTIVE', 'PARTIAL', 'RETIRED', 'EXPIRED'],
  PARTIAL: ['ACTIVE', 'PARTIAL', 'RETIRED'],
  RETIRED: [],
  EXPIRED: [],
} as const

const treasuryEntries = {
  path: '/treasury-entries',
  ...heading,
  one: 'TreasuryBucket',
  record: TreasuryBucketRecord,
  cacheControl: 'private, no-store',
} as const

/** Possible failures of every observation. */
const reading = [
  ...chainErrors,
  'LIQUIDITY_CHAIN_REORGED',
  'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
  'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
  'LIQUIDITY_PROVIDER_UNKNOWN',
  'LIQUIDITY_TREASURY_ASSET_UNREADABLE',
  'LIQUIDITY_TREASURY_RESTRICTION_EXCEEDS_QUANTITY',
  'LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE',
  'LIQUIDITY_TREASURY_ENTRY_INCONSISTENT',
] as const

export const listTreasuryEntries = listOperation(treasuryEntries, {
  id: 'listTreasuryEntries',
  summary: 'List treasury entries',
  query: recordQuery(moves),
})

export const createTreasuryEntries = operation({
  id: 'createTreasuryEntries',
  method: 'POST',
  path: '/treasury-entries',
  ...heading,
  summary: 'Create treasury entry',
  description:
    'Creates a TreasuryBucket record from the common body {payload, status?, evidenceHashes?, reason}. The service reads a holding at the highest block that every provider of its chain reports as finalized and accepts no balance from the caller. 409 for a stale oracle generation or a duplicate observation, container or obligation.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  statedErrors: [409],
  body: TreasuryEntryCreate,
  response: record(TreasuryBucketRecord),
  errors: [
    ...reading,
    'LIQUIDITY_TREASURY_CONTAINER_KIND_MISMATCH',
    'LIQUIDITY_TREASURY_CONTAINER_IS_PROTOCOL',
    'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE',
    'LIQUIDITY_TREASURY_OBLIGATION_DUPLICATE',
    'LIQUIDITY_TREASURY_SCHEDULE_INVALID',
    'LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE',
    'LIQUIDITY_TREASURY_RESERVATION_NOT_DIRECT',
    'LIQUIDITY_TREASURY_ASSET_CLASS_CONFLICT',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
  ],
  example: {
    body: {
      payload: {
        entryKind: 'OBLIGATION',
        label: 'Audit of the contracts',
        purpose: 'OPERATING',
        asset: 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        obligation: {
          obligationKind: 'VENDOR',
          counterparty: 'Auditor',
          reference: 'Statement of work 7',
          amount: '5000000000000000000',
          schedule: { kind: 'ONE_OFF', at: '2026-03-31T00:00:00Z' },
          certainty: 'EXPECTED',
        },
      },
      reason: 'Agreed with the auditor',
    },
  },
})

export const getTreasuryEntries = getOperation(treasuryEntries, {
  id: 'getTreasuryEntries',
  summary: 'Get treasury entry',
})

export const listTreasuryLedgerEntryVersions = versionsOperation(treasuryEntries, {
  id: 'listTreasuryLedgerEntryVersions',
  summary: 'List treasury ledger entry versions',
  description:
    'Versions of one entry, newest first. The cursor is bounded by length only (8 to 256 characters), as the pattern specifies.',
  paging: paging(100, 100, '^.{8,256}$'),
})

export const refreshTreasuryLedgerEntry = operation({
  id: 'refreshTreasuryLedgerEntry',
  method: 'POST',
  path: '/treasury-entries/{id}/refresh',
  ...heading,
  summary: 'Refresh treasury ledger entry',
  description:
    'Re-observes the entry and appends a version: for a holding it sums the transfers since the previous observation, a custodian holding takes the latest custody evidence, and finalized transfers settle an obligation. If-Match, or resourceVersion in the body, names the reviewed version: 428 if both are missing. History never establishes current spendability.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200],
  body: TreasuryEntryRefresh,
  response: record(TreasuryBucketRecord),
  errors: [
    ...reading,
    'LIQUIDITY_TREASURY_ENTRY_RETIRED',
    'LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE',
    'LIQUIDITY_TREASURY_OBSERVATION_DUPLICATE',
    'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE',
    'LIQUIDITY_TREASURY_SETTLEMENT_UNPROVEN',
    'LIQUIDITY_TREASURY_SETTLEMENT_EXCEEDS_REMAINING',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
  ],
  example: { body: { reason: 'End of the month' } },
})

export const retireTreasuryLedgerEntry = operation({
  id: 'retireTreasuryLedgerEntry',
  method: 'POST',
  path: '/treasury-entries/{id}/retire',
  ...heading,
  summary: 'Retire treasury ledger entry',
  description:
    'Retires the entry by appending a version, with a recent sign-in. RELEASED frees the reserved part of a holding; a holding with reservations cannot be retired. PAID requires zero remainder or, for obligations in money of a bank or the coin of a chain, evidenceHashes of the payment, which are stored and settle no amount. CLOSED requires an empty container at the finalized block. If-Match, or resourceVersion in the body, names the reviewed version: 428 if both are missing.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [200],
  body: TreasuryEntryRetirement,
  response: record(TreasuryBucketRecord),
  errors: [
    ...reading,
    'LIQUIDITY_TREASURY_ENTRY_RETIRED',
    'LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE',
    'LIQUIDITY_TREASURY_DISPOSITION_REFUSED',
    'LIQUIDITY_TREASURY_ENTRY_ENCUMBERED',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
  ],
  example: { body: { disposition: 'CANCELLED', reason: 'The order was canceled' } },
})

export const treasuryEntriesFamily = declareFamily({
  module: 'plan/treasury-entries',
  operations: [
    listTreasuryEntries,
    createTreasuryEntries,
    getTreasuryEntries,
    listTreasuryLedgerEntryVersions,
    refreshTreasuryLedgerEntry,
    retireTreasuryLedgerEntry,
  ],
  type: 'TreasuryBucket',
  prefix: 'treasury_entry',
  name: 'treasury entry',
  plural: 'treasury entries',
  payload: TreasuryBucket,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_TREASURY_ENTRY_RETIRED',
    taken: 'LIQUIDITY_TREASURY_CONTAINER_DUPLICATE',
  },
  events: [
    'treasury.entry.created',
    'treasury.entry.refreshed',
    'treasury.entry.retired',
    'treasury.entry.reserved',
    'treasury.entry.unreserved',
    'treasury.entry.over_reserved',
    'treasury.entry.coming_due',
    'treasury.reservation.created',
    'treasury.reservation.released',
    'treasury.reservation.expired',
  ],
  title: 'payload.label',
  columns: [
    'payload.label',
    'payload.entryKind',
    'payload.asset',
    'payload.purpose',
    'status',
    'createdAt',
  ],
  ui: {
    page: 'treasury/wallets',
    task: 'Wallets',
    icon: 'book-open',
    summary: 'Treasury holdings and obligations.',
    empty: 'Add holdings and obligations to compute runway.',
    head: ['payload.entryKind', 'payload.purpose'],
    actions: {
      createTreasuryEntries: { label: 'Add entry' },
      refreshTreasuryLedgerEntry: { label: 'Refresh entry', when: ['ACTIVE'] },
      retireTreasuryLedgerEntry: { label: 'Retire entry', when: ['ACTIVE'] },
    },
    docs: 'books',
  },
})
