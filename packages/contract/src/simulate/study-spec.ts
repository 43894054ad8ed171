import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { SeriesReference, VenueReference } from '../intelligence/price-reference.ts'
import { Pair } from '../intelligence/venues.ts'
import { RangeAroundPrice, Tick } from '../plan/range.ts'
import { StrategyDefinitionV2Input } from '../plan/strategy-definition.ts'
import {
  AtomicAmount,
  BlockNumber,
  closed,
  EvidenceHashes,
  Hash,
  list,
  named,
  oneOf,
  Pips,
  Reason,
} from '../scalars.ts'
import { InlineMarket } from './inline-market.ts'
import {
  FailureRule,
  NoiseFlow,
  OtherLps,
  PriceModel,
  Scenario,
  SimulationCosts,
} from './study-models.ts'

export const flowModels = ['INELASTIC_INPUT', 'PRICE_SETTING'] as const
export const studyKinds = ['REPLAY', 'MONTE_CARLO', 'SCENARIO'] as const

export const ArmId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name of the arm inside the study; those of benchmarks begin with benchmark-.',
})

/** Liquidity of a candidate: none, over the full range, or between two ticks. */
export const ArmPosition = named(
  'ArmPosition',
  Type.Union([
    closed({ kind: Type.Literal('HOLD', { description: 'HODL of base and quote.' }) }),
    closed({ kind: Type.Literal('FULL_RANGE') }),
    closed({ kind: Type.Literal('TICKS'), tickLower: Tick, tickUpper: Tick }),
    RangeAroundPrice,
  ]),
)

const ArmLabel = Type.String({ minLength: 1, maxLength: 120, description: 'A human name.' })

const { pair, venue, ...strategy } = StrategyDefinitionV2Input.properties

/** An inline strategy. Pair and venue are optional; they default to those of the study. */
export const StudyStrategy = named(
  'StudyStrategy',
  closed({ ...strategy, pair: Type.Optional(pair), venue: Type.Optional(venue) }),
)
export type StudyStrategy = Static<typeof StudyStrategy>

const ArmRewards = Type.Optional(
  closed(
    { ref: Ref },
    {
      description:
        'Incentive program; rejected with 422 at this field: the payout of a position depends on all other positions, which a study does not contain.',
    },
  ),
)

/** A fixed position, an exact version of a compiled strategy, or an inline definition. */
export const StudyArm = named(
  'StudyArm',
  Type.Union([
    closed({ armId: ArmId, label: ArmLabel, position: ArmPosition, rewards: ArmRewards }),
    closed({ armId: ArmId, label: ArmLabel, strategy: Ref, rewards: ArmRewards }),
    closed({ armId: ArmId, label: ArmLabel, definition: StudyStrategy, rewards: ArmRewards }),
  ]),
)

/** Parameter search: chosen on the first part of the window, evaluated only on the rest. */
export const StudySearch = named(
  'StudySearch',
  closed({
    armId: ArmId,
    grid: list(
      closed({
        path: Type.String({
          minLength: 1,
          maxLength: 120,
          description: 'Path within the definition: positions.0.template.lowerPips.',
        }),
        values: list(Type.String({ maxLength: 80 }), 256, { minItems: 1 }),
      }),
      8,
      { minItems: 1, description: 'At most 256 combinations.' },
    ),
    splitPips: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999,
        description: 'Share of the time that the selection can use, in pips. Default: 700,000.',
      }),
    ),
  }),
)

export const StudyMarket = named(
  'StudyMarket',
  Type.Union([closed({ venue: Ref }), closed({ inline: InlineMarket })]),
)

/** Valuation price of the study, which arbitrageurs also compare with the pool. */
export const StudyReference = named(
  'StudyReference',
  Type.Union([
    closed({
      kind: Type.Literal('POOL_POST_SWAP', { description: 'State of the pool after each event.' }),
    }),
    VenueReference,
    SeriesReference,
  ]),
)

