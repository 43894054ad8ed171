import Type, { type Static } from 'typebox'
import { Evidence, Gap, noAuthority, OperatingSystemJob, Ref, versioned } from '../envelope.ts'
import { Depth, Fidelity, Pair, Slip } from '../intelligence/venues.ts'
import { collection, data, operation, paging, record, scoped } from '../operation.ts'
import {
  AtomicAmount,
  BlockNumber,
  closed,
  EvidenceHashes,
  Hash,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  Reason,
  SignedAmount,
} from '../scalars.ts'

export const flowModels = ['INELASTIC_INPUT', 'PRICE_SETTING'] as const

const ArmId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name of the arm inside the study.',
})
const Tick = Type.Integer({ minimum: -887_272, maximum: 887_272, description: 'Tick of the pool.' })

/** How an arm provides liquidity: not at all, over the whole range, or between two ticks. */
export const ArmPosition = named(
  'ArmPosition',
  Type.Union([
    closed({ kind: Type.Literal('HOLD', { description: 'Keeps base and quote.' }) }),
    closed({ kind: Type.Literal('FULL_RANGE') }),
    closed({ kind: Type.Literal('TICKS'), tickLower: Tick, tickUpper: Tick }),
    closed({
      kind: Type.Literal('RANGE'),
      lowerPips: Pips,
      upperPips: Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description: 'Distance of the upper edge above the start price, in pips of it.',
      }),
    }),
  ]),
)

const ArmLabel = Type.String({ minLength: 1, maxLength: 120, description: 'A human name.' })

/** A fixed position, or an exact version of a strategy that compiled. */
export const StudyArm = named(
  'StudyArm',
  Type.Union([
    closed({ armId: ArmId, label: ArmLabel, position: ArmPosition }),
    closed({ armId: ArmId, label: ArmLabel, strategy: Ref }),
  ]),
)

export const StudySpec = named(
  'StudySpec',
  closed({
    schemaVersion: Type.Literal('simulation-study-v1'),
    name: Type.String({ minLength: 3, maxLength: 120 }),
    kind: oneOf(['REPLAY', 'MONTE_CARLO', 'SCENARIO'], 'REPLAY runs on observed events.'),
    pair: Pair,
    market: closed({ venue: Ref }),
    observations: list(Ref, 64, { minItems: 1, description: 'Sealed observations of the window.' }),
    window: closed({ fromBlock: BlockNumber, toBlock: BlockNumber }),
    arms: list(StudyArm, 8, { minItems: 1 }),
    capital: closed({
      base: AtomicAmount,
      quote: AtomicAmount,
      normalization: oneOf(
        ['AS_GIVEN', 'EQUAL_VALUE'],
        'EQUAL_VALUE converts the capital of each arm at the start mid without cost.',
      ),
    }),
    flowModels: Type.Optional(
      list(oneOf(flowModels, 'What traders would have done.'), 2, {
        minItems: 1,
        uniqueItems: true,
      }),
    ),
    sampleSeconds: Type.Optional(Type.Integer({ minimum: 12, maximum: 86_400 })),
    bandsPips: Type.Optional(
      list(Type.Integer({ minimum: 1, maximum: 999_999 }), 6, { minItems: 1, uniqueItems: true }),
    ),
    tradeSizesQuote: list(AtomicAmount, 12, { minItems: 1 }),
    costs: Type.Optional(
      closed({
        gas: closed({ constantWei: AtomicAmount }, { description: 'Base fee of every block.' }),
        nativePriceX18: PriceX18,
        tipWei: Type.Optional(AtomicAmount),
        l1DataFeeWei: Type.Optional(AtomicAmount),
      }),
    ),
    actionLatencySeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'Between a trigger of a strategy and its action; 60 unless said otherwise.',
      }),
    ),
    seed: Type.Optional(Hash),
  }),
)
export type StudySpec = Static<typeof StudySpec>

export const SimulationStudyRequest = named(
  'SimulationStudyRequest',
  closed({ payload: StudySpec, evidenceHashes: Type.Optional(EvidenceHashes), reason: Reason }),
)

export const WaterfallHolder = named(
  'WaterfallHolder',
  closed({
    hold: SignedAmount,
    divergenceLoss: SignedAmount,
    exposureDrift: SignedAmount,
    fees: SignedAmount,
    rewards: SignedAmount,
    gas: SignedAmount,
    rebalanceCost: SignedAmount,
    rounding: SignedAmount,
    net: SignedAmount,
  }),
)

export const WaterfallMaker = named(
  'WaterfallMaker',
  closed({
    deltaPnl: SignedAmount,
    lvr: SignedAmount,
    fees: SignedAmount,
    rewards: SignedAmount,
    gas: SignedAmount,
    rebalanceCost: SignedAmount,
    rounding: SignedAmount,
    net: SignedAmount,
  }),
)

const Both = closed({ base: AtomicAmount, quote: AtomicAmount })
const Count = Type.Integer({ minimum: 0 })

