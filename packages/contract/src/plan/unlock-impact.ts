import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import {
  annotated,
  atoms,
  type Better,
  count,
  days,
  daysX3,
  each,
  measured,
  multipleX3,
  pips,
  titled,
  unitless,
} from '../measures.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  Timestamp,
} from '../scalars.ts'
import { TreasuryComputation } from './treasury-computation.ts'
import { AssetKey } from './treasury-terms.ts'

/** Market impact of unlocks: request and result. */

const whole = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description })

export const UnlockEvent = named(
  'UnlockEvent',
  Type.Union(
    [
      closed({
        kind: Type.Literal('CLIFF', { description: 'Full amount at one time.' }),
        at: Timestamp,
        amount: AtomicAmount,
      }),
      closed({
        kind: Type.Literal('LINEAR', {
          description:
            'Zero before `from`, `initial` until `cliffAt`, the full amount at `to`, and even steps between.',
        }),
        from: Timestamp,
        cliffAt: Type.Optional(Timestamp),
        to: Timestamp,
        stepSeconds: Type.Optional(whole('Step length in seconds. Default: 1.', 1, 31_622_400)),
        initial: Type.Optional(AtomicAmount),
        precision: Type.Optional(
          oneOf(
            ['EXACT', 'X18'],
            'X18: the share of time is first rounded down to 10^−18, as Sablier does. Default: EXACT.',
          ),
        ),
        amount: AtomicAmount,
      }),
      closed({
        kind: Type.Literal('STEPS', {
          description: 'The amount again and again, for the first time a step after `from`.',
        }),
        from: Timestamp,
        stepSeconds: whole('Interval between payments, in seconds.', 1, 31_622_400),
        steps: whole('Number of occurrences.', 1, 3_650),
        amount: AtomicAmount,
      }),
      closed({
        kind: Type.Literal('RECURRING', {
          description:
            'The amount at `firstAt` and after each interval of calendar months in UTC, on its day or on the last day of a shorter month.',
        }),
        firstAt: Timestamp,
        every: oneOf(['MONTH', 'QUARTER', 'YEAR'], '1, 3 or 12 calendar months.'),
        count: whole('Number of occurrences.', 1, 1_200),
        amount: AtomicAmount,
      }),
    ],
    { description: 'Unlock times of a part of an allocation.' },
  ),
)
export type UnlockEvent = Static<typeof UnlockEvent>

const ids = list(AtomicAmount, 50, {
  minItems: 1,
  uniqueItems: true,
  description: 'Ids of the streams.',
})

const Source = Type.Union(
  [
    closed({
      kind: Type.Literal('OZ_VESTING_WALLET', {
        description: 'A VestingWallet of OpenZeppelin, with a cliff or without, read at the block.',
      }),
      chainId: ChainId,
      address: Address,
    }),
    closed({
      kind: Type.Literal('SABLIER_LOCKUP', {
        description:
          'Linear or tranched streams of Sablier V2 Core or Sablier Lockup, read at the block.',
      }),
      chainId: ChainId,
      address: Address,
      ids,
    }),
    closed({
      kind: Type.Literal('LEDGER', { description: 'An obligation of the ledger in the token.' }),
      obligation: SourceRef,
    }),
    closed({
      kind: Type.Literal('DECLARED', {
        description: 'Caller-supplied value; the result states this.',
      }),
      events: list(UnlockEvent, 64, { minItems: 1 }),
    }),
  ],
  { description: 'Source of the schedule.' },
)

const share = (description: string) => whole(description, 0, 1_000_000)
const Behaviour = closed({
  sellPips: closed({
    low: share('Minimum sold share of an unlock, millionths.'),
    base: share('Share that is expected to be sold.'),
    high: share('Maximum sold share of an unlock, millionths.'),
  }),
  horizonDays: whole('Days over which two thirds are sold, from the unlock on.', 1, 365),
})

const Schedule = closed({
  label: Type.String({ minLength: 1, maxLength: 120, description: 'Name of the recipient.' }),
  source: Source,
  recipientClass: oneOf(
    ['TEAM', 'INVESTOR', 'ECOSYSTEM', 'COMMUNITY', 'TREASURY', 'MARKET_MAKER'],
    'Recipient class. Without a given behavior, the class default applies.',
  ),
  behaviour: Type.Optional(Behaviour),
})

const Mitigation = Type.Union(
  [
    closed({
      kind: Type.Literal('LINEARISE', {
        description: 'Minimum number of days for an even sale of the quantity within the limit.',
      }),
      quantity: Type.Optional(AtomicAmount),
    }),
    closed({
      kind: Type.Literal('OTC_CARVE_OUT', {
        description: 'Quantity to place off-market so that the rest stays within the limit.',
      }),
      quantity: Type.Optional(AtomicAmount),
      days: Type.Optional(
        whole('Duration of an even sale, in days. Default: as expected.', 1, 730),
      ),
    }),
    closed({
      kind: Type.Literal('ADD_DEPTH', {
        description:
          'Liquidity of a whole curve so that the heaviest day moves the pools by the limit.',
      }),
    }),
    closed({
      kind: Type.Literal('AC_PROGRAM', {
        description: 'Almgren–Chriss trajectory with a 1/κ of five days.',
      }),
      quantity: Type.Optional(AtomicAmount),
      days: Type.Optional(whole('Duration in days. Default: 30.', 1, 730)),
    }),
  ],
  {
    description: 'Mitigation. Default `quantity`: base-case sales of the unlocks in the window.',
  },
)