/**
 * Study specification. REPLAY needs a venue, observations and a window. MONTE_CARLO and SCENARIO
 * need a horizon, and a venue with observations or an inline market. SCENARIO also needs a
 * scenario.
 */
export const StudySpec = named(
  'StudySpec',
  closed({
    schemaVersion: Type.Literal('simulation-study-v1'),
    name: Type.String({ minLength: 3, maxLength: 120 }),
    kind: oneOf(
      studyKinds,
      'REPLAY runs on observed events, MONTE_CARLO on simulated price paths, SCENARIO on specified price paths.',
    ),
    pair: Pair,
    market: StudyMarket,
    observations: Type.Optional(
      list(Ref, 64, {
        minItems: 1,
        description:
          'Sealed observations. For a REPLAY: the window. Otherwise their end is the start, and the window is the calibration period.',
      }),
    ),
    window: Type.Optional(closed({ fromBlock: BlockNumber, toBlock: BlockNumber })),
    horizonSeconds: Type.Optional(
      Type.Integer({ minimum: 3600, maximum: 94_608_000, description: 'Length of a path.' }),
    ),
    stepSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description:
          'Step length of a path, in seconds. Default: the block time of the chain or of its indexed headers, if fast enough for a synchronous response; otherwise 60 or 300. Required if the block time is unknown. The result states the choice and its effect on the loss to arbitrage.',
      }),
    ),
    arms: list(StudyArm, 8, { minItems: 1 }),
    capital: closed({
      base: AtomicAmount,
      quote: AtomicAmount,
      normalization: oneOf(
        ['AS_GIVEN', 'EQUAL_VALUE'],
        'EQUAL_VALUE converts the capital of each arm at the start mid without cost.',
      ),
    }),
    price: Type.Optional(PriceModel),
    flow: Type.Optional(NoiseFlow),
    others: Type.Optional(OtherLps),
    scenario: Type.Optional(Scenario),
    flowModels: Type.Optional(
      list(oneOf(flowModels, 'Flow model: assumption about traders.'), 2, {
        minItems: 1,
        uniqueItems: true,
      }),
    ),
    reference: Type.Optional(StudyReference),
    sampleSeconds: Type.Optional(
      Type.Integer({
        minimum: 12,
        maximum: 86_400,
        description:
          'Interval between samples, in seconds. Default: 300; in a REPLAY a 600th of the time from its first to its last event, at least 1.',
      }),
    ),
    bandsPips: Type.Optional(
      list(Type.Integer({ minimum: 1, maximum: 999_999 }), 6, { minItems: 1, uniqueItems: true }),
    ),
    tradeSizesQuote: list(AtomicAmount, 12, { minItems: 1 }),
    failure: Type.Optional(list(FailureRule, 8, { minItems: 1 })),
    targetBaseShare: Type.Optional(
      closed(
        {
          pips: Pips,
          tolerancePips: Type.Optional(Pips),
        },
        { description: 'Target share of base, for arms without a separate share.' },
      ),
    ),
    costs: Type.Optional(SimulationCosts),
    minProfitQuote: Type.Optional(AtomicAmount),
    actionLatencySeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'Delay between a strategy trigger and its action, in seconds. Default: 60.',
      }),
    ),
    sensitivity: Type.Optional(
      Type.Boolean({
        description:
          'True to run a sensitivity analysis: ±20 % of volatility, volume and gas, and the break-even volume and volatility of each arm.',
      }),
    ),
    search: Type.Optional(StudySearch),
    seed: Type.Optional(Hash),
    paths: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 100_000,
        description: 'Maximum number of paths. Default: 1,000.',
      }),
    ),
    halfWidthPips: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Target half width of the 95 % interval of the mean result vs initial capital, in pips of the capital; reaching it ends the study. Default: 2,500.',
      }),
    ),
  }),
)
export type StudySpec = Static<typeof StudySpec>

export const SimulationStudyRequest = named(
  'SimulationStudyRequest',
  closed({ payload: StudySpec, evidenceHashes: Type.Optional(EvidenceHashes), reason: Reason }),
)
