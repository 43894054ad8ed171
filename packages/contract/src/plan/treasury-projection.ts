import Type, { type Static, type TSchema } from 'typebox'
import { SourceRef } from '../envelope.ts'
import {
  annotated,
  atoms,
  count,
  days,
  each,
  measured,
  months,
  pips,
  priceX36,
  titled,
  unitless,
} from '../measures.ts'
import {
  AtomicAmount,
  closed,
  decimals64,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  SignedAmount,
} from '../scalars.ts'
import { EntryRef, TreasuryComputation } from './treasury-computation.ts'
import { AssetKey, Month, TreasuryTier } from './treasury-terms.ts'

/** Request and result of a projection. */

const Seed = Type.String({
  pattern: decimals64,
  description:
    'Seed of the simulated paths, a decimal of 64 bits. Default: derived from the inputs.',
  examples: ['42'],
})

export const projectionRequest = {
  assumptions: closed({
    ...SourceRef.properties,
    resourceType: Type.Literal('TreasuryAssumptions', { description: 'Assumption set.' }),
  }),
  scenarioIds: Type.Optional(
    list(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,59}$' }), 12, {
      minItems: 1,
      uniqueItems: true,
      description: 'Projected scenarios of the assumptions. Default: all.',
    }),
  ),
  entries: Type.Optional(
    list(EntryRef, 400, {
      minItems: 1,
      uniqueItems: true,
      description:
        'Counted ledger entries, holdings and obligations. Default: every active entry. No balance and no price is accepted from the caller.',
    }),
  ),
  reconciliation: Type.Optional(SourceRef),
  priceProviderId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description:
        'PRICE_ORACLE or MARKET_DATA provider for all prices. Default: for each asset the provider in the valuation of its oldest entry.',
    }),
  ),
  markets: Type.Optional(
    list(
      closed({
        assetKey: AssetKey,
        dailyVolume: AtomicAmount,
        dailyVolatilityPips: Type.Integer({
          minimum: 0,
          maximum: 2_000_000,
          description: 'Daily σ, in millionths.',
        }),
      }),
      64,
      {
        description:
          'Caller-supplied daily volumes and volatilities, for assets without an observed venue or 30 daily prices. The projection lists them and is PARTIAL.',
      },
    ),
  ),
  monteCarlo: Type.Optional(
    closed({
      paths: Type.Optional(
        Type.Integer({
          minimum: 500,
          maximum: 20_000,
          description: 'Number of paths. Default: 5000.',
        }),
      ),
      seed: Type.Optional(Seed),
    }),
  ),
}

const TreasuryProjectionRequest = named(
  'TreasuryProjectionRequest',
  closed(projectionRequest, { description: 'Original request.' }),
)

const quoteKey = '/payload/quoteKey'
const inQuote = (title: string) => atoms(quoteKey, title)
const ofAsset = (title: string) => atoms('1/assetKey', title)

const Opening = measured(
  closed({
    assetKey: AssetKey,
    tier: TreasuryTier,
    isDirect: Type.Boolean({
      description: 'True for the asset itself, false for a claim on it.',
    }),
    quantity: AtomicAmount,
    restricted: AtomicAmount,
    reserved: AtomicAmount,
    free: AtomicAmount,
    priceX36: orNull(AtomicAmount),
  }),
  {
    ...each(ofAsset, {
      quantity: 'Quantity',
      restricted: 'Restricted',
      reserved: 'Reserved',
      free: 'Free',
    }),
    priceX36: priceX36('Price'),
  },
)

const source = (description: string) => oneOf(['OBSERVED', 'DECLARED'], description)
const SaleMarket = measured(
  closed({
    assetKey: AssetKey,
    volumeSource: source('OBSERVED: median of the daily volumes of observed venues.'),
    dailyVolume: AtomicAmount,
    observedDays: Type.Integer({
      minimum: 0,
      maximum: 31,
      description: 'Whole UTC days with known volumes.',
    }),
    volatilitySource: source('OBSERVED: at least 30 daily returns.'),
    dailyVolatilityPips: Type.Integer({ minimum: 0, description: 'Daily σ, in millionths.' }),
  }),
  {
    dailyVolume: ofAsset('Daily volume'),
    observedDays: days('Observed days of volume'),
    dailyVolatilityPips: pips('Daily volatility'),
  },
)

