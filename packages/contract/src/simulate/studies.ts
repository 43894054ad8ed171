import Type, { type Static } from 'typebox'
import { noAuthority, OperatingSystemJob, Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { measured, unitless } from '../measures.ts'
import { data, operation, scoped } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, Hash, named, orNull } from '../scalars.ts'
import { exampleMarket } from './example-market.ts'
import { readStudyProgress } from './study-estimates.ts'
import { StudyResult } from './study-results.ts'
import { SimulationStudyRequest, StudySpec } from './study-spec.ts'
import { readStudyVerdict } from './study-verdict.ts'

export const SimulationStudy = named(
  'SimulationStudy',
  measured(
    closed({
      spec: StudySpec,
      progress: orNull(
        closed({ done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) }),
      ),
      reproduces: orNull(Ref),
      result: orNull(StudyResult),
    }),
    { spec: unitless, progress: unitless },
  ),
)
export const SimulationStudyRecord = versioned('SimulationStudy', SimulationStudy)
export type SimulationStudy = Static<typeof SimulationStudy>

export const QueuedStudy = named(
  'QueuedStudy',
  closed({
    study: SimulationStudyRecord,
    job: OperatingSystemJob,
    interactive: Type.Literal(false),
    signedReportPending: Type.Literal(true),
    ...noAuthority,
  }),
)

/** Sandbox response: the same result as `/studies`, without storing it. */
export const SandboxStudy = named(
  'SandboxStudy',
  closed({
    result: StudyResult,
    specHash: Hash,
    persisted: Type.Literal(false, {
      description:
        'Always false: the service stores no record, only the response under its Idempotency-Key.',
    }),
    ...noAuthority,
  }),
)
export type SandboxStudy = Static<typeof SandboxStudy>

const heading = { tag: 'Simulate', family: 'Simulation studies and sharing' } as const

const studies = {
  path: '/studies',
  ...heading,
  one: 'SimulationStudy',
  record: SimulationStudyRecord,
  auth: scoped('studies:read'),
} as const

const moves = {
  VALIDATED: ['ACTIVE', 'FAILED'],
  ACTIVE: ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED'],
  COMPLETED: [],
  PARTIAL: [],
  ABSTAINED: [],
  FAILED: [],
} as const

export const listStudies = listOperation(studies, {
  id: 'listStudies',
  summary: 'List studies',
  query: recordQueryOf(moves, 'a venue'),
})

export const createStudies = operation({
  id: 'createStudies',
  method: 'POST',
  path: '/studies',
  ...heading,
  summary: 'Run a simulation study',
  description:
    '201 data is either the study record, or {study, job, interactive:false, signedReportPending:true} when the run is queued.',
  auth: scoped('studies:write'),
  permission: 'simulate',
  idempotency: 'key-160',
  success: [201],
  body: SimulationStudyRequest,
  response: data(Type.Union([SimulationStudyRecord, QueuedStudy])),
  errors: [
    'LIQUIDITY_STUDY_INPUT_INVALID',
    'LIQUIDITY_STUDY_WINDOW_UNCOVERED',
    'LIQUIDITY_STUDY_TICK_UNALIGNED',
    'LIQUIDITY_STUDY_CAPITAL_ZERO',
    'LIQUIDITY_STUDY_REFERENCE_REQUIRED',
    'LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE',
    'LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE',
    'LIQUIDITY_STUDY_BUDGET_EXCEEDED',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
  ],
  example: {
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        name: 'Launch half hour',
        kind: 'REPLAY',
        pair: {
          chainId: 31337,
          base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
          quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          baseDecimals: 18,
          quoteDecimals: 18,
        },
        market: {
          venue: {
            id: 'venue_example',
            resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
          },
        },
        observations: [
          {
            id: 'venue_observation_example',
            resourceVersion: '0x2222222222222222222222222222222222222222222222222222222222222222',
          },
        ],
        window: { fromBlock: 0, toBlock: 1 },
        arms: [
          { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } },
          { armId: 'full', label: 'Full range', position: { kind: 'FULL_RANGE' } },
        ],
        capital: {
          base: '1000000000000000000000',
          quote: '10000000000000000000',
          normalization: 'EQUAL_VALUE',
        },
        tradeSizesQuote: ['1000000000000000000'],
      },
      reason: 'Depth comparison of two ranges',
    },
  },
})

export const getStudies = getOperation(studies, { id: 'getStudies', summary: 'Read one study' })

export const runNonCustodialSandboxStudy = operation({
  id: 'runNonCustodialSandboxStudy',
  method: 'POST',
  path: '/sandbox/studies',
  ...heading,
  summary: 'Run sandbox study',
  description:
    'Runs a MONTE_CARLO or SCENARIO study of an inline market, within three seconds of computation. The service stores no record. As for every mutation, the service stores only the response under its Idempotency-Key; a repeated key returns it with `Idempotency-Replayed: true`. The same body sent to /studies gives the same resultHash.',
  auth: scoped('studies:write'),
  permission: 'simulate',
  idempotency: 'key-160',
  success: [201],
  body: SimulationStudyRequest,
  response: data(SandboxStudy),
  errors: [
    'LIQUIDITY_STUDY_INPUT_INVALID',
    'LIQUIDITY_STUDY_TICK_UNALIGNED',
    'LIQUIDITY_STUDY_CAPITAL_ZERO',
    'LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE',
    'LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE',
    'LIQUIDITY_SANDBOX_BUDGET_EXCEEDED',
  ],
  example: {
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        name: 'Planned pool',
        ...exampleMarket,
        flow: {
          kind: 'COMPOUND_POISSON',
          tradesPerDayMilli: 24_000,
          logMeanQuotePips: 41_446_532,
          logDeviationPips: 1_000_000,
          buySharePips: 500_000,
        },
        arms: [
          {
            armId: 'near',
            label: 'Around the price',
            position: { kind: 'TICKS', tickLower: -1200, tickUpper: 1200 },
          },
        ],
        tradeSizesQuote: ['1000000000000000000'],
        failure: [{ kind: 'LOSS_VS_HOLD', pips: 10_000 }],
        paths: 200,
      },
      reason: 'Before deployment',
    },
  },
})

export const studyFamily = declareFamily({
  module: 'simulate/studies',
  operations: [
    listStudies,
    createStudies,
    getStudies,
    readStudyProgress,
    readStudyVerdict,
    runNonCustodialSandboxStudy,
  ],
  type: 'SimulationStudy',
  prefix: 'study',
  name: 'study',
  plural: 'studies',
  payload: SimulationStudy,
  moves,
  events: [
    'study.queued',
    'study.started',
    'study.finished',
    'study.failed',
    'study.cancelled',
    'study.report_signed',
  ],
  title: 'payload.spec.name',
  columns: ['payload.spec.kind', 'status', 'createdAt'],
  subject: 'payload.spec.market.venue.id',
  ui: {
    page: 'studies/studies',
    task: 'Studies',
    icon: 'flask-conical',
    summary: 'Backtests and simulations of LP positions vs HODL.',
    empty: 'Create a study, or backtest ranges.',
    head: [
      'payload.spec.kind',
      'payload.spec.capital.base',
      'payload.spec.capital.quote',
      'payload.result.startPriceX18',
    ],
    actions: {
      createStudies: { label: 'Create study' },
      runNonCustodialSandboxStudy: { label: 'Run without saving' },
      createStudyShareLink: { label: 'Share study', when: ['COMPLETED', 'PARTIAL', 'ABSTAINED'] },
      createSignedStudyReport: {
        label: 'Create report',
        when: ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
      },
    },
    docs: 'studies',
  },
})
