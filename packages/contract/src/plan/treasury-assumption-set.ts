import Type, { type Static, type TSchema } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, Label, list, named, oneOf, Pips, PriceX18 } from '../scalars.ts'
import { AssetKey, Month, TreasurySchedule, TreasuryTier } from './treasury-terms.ts'

/** Assumption set: lines, scenarios and payment rules of a projection. */

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
  description: 'Name within the set; later versions identify changes by it.',
  examples: ['payroll'],
})

const MovePips = Type.Integer({
  minimum: -1_000_000,
  maximum: 99_000_000,
  description: 'Change against the observed price in millionths: -500000 halves it.',
  examples: [-300_000],
})

export const TreasuryAssumptionLine = named(
  'TreasuryAssumptionLine',
  closed({
    lineId: Name,
    label: Label,
    category: Type.String({
      minLength: 1,
      maxLength: 60,
      description: "Caller's category for sums of lines.",
      examples: ['People'],
    }),
    direction: oneOf(['INFLOW', 'OUTFLOW'], 'Direction: the treasury receives or pays.'),
    assetKey: AssetKey,
    amount: AtomicAmount,
    schedule: TreasurySchedule,
    growthAnnualPips: Type.Integer({
      minimum: -500_000,
      maximum: 2_000_000,
      description:
        'Growth from one year of the horizon to the next, in millionths: 50000 is 5 % more in months 13 to 24, and another 5 % in months 25 to 36.',
      examples: [50_000],
    }),
    certainty: oneOf(
      ['COMMITTED', 'EXPECTED', 'UNCERTAIN'],
      'COMMITTED is owed or contracted. EXPECTED is probable. UNCERTAIN is weighted by its probability and counts in net views only. Outflows are paid in this order.',
    ),
    probabilityPips: Type.Optional(Pips),
    obligation: Type.Optional(SourceRef),
    ownTokenSharePips: Type.Optional(Pips),
  }),
)
export type TreasuryAssumptionLine = Static<typeof TreasuryAssumptionLine>

export const TreasuryPricePath = named(
  'TreasuryPricePath',
  Type.Union(
    [
      closed({ kind: Type.Literal('HOLD', { description: 'Constant observed price.' }) }),
      closed({
        kind: Type.Literal('STEP', { description: 'One price move, effective from its month.' }),
        month: Month,
        movePips: MovePips,
      }),
      closed({
        kind: Type.Literal('LINEAR', {
          description: 'Linear price change that reaches `movePips` at the horizon.',
        }),
        movePips: MovePips,
      }),
      closed({
        kind: Type.Literal('PATH', { description: 'The cumulative move month by month.' }),
        movesPips: list(MovePips, 60, {
          minItems: 1,
          description: 'Moves per month of the horizon, in order.',
        }),
      }),
    ],
    { description: 'Move of an observed price. Absolute prices are never assumed.' },
  ),
)

const move = { path: TreasuryPricePath }
const TreasuryScenarioPrice = named(
  'TreasuryScenarioPrice',
  Type.Union([closed({ assetKey: AssetKey, ...move }), closed({ tier: TreasuryTier, ...move })], {
    description:
      'Moved asset, or every asset of a tier without a separate rule in the scenario. Other prices stay constant.',
  }),
)

const MultiplierPips = (what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 10_000_000,
    description: `Multiplier of the ${what} of the lines, in millionths: 1000000 leaves them unchanged.`,
    examples: [1_000_000],
  })

export const TreasuryScenario = named(
  'TreasuryScenario',
  closed({
    scenarioId: Name,
    label: Label,
    prices: list(TreasuryScenarioPrice, 64, {
      description: 'Price rules, at most one per asset and tier.',
    }),
    inflowMultiplierPips: MultiplierPips('inflows'),
    outflowMultiplierPips: MultiplierPips('outflows'),
    inflowDelayMonths: Type.Integer({
      minimum: 0,
      maximum: 24,
      description: 'Delay of every inflow, in months.',
    }),
    notes: Type.Optional(Type.String({ maxLength: 2000, description: 'Notes on the scenario.' })),
  }),
)
export type TreasuryScenario = Static<typeof TreasuryScenario>

/** A field for each tier. */
function ofTiers<const S extends TSchema>(schema: S) {
  return { T0: schema, T1: schema, T2: schema, T3: schema, T4: schema }
}

const TreasuryHaircuts = named(
  'TreasuryHaircuts',
  closed(ofTiers(Pips), {
    description: 'Haircut of each tier in liquid value.',
  }),
)

export const TreasuryOwnTokenPolicy = named(
  'TreasuryOwnTokenPolicy',
  Type.Union(
    [
      closed({
        mode: Type.Literal('EXCLUDE', {
          description: 'The own token cannot be sold for payments.',
        }),
      }),
      closed({
        mode: Type.Literal('SELL', {
          description: 'The own token is sold last, within these bounds.',
        }),
        maximumParticipationPips: Pips,
        floorPriceX18: Type.Optional(PriceX18),
      }),
    ],
    {
      description:
        'Own-token sales for payments: at most this share of its observed daily volume, and never below `floorPriceX18`, in quote atoms per token atom.',
    },
  ),
)

const conversionOrder = list(TreasuryTier, 5, {
  minItems: 1,
  uniqueItems: true,
  description:
    'Conversion order of tiers if a line cannot be paid in its asset. T4 only if the own token may be sold. Default: T1, T2 and T3, followed by T4 if it may be sold.',
})

const common = {
  label: Label,
  quoteKey: AssetKey,
  startMonth: Month,
  minimumCashQuote: AtomicAmount,
  lines: list(TreasuryAssumptionLine, 400, {
    description: 'Lines with unique `lineId`, stored and returned in the order of `lineId`.',
  }),
  scenarios: list(TreasuryScenario, 12, {
    minItems: 1,
    description:
      'Scenarios with unique `scenarioId`, stored and returned in the order of `scenarioId`. Exactly one is the base: every price HOLD, both multipliers 1000000, no delay.',
  }),
  ownTokenPolicy: TreasuryOwnTokenPolicy,
}
const horizonMonths = Type.Integer({
  minimum: 1,
  maximum: 60,
  description: 'Number of projected months from `startMonth`. Default: 24.',
})

export const assumptionMembers = {
  ...common,
  horizonMonths: Type.Optional(horizonMonths),
  haircuts: Type.Optional(
    closed(ofTiers(Type.Optional(Pips)), {
      description:
        'Haircuts of the tiers in liquid value. Defaults: T0 0, T1 20000, T2 400000, T3 700000, T4 1000000.',
    }),
  ),
  conversionOrder: Type.Optional(conversionOrder),
}

/** Assumptions as stored: complete and sorted. They can be resubmitted unchanged. */
export const TreasuryAssumptionSet = named(
  'TreasuryAssumptionSet',
  closed({ ...common, horizonMonths, haircuts: TreasuryHaircuts, conversionOrder }),
)
export type TreasuryAssumptionSet = Static<typeof TreasuryAssumptionSet>

export const TreasuryAssumptionInput = named('TreasuryAssumptionInput', closed(assumptionMembers))
export type TreasuryAssumptionInput = Static<typeof TreasuryAssumptionInput>
