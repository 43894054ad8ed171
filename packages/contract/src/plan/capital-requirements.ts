import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  AtomicAmount,
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  Reason,
  Timestamp,
} from '../scalars.ts'
import { CapitalRequirementInput, CapitalRequirementStudy } from './capital-requirement.ts'
import { EntryRef } from './treasury-computation.ts'
import { TreasuryBucketRecord } from './treasury-entries.ts'

export * from './capital-requirement.ts'

export const CapitalRequirementRecord = versioned(
  'CapitalRequirementStudy',
  CapitalRequirementStudy,
)

const CapitalRequirementRequest = named(
  'CapitalRequirementRequest',
  closed({
    payload: CapitalRequirementInput,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

// A study of a liquidity target is recomputed with every change of the target.
const computed = ['COMPLETED', 'PARTIAL', 'ABSTAINED'] as const
const moves = { COMPLETED: computed, PARTIAL: computed, ABSTAINED: computed } as const

const heading = { tag: 'Plan', family: 'Treasury ledger and capital planning' } as const

const capitalRequirements = {
  path: '/capital-requirements',
  ...heading,
  one: 'CapitalRequirementStudy',
  record: CapitalRequirementRecord,
  cacheControl: 'private, no-store',
} as const

export const listCapitalRequirements = listOperation(capitalRequirements, {
  id: 'listCapitalRequirements',
  summary: 'List capital requirements',
  query: recordQuery(moves),
})

export const createCapitalRequirements = operation({
  id: 'createCapitalRequirements',
  method: 'POST',
  path: '/capital-requirements',
  ...heading,
  summary: 'Create capital requirement',
  description:
    'Body CapitalRequirementRequest. Inventory of both tokens for a depth at a distance from the price, for each pool shape; the buffer that maintains it; and the gap to the ledger. Amounts are rounded up, depth down. The server computes from one price and never accepts balances from the caller.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  body: CapitalRequirementRequest,
  response: record(CapitalRequirementRecord),
  errors: [
    'LIQUIDITY_CAPITAL_REQUEST_INVALID',
    'LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET',
    'LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
  ],
  example: {
    body: {
      payload: {
        label: '2 % depth on both sides',
        token: 'eip155:31337/erc20:0x8464135c8f25da09e49bc8782676a84730c318bc',
        quote: 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        reference: { kind: 'DECLARED', priceX18: '2000000000000000000' },
        targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: '100000000000000000000000' }],
        shapes: [
          { shapeId: 'whole-curve', sharePips: 1_000_000, feePips: 3_000, shape: { kind: 'V2' } },
        ],
        volatility: { kind: 'DECLARED', annualPips: 800_000 },
      },
      reason: 'For the board meeting',
    },
  },
})

export const previewCapitalRequirements = operation({
  id: 'previewCapitalRequirements',
  isExtension: true,
  method: 'POST',
  path: '/capital-requirements/preview',
  ...heading,
  summary: 'Preview capital requirements',
  description:
    'Previews a study of this request, computed like createCapitalRequirements, with the same error codes. Stores no data, so it takes no Idempotency-Key; the computation states the reason for an abstention.',
  auth: session,
  permission: 'prepare',
  cacheControl: 'private, no-store',
  success: [200],
  body: named('CapitalRequirementPreview', closed({ payload: CapitalRequirementInput })),
  response: data(CapitalRequirementStudy),
  errors: createCapitalRequirements.errors,
  example: { body: { payload: createCapitalRequirements.example.body.payload } },
})

export const getCapitalRequirements = getOperation(capitalRequirements, {
  id: 'getCapitalRequirements',
  summary: 'Get capital requirement',
})

const TreasuryReservationRequest = named(
  'TreasuryReservationRequest',
  closed({
    studyResourceVersion: Type.Optional(Hash),
    reservations: list(
      closed({ entry: EntryRef, quantity: AtomicAmount, expiresAt: Timestamp }),
      32,
      {
        minItems: 1,
        description:
          'Parts of token or quote holdings of the study, each holding once at its exact version. All parts are reserved together or none, for at most 90 days.',
      },
    ),
    purpose: Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'Purpose of the reservation.',
    }),
    reason: Reason,
  }),
)