const Movement = measured(
  closed({
    assetKey: AssetKey,
    tier: TreasuryTier,
    isDirect: Type.Boolean({ description: 'Same as in `opening`.' }),
    priceX36: orNull(AtomicAmount),
    opening: AtomicAmount,
    inflow: AtomicAmount,
    outflow: AtomicAmount,
    received: AtomicAmount,
    sold: AtomicAmount,
    closing: AtomicAmount,
  }),
  {
    priceX36: priceX36('Price'),
    ...each(ofAsset, {
      opening: 'Opening balance',
      inflow: 'Inflow',
      outflow: 'Outflow',
      received: 'Received by conversion',
      sold: 'Sold by conversion',
      closing: 'Closing balance',
    }),
  },
)

const Conversion = measured(
  closed({
    from: AssetKey,
    to: AssetKey,
    sold: AtomicAmount,
    received: AtomicAmount,
    costQuote: AtomicAmount,
  }),
  {
    sold: atoms('1/from', 'Sold'),
    received: atoms('1/to', 'Received'),
    costQuote: atoms(quoteKey, 'Cost of the conversion', 'LOWER'),
  },
)

const ProjectedMonth = named(
  'TreasuryProjectedMonth',
  measured(
    closed(
      {
        month: Month,
        holdings: list(Movement, 400, {
          description: 'Holdings with a balance or a movement.',
        }),
        conversions: list(Conversion, 4000),
        inflowQuote: AtomicAmount,
        dueQuote: AtomicAmount,
        arrearsQuote: AtomicAmount,
        paidQuote: AtomicAmount,
        unmetQuote: AtomicAmount,
        cashQuote: AtomicAmount,
        liquidQuote: AtomicAmount,
      },
      {
        description:
          'A month of the net view by the rules of the assumptions. For each holding closing = opening + inflow − outflow + received − sold. `dueQuote` is newly due and `arrearsQuote` carried over; `cashQuote` is the balance of the tiers T0 and T1 at its end and `liquidQuote` T0 to T3 after haircuts. Quote figures exclude assets without a price.',
      },
    ),
    {
      holdings: titled('Holding'),
      conversions: titled('Conversion'),
      inflowQuote: atoms(quoteKey, 'Inflow', 'HIGHER'),
      dueQuote: inQuote('Due for the first time'),
      arrearsQuote: atoms(quoteKey, 'Arrears carried over', 'LOWER'),
      paidQuote: inQuote('Paid'),
      unmetQuote: atoms(quoteKey, 'Unmet obligations', 'LOWER'),
      cashQuote: atoms(quoteKey, 'Cash at month end', 'HIGHER'),
      liquidQuote: atoms(quoteKey, 'Liquid assets at month end, after haircuts', 'HIGHER'),
    },
  ),
)

const Runway = measured(
  closed({
    monthsX3: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      description: 'Thousandths of a month, rounded down; the horizon if it lasts longer.',
    }),
    beyondHorizon: Type.Boolean({
      description: 'True if every COMMITTED line is met within the horizon.',
    }),
  }),
  {
    monthsX3: months('Runway', 'HIGHER'),
    beyondHorizon: titled('Outlasts the horizon'),
  },
)

const RunwayViews = named(
  'TreasuryRunwayViews',
  measured(
    closed(
      { gross: Runway, net: Runway },
      {
        description:
          'gross: COMMITTED inflow only. net: with EXPECTED inflow, and UNCERTAIN lines by their probability.',
      },
    ),
    { gross: titled('committed inflow only'), net: titled('with expected inflow') },
  ),
)

export const TreasuryRunway = named(
  'TreasuryRunway',
  measured(closed({ cash: RunwayViews, liquid: RunwayViews, withOwnToken: orNull(RunwayViews) }), {
    cash: titled('Cash'),
    liquid: titled('Liquid assets'),
    withOwnToken: titled('Liquid assets and own token'),
  }),
)

const monthOrNull = orNull(Month)

const Trough = measured(closed({ month: Month, cashQuote: AtomicAmount }), {
  month: titled('Month'),
  cashQuote: atoms(quoteKey, 'Cash', 'HIGHER'),
})

