import Type from 'typebox'
import { declareFamily, recordQuery } from '../family.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, named, oneOf, Reason } from '../scalars.ts'
import { CapitalRequirementRecord } from './capital-requirements.ts'
import { LastIntentMeasurement } from './intent-measurement.ts'
import {
  IntentObjective,
  IssuerIntent,
  IssuerIntentInput,
  IssuerIntentRecord,
} from './issuer-intent.ts'

export * from './intent-measurement.ts'
export * from './issuer-intent.ts'

const heading = { tag: 'Plan', family: 'Issuer intents, launches and unlocks' } as const

const moves = {
  DRAFT: ['DRAFT', 'VALIDATED', 'REVOKED'],
  VALIDATED: ['VALIDATED', 'PAUSED', 'REVOKED'],
  PAUSED: ['PAUSED', 'VALIDATED', 'DRAFT', 'REVOKED'],
  REVOKED: [],
} as const

const intents = {
  path: '/intents',
  ...heading,
  one: 'IssuerIntent',
  record: IssuerIntentRecord,
  cacheControl: 'private, no-store',
} as const

const IntentWrite = named(
  'IntentWrite',
  closed({ intent: IssuerIntentRecord, capitalRequirement: CapitalRequirementRecord }),
)

const IntentCreate = named(
  'IntentCreate',
  closed({
    payload: IssuerIntentInput,
    status: Type.Optional(
      oneOf(['DRAFT', 'VALIDATED'], 'VALIDATED if every check passes. Default: DRAFT.'),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const IntentSupersession = named(
  'IntentSupersession',
  closed({
    payload: Type.Optional(IssuerIntentInput),
    status: Type.Optional(
      oneOf(
        ['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'],
        'New status. Default: unchanged, except for a paused intent with a changed payload.',
      ),
    ),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const studyRefusals = [
  'LIQUIDITY_CAPITAL_REQUEST_INVALID',
  'LIQUIDITY_CAPITAL_RANGE_NARROWER_THAN_TARGET',
  'LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE',
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_SOURCE_VERSION_CHANGED',
] as const
const refusals = [
  ...studyRefusals,
  'LIQUIDITY_INTENT_INVALID',
  'LIQUIDITY_TYPED_AUTHORITY_REQUIRED',
  'LIQUIDITY_INTENT_BAND_EXCLUDES_REFERENCE',
  'LIQUIDITY_INTENT_LIMITS_BELOW_REQUIREMENT',
  'LIQUIDITY_INTENT_TRANSITION_OUT_OF_BOUNDS',
] as const

export const listIntents = listOperation(intents, {
  id: 'listIntents',
  summary: 'List intents',
  query: recordQuery(moves),
})

export const createIntents = operation({
  id: 'createIntents',
  method: 'POST',
  path: '/intents',
  ...heading,
  summary: 'Create intent',
  description:
    '201 data {intent, capitalRequirement}. Common mutation body. The service also computes the capital study; both records are written or neither. The limits of the intent are the budget of the study.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  cacheControl: 'private, no-store',
  success: [201],
  body: IntentCreate,
  response: record(IntentWrite),
  errors: refusals,
  example: {
    body: {
      payload: {
        objective: 'DEEPEN',
        label: '2 % depth on both sides',
        token: 'eip155:31337/erc20:0x8464135c8f25da09e49bc8782676a84730c318bc',
        quote: 'eip155:31337/erc20:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        reference: { kind: 'DECLARED', priceX18: '2000000000000000000' },
        targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: '100000000000000000000000' }],
        shapes: [
          { shapeId: 'whole-curve', sharePips: 1_000_000, feePips: 3_000, shape: { kind: 'V2' } },
        ],
        volatility: { kind: 'DECLARED', annualPips: 800_000 },
        limits: {
          maximumToken: '10000000000000000000000000',
          maximumQuote: '20000000000000000000000000',
          minimumPriceX18: '1000000000000000000',
          maximumPriceX18: '4000000000000000000',
          maximumOwnPoolSharePips: 1_000_000,
          minimumRunwayMonths: 0,
        },
        horizon: { from: '2026-02-01T00:00:00Z', to: '2026-08-01T00:00:00Z' },
        success: [
          {
            metric: 'DEPTH_QUOTE',
            movePips: 20_000,
            comparator: 'GTE',
            value: '100000000000000000000000',
            windowDays: 30,
          },
        ],
      },
      status: 'VALIDATED',
      reason: 'Decided by the board',
    },
  },
})

export const getIntents = getOperation(intents, { id: 'getIntents', summary: 'Get intent' })

export const readIntentMeasurement = operation({
  id: 'readIntentMeasurement',
  isExtension: true,
  method: 'GET',
  path: '/intents/{id}/measurement',
  ...heading,
  summary: 'Read the last measurement of an intent',
  description:
    'Success criteria of a validated intent, measured within its horizon against the newest market quality score of its pair. `measurement` is null before the first.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [404],
  response: data(LastIntentMeasurement),
})

export const supersedeIntents = operation({
  id: 'supersedeIntents',
  method: 'PATCH',
  path: '/intents/{id}',
  ...heading,
  summary: 'Supersede intents',
  description:
    'Recomputes the capital evidence; status DRAFT, VALIDATED, PAUSED or REVOKED. 200 data {intent, capitalRequirement}. Pausing and revoking never fail for missing evidence: in that case the computed data stays unchanged.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  cacheControl: 'private, no-store',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: IntentSupersession,
  response: record(IntentWrite),
  errors: [...refusals, 'LIQUIDITY_INTENT_REVOKED'],
  example: { body: { status: 'PAUSED', reason: 'The board waits for the audit' } },
})

const IntentSeed = named(
  'IntentSeed',
  closed({
    studyResourceVersion: Type.Optional(Hash),
    objective: IntentObjective,
    label: IssuerIntentInput.properties.label,
    reason: Reason,
  }),
)

export const seedIssuerIntentFromCapitalStudy = operation({
  id: 'seedIssuerIntentFromCapitalStudy',
  method: 'POST',
  path: '/capital-requirements/{id}/seed-intent',
  tag: 'Plan',
  family: 'Treasury ledger and capital planning',
  summary: 'Seed issuer intent from capital study',
  description:
    'Creates a draft intent bound to the reviewed version of the study, named by If-Match or as studyResourceVersion: targets from the study, limits from its required amounts, and depth as success criterion.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'optional',
  cacheControl: 'private, no-store',
  success: [201],
  body: IntentSeed,
  response: record(IntentWrite),
  errors: ['LIQUIDITY_CAPITAL_STUDY_UNUSABLE', 'LIQUIDITY_PRECONDITION_AMBIGUOUS'],
  example: {
    body: { objective: 'LAUNCH', label: 'For the launch', reason: 'Decided by the board' },
  },
})

export const intentFamily = declareFamily({
  module: 'plan/intents',
  operations: [
    listIntents,
    createIntents,
    getIntents,
    readIntentMeasurement,
    supersedeIntents,
    seedIssuerIntentFromCapitalStudy,
  ],
  type: 'IssuerIntent',
  prefix: 'intent',
  name: 'intent',
  plural: 'intents',
  payload: IssuerIntent,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_INTENT_REVOKED',
    move: 'LIQUIDITY_INTENT_TRANSITION_OUT_OF_BOUNDS',
  },
  events: ['intent.created', 'intent.superseded', 'intent.measured'],
  title: 'payload.request.label',
  columns: ['payload.request.label', 'payload.request.objective', 'status', 'createdAt'],
  subject: 'payload.capitalRequirement.id',
  ui: {
    page: 'plan/goals',
    task: 'Goals',
    noun: ['goal', 'goals'],
    icon: 'target',
    summary: 'Liquidity objectives with hard limits.',
    empty: 'Set a goal for depth, spread or price, with its limits.',
    head: ['payload.request.objective', 'payload.request.limits.maximumQuote'],
    actions: {
      createIntents: { label: 'Create goal' },
      supersedeIntents: { label: 'Edit goal', when: ['DRAFT', 'VALIDATED', 'PAUSED'] },
    },
    docs: 'intents',
  },
})
