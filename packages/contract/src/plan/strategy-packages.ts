import Type, { type Static } from 'typebox'
import { mutation, noAuthority, Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { Pair } from '../intelligence/venues.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  AtomicAmount,
  closed,
  EvidenceHashes,
  Hash,
  Label,
  list,
  mapOf,
  named,
  oneOf,
  openObject,
  orNull,
  Reason,
  SignedAmount,
} from '../scalars.ts'
import { StudySpec } from '../simulate/study-spec.ts'
import { StrategyDefinitionV2Record } from './strategies.ts'
import {
  compilerRefusals,
  StrategyCompilation,
  StrategyDefinitionV2Input,
} from './strategy-definition.ts'

/** Units whose template values are numbers, and those with decimal strings. */
export const numberUnits = ['PIPS', 'SECONDS', 'COUNT', 'MILLI', 'TICK'] as const
export const amountUnits = ['BASE_ATOMS', 'QUOTE_ATOMS'] as const

const {
  pair: _pair,
  venue: _venue,
  capital: _capital,
  ...behaviour
} = StrategyDefinitionV2Input.properties

/** A template with all parameters filled: a definition without market and capital. */
export const FilledTemplate = closed(behaviour)
export type FilledTemplate = Static<typeof FilledTemplate>

export const hole = (name: string) => `\${${name}}`

const ParameterName = Type.String({
  pattern: '^[a-z][a-zA-Z0-9]{0,39}$',
  description: `Name of a parameter; "${hole('name')}" is its hole in the template.`,
})

export const PackageParameter = named(
  'PackageParameter',
  closed({
    name: ParameterName,
    unit: oneOf([...numberUnits, ...amountUnits], 'Unit of the value.'),
    min: SignedAmount,
    max: SignedAmount,
    default: SignedAmount,
  }),
)
export type PackageParameter = Static<typeof PackageParameter>

const Sentence = Type.String({ minLength: 3, maxLength: 500 })
const candidate = {
  name: Label,
  version: Type.String({
    pattern: '^(0|[1-9][0-9]{0,5})\\.(0|[1-9][0-9]{0,5})\\.(0|[1-9][0-9]{0,5})$',
    description: 'MAJOR.MINOR.PATCH (semver.org).',
    examples: ['1.0.0'],
  }),
  template: openObject(
    `A StrategyDefinitionV2Input without pair, venue and capital. "${hole('name')}" replaces any value with a parameter.`,
  ),
  parameters: list(PackageParameter, 32),
  twin: closed(
    { spec: StudySpec, expectedResultHash: Hash },
    {
      description:
        'A study on an inline market, small enough for POST /sandbox/studies, with an arm that uses the template at its defaults; and the expected result hash.',
    },
  ),
  intendedUse: Type.String({ minLength: 3, maxLength: 2000 }),
  knownLimits: list(Sentence, 20, { minItems: 1 }),
}

export const StrategyPackageCandidate = named(
  'StrategyPackageCandidate',
  closed({ ...candidate, supersedes: Type.Optional(Ref) }),
)
export type StrategyPackageCandidate = Static<typeof StrategyPackageCandidate>

export const StrategyPackage = named(
  'StrategyPackage',
  closed({
    ...candidate,
    supersedes: orNull(Ref),
    contentHash: Hash,
    digitalTwinOnly: Type.Literal(true),
    approval: orNull(
      closed(
        {
          twinResultHash: Hash,
          engineBuildHash: Hash,
          isSelfApproved: Type.Boolean({
            description: 'True if the author approved it as the only member of the organization.',
          }),
        },
        { description: 'Findings at approval; null before approval.' },
      ),
    ),
    ...noAuthority,
  }),
)
export type StrategyPackage = Static<typeof StrategyPackage>
export const StrategyPackageRecord = versioned('StrategyPackage', StrategyPackage)

