import Type, { type Static } from 'typebox'
import { OperatingSystemEvent, Ref } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { data, operation, scoped } from '../operation.ts'
import {
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Reason,
  RecordId,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

export const admissionGates = [
  'STRATEGY_VALIDATED',
  'PACKAGE_REVOKED',
  'REPLAY_STUDIES',
  'MONTE_CARLO_STUDIES',
  'UNUSABLE_STUDIES',
  'STUDY_AGE',
  'MARKET_PARITY',
  'FAILURE_PROBABILITY',
  'EXPECTED_SHORTFALL',
  'DEPTH_TIME_SHARE',
  'DOMINATED_BY_FULL_RANGE',
  'CAPITAL_STUDIED',
  'OVERFITTING',
  'CRITICAL_ANOMALIES',
  'PAUSING_ANOMALIES',
  'DIVERGED_STUDIES',
] as const

/** One admission condition: observed value and required value. */
export const AdmissionGate = named(
  'AdmissionGate',
  closed({
    gate: oneOf(admissionGates, 'Checked condition.'),
    ok: Type.Boolean(),
    observed: Type.Union([SignedAmount, Type.Null()], {
      description: 'Measured value; null if not measurable.',
    }),
    comparison: oneOf(['AT_LEAST', 'AT_MOST'], 'Required comparison of observed with limit.'),
    limit: SignedAmount,
    unit: oneOf(['COUNT', 'SECONDS', 'PIPS', 'QUOTE_ATOMS'], 'Unit of observed and limit.'),
    detail: Type.String({ maxLength: 500 }),
  }),
)
export type AdmissionGate = Static<typeof AdmissionGate>

export const AdmissionLimits = named(
  'AdmissionLimits',
  closed({
    maxFailurePips: Type.Optional(Pips),
    maxEs95LossPips: Pips,
    minDepthTimeSharePips: Pips,
  }),
)
export type AdmissionLimits = Static<typeof AdmissionLimits>

/** Current state of an admission: its strategy event, and whether it is still valid. */
export const StrategyAdmission = named(
  'StrategyAdmission',
  closed({
    eventId: RecordId,
    evidenceHash: Hash,
    resourceVersion: Hash,
    irHash: Hash,
    studies: list(Ref, 16),
    limits: closed({
      maxFailurePips: Pips,
      maxEs95LossPips: Pips,
      minDepthTimeSharePips: Pips,
    }),
    gates: list(AdmissionGate, admissionGates.length),
    admittedAt: Timestamp,
    expiresAt: Timestamp,
    state: oneOf(['ADMITTED', 'LAPSED'], 'Only ADMITTED supports a proposal.'),
    lapsedBy: orNull(oneOf(['SUPERSEDED', 'EXPIRED', 'DIVERGED'], 'Cause of the end.')),
    packageRevoked: Type.Boolean({
      description:
        'True if the package of the strategy is revoked; no further admission is possible.',
    }),
  }),
)
export type StrategyAdmission = Static<typeof StrategyAdmission>

const ProposalAdmissionRequest = named(
  'ProposalAdmissionRequest',
  closed({
    payload: closed({
      resourceVersion: Type.Optional(Hash),
      studies: list(Ref, 16, { minItems: 1 }),
      score: Type.Optional(Ref),
      limits: AdmissionLimits,
      validForSeconds: Type.Integer({
        minimum: 60,
        maximum: 604_800,
        description: 'Validity of the admission. Maximum: one week.',
      }),
    }),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const admitStrategyProposal = operation({
  id: 'admitStrategyProposal',
  method: 'POST',
  path: '/strategies/{id}/proposal-admissions',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Admit strategy proposal',
  description:
    'Admits a strategy version as the basis of a proposal: 201 data {admission, gates}; admission is an event of the strategy. Every gate is measured; if any gate fails, the request is rejected and fieldErrors lists it under gates. An admission lapses when the strategy is superseded, the admission expires, or observed results leave a study that supports it (SIMULATED_REALIZED_DIVERGENCE, WARNING or worse).',
  auth: scoped('strategies:validate'),
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: ProposalAdmissionRequest,
  response: data(
    closed({
      admission: OperatingSystemEvent,
      gates: list(AdmissionGate, admissionGates.length),
    }),
  ),
  errors: [
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_STRATEGY_TERMINAL',
    'LIQUIDITY_STRATEGY_ADMISSION_REFUSED',
  ],
  example: {
    body: {
      payload: {
        studies: [
          {
            id: 'study_replay_example',
            resourceVersion: '0x4444444444444444444444444444444444444444444444444444444444444444',
          },
          {
            id: 'study_paths_example',
            resourceVersion: '0x5555555555555555555555555555555555555555555555555555555555555555',
          },
        ],
        limits: { maxEs95LossPips: 100_000, minDepthTimeSharePips: 0 },
        validForSeconds: 86_400,
      },
      reason: 'Ready for a proposal to the treasury',
    },
  },
})

export const strategyAdmissionFamily = declareFamily({
  module: 'plan/strategies',
  operations: [admitStrategyProposal],
})