export const ArmResult = named(
  'ArmResult',
  closed({
    armId: ArmId,
    flowModel: oneOf(flowModels, 'One edge of the band of assumptions.'),
    position: orNull(
      closed({
        tickLower: Tick,
        tickUpper: Tick,
        liquidity: AtomicAmount,
        deposited: Both,
        idle: Both,
      }),
    ),
    positions: list(closed({ tickLower: Tick, tickUpper: Tick, liquidity: AtomicAmount }), 192, {
      description: 'What was opened at the start.',
    }),
    operations: closed({
      done: mapOf(Count, 'Transactions by kind.'),
      refused: mapOf(Count, 'Actions that a guard refused, by guard.'),
      ownVolumeQuote: AtomicAmount,
    }),
    waterfallHolder: WaterfallHolder,
    waterfallMaker: WaterfallMaker,
    depth: list(
      closed({
        bandPips: Pips,
        side: oneOf(['BUY', 'SELL'], 'Side of the market.'),
        samples: Count,
        medianQuote: AtomicAmount,
        worst5Quote: AtomicAmount,
        worst1Quote: AtomicAmount,
      }),
      12,
      {
        description: 'Depth that the position itself delivered: median, worst 5 % and 1 % of time.',
      },
    ),
    timeInRangePips: orNull(Pips),
    flow: closed({
      swaps: Count,
      volumeQuote: AtomicAmount,
      arbitrages: Count,
      arbitrageVolumeQuote: AtomicAmount,
    }),
    end: Both,
    fees: Both,
  }),
)

export const StudyResult = named(
  'StudyResult',
  closed({
    state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'Only COMPLETED assesses market health.'),
    reasons: list(Type.String({ maxLength: 80 }), 32),
    assessesMarketHealth: Type.Boolean(),
    fidelity: Fidelity,
    parity: closed({
      verdict: oneOf(
        ['VERIFIED', 'UNVERIFIED'],
        'Whether this market was compared with its bytecode.',
      ),
      basis: Type.String({ description: 'What was compared.' }),
    }),
    startPriceX18: orNull(PriceX18),
    endPriceX18: orNull(PriceX18),
    market: orNull(closed({ depth: list(Depth, 12), slippage: list(Slip, 24) })),
    arms: list(ArmResult, 32),
    feeBand: list(closed({ armId: ArmId, lowQuote: SignedAmount, highQuote: SignedAmount }), 16, {
      description:
        'Fee income over the flow models: a band of assumptions, not a confidence interval.',
    }),
    seriesArtifacts: list(closed({ name: Type.String(), hash: Hash, rows: Count }), 128, {
      description:
        'Of each arm and flow model, as stored artifacts: samples, actions (done or refused), layouts (positions from a block on).',
    }),
    resultHash: Hash,
    gaps: list(Gap, 64),
    evidence: Evidence,
  }),
)
export type StudyResult = Static<typeof StudyResult>

export const SimulationStudy = named(
  'SimulationStudy',
  closed({
    spec: StudySpec,
    progress: orNull(
      closed({ done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) }),
    ),
    reproduces: orNull(Ref),
    result: orNull(StudyResult),
  }),
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

export const listStudies = operation({
  id: 'listStudies',
  method: 'GET',
  path: '/studies',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'List studies',
  description: 'Collection of SimulationStudy: {data[], meta{count, hasMore, nextCursor?}}.',
  auth: scoped('studies:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: collection(SimulationStudyRecord),
})

export const createStudies = operation({
  id: 'createStudies',
  method: 'POST',
  path: '/studies',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
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
    'LIQUIDITY_STUDY_KIND_NOT_AVAILABLE',
    'LIQUIDITY_STUDY_INPUT_INVALID',
    'LIQUIDITY_STUDY_WINDOW_UNCOVERED',
    'LIQUIDITY_STUDY_TICK_UNALIGNED',
    'LIQUIDITY_STUDY_CAPITAL_ZERO',
    'LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE',
    'LIQUIDITY_STUDY_BUDGET_EXCEEDED',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    'LIQUIDITY_SOURCE_VERSION_CHANGED',
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
      reason: 'Which range would have delivered depth',
    },
  },
})

export const getStudies = operation({
  id: 'getStudies',
  method: 'GET',
  path: '/studies/{id}',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Read one study',
  description: 'One SimulationStudy record with its strong ETag (quoted resourceVersion).',
  auth: scoped('studies:read'),
  permission: 'read',
  success: [200],
  statedErrors: [404],
  response: record(SimulationStudyRecord),
})

export const runNonCustodialSandboxStudy = operation({
  id: 'runNonCustodialSandboxStudy',
  method: 'POST',
  path: '/sandbox/studies',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Run non custodial sandbox study',
  description: 'Non-custodial sandbox run of a study.',
  auth: scoped('studies:write'),
  permission: 'simulate',
  idempotency: 'key-160',
  success: [201],
})

export const createSignedStudyReport = operation({
  id: 'createSignedStudyReport',
  method: 'POST',
  path: '/studies/{id}/reports',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Create signed study report',
  description:
    'Requests a signed report of a study; the work is a report job (OperatingSystemJob). Report states: COMPLETED, PARTIAL, ABSTAINED (the last two do not assess market health).',
  auth: scoped('studies:write'),
  permission: 'simulate',
  idempotency: 'key-160',
  success: [201],
})

export const listStudyReportJobs = operation({
  id: 'listStudyReportJobs',
  method: 'GET',
  path: '/studies/{id}/report-jobs',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'List study report jobs',
  description: 'Report jobs (OperatingSystemJob) of one study.',
  auth: scoped('studies:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})
