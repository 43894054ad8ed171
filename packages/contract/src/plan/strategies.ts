import Type, { type Static } from 'typebox'
import { noAuthority, OperatingSystemEvent, Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { LiquidityAnomalyRecord } from '../intelligence/anomalies.ts'
import { data, operation, scoped, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  EvidenceHashes,
  Hash,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Reason,
} from '../scalars.ts'
import { SimulationStudyRecord } from '../simulate/studies.ts'
import { StrategyAdmission } from './strategy-admissions.ts'
import {
  compilerRefusals,
  StrategyCompilation,
  StrategyDefinitionV2Input,
} from './strategy-definition.ts'
import { StrategyLineage, StrategyWrapper } from './strategy-origin.ts'

export * from './strategy-definition.ts'
export * from './strategy-origin.ts'

export const StrategyDefinitionV2 = named(
  'StrategyDefinitionV2',
  closed({
    definition: StrategyDefinitionV2Input,
    compilation: StrategyCompilation,
    wrapper: Type.Optional(StrategyWrapper),
    lineage: Type.Optional(StrategyLineage),
    ...noAuthority,
  }),
)
export type StrategyDefinitionV2 = Static<typeof StrategyDefinitionV2>
export const StrategyDefinitionV2Record = versioned('StrategyDefinitionV2', StrategyDefinitionV2)

const strategyStatuses = ['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'] as const

const StrategyCreate = named(
  'StrategyCreate',
  closed({
    payload: StrategyDefinitionV2Input,
    status: Type.Optional(oneOf(['DRAFT', 'VALIDATED'], 'Initial status. Default: DRAFT.')),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const StrategySupersession = named(
  'StrategySupersession',
  closed({
    payload: Type.Optional(StrategyDefinitionV2Input),
    status: Type.Optional(oneOf(strategyStatuses, 'New status of the strategy.')),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const strategyExample = {
  schemaVersion: 'strategy-definition-v2',
  name: 'Follow the price within 5 %',
  objective: 'MAINTAIN',
  pair: {
    chainId: 31337,
    base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    baseDecimals: 18,
    quoteDecimals: 18,
  },
  venue: {
    id: 'venue_example',
    resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
  },
  capital: { maxBase: '1000000000000000000000', maxQuote: '10000000000000000000' },
  inventory: { targetBaseSharePips: 500_000, minBaseSharePips: 100_000, maxBaseSharePips: 900_000 },
  positions: [
    {
      positionId: 'core',
      weightPips: 800_000,
      template: { kind: 'RANGE', lowerPips: 50_000, upperPips: 50_000 },
    },
    { positionId: 'wide', weightPips: 200_000, template: { kind: 'FULL_RANGE' } },
  ],
  idlePips: 0,
  rules: [
    {
      ruleId: 'follow',
      when: { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 900 },
      do: { kind: 'RECENTER', swap: true },
      cooldownSeconds: 3600,
      maxPerDay: 6,
    },
  ],
  guards: {
    twapWindowSeconds: 1800,
    maxTwapDeviationPips: 20_000,
    maxSwapSlippagePips: 15_000,
    maxGasQuotePerAction: '50000000000000000',
    maxTurnoverQuotePerDay: '20000000000000000000',
    minSecondsBetweenActions: 600,
    oracleMaxAgeSeconds: null,
    pauseOn: ['LIQUIDITY_DISAPPEARANCE'],
  },
} as const

const heading = { tag: 'Plan', family: 'Strategies and packages' } as const

const strategies = {
  path: '/strategies',
  ...heading,
  one: 'StrategyDefinitionV2',
  record: StrategyDefinitionV2Record,
  auth: scoped('strategies:validate'),
} as const

const moves = {
  DRAFT: ['DRAFT', 'VALIDATED', 'REVOKED'],
  VALIDATED: ['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'],
  PAUSED: ['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'],
  REVOKED: [],
} as const

export const listStrategies = listOperation(strategies, {
  id: 'listStrategies',
  summary: 'List strategies',
  note: 'For service credentials this GET spends the strategies:validate budget (200 per 900 s).',
  query: recordQueryOf(moves, 'a venue'),
})

export const createStrategies = operation({
  id: 'createStrategies',
  method: 'POST',
  path: '/strategies',
  ...heading,
  summary: 'Create strategy',
  description:
    'Input StrategyDefinitionV2Input; 201 data {strategy, compilation}. Common mutation body.',
  auth: scoped('strategies:validate'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: StrategyCreate,
  response: data(
    closed({ strategy: StrategyDefinitionV2Record, compilation: StrategyCompilation }),
  ),
  errors: [...compilerRefusals, 'LIQUIDITY_ROLE_REQUIRED'],
  example: { body: { payload: strategyExample, reason: 'Depth near the price after the launch' } },
})

export const getStrategies = getOperation(strategies, {
  id: 'getStrategies',
  summary: 'Get strategy',
  note: 'Spends the strategies:validate budget.',
})

export const supersedeStrategies = operation({
  id: 'supersedeStrategies',
  method: 'PATCH',
  path: '/strategies/{id}',
  ...heading,
  summary: 'Supersede strategies',
  description:
    'Body {payload?, status?, evidenceHashes?, reason}; status one of DRAFT, VALIDATED, PAUSED, REVOKED. 200 data {strategy, compilation, compilationEvidence (OperatingSystemEvent)}. 400 payload or transition outside the bounded operation; 409 a typed authority workflow is needed; 412 stale.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: StrategySupersession,
  response: data(
    closed({
      strategy: StrategyDefinitionV2Record,
      compilation: StrategyCompilation,
      compilationEvidence: OperatingSystemEvent,
    }),
  ),
  errors: [
    ...compilerRefusals,
    'LIQUIDITY_STRATEGY_TERMINAL',
    'LIQUIDITY_STRATEGY_TRANSITION_REFUSED',
    'LIQUIDITY_ROLE_REQUIRED',
  ],
  example: { body: { status: 'VALIDATED', reason: 'Reviewed by the desk' } },
})

const StrategyCompiled = named(
  'StrategyCompiled',
  closed({
    sequence: Type.Integer({ minimum: 1 }),
    resourceVersion: Hash,
    irHash: orNull(Hash),
    ok: Type.Boolean(),
    observation: orNull(Ref),
    engineVersion: Type.String(),
  }),
)

/** Source package of a strategy: the version it was created from, and the current status. */
const StrategyPackageLineage = named(
  'StrategyPackageLineage',
  closed({
    package: Ref,
    contentHash: Hash,
    parameters: mapOf(Type.String(), 'Parameter values, including defaults.'),
    isChanged: Type.Boolean({ description: 'True if the strategy has changed since.' }),
    packageStatus: oneOf(['DRAFT', 'ACTIVE', 'REVOKED'], 'Current status of the package.'),
    packageRevoked: Type.Boolean(),
    revocationReason: orNull(Type.String()),
  }),
)

const ResolvedHash = named(
  'ResolvedHash',
  closed({
    hash: Hash,
    kind: oneOf(
      [
        'STRATEGY_VERSION',
        'STRATEGY_IR',
        'OBSERVATION',
        'STUDY_VERSION',
        'STUDY_RESULT',
        'STUDY_SPEC',
        'PACKAGE_VERSION',
        'PACKAGE_CONTENT',
        'ARTIFACT',
        'EVENT',
        'DECLARED',
      ],
      'Object with this hash; DECLARED hashes were named by an actor and are unknown here.',
    ),
    id: orNull(Type.String({ description: 'Id of the record, event or artifact with the hash.' })),
  }),
)

export const getStrategyEvidence = operation({
  id: 'getStrategyEvidence',
  method: 'GET',
  path: '/strategies/{id}/evidence',
  ...heading,
  summary: 'Get strategy evidence',
  description:
    'Combines the strategy and the full study evidence; session only, because strategies:validate does not grant access.',
  auth: session,
  permission: 'read',
  success: [200],
  response: data(
    closed({
      strategy: StrategyDefinitionV2Record,
      versions: list(StrategyDefinitionV2Record, 1000, {
        description: 'All versions, oldest first, each with its compiler result.',
      }),
      compilations: list(StrategyCompiled, 1000, {
        description: 'Compilations of all versions, oldest first.',
      }),
      studies: list(SimulationStudyRecord, 200, {
        description:
          'The newest 50 studies with an arm of this strategy, newest first, followed by every other study of an admission.',
      }),
      divergences: list(LiquidityAnomalyRecord, 50, {
        description:
          'Divergences of observed from simulated results of these studies, newest first, open or resolved.',
      }),
      admissions: list(StrategyAdmission, 1000, {
        description: 'Every admission with its validity, oldest first.',
      }),
      packageLineage: orNull(StrategyPackageLineage),
      events: list(OperatingSystemEvent, 1000, { description: 'History, oldest first.' }),
      omitted: closed(
        {
          versions: Type.Integer({ minimum: 0 }),
          studies: Type.Integer({ minimum: 0 }),
          events: Type.Integer({ minimum: 0 }),
          divergences: Type.Integer({ minimum: 0 }),
        },
        { description: 'Number of omitted items.' },
      ),
      hashes: list(ResolvedHash, 10_000, {
        description: 'Lookup of each evidence hash.',
      }),
    }),
  ),
})

export const strategyFamily = declareFamily({
  module: 'plan/strategies',
  operations: [
    listStrategies,
    createStrategies,
    getStrategies,
    supersedeStrategies,
    getStrategyEvidence,
  ],
  type: 'StrategyDefinitionV2',
  prefix: 'strategy',
  name: 'strategy',
  plural: 'strategies',
  payload: StrategyDefinitionV2,
  moves,
  needs: { VALIDATED: 'operate', PAUSED: 'operate', REVOKED: 'operate' },
  refusals: {
    terminal: 'LIQUIDITY_STRATEGY_TERMINAL',
    move: 'LIQUIDITY_STRATEGY_TRANSITION_REFUSED',
  },
  events: [
    'strategy.compiled',
    'strategy.wrapped',
    'strategy.draft',
    'strategy.paused',
    'strategy.revoked',
    'strategy.admitted',
    'strategy.admission_lapsed',
  ],
  title: 'payload.definition.name',
  columns: ['payload.definition.kind', 'payload.compilation.ok', 'status'],
  subject: 'payload.definition.venue.id',
  ui: {
    page: 'plan/strategies',
    task: 'Strategies',
    icon: 'route',
    summary: 'Rules that move liquidity, tested on market data.',
    empty: 'Create a strategy, then test it in a study.',
    head: ['payload.definition.kind', 'payload.compilation.ok'],
    actions: {
      createStrategies: { label: 'Create strategy' },
      wrapLegacyStrategyDefinition: { label: 'Import v1 definition' },
      supersedeStrategies: { label: 'Edit strategy' },
      admitStrategyProposal: { label: 'Admit strategy', when: ['VALIDATED'] },
    },
    docs: 'strategies',
  },
})