const ProjectedScenario = named(
  'TreasuryProjectedScenario',
  measured(
    closed({
      scenarioId: Type.String({ maxLength: 60 }),
      months: list(annotated(ProjectedMonth, titled('{0/month}')), 60),
      runway: TreasuryRunway,
      controlledRunway: Type.Optional(
        annotated(
          closed(TreasuryRunway.properties, {
            description:
              'Same figures for PROVEN or ATTESTED holdings only, which headlines, gates and intents count. Absent in older projections; run them again.',
          }),
          titled('Controlled holdings'),
        ),
      ),
      controlledCashQuote: Type.Optional(
        list(AtomicAmount, 60, {
          description: 'Balance of T0 and T1 at the end of each month, PROVEN or ATTESTED only.',
        }),
      ),
      controlledTrough: Type.Optional(
        annotated(Trough, titled('Lowest point of controlled holdings')),
      ),
      controlledBelowFloorMonth: Type.Optional(monthOrNull),
      controlledDepletionMonth: Type.Optional(monthOrNull),
      trough: annotated(Trough, titled('Lowest point')),
      belowFloorMonth: monthOrNull,
      depletionMonth: monthOrNull,
      coveragePips: orNull(
        Type.String({
          pattern: '^(0|[1-9][0-9]{0,77})$',
          description:
            'Liquid stock over the net outflow of the first month, millionths, similar to the liquidity coverage ratio; null without outflow.',
        }),
      ),
    }),
    {
      controlledCashQuote: atoms(quoteKey, 'Cash of controlled holdings at month end', 'HIGHER'),
      controlledBelowFloorMonth: titled('Cash of controlled holdings falls below the minimum in'),
      controlledDepletionMonth: titled('Cash of controlled holdings is gone in'),
      belowFloorMonth: titled('Cash falls below the minimum in'),
      depletionMonth: titled('Cash is gone in'),
      coveragePips: pips('Liquid assets over the net outflow of the first month', 'HIGHER'),
    },
  ),
)

const certainties = <const S extends TSchema>(schema: S) =>
  measured(closed({ committed: schema, expected: schema, uncertain: schema }), {
    ...each(inQuote, { committed: 'committed', expected: 'expected', uncertain: 'uncertain' }),
  } as never)

export const TreasuryLadder = named(
  'TreasuryLadder',
  measured(
    closed(
      {
        d30: certainties(AtomicAmount),
        d90: certainties(AtomicAmount),
        d365: certainties(AtomicAmount),
      },
      {
        description:
          'Amounts due within 30, 90 and 365 days, overdue amounts included; in atoms of the quote or the named asset, rounded up. UNCERTAIN amounts are reported in full and never summed.',
      },
    ),
    {
      d30: titled('Due within 30 days'),
      d90: titled('Due within 90 days'),
      d365: titled('Due within 365 days'),
    },
  ),
)

const MonthsDelta = Type.Integer({ description: 'Thousandths of a month.' })
const fan = <const S extends TSchema>(schema: S) =>
  measured(closed({ p05: schema, p25: schema, p50: schema, p75: schema, p95: schema }), {
    p05: titled('p5 of the paths'),
    p25: titled('p25 of the paths'),
    p50: titled('Median of the paths'),
    p75: titled('p75 of the paths'),
    p95: titled('p95 of the paths'),
  } as never)

const unmetByMonthPips = list(Pips, 60, {
  description: 'Share of paths with an unmet COMMITTED line by the end of the month.',
})
const runwayFan = fan(Type.Integer({ minimum: 0 }))
const cashFans = list(fan(AtomicAmount), 60)

const ControlledSimulation = measured(
  closed(
    { unmetByMonthPips, runwayMonthsX3: runwayFan, beyondHorizonPips: Pips, cashQuote: cashFans },
    {
      description:
        'Same paths with PROVEN and ATTESTED holdings only, which headlines show. `cashFlowAtRiskQuote` counts no holdings, so it is the same. Absent in older projections; run them again.',
    },
  ),
  {
    unmetByMonthPips: pips('Paths with unmet obligations by the end of the month', 'LOWER'),
    runwayMonthsX3: months('Simulated runway', 'HIGHER'),
    beyondHorizonPips: pips('Paths that outlast the horizon', 'HIGHER'),
    cashQuote: atoms(quoteKey, 'Simulated cash at month end', 'HIGHER'),
  },
)

