import Type, { type Static, type TSchema } from 'typebox'
import { Ref } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { Pair } from '../intelligence/venues.ts'
import { data, operation, scoped } from '../operation.ts'
import {
  AtomicAmount,
  closed,
  EvidenceHashes,
  Hash,
  Label,
  named,
  oneOf,
  orNull,
  Pips,
  Reason,
} from '../scalars.ts'
import { RangeAroundPrice } from './range.ts'
import { StrategyDefinitionV2Record } from './strategies.ts'
import { compilerRefusals, StrategyCompilation } from './strategy-definition.ts'
import { LegacyIncidents, StrategyWrapper } from './strategy-origin.ts'

/**
 * A v1 object: known fields, plus any others. Unknown descriptive fields are reported and
 * dropped; any other unknown field rejects the document.
 */
const legacy = <const P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })

const seconds = (description: string, minimum: number) =>
  Type.Integer({ minimum, maximum: 31_622_400, description: `${description}, seconds.` })
const distance = (description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: 50_000_000, description: `${description}, pips of ln price.` })
const Token = oneOf(['BASE', 'QUOTE'], 'Token of the range.')

const LegacyLimits = named(
  'LegacyLimits',
  legacy({
    twapWindowSeconds: seconds('Window of the average price', 60),
    maxTwapDeviationPips: orNull(Pips),
    maxSlippagePips: orNull(Pips),
    maxGasQuotePerAction: orNull(AtomicAmount),
    maxTurnoverQuotePerDay: orNull(AtomicAmount),
    minSecondsBetweenActions: seconds('Shortest time between two actions', 0),
    maxPriceAgeSeconds: orNull({
      ...seconds('Oldest price to act on', 1),
      description:
        'Maximum age of the oracle price, in seconds; must be null, because rules use only the pool.',
    }),
  }),
)

const LegacyLadder = {
  rungs: Type.Integer({ minimum: 2, maximum: 12, description: 'Number of rungs above the price.' }),
  firstOffsetPips: distance('Distance of the first rung from the price'),
  widthPips: distance('Width of the first rung', 1),
  growthPips: Type.Integer({
    minimum: 0,
    maximum: 10_000_000,
    description: 'Growth of each rung relative to the previous rung, pips of its width.',
  }),
}
const Capital = legacy({ base: AtomicAmount, quote: AtomicAmount })

export const LegacyBootstrap = named(
  'LegacyBootstrap',
  legacy({
    schemaVersion: Type.Literal('liquidity-bootstrap-v1'),
    name: Label,
    capital: Capital,
    stabilizer: legacy({ sharePips: Pips }),
    ladder: legacy({ sharePips: Pips, ...LegacyLadder }),
    discovery: legacy({
      sharePips: Pips,
      lowerPips: RangeAroundPrice.properties.lowerPips,
      upperPips: RangeAroundPrice.properties.upperPips,
    }),
    targetBaseSharePips: Pips,
    limits: LegacyLimits,
  }),
)
export type LegacyBootstrap = Static<typeof LegacyBootstrap>

export const LegacyMaintain = named(
  'LegacyMaintain',
  legacy({
    schemaVersion: Type.Literal('liquidity-maintain-v1'),
    name: Label,
    capital: Capital,
    wide: legacy({
      sharePips: Pips,
      lowerPips: RangeAroundPrice.properties.lowerPips,
      upperPips: RangeAroundPrice.properties.upperPips,
    }),
    mid: legacy({
      sharePips: Pips,
      deviationsMilli: Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Standard deviations to each side, thousandths.',
      }),
      horizonSeconds: seconds('Horizon of the price move', 60),
      windowSeconds: seconds('Window of the measured volatility', 60),
    }),
    rebalancing: legacy({
      sharePips: Pips,
      side: Token,
      offsetPips: distance('Distance of the near edge from the price'),
      widthPips: distance('Width', 1),
      swap: Type.Boolean({ description: 'True if rebalancing may also swap.' }),
    }),
    inventory: legacy({
      targetBaseSharePips: Pips,
      minBaseSharePips: Pips,
      maxBaseSharePips: Pips,
    }),
    volatility: legacy({
      shortSeconds: seconds('Short window', 60),
      longSeconds: seconds('Long window', 60),
      aboveMilli: Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Ratio of short to long volatility that triggers new ranges, thousandths.',
      }),
    }),
    outOfRangeSeconds: seconds('Maximum time outside the mid range', 0),
    cooldownSeconds: seconds('Shortest time between two actions of one rule', 1),
    maxActionsPerDay: Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: 'Maximum number of actions per rule and day.',
    }),
    limits: LegacyLimits,
  }),
)
export type LegacyMaintain = Static<typeof LegacyMaintain>

