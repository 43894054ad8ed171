import Type from 'typebox'
import { noAuthority, OperatingSystemEvent, versioned } from '../envelope.ts'
import { chainErrors } from '../errors.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, list, named, openObject, Reason } from '../scalars.ts'
import { IncentiveProgram, IncentiveProgramRequest, IncentiveResult } from './incentive-program.ts'

export {
  Dist as IncentiveDist,
  IncentiveAdapterAttestation,
  IncentiveEvaluation,
  IncentiveForecast,
  IncentiveProgram,
  IncentiveProgramRequest,
  IncentiveResult,
  rewardAdapterIds,
} from './incentive-program.ts'

export const IncentiveProgramRecord = versioned('IncentiveProgram', IncentiveProgram)

const { executionPerformed, executionAuthorityGranted, ...figures } = IncentiveResult.properties

export const IncentiveOptimizationResult = named(
  'IncentiveOptimizationResult',
  closed({
    program: IncentiveProgramRecord,
    ...figures,
    executionPerformed,
    executionAuthorityGranted,
  }),
)

const IncentiveProgramCreate = named(
  'IncentiveProgramCreate',
  closed({
    payload: IncentiveProgramRequest,
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const IncentiveProgramSupersession = named(
  'IncentiveProgramSupersession',
  closed({
    status: Type.Literal('REVOKED'),
    payload: Type.Optional(openObject('Refused: a program is never changed, only revoked.')),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const IncentiveEvidenceView = named(
  'IncentiveEvidenceView',
  closed({
    schemaVersion: Type.Literal('incentive-evidence-view-v1'),
    program: IncentiveProgramRecord,
    events: list(OperatingSystemEvent, 1000),
    unboundEventCount: Type.Integer({
      minimum: 0,
      description: 'Program events without a version; counted, not listed.',
    }),
    ...noAuthority,
  }),
)

const family = 'Incentive programs'

const heading = { tag: 'Operate', family: 'Incentive programs' } as const

const incentivePrograms = {
  path: '/incentive-programs',
  ...heading,
  one: 'IncentiveProgram',
  record: IncentiveProgramRecord,
} as const

const moves = {
  VALIDATED: ['ACTIVE', 'EXPIRED', 'REVOKED'],
  ACTIVE: ['COMPLETED', 'REVOKED'],
  COMPLETED: [],
  EXPIRED: [],
  REVOKED: [],
} as const

export const listIncentivePrograms = listOperation(incentivePrograms, {
  id: 'listIncentivePrograms',
  summary: 'List incentive programs',
  query: recordQuery(moves),
})

const hash = (digit: number) => `0x${`${digit}`.repeat(64)}`
const attestation = {
  schemaVersion: 'incentive-adapter-attestation-v1',
  adapterId: 'account-transfer-v1',
  chainId: 31337,
  venue: '0x92560C178cE069CC014138eD3C2F5221Ba71f58a',
  distributor: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  rewardAsset: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  expiresAt: '2030-01-01T00:00:00.000Z',
} as const

export const optimizeIncentiveProgram = operation({
  id: 'optimizeIncentiveProgram',
  method: 'POST',
  path: '/incentive-programs',
  tag: 'Operate',
  family,
  summary: 'Optimize an incentive program',
  description:
    '201 data IncentiveOptimizationResult. 400 if the baseline, the confidence or the adapter evidence is insufficient; no data is stored. Executes no transaction.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [400],
  body: IncentiveProgramCreate,
  response: data(IncentiveOptimizationResult),
  errors: [
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_VENUE_NOT_VALIDATED',
    'LIQUIDITY_INCENTIVE_REQUEST_INVALID',
    'LIQUIDITY_INCENTIVE_BASELINE_REQUIRED',
    'LIQUIDITY_INCENTIVE_CONFIDENCE_INSUFFICIENT',
    'LIQUIDITY_INCENTIVE_ADAPTER_EVIDENCE_INVALID',
    'LIQUIDITY_PROVIDER_UNKNOWN',
    ...chainErrors,
  ],
  example: {
    body: {
      payload: {
        schemaVersion: 'incentive-program-v1',
        pair: {
          chainId: 31337,
          base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
          quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          baseDecimals: 18,
          quoteDecimals: 18,
        },
        rewardAsset: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
        budget: '10000000000000000000',
        start: '2026-02-16T00:00:00.000Z',
        days: 28,
        venues: [
          {
            venue: { id: 'venue_example', resourceVersion: hash(1) },
            adapterId: 'account-transfer-v1',
            adapterEvidenceHash: hash(7),
            attestation,
          },
        ],
        objective: 'DEPTH_DAYS',
        baseline: {
          from: '2026-01-12T00:00:00.000Z',
          to: '2026-02-15T00:00:00.000Z',
          observations: [{ id: 'venue_observation_example', resourceVersion: hash(2) }],
        },
        confidencePips: 900_000,
        minimumLiftPips: 50_000,
        requireNetPositive: true,
        mode: 'PILOT',
      },
      reason: 'Measure the liquidity response before spending',
    },
  },
})

export const getIncentivePrograms = getOperation(incentivePrograms, {
  id: 'getIncentivePrograms',
  summary: 'Read one incentive program',
})

export const supersedeIncentivePrograms = operation({
  id: 'supersedeIncentivePrograms',
  method: 'PATCH',
  path: '/incentive-programs/{id}',
  tag: 'Operate',
  family,
  summary: 'Revoke an incentive program',
  description:
    'Body {status: REVOKED, evidenceHashes?, reason}; no payload. Ends tracking and advice; tokens in a distributor stay there.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: IncentiveProgramSupersession,
  response: record(IncentiveProgramRecord),
  errors: ['LIQUIDITY_INCENTIVE_TERMINAL', 'LIQUIDITY_INCENTIVE_PAYLOAD_REFUSED'],
  example: { body: { status: 'REVOKED', reason: 'The pool was migrated' } },
})

export const getIncentiveEvidence = operation({
  id: 'getIncentiveEvidence',
  method: 'GET',
  path: '/incentive-programs/{id}/evidence',
  tag: 'Operate',
  family,
  summary: 'Read the evidence of one version',
  description:
    'Incentive evidence view {schemaVersion: incentive-evidence-view-v1, program, events[], unboundEventCount, executionPerformed:false, executionAuthorityGranted:false}. 404 if that exact version is unavailable.',
  auth: session,
  permission: 'read',
  query: { resourceVersion: Hash },
  success: [200],
  statedErrors: [404],
  response: data(IncentiveEvidenceView),
})

export const incentiveProgramFamily = declareFamily({
  module: 'operate/incentive-programs',
  operations: [
    listIncentivePrograms,
    optimizeIncentiveProgram,
    getIncentivePrograms,
    supersedeIncentivePrograms,
    getIncentiveEvidence,
  ],
  type: 'IncentiveProgram',
  prefix: 'incentive_program',
  name: 'program',
  plural: 'incentive programs',
  payload: IncentiveProgram,
  moves,
  refusals: { terminal: 'LIQUIDITY_INCENTIVE_TERMINAL' },
  events: [
    'incentive.optimized',
    'incentive.observed',
    'incentive.evaluated',
    'incentive.completed',
    'incentive.expired',
    'incentive.revoked',
  ],
  title: null,
  columns: ['payload.request.pair', 'payload.request.start', 'status'],
  ui: {
    page: 'plan/incentives',
    task: 'Incentives',
    icon: 'gift',
    summary: 'Rewards sized by the measured response of liquidity.',
    empty: 'Create a program to size rewards for a depth target.',
    head: ['payload.request.start'],
    actions: {
      optimizeIncentiveProgram: { label: 'Create program' },
      supersedeIncentivePrograms: { label: 'Revoke program' },
    },
    docs: 'incentives',
  },
})