export const UnlockImpactInput = named(
  'UnlockImpactInput',
  closed({
    label: Type.String({ minLength: 1, maxLength: 120, description: 'Purpose.' }),
    token: AssetKey,
    quote: AssetKey,
    schedules: list(Schedule, 200, { minItems: 1 }),
    window: closed({ from: Timestamp, to: Timestamp }),
    market: Type.Optional(
      closed({
        dailyVolumeTokens: Type.Optional(AtomicAmount),
        dailyVolatilityPips: Type.Optional(whole('Daily σ, in millionths.', 1, 2_000_000)),
      }),
    ),
    model: Type.Optional(
      closed({
        yPips: Type.Optional(whole('Y of the square-root law. Default: 1000000.', 1, 5_000_000)),
        halfLifeDays: Type.Optional(
          whole('Half-life of past sales in the impact, in days. Default: 10.', 1, 60),
        ),
        anticipationDays: Type.Optional(
          whole('Days before an unlock over which a third is sold. Default: 30.', 0, 90),
        ),
        participationPips: Type.Optional(
          whole(
            'Share of the daily volume, for the days to sell. Default: 100000.',
            1_000,
            1_000_000,
          ),
        ),
      }),
    ),
    limitPips: Type.Optional(whole('Maximum price move. Default: 50000.', 1, 1_000_000)),
    mitigations: Type.Optional(list(Mitigation, 8)),
  }),
)
export type UnlockImpactInput = Static<typeof UnlockImpactInput>

const inToken = (title: string, better?: Better) => atoms('/payload/request/token', title, better)
const inQuote = (title: string, better?: Better) => atoms('/payload/request/quote', title, better)

const band = <const S extends Type.TSchema>(schema: S) =>
  measured(closed({ low: schema, base: schema, high: schema }), {
    low: titled('low case'),
    base: titled('base case'),
    high: titled('high case'),
  } as never)
const Impact = whole('Price move, millionths; 1000000 if the pools are empty.', 0, 10_000_000)

const Day = measured(
  closed({
    date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'In UTC.' }),
    unlocked: AtomicAmount,
    expectedSell: band(AtomicAmount),
    impactPips: band(Impact),
    model: oneOf(['SQRT', 'AMM'], 'Model with the larger impact in the base case.'),
    extrapolated: Type.Boolean({
      description:
        'True if sales exceed 30 % of the daily volume, outside the measured range of the law.',
    }),
  }),
  {
    unlocked: inToken('Unlocked'),
    expectedSell: inToken('Expected selling', 'LOWER'),
    impactPips: pips('Price impact', 'LOWER'),
  },
)

const KnownSchedule = measured(
  closed({
    label: Type.String({ maxLength: 120 }),
    recipientClass: Type.String({ maxLength: 20 }),
    source: oneOf(['OZ_VESTING_WALLET', 'SABLIER_LOCKUP', 'LEDGER', 'DECLARED'], 'Requested kind.'),
    events: list(UnlockEvent, 3_300, {
      description: 'Unlock events of the contract; empty for the ledger.',
    }),
    total: orNull(AtomicAmount),
    unlocked: AtomicAmount,
    inWindow: AtomicAmount,
    sellPips: band(Pips),
    horizonDays: whole('Computed sale horizon, in days.', 1, 365),
    behaviourSource: oneOf(['DECLARED', 'ASSUMED'], 'ASSUMED: that of the class.'),
  }),
  {
    events: unitless,
    ...each(inToken, {
      total: 'Allocation',
      unlocked: 'Unlocked',
      inWindow: 'Unlocking in the window',
    }),
    sellPips: pips('Share sold'),
    horizonDays: days('Selling horizon'),
  },
)

const Funded = measured(
  closed({
    address: Address,
    owed: AtomicAmount,
    balance: AtomicAmount,
    isFunded: Type.Boolean({
      description:
        'True if the contract balance covers the remaining payouts of the named streams.',
    }),
  }),
  { owed: inToken('Owed'), balance: inToken('Balance', 'HIGHER') },
)

