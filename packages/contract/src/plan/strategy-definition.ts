import Type, { type Static } from 'typebox'
import { Ref } from '../envelope.ts'
import { Pair } from '../intelligence/venues.ts'
import {
  AtomicAmount,
  closed,
  Hash,
  Label,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
} from '../scalars.ts'
import { RangeAroundPrice, RangeEdges, Tick } from './range.ts'

const PositionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name of a position inside the strategy.',
})
const RuleId = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name of a rule inside the strategy.',
})
const Distance = (what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 50_000_000,
    description: `${what}, in pips of ln price (1 pip = 10^-6).`,
  })
const Width = Type.Integer({
  minimum: 1,
  maximum: 50_000_000,
  description: 'Width in pips of ln price (1 pip = 10^-6).',
})
const Seconds = (what: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: 31_622_400, description: `${what}, seconds.` })
const Token = oneOf(['BASE', 'QUOTE'], 'Token of the range: BASE above the price, QUOTE below.')

export const RangeTemplate = named(
  'RangeTemplate',
  Type.Union([
    closed({ kind: Type.Literal('FULL_RANGE') }),
    RangeAroundPrice,
    closed({ kind: Type.Literal('TICKS'), lower: Tick, upper: Tick }),
    closed({
      kind: Type.Literal('VOL_SCALED'),
      kMilli: Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Standard deviations of ln price to each side, in thousandths.',
      }),
      horizonSeconds: Seconds('Horizon of the price move', 60),
      volWindowSeconds: Seconds('Window of the measured volatility', 60),
    }),
    closed({
      kind: Type.Literal('SINGLE_SIDED'),
      side: Token,
      offsetPips: Distance('Distance of the near edge from the price'),
      widthPips: Width,
    }),
    closed({
      kind: Type.Literal('LADDER'),
      side: Token,
      count: Type.Integer({ minimum: 2, maximum: 12, description: 'Number of rungs.' }),
      firstOffsetPips: Distance('Distance of the first rung from the price'),
      widthPips: Width,
      growthPips: Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description: 'Growth of each rung relative to the previous rung, in pips of its width.',
      }),
    }),
  ]),
)

export const StrategyTrigger = named(
  'StrategyTrigger',
  Type.Union([
    closed({
      kind: Type.Literal('OUT_OF_RANGE'),
      positionId: PositionId,
      seconds: Seconds('Time with the whole position out of range'),
    }),
    closed({
      kind: Type.Literal('MOVE'),
      pips: Width,
    }),
    closed({
      kind: Type.Literal('BASE_SHARE'),
      above: Type.Optional(Pips),
      below: Type.Optional(Pips),
    }),
    closed({ kind: Type.Literal('EVERY'), seconds: Seconds('Time since the rule last acted', 60) }),
    closed({
      kind: Type.Literal('VOL_RATIO'),
      shortSeconds: Seconds('Short window', 60),
      longSeconds: Seconds('Long window', 60),
      aboveMilli: Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Volatility of the short window over that of the long one, in thousandths.',
      }),
    }),
    closed({
      kind: Type.Literal('DEPTH_BELOW'),
      bandPips: Type.Integer({ minimum: 1, maximum: 999_999, description: 'Price band in pips.' }),
      side: oneOf(['BUY', 'SELL'], 'Side of the market.'),
      quote: AtomicAmount,
    }),
    closed({ kind: Type.Literal('FEES_ABOVE'), quote: AtomicAmount }),
    closed({ kind: Type.Literal('SOLD_BASE'), amount: AtomicAmount }),
  ]),
)

export const StrategyAction = named(
  'StrategyAction',
  Type.Union([
    closed({
      kind: Type.Literal('RECENTER'),
      swap: Type.Boolean({ description: 'True to swap in the pool so that both sides are used.' }),
    }),
    closed({
      kind: Type.Literal('RESHAPE'),
      templates: list(closed({ weightPips: Pips, template: RangeTemplate }), 16, { minItems: 1 }),
    }),
    closed({ kind: Type.Literal('COMPOUND') }),
    closed({ kind: Type.Literal('COLLECT_TO_IDLE'), side: Token }),
    closed({ kind: Type.Literal('TO_SINGLE_SIDED') }),
    closed({
      kind: Type.Literal('WITHDRAW'),
      sharePips: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Share in pips.' }),
    }),
    closed({ kind: Type.Literal('HOLD') }),
  ]),
)

/** Anomalies that can pause a strategy. */
export const anomalyKinds = [
  'LIQUIDITY_DISAPPEARANCE',
  'ONE_SIDED_FLOW',
  'INACTIVE_RANGE',
  'STABLECOIN_DEPEG',
  'ORACLE_DISAGREEMENT',
  'INVENTORY_ACCUMULATION',
  'EXCESSIVE_TURNOVER',
  'MANIPULATION_INDICATOR',
  'SIMULATED_REALIZED_DIVERGENCE',
] as const