const TreasuryReservationResult = named(
  'TreasuryReservationResult',
  closed({
    reservations: list(TreasuryBucketRecord, 32, {
      description: 'Entries of kind RESERVATION, in the order of the request.',
    }),
    sources: list(TreasuryBucketRecord, 32, {
      description: 'Current holdings, observed again, in request order.',
    }),
    capitalRequirement: CapitalRequirementRecord,
    executionAuthorityGranted: Type.Literal(false, {
      description: 'Always false: a reservation grants no authority.',
    }),
  }),
)

export const reserveTreasuryFromCapitalStudy = operation({
  id: 'reserveTreasuryFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/reservations',
  ...heading,
  summary: 'Reserve treasury from capital study',
  description:
    'Reserves treasury holdings for the study, with a recent sign-in: ledger entries, no movement of funds. The service first observes every holding again; a reserved part is unavailable to others until it expires or is released. All holdings are reserved, or the request fails. If-Match, or studyResourceVersion in the body, names the reviewed version of the study: 428 if both are missing.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [201],
  body: TreasuryReservationRequest,
  response: data(TreasuryReservationResult),
  errors: [
    'LIQUIDITY_CAPITAL_STUDY_UNUSABLE',
    'LIQUIDITY_TREASURY_RESERVATION_INVALID',
    'LIQUIDITY_TREASURY_RESERVATION_EXCEEDS_AVAILABLE',
    'LIQUIDITY_TREASURY_ASSET_UNREADABLE',
    'LIQUIDITY_TREASURY_RESTRICTION_EXCEEDS_QUANTITY',
    'LIQUIDITY_TREASURY_OFFCHAIN_NEEDS_EVIDENCE',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
    ...chainErrors,
    'LIQUIDITY_CHAIN_REORGED',
    'LIQUIDITY_CHAIN_STATE_UNAVAILABLE',
    'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
  ],
  example: {
    body: {
      studyResourceVersion: `0x${'1'.repeat(64)}`,
      reservations: [
        {
          entry: {
            resourceType: 'TreasuryBucket',
            id: 'treasury_entry_example',
            resourceVersion: `0x${'2'.repeat(64)}`,
          },
          quantity: '1000000000000000000',
          expiresAt: '2026-03-01T00:00:00Z',
        },
      ],
      purpose: 'Liquidity of the launch',
      reason: 'Decided by the board',
    },
  },
})

export const capitalRequirementsFamily = declareFamily({
  module: 'plan/capital-requirements',
  operations: [
    listCapitalRequirements,
    createCapitalRequirements,
    previewCapitalRequirements,
    getCapitalRequirements,
    reserveTreasuryFromCapitalStudy,
  ],
  type: 'CapitalRequirementStudy',
  prefix: 'capital_requirement',
  name: 'capital requirement',
  plural: 'capital requirements',
  payload: CapitalRequirementStudy,
  moves,
  events: ['capital_requirement.computed', 'capital_requirement.reserved'],
  title: 'payload.request.label',
  columns: ['payload.request.label', 'status', 'createdAt'],
  ui: {
    page: 'plan/capital',
    task: 'Capital requirements',
    icon: 'scale',
    summary: 'Token and quote required for a target depth.',
    empty: 'Set a depth target to compute the capital that it requires.',
    head: ['payload.total.quote', 'payload.total.token'],
    actions: {
      createCapitalRequirements: { label: 'Compute requirement' },
      reserveTreasuryFromCapitalStudy: { label: 'Reserve capital', when: ['COMPLETED', 'PARTIAL'] },
    },
    docs: 'capital',
  },
})