const Solved = measured(
  closed({
    kind: oneOf(['LINEARISE', 'OTC_CARVE_OUT', 'ADD_DEPTH', 'AC_PROGRAM'], 'Requested kind.'),
    quantity: AtomicAmount,
    days: orNull(whole('Days of the sale; null if no number suffices, or none applies.', 1, 730)),
    carvedOut: orNull(AtomicAmount),
    capital: orNull(
      measured(closed({ token: AtomicAmount, quote: AtomicAmount }), {
        token: inToken('Token', 'LOWER'),
        quote: inQuote('Quote', 'LOWER'),
      }),
    ),
    beforePeakPips: Impact,
    peakImpactPips: orNull(Impact),
    expectedCostPips: orNull(
      whole('Share of the value of the quantity, millionths.', 0, 100_000_000),
    ),
    standardDeviationPips: orNull(
      whole('Standard deviation of the expected cost, millionths.', 0, 1_000_000_000),
    ),
    costQuote: orNull(AtomicAmount),
    curve: list(Impact, 730, { description: 'The impact day by day as it would be.' }),
  }),
  {
    quantity: inToken('Quantity'),
    days: days('Days of the sale', 'LOWER'),
    carvedOut: inToken('Placed outside the market', 'LOWER'),
    capital: titled('Additional liquidity'),
    beforePeakPips: pips('Peak price impact before', 'LOWER'),
    peakImpactPips: pips('Peak price impact', 'LOWER'),
    expectedCostPips: pips('Expected cost, share of the value sold', 'LOWER'),
    standardDeviationPips: pips('Standard deviation of the cost', 'LOWER'),
    costQuote: inQuote('Cost', 'LOWER'),
    curve: pips('Price impact by day', 'LOWER'),
  },
)

export const UnlockImpact = named(
  'UnlockImpact',
  measured(
    closed({
      request: UnlockImpactInput,
      tokenDecimals: orNull(whole('Decimals of the token.', 0, 255)),
      schedules: list(annotated(KnownSchedule, titled('Schedule {0/label}')), 200),
      supply: measured(
        closed({
          total: orNull(AtomicAmount),
          circulating: orNull(AtomicAmount),
          circulatingMethod: list(Type.String({ maxLength: 200 }), 600, {
            description: 'Non-circulating containers, subtracted from the supply.',
          }),
          unlocking: AtomicAmount,
          pctOfCirculatingPips: orNull(
            whole('Unlocks relative to the circulating supply, millionths.', 0, 2 ** 53 - 1),
          ),
        }),
        {
          total: inToken('Total supply'),
          circulating: inToken('Circulating supply'),
          unlocking: inToken('Unlocking in the window'),
          pctOfCirculatingPips: pips('Unlocking share of the circulating supply', 'LOWER'),
        },
      ),
      market: measured(
        closed({
          volumeSource: oneOf(['OBSERVED', 'DECLARED', 'NONE'], 'Source of the daily volume.'),
          dailyVolume: orNull(AtomicAmount),
          volatilitySource: oneOf(['OBSERVED', 'DECLARED', 'NONE'], 'Source of σ.'),
          dailyVolatilityPips: orNull(whole('Daily σ, in millionths.', 0, 100_000_000)),
          venues: list(
            measured(
              closed({
                venueId: Type.String({ maxLength: 80 }),
                observation: SourceRef,
                quoteKey: AssetKey,
                depthQuote: AtomicAmount,
              }),
              { depthQuote: atoms('1/quoteKey', 'Depth of {1/venueId}', 'HIGHER') },
            ),
            16,
          ),
        }),
        {
          dailyVolume: inToken('Daily volume', 'HIGHER'),
          dailyVolatilityPips: pips('Daily volatility'),
        },
      ),
      ratios: measured(
        closed({
          daysOfVolumeX3: orNull(AtomicAmount),
          depthAtTwoPercentMultipleX3: orNull(AtomicAmount),
          absorptionDaysX3: orNull(AtomicAmount),
        }),
        {
          daysOfVolumeX3: daysX3('Unlocks in days of volume', 'LOWER'),
          depthAtTwoPercentMultipleX3: multipleX3('Unlocks over the depth at 2 %', 'LOWER'),
          absorptionDaysX3: daysX3('Days to absorb the unlocks', 'LOWER'),
        },
      ),
      days: list(annotated(Day, titled('{0/date}')), 730),
      peaks: orNull(
        band(
          measured(closed({ date: Type.String({ maxLength: 10 }), impactPips: Impact }), {
            impactPips: pips('Peak price impact', 'LOWER'),
          }),
        ),
      ),
      daysBeyondLimit: orNull(
        whole('Days of the base case above the limit; null if unknown.', 0, 730),
      ),
      cliffs: list(
        measured(
          closed({
            date: Type.String({ maxLength: 10 }),
            unlocked: AtomicAmount,
            schedules: list(Type.String({ maxLength: 120 }), 200),
          }),
          { unlocked: inToken('Unlocked by the cliff of {1/date}') },
        ),
        730,
        {
          description:
            'Vesting cliffs: days on which one schedule unlocks a hundredth of the window’s unlocks or more at once.',
        },
      ),
      mitigations: list(annotated(Solved, titled('Mitigation {0/kind}')), 8),
      fundedCheck: list(annotated(Funded, titled('Vesting contract {0/address}')), 200),
      computation: TreasuryComputation,
    }),
    {
      request: unitless,
      tokenDecimals: unitless,
      supply: titled('Supply'),
      market: titled('Market'),
      daysBeyondLimit: count('Days above the limit', 'LOWER'),
    },
  ),
)
export type UnlockImpact = Static<typeof UnlockImpact>