const StrategyGuards = named(
  'StrategyGuards',
  closed({
    twapWindowSeconds: Seconds('Window of the time-weighted average price', 60),
    maxTwapDeviationPips: orNull(Pips),
    maxSwapSlippagePips: orNull(Pips),
    maxGasQuotePerAction: orNull(AtomicAmount),
    maxTurnoverQuotePerDay: orNull(AtomicAmount),
    minSecondsBetweenActions: Seconds('Shortest time between two actions'),
    oracleMaxAgeSeconds: orNull({
      ...Seconds('Oldest oracle price that an action may rest on', 1),
      description:
        'Maximum age of the oracle price for an action, in seconds; must be null, because rules use only the pool.',
    }),
    pauseOn: list(oneOf(anomalyKinds, 'Kind of anomaly.'), 9, {
      uniqueItems: true,
      description:
        'Anomalies of WARNING or worse, on the venue or its pair, that pause the strategy and refuse it an admission while they are open.',
    }),
  }),
)

export const StrategyDefinitionV2Input = named(
  'StrategyDefinitionV2Input',
  closed({
    schemaVersion: Type.Literal('strategy-definition-v2'),
    name: Label,
    objective: oneOf(['BOOTSTRAP', 'MAINTAIN', 'DIVERSIFY', 'CUSTOM'], 'Purpose.'),
    pair: Pair,
    venue: Ref,
    capital: closed({ maxBase: AtomicAmount, maxQuote: AtomicAmount }),
    inventory: closed({
      targetBaseSharePips: Pips,
      minBaseSharePips: Pips,
      maxBaseSharePips: Pips,
    }),
    positions: list(
      closed({ positionId: PositionId, weightPips: Pips, template: RangeTemplate }),
      16,
      { minItems: 1, description: 'Their weights and idlePips sum to 1,000,000.' },
    ),
    idlePips: Pips,
    rules: list(
      closed({
        ruleId: RuleId,
        when: StrategyTrigger,
        all: Type.Optional(list(StrategyTrigger, 8)),
        do: StrategyAction,
        cooldownSeconds: Seconds('Shortest time between two actions of the rule'),
        maxPerDay: Type.Integer({ minimum: 0, maximum: 1440, description: 'Actions in a day.' }),
      }),
      16,
      { description: 'The first rule with all triggers satisfied is executed.' },
    ),
    guards: StrategyGuards,
    end: Type.Optional(
      closed({
        when: StrategyTrigger,
        do: oneOf(['HOLD', 'WITHDRAW'], 'End action of the strategy.'),
      }),
    ),
    parameters: Type.Optional(
      mapOf(Type.String({ maxLength: 200 }), 'Notes of the author, by name.'),
    ),
  }),
)
export type StrategyDefinitionV2Input = Static<typeof StrategyDefinitionV2Input>

export const StrategyCompilation = named(
  'StrategyCompilation',
  closed({
    irHash: orNull(Hash),
    ok: Type.Boolean({ description: 'True if the strategy can be validated and studied.' }),
    checks: list(
      closed({ code: Type.String(), ok: Type.Boolean(), detail: Type.String({ maxLength: 1000 }) }),
      32,
    ),
    preview: list(
      closed({
        positionId: PositionId,
        ...RangeEdges.properties,
        liquidity: AtomicAmount,
        base: AtomicAmount,
        quote: AtomicAmount,
      }),
      192,
      { description: 'Exact mint amounts of the whole capital at the observed state.' },
    ),
    bounds: closed({
      actionsPerDay: Type.Integer({ minimum: 0 }),
      turnoverQuotePerDay: orNull(AtomicAmount),
      gasQuotePerDay: orNull(AtomicAmount),
      maxPositions: Type.Integer({ minimum: 0 }),
    }),
    requiredAdapters: list(Type.String({ maxLength: 80 }), 16),
    requiredData: list(Type.String({ maxLength: 80 }), 16),
    warnings: list(
      closed({ code: Type.String({ maxLength: 80 }), detail: Type.String({ maxLength: 500 }) }),
      64,
    ),
    observation: orNull(Ref),
    engineVersion: Type.String(),
  }),
)
export type StrategyCompilation = Static<typeof StrategyCompilation>

export const compilerRefusals = [
  'LIQUIDITY_SOURCE_UNAVAILABLE',
  'LIQUIDITY_STRATEGY_INPUT_INVALID',
  'LIQUIDITY_STRATEGY_WEIGHTS_SUM',
  'LIQUIDITY_STRATEGY_INVENTORY_BOUNDS',
  'LIQUIDITY_STRATEGY_TICK_RANGE',
  'LIQUIDITY_STRATEGY_RULE_CYCLE',
  'LIQUIDITY_STRATEGY_UNREACHABLE_RULE',
  'LIQUIDITY_STRATEGY_UNBOUNDED_TURNOVER',
  'LIQUIDITY_STRATEGY_GUARD_MISSING',
  'LIQUIDITY_STRATEGY_CAPITAL_EXCEEDS_CAPS',
  'LIQUIDITY_STRATEGY_NOT_COMPILED',
] as const