export const LegacyDiversify = named(
  'LegacyDiversify',
  legacy({
    schemaVersion: Type.Literal('liquidity-diversify-v1'),
    name: Label,
    capital: legacy({ base: AtomicAmount }),
    ladder: legacy(LegacyLadder),
    sellBase: AtomicAmount,
    collectEverySeconds: seconds('Interval of setting fees aside in quote', 60),
    limits: LegacyLimits,
  }),
)
export type LegacyDiversify = Static<typeof LegacyDiversify>

const wrapped = <const K extends string, const D extends TSchema>(v1Kind: K, v1Document: D) =>
  closed({
    v1Kind: Type.Literal(v1Kind),
    v1Document,
    v1EvidenceHash: Hash,
    pair: Pair,
    venue: Ref,
    incidents: Type.Optional(LegacyIncidents),
  })

export const LegacyWrapperRequest = named(
  'LegacyWrapperRequest',
  closed({
    payload: Type.Union([
      wrapped('BOOTSTRAP', LegacyBootstrap),
      wrapped('MAINTAIN', LegacyMaintain),
      wrapped('DIVERSIFY', LegacyDiversify),
    ]),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)
export type LegacyWrapperRequest = Static<typeof LegacyWrapperRequest>

export const wrapLegacyStrategyDefinition = operation({
  id: 'wrapLegacyStrategyDefinition',
  method: 'POST',
  path: '/strategies/legacy-wrappers',
  tag: 'Plan',
  family: 'Strategies and packages',
  summary: 'Wrap legacy strategy definition',
  description:
    'Wraps v1 Bootstrap, Maintain or Diversify evidence into the declarative v2 strategy schema. The document must match the named hash: SHA-256 of its RFC 8785 canonical JSON, without a tag. 201 data {strategy, compilation, wrapper}; wrapper.unmapped lists fields without a meaning in v2; a field that may change the strategy is rejected. Incidents that v1 recorded during operation stay with the strategy; passports of the pair list and count them.',
  auth: scoped('strategies:validate'),
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: LegacyWrapperRequest,
  response: data(
    closed({
      strategy: StrategyDefinitionV2Record,
      compilation: StrategyCompilation,
      wrapper: StrategyWrapper,
    }),
  ),
  errors: [
    ...compilerRefusals,
    'LIQUIDITY_LEGACY_HASH_MISMATCH',
    'LIQUIDITY_LEGACY_INCIDENT_INVALID',
    'LIQUIDITY_LEGACY_UNMAPPED',
    'LIQUIDITY_ROLE_REQUIRED',
  ],
  example: {
    body: {
      payload: {
        v1Kind: 'BOOTSTRAP',
        v1Document: {
          schemaVersion: 'liquidity-bootstrap-v1',
          name: 'Launch of the token',
          description: 'Approved in the spring',
          capital: { base: '1000000000000000000000', quote: '10000000000000000000' },
          stabilizer: { sharePips: 300_000 },
          ladder: {
            sharePips: 500_000,
            rungs: 4,
            firstOffsetPips: 100_000,
            widthPips: 200_000,
            growthPips: 250_000,
          },
          discovery: { sharePips: 150_000, lowerPips: 300_000, upperPips: 600_000 },
          targetBaseSharePips: 400_000,
          limits: {
            twapWindowSeconds: 1800,
            maxTwapDeviationPips: 20_000,
            maxSlippagePips: 15_000,
            maxGasQuotePerAction: '50000000000000000',
            maxTurnoverQuotePerDay: '20000000000000000000',
            minSecondsBetweenActions: 600,
            maxPriceAgeSeconds: null,
          },
        },
        v1EvidenceHash: '0x4aef264a9a0c86a8770a15f462e6a62b7360903a5711b6ef6c96d79bfc6fba86',
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
      },
      reason: 'The launch plan that was approved under v1',
    },
  },
})

export const legacyStrategyFamily = declareFamily({
  module: 'plan/strategies',
  operations: [wrapLegacyStrategyDefinition],
})