const PackageDecision = named(
  'PackageDecision',
  closed({
    resourceVersion: Type.Optional(Hash),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const StrategySeed = named(
  'StrategySeed',
  mutation(
    closed({
      resourceVersion: Type.Optional(Hash),
      parameters: mapOf(
        Type.String({ maxLength: 80 }),
        'Whole numbers as decimal strings, by name. Omitted parameters use their defaults.',
      ),
      pair: Pair,
      venue: Ref,
      capital: closed({ maxBase: AtomicAmount, maxQuote: AtomicAmount }),
      name: Type.Optional(Label),
    }),
  ),
)

const pair = {
  chainId: 31337,
  base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
  quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  baseDecimals: 18,
  quoteDecimals: 18,
} as const

const core = (lowerPips: unknown, upperPips: unknown, weightPips: unknown) => ({
  positionId: 'core',
  weightPips,
  template: { kind: 'RANGE', lowerPips, upperPips },
})
const shape = (position: ReturnType<typeof core>, cooldownSeconds: unknown) => ({
  schemaVersion: 'strategy-definition-v2',
  name: 'A range that follows the price',
  objective: 'MAINTAIN',
  inventory: { targetBaseSharePips: 500_000, minBaseSharePips: 50_000, maxBaseSharePips: 950_000 },
  positions: [position],
  idlePips: 0,
  rules: [
    {
      ruleId: 'follow',
      when: { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 3600 },
      do: { kind: 'RECENTER', swap: true },
      cooldownSeconds,
      maxPerDay: 6,
    },
  ],
  guards: {
    twapWindowSeconds: 7200,
    maxTwapDeviationPips: 200_000,
    maxSwapSlippagePips: 50_000,
    maxGasQuotePerAction: null,
    maxTurnoverQuotePerDay: '20000000000000000000',
    minSecondsBetweenActions: 600,
    oracleMaxAgeSeconds: null,
    pauseOn: [],
  },
})

/** One day of a pool at a price of 1, in hourly steps. */
const twinExample = {
  schemaVersion: 'simulation-study-v1',
  name: 'Twin of a range that follows',
  kind: 'MONTE_CARLO',
  pair,
  market: {
    inline: {
      kind: 'UNISWAP_V3',
      feePips: 3000,
      tickSpacing: 60,
      sqrtPriceX96: '79228162514264337593543950336',
      ticks: [
        {
          index: -887_220,
          liquidityGross: '1000000000000000000000',
          liquidityNet: '1000000000000000000000',
        },
        {
          index: 887_220,
          liquidityGross: '1000000000000000000000',
          liquidityNet: '-1000000000000000000000',
        },
      ],
    },
  },
  horizonSeconds: 86_400,
  stepSeconds: 3600,
  sampleSeconds: 3600,
  arms: [
    {
      armId: 'package',
      label: 'The template at its defaults',
      definition: {
        ...shape(core(200_000, 200_000, 1_000_000), 7200),
        capital: { maxBase: '10000000000000000000', maxQuote: '10000000000000000000' },
      },
    },
  ],
  capital: {
    base: '10000000000000000000',
    quote: '10000000000000000000',
    normalization: 'EQUAL_VALUE',
  },
  price: { kind: 'GBM', annualVolatilityPips: 900_000 },
  flow: { kind: 'NONE' },
  tradeSizesQuote: ['1000000000000000000'],
  failure: [{ kind: 'LOSS_VS_HOLD', pips: 100_000 }],
  paths: 200,
} as const

const heading = { tag: 'Plan', family: 'Strategies and packages' } as const

const strategyPackages = {
  path: '/strategy-packages',
  ...heading,
  one: 'StrategyPackage',
  record: StrategyPackageRecord,
} as const

const moves = { DRAFT: ['ACTIVE', 'REVOKED'], ACTIVE: ['REVOKED'], REVOKED: [] } as const

export const listStrategyPackages = listOperation(strategyPackages, {
  id: 'listStrategyPackages',
  summary: 'List strategy packages',
  query: recordQuery(moves),
})

export const createStrategyPackageCandidate = operation({
  id: 'createStrategyPackageCandidate',
  method: 'POST',
  path: '/strategy-packages',
  ...heading,
  summary: 'Create strategy package candidate',
  description:
    'Input StrategyPackageCandidate; 201 record. A candidate is for the digital twin only; the server derives the content hash of the package, from all fields except its name.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: mutation(StrategyPackageCandidate),
  response: record(StrategyPackageRecord),
  errors: [
    'LIQUIDITY_PACKAGE_TEMPLATE_INVALID',
    'LIQUIDITY_PACKAGE_TWIN_INVALID',
    'LIQUIDITY_PACKAGE_VERSION_REFUSED',
    'LIQUIDITY_SOURCE_UNAVAILABLE',
  ],
  example: {
    body: {
      payload: {
        name: 'Follow the price',
        version: '1.0.0',
        template: shape(core(hole('width'), hole('width'), 1_000_000), hole('cooldown')),
        parameters: [
          { name: 'width', unit: 'PIPS', min: '20000', max: '500000', default: '200000' },
          { name: 'cooldown', unit: 'SECONDS', min: '3600', max: '86400', default: '7200' },
        ],
        twin: {
          spec: twinExample,
          expectedResultHash: '0x3333333333333333333333333333333333333333333333333333333333333333',
        },
        intendedUse: 'Adds depth near the price of a thin market.',
        knownLimits: ['Buys high and sells low when the price comes back at once.'],
      },
      reason: 'Share with other desks',
    },
  },
})

export const getStrategyPackages = getOperation(strategyPackages, {
  id: 'getStrategyPackages',
  summary: 'Get strategy package',
})

export const approveStrategyPackage = operation({
  id: 'approveStrategyPackage',
  method: 'POST',
  path: '/strategy-packages/{id}/approve',
  ...heading,
  summary: 'Approve strategy package',
  description:
    'Approves a candidate (appends a version) after a rerun of its reference study (twin) reproduced the expected hash. Requires a user other than the author, unless the organization has one member. Needs If-Match or resourceVersion. Grants no execution authority.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: PackageDecision,
  response: record(StrategyPackageRecord),
  errors: [
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_PACKAGE_TERMINAL',
    'LIQUIDITY_PACKAGE_TRANSITION_REFUSED',
    'LIQUIDITY_PACKAGE_SELF_APPROVAL',
    'LIQUIDITY_PACKAGE_TWIN_INVALID',
    'LIQUIDITY_PACKAGE_TWIN_MISMATCH',
  ],
  example: { body: { reason: 'Line-by-line review; the twin run matches' } },
})

export const seedStrategyFromApprovedPackage = operation({
  id: 'seedStrategyFromApprovedPackage',
  method: 'POST',
  path: '/strategy-packages/{id}/seed-strategy',
  ...heading,
  summary: 'Seed strategy from approved package',
  description:
    'Creates a draft strategy from an approved package: 201 data {strategy, compilation}. The strategy names the package and its contentHash as its lineage.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: StrategySeed,
  response: data(
    closed({ strategy: StrategyDefinitionV2Record, compilation: StrategyCompilation }),
  ),
  errors: [
    ...compilerRefusals,
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_PACKAGE_NOT_APPROVED',
    'LIQUIDITY_PACKAGE_PARAMETER_OUT_OF_BOUNDS',
    'LIQUIDITY_PACKAGE_TEMPLATE_INVALID',
  ],
  example: {
    body: {
      payload: {
        parameters: { width: '150000' },
        pair,
        venue: {
          id: 'venue_example',
          resourceVersion: '0x1111111111111111111111111111111111111111111111111111111111111111',
        },
        capital: { maxBase: '1000000000000000000000', maxQuote: '10000000000000000000' },
      },
      reason: 'For the market of the launch',
    },
  },
})

export const revokeStrategyPackage = operation({
  id: 'revokeStrategyPackage',
  method: 'POST',
  path: '/strategy-packages/{id}/revoke',
  ...heading,
  summary: 'Revoke strategy package',
  description:
    'Permanently revokes a package (appends a version). Strategies seeded from it remain, show packageRevoked:true and cannot be admitted to further proposals.',
  auth: session,
  permission: 'operate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: PackageDecision,
  response: record(StrategyPackageRecord),
  errors: ['LIQUIDITY_PRECONDITION_AMBIGUOUS', 'LIQUIDITY_PACKAGE_TERMINAL'],
  example: { body: { reason: 'The venue changed its fee' } },
})

export const strategyPackageFamily = declareFamily({
  module: 'plan/strategy-packages',
  operations: [
    listStrategyPackages,
    createStrategyPackageCandidate,
    getStrategyPackages,
    approveStrategyPackage,
    seedStrategyFromApprovedPackage,
    revokeStrategyPackage,
  ],
  type: 'StrategyPackage',
  prefix: 'strategy_package',
  name: 'strategy package',
  plural: 'strategy packages',
  payload: StrategyPackage,
  moves,
  refusals: {
    terminal: 'LIQUIDITY_PACKAGE_TERMINAL',
    move: 'LIQUIDITY_PACKAGE_TRANSITION_REFUSED',
  },
  events: [
    'strategy_package.created',
    'strategy_package.approved',
    'strategy_package.seeded',
    'strategy_package.revoked',
  ],
  title: 'payload.name',
  columns: ['payload.version', 'status', 'createdAt'],
  ui: {
    page: 'plan/strategies',
    task: 'Strategy packages',
    icon: 'package',
    summary: 'Approved templates for new strategies.',
    empty: 'Create a package from a strategy that a study has tested.',
    head: ['payload.version'],
    actions: {
      createStrategyPackageCandidate: { label: 'Create package' },
      approveStrategyPackage: { label: 'Approve package', when: ['DRAFT'] },
      revokeStrategyPackage: { label: 'Revoke package' },
      seedStrategyFromApprovedPackage: { label: 'Create strategy', when: ['ACTIVE', 'VALIDATED'] },
    },
    docs: 'packages',
  },
})