const Simulation = named(
  'TreasurySimulation',
  measured(
    closed({
      scenarioId: Type.String({ maxLength: 60 }),
      model: oneOf(
        ['BLOCKS', 'STUDENT_T4', 'HOLD'],
        'Price simulation. BLOCKS: 30 consecutive days of observed joint returns. STUDENT_T4: with fewer than 250 observed days, days are simulated from their covariance with t₄ tails. HOLD: with fewer than 30 days, prices are constant.',
      ),
      paths: Type.Integer({ minimum: 1, maximum: 20_000 }),
      observedDays: Type.Integer({ minimum: 0, description: 'Days of joint returns.' }),
      movingAssets: list(AssetKey, 400),
      unmetByMonthPips,
      runwayMonthsX3: runwayFan,
      beyondHorizonPips: Pips,
      cashQuote: cashFans,
      controlled: Type.Optional(annotated(ControlledSimulation, titled('Controlled holdings'))),
      cashFlowAtRiskQuote: list(SignedAmount, 20, {
        description:
          '5 % quantile of inflows less amounts due, by quarter of the horizon, at the prices of the path.',
      }),
    }),
    {
      paths: unitless,
      observedDays: days('Observed days of joint returns'),
      unmetByMonthPips: pips('Paths with unmet obligations by the end of the month', 'LOWER'),
      runwayMonthsX3: months('Simulated runway', 'HIGHER'),
      beyondHorizonPips: pips('Paths that outlast the horizon', 'HIGHER'),
      cashQuote: atoms(quoteKey, 'Simulated cash at month end', 'HIGHER'),
      cashFlowAtRiskQuote: atoms(quoteKey, 'Cash flow at risk of the quarter', 'HIGHER'),
    },
  ),
)

/** A treasury month by month in every scenario, from balances that the service read itself. */
export const TreasuryProjection = named(
  'TreasuryProjection',
  measured(
    closed({
      request: TreasuryProjectionRequest,
      label: Type.String({ maxLength: 120 }),
      quoteKey: AssetKey,
      quoteDecimals: Type.Integer({ minimum: 0, maximum: 255 }),
      minimumCashQuote: AtomicAmount,
      startMonth: Month,
      opening: list(Opening, 400),
      // Optional: absent in projections sealed before this field existed.
      markets: Type.Optional(
        list(annotated(SaleMarket, titled('Market of {0/assetKey}')), 400, {
          description:
            'Markets behind the cost of sales: a sale costs the higher of the haircut and σ_d·√(n / (30·daily volume)). Assets without one pay the haircut.',
        }),
      ),
      scenarios: list(annotated(ProjectedScenario, titled('Scenario {0/scenarioId}')), 12),
      ladder: orNull(TreasuryLadder),
      sensitivity: list(
        measured(
          closed({
            lineId: Type.String({ maxLength: 60 }),
            moreX3: MonthsDelta,
            lessX3: MonthsDelta,
          }),
          {
            moreX3: months('Change of the runway with 20 % more', 'HIGHER'),
            lessX3: months('Change of the runway with 20 % less', 'HIGHER'),
          },
        ),
        400,
        {
          description:
            'Change of the net runway of the base scenario for 20 % more and 20 % less of each line, by the rules of the assumptions; runways beyond the horizon count as the horizon.',
        },
      ),
      monteCarlo: orNull(Simulation),
      droppedOccurrences: Type.Integer({
        minimum: 0,
        description: 'Lines with amounts due before the snapshot, which are omitted.',
      }),
      computation: TreasuryComputation,
    }),
    {
      request: unitless,
      quoteDecimals: unitless,
      minimumCashQuote: inQuote('Minimum cash of the assumptions'),
      opening: titled('Opening holding'),
      sensitivity: titled('Sensitivity'),
      droppedOccurrences: count('Lines due before the snapshot', 'LOWER'),
    },
  ),
)
export type TreasuryProjection = Static<typeof TreasuryProjection>
