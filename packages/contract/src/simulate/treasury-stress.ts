import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import {
  annotated,
  atoms,
  type Better,
  count,
  days,
  each,
  measured,
  months,
  multipleX6,
  pips,
  priceX36,
  titled,
  unitless,
} from '../measures.ts'
import { obligationKinds } from '../plan/treasury-bucket.ts'
import { EntryRef, TreasuryComputation } from '../plan/treasury-computation.ts'
import { controlStatuses } from '../plan/treasury-control.ts'
import { AssetKey, TreasuryTier } from '../plan/treasury-terms.ts'
import {
  AtomicAmount,
  closed,
  decimals64,
  Hash,
  list,
  named,
  oneOf,
  openObject,
  orNull,
  Pips,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'

/** Treasury value after shocks: request and result. */

const whole = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description })
const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
  description: 'A name within the request.',
})
const Container = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Container text as in ledger entries, or `custodian:<provider>` for every account of one custodian.',
})
const Move = whole('Price change in millionths; −500000 halves the price.', -1_000_000, 10_000_000)

const PriceLeg = Type.Union([
  closed({
    kind: Type.Literal('PRICE', { description: 'The price of one asset moves.' }),
    asset: AssetKey,
    movePips: Move,
  }),
  closed({
    kind: Type.Literal('PRICE', { description: 'Prices of a tier move.' }),
    tier: TreasuryTier,
    movePips: Move,
  }),
])

export const TreasuryStressLeg = named(
  'TreasuryStressLeg',
  Type.Union(
    [
      ...PriceLeg.anyOf,
      closed({
        kind: Type.Literal('DEPEG', {
          description: 'A price falls for some days and recovers in part.',
        }),
        asset: AssetKey,
        pricePips: whole('Remaining price, millionths.', 0, 1_000_000),
        days: whole('Days until the recovery.', 0, 90),
        recoveryPips: whole('Recovered price, millionths.', 0, 1_000_000),
      }),
      closed({
        kind: Type.Literal('CORRELATED', {
          description: 'Every asset moves by its β on the factor, and the factor by the move.',
        }),
        factor: AssetKey,
        movePips: Move,
      }),
      closed({
        kind: Type.Literal('HISTORICAL', {
          description:
            'Historical price moves between two UTC days, from stored prices. An asset without prices moves by its β on the native coin.',
        }),
        from: Timestamp,
        to: Timestamp,
      }),
      closed({
        kind: Type.Literal('DEPTH_WITHDRAWAL', {
          description: 'A share of all liquidity leaves some venues. Default: all venues.',
        }),
        venueIds: Type.Optional(
          list(Type.String({ minLength: 1, maxLength: 80 }), 16, {
            minItems: 1,
            uniqueItems: true,
          }),
        ),
        removePips: whole('Share that leaves, millionths.', 0, 1_000_000),
      }),
      closed({
        kind: Type.Literal('FREEZE', {
          description: 'Holdings in some containers cannot be sold for some days.',
        }),
        containers: list(Container, 32, { minItems: 1, uniqueItems: true }),
        days: whole('Days.', 1, 90),
      }),
      closed({
        kind: Type.Literal('OBLIGATION_ACCELERATION', {
          description:
            'Obligations of some kinds with later due dates become due within these days; obligations without an end count for a year.',
        }),
        obligationKinds: list(
          oneOf([...obligationKinds, 'ASSUMED'], 'ASSUMED are lines of the assumptions.'),
          13,
          { minItems: 1, uniqueItems: true },
        ),
        toDays: whole(
          'Days until the obligations are due. Coverage sums thirty days and does not distinguish days within them.',
          0,
          30,
        ),
      }),
      closed({
        kind: Type.Literal('REVENUE', { description: 'Expected revenue changes.' }),
        multiplierPips: whole('Remaining revenue, millionths.', 0, 10_000_000),
      }),
    ],
    {
      description:
        'One shock. Prices always move in the order PRICE, DEPEG, CORRELATED, HISTORICAL, regardless of the order in the request; each is a factor.',
    },
  ),
)
export type TreasuryStressLeg = Static<typeof TreasuryStressLeg>

/** Default tail confidence level of simulated losses. */
export const stressConfidencePips = 975_000

export const stressTemplates = [
  ...(['CRASH_HALF', 'OWN_TOKEN_DOWN_80', 'STABLE_DOWN_12', 'CUSTODIAN_FROZEN'] as const),
  ...(['DEPTH_LEAVES', 'ALL_TOGETHER'] as const),
] as const

const metric = oneOf(
  ['RUNWAY_MONTHS_X3', 'COVERAGE_PIPS', 'REALISABLE_QUOTE'],
  'Limited metric: thousandths of a month that counted assets pay the net outflow of thirty days; liquid stock over that outflow, millionths; liquidation value of counted assets, quote atoms. A runway or coverage without outflow breaks no limit.',
)
const limit = { metric, threshold: AtomicAmount }

const Supplied = closed({
  assetKey: AssetKey,
  from: Timestamp,
  returnsPips: list(
    Type.Integer({
      minimum: -5_000_000,
      maximum: 5_000_000,
      description: 'ln(price of the day / price of the day before), millionths.',
    }),
    1_825,
    { minItems: 30, description: 'Daily returns, starting on the UTC day of `from`.' },
  ),
})

const Market = closed({
  assetKey: AssetKey,
  dailyVolume: AtomicAmount,
  dailyVolatilityPips: whole('Daily σ, in millionths.', 0, 2_000_000),
})

export const TreasuryStressInput = named(
  'TreasuryStressInput',
  closed({
    label: Type.String({ minLength: 1, maxLength: 120, description: 'Purpose.' }),
    portfolio: Type.Union(
      [
        closed({
          scope: Type.Literal('ALL_ACTIVE', { description: 'Every active entry of the ledger.' }),
        }),
        closed({
          entries: list(EntryRef, 400, {
            minItems: 1,
            uniqueItems: true,
            description: 'Holdings and obligations that count, each at its exact version.',
          }),
        }),
      ],
      {
        description:
          'Subject of the stress test. The server reads balances and accepts none from the caller.',
      },
    ),
    quoteKey: AssetKey,
    assumptions: Type.Optional(SourceRef),
    priceProviderId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'Provider for all prices. Default: for each asset the provider in the valuation of its oldest entry.',
      }),
    ),
    ownToken: Type.Optional(
      oneOf(
        ['APART', 'COUNTED'],
        'COUNTED if the own token and claims on it count in totals, simulated paths and runway. Default: APART. In coverage its haircut is 100 % unless the assumptions set another.',
      ),
    ),
    horizonDays: Type.Optional(whole('Horizon of simulated losses, in days. Default: 30.', 1, 90)),
    confidencePips: Type.Optional(
      whole(`Confidence level, in pips. Default: ${stressConfidencePips}.`, 900_000, 999_000),
    ),
    liquidation: Type.Optional(
      closed({
        participationPips: Type.Optional(
          whole('Maximum sold share of the daily volume. Default: 100000.', 1_000, 1_000_000),
        ),
        impactYPips: Type.Optional(
          whole('Y of the square-root law. Default: 1000000.', 0, 5_000_000),
        ),
        days: Type.Optional(whole('Days of the sale. Default: 30.', 1, 30)),
      }),
    ),
    markets: Type.Optional(
      list(Market, 64, {
        description:
          'Caller-supplied daily volumes and volatilities, for assets without an observed venue; the result lists them and is PARTIAL.',
      }),
    ),
    scenarios: Type.Optional(
      list(
        closed({
          scenarioId: Name,
          label: Type.String({
            minLength: 1,
            maxLength: 120,
            description: 'Description of the scenario.',
          }),
          legs: list(TreasuryStressLeg, 32, { minItems: 1 }),
        }),
        24,
      ),
    ),
    templates: Type.Optional(
      list(oneOf(stressTemplates, 'Built-in scenario: parameters without historical data.'), 6, {
        uniqueItems: true,
        description:
          'CRASH_HALF: tiers 2 to 4 halve. OWN_TOKEN_DOWN_80: tier 4 loses 80 %. STABLE_DOWN_12: tier 1 but the quote loses 12 % for three days. CUSTODIAN_FROZEN: custodians pay nothing for five days. DEPTH_LEAVES: 70 % of liquidity leaves and tier 4 loses 60 %. ALL_TOGETHER: all of them.',
      }),
    ),
    returns: Type.Optional(
      closed({
        windowDays: Type.Optional(
          whole('Days of returns in the sample. Default: 730.', 250, 1_825),
        ),
        tailCorrelationFloorPips: Type.Optional(
          whole('Minimum crypto-to-crypto correlation in β. Default: 800000.', 0, 1_000_000),
        ),
        supplied: Type.Optional(
          list(Supplied, 12, {
            description:
              'Caller-supplied returns, used for an asset with fewer than thirty stored returns; named CALLER_SUPPLIED, and the result is PARTIAL.',
          }),
        ),
      }),
    ),
    monteCarlo: Type.Optional(
      closed({
        paths: Type.Optional(whole('Number of paths. Default: 10000.', 1_000, 50_000)),
        model: Type.Optional(
          oneOf(
            ['BOOTSTRAP', 'STUDENT_T4'],
            'Loss model. BOOTSTRAP resamples whole days in blocks and needs 250 days; with fewer days STUDENT_T4 replaces it and a limitation is listed. Default: BOOTSTRAP.',
          ),
        ),
        meanBlockDays: Type.Optional(whole('Mean block length in days. Default: 10.', 1, 60)),
      }),
    ),
    reverse: Type.Optional(
      list(closed({ ...limit, scenarioId: Name }), 4, {
        description:
          'For each figure the smallest multiple of a scenario, at most three, that moves the figure below a threshold. Template names use lower case with hyphens.',
      }),
    ),
    limits: Type.Optional(
      list(closed(limit), 8, {
        description: 'Covenants: a figure below the threshold breaks one.',
      }),
    ),
    seed: Type.Optional(
      Type.String({
        pattern: decimals64,
        description:
          'Seed of the simulated paths, a decimal of 64 bits. Default: derived from the inputs.',
        examples: ['42'],
      }),
    ),
  }),
)
export type TreasuryStressInput = Static<typeof TreasuryStressInput>

const quoteKey = '/payload/request/quoteKey'
const inQuote = (title: string, better?: Better) => atoms(quoteKey, title, better)
const higher = (title: string) => inQuote(title, 'HIGHER')
const lower = (title: string) => inQuote(title, 'LOWER')
const ofAsset = (title: string, better?: Better) => atoms('1/assetKey', title, better)

const Totals = measured(
  closed({
    beforeQuote: AtomicAmount,
    markQuote: AtomicAmount,
    realisableQuote: AtomicAmount,
    lossQuote: SignedAmount,
  }),
  {
    beforeQuote: higher('Value before the shock'),
    markQuote: higher('Value at shocked prices'),
    realisableQuote: higher('Realizable value'),
    lossQuote: lower('Loss'),
  },
)

const Breach = measured(closed({ ...limit, value: AtomicAmount }), {
  threshold: unitless,
  value: unitless,
})

const drivers = list(
  measured(
    closed({
      subject: Type.String({
        maxLength: 80,
        description:
          'Index and kind of the price leg; RECOVERY: a peg recovery before the sale; IMPACT: cost of sales; LOCKED, FROZEN and UNSOLD: unsold holdings.',
      }),
      lossQuote: SignedAmount,
    }),
    { lossQuote: lower('Loss by {1/subject}') },
  ),
  64,
  { description: 'They sum to `counted.lossQuote` exactly; a gain is below zero.' },
)

/** Treasury value if only PROVEN or ATTESTED holdings count. */
const ControlledOutcome = measured(
  closed(
    {
      markQuote: AtomicAmount,
      realisableQuote: AtomicAmount,
      coveragePips: orNull(AtomicAmount),
      runwayMonthsX3: orNull(AtomicAmount),
      breaches: list(Breach, 8, { description: 'Limits of the request that it breaks alone.' }),
      beforeQuote: Type.Optional(AtomicAmount),
      lossQuote: Type.Optional(SignedAmount),
      drivers: Type.Optional(
        list(drivers.items, 64, {
          description: 'Loss components with the exact sum `lossQuote`; a gain is below zero.',
        }),
      ),
    },
    {
      description:
        'Same figures for PROVEN or ATTESTED holdings only, which gates and decision packs count. Absent in older studies; run them again.',
    },
  ),
  {
    beforeQuote: higher('Value before the shock'),
    lossQuote: lower('Loss'),
    markQuote: higher('Value at shocked prices'),
    realisableQuote: higher('Realizable value'),
    coveragePips: pips('Coverage of the net outflow', 'HIGHER'),
    runwayMonthsX3: months('Runway', 'HIGHER'),
  },
)

const outcome = {
  counted: annotated(Totals, titled('Assets without the own token')),
  ownToken: annotated(Totals, titled('Own token')),
  unsold: list(
    measured(
      closed({
        assetKey: AssetKey,
        tier: TreasuryTier,
        quantity: AtomicAmount,
        markQuote: AtomicAmount,
        cause: oneOf(
          ['LOCKED', 'FROZEN', 'UNSOLD'],
          'LOCKED: restricted beyond the days of the sale. FROZEN: its container is. UNSOLD: the market does not take it in time.',
        ),
      }),
      {
        quantity: ofAsset('Unsold quantity', 'LOWER'),
        markQuote: lower('Value of the unsold quantity'),
      },
    ),
    800,
    { description: 'Unsold rest, valued at zero in coverage and runway.' },
  ),
  coverage: measured(
    closed({
      stockQuote: AtomicAmount,
      netOutflowQuote: AtomicAmount,
      coveragePips: orNull(AtomicAmount),
    }),
    {
      stockQuote: higher('Liquid assets'),
      netOutflowQuote: lower('Net outflow'),
      coveragePips: pips('Coverage of the net outflow', 'HIGHER'),
    },
  ),
  runwayMonthsX3: annotated(orNull(AtomicAmount), months('Runway', 'HIGHER')),
  // In the quote of the venue, which the record does not contain.
  depths: list(
    measured(closed({ venueId: Type.String({ maxLength: 80 }), depthQuote: AtomicAmount }), {
      depthQuote: unitless,
    }),
    64,
    {
      description:
        "Quantity that can be sold within 2 % of price in each venue, in the venue's quote.",
    },
  ),
  lastSaleDay: annotated(
    orNull(whole('Day of the last sale, from 0.', 0, 90)),
    days('Day of the last sale', 'LOWER'),
  ),
  drivers,
  proxies: list(AssetKey, 400, { description: 'Assets that moved by β of the native coin.' }),
  breaches: list(Breach, 8, { description: 'Limits of the request that it breaks.' }),
  controlled: Type.Optional(annotated(ControlledOutcome, titled('Controlled holdings'))),
}

const Outcome = named('TreasuryStressOutcome', closed(outcome))

const Scenario = measured(
  closed({
    scenarioId: Name,
    label: Type.String({ maxLength: 120 }),
    origin: oneOf(
      ['REQUESTED', 'STYLISED'],
      'STYLISED: assumed parameters without historical data.',
    ),
    legs: list(TreasuryStressLeg, 32),
    ...outcome,
  }),
  { legs: unitless },
)

const Holding = measured(
  closed({
    entryId: Type.String({ maxLength: 80 }),
    assetKey: AssetKey,
    tier: TreasuryTier,
    isDirect: Type.Boolean({ description: 'True for the asset itself, false for a claim on it.' }),
    container: Type.String({ maxLength: 200 }),
    quantity: AtomicAmount,
    lockedDays: orNull(whole('Days until the lock ends; null if no end is known.', 0, 100_000)),
    isLocked: Type.Boolean({ description: 'True if a restriction applies.' }),
    priceX36: orNull(AtomicAmount),
    markQuote: orNull(AtomicAmount),
    control: Type.Optional(
      oneOf(controlStatuses, 'Control evidence of the holding at the time of the stress test.'),
    ),
  }),
  {
    quantity: ofAsset('Quantity'),
    lockedDays: days('Days until it is free', 'LOWER'),
    priceX36: priceX36('Price'),
    markQuote: higher('Value'),
  },
)

const KnownMarket = measured(
  closed({
    assetKey: AssetKey,
    volumeSource: oneOf(
      ['OBSERVED', 'DECLARED', 'NONE'],
      'OBSERVED: the median of the daily volumes of observed venues.',
    ),
    dailyVolume: orNull(AtomicAmount),
    observedDays: whole('Whole UTC days with known volumes.', 0, 31),
    volatilitySource: oneOf(
      ['OBSERVED', 'CALLER_SUPPLIED', 'DECLARED', 'NONE'],
      'Source of the returns for σ.',
    ),
    dailyVolatilityPips: orNull(whole('Daily σ, in millionths.', 0, 100_000_000)),
    venues: list(
      measured(
        closed({
          venueId: Type.String({ maxLength: 80 }),
          observation: SourceRef,
          quoteKey: AssetKey,
          block: whole('Block of the state that sales are computed on.', 0, 2 ** 53 - 1),
          depthQuote: AtomicAmount,
        }),
        {
          block: unitless,
          depthQuote: atoms('1/quoteKey', 'Depth of {1/venueId}', 'HIGHER'),
        },
      ),
      16,
      { description: 'Venues with the asset as their base; others are no exit.' },
    ),
  }),
  {
    dailyVolume: ofAsset('Daily volume', 'HIGHER'),
    observedDays: days('Observed days of volume'),
    dailyVolatilityPips: pips('Daily volatility'),
  },
)

const Execution = measured(
  closed({
    assetKey: AssetKey,
    quantity: AtomicAmount,
    days: whole('Days of the sale.', 1, 30),
    evenCostPips: Pips,
    kappaX6: whole('κ a day, times 10^6.', 0, 10 ** 9),
    holdings: list(AtomicAmount, 30, { description: 'Holding at the end of each day.' }),
    expectedCostQuote: AtomicAmount,
    standardDeviationQuote: AtomicAmount,
  }),
  {
    quantity: ofAsset('Quantity sold'),
    days: days('Days of the sale', 'LOWER'),
    evenCostPips: pips('Cost of an even sale', 'LOWER'),
    kappaX6: unitless,
    holdings: ofAsset('Holding at the end of the day'),
    expectedCostQuote: lower('Expected cost'),
    standardDeviationQuote: lower('Standard deviation of the cost'),
  },
)

const quantiles = measured(
  closed({
    p50: SignedAmount,
    p75: SignedAmount,
    p90: SignedAmount,
    p95: SignedAmount,
    p975: SignedAmount,
    p99: SignedAmount,
  }),
  each(lower, {
    p50: 'Median loss',
    p75: 'Loss, p75',
    p90: 'Loss, p90',
    p95: 'Loss, p95',
    p975: 'Loss, p97.5',
    p99: 'Loss, p99',
  }) as never,
)

const horizons = list(
  measured(
    closed({
      horizonDays: whole('Liquidity horizon.', 10, 120),
      shortfallQuote: AtomicAmount,
    }),
    {
      horizonDays: days('Liquidity horizon'),
      shortfallQuote: lower('Shortfall at a horizon of {1/horizonDays} days'),
    },
  ),
  32,
  { description: 'Ten-day shortfall of the holdings with at least each liquidity horizon.' },
)

const histogram = measured(
  closed({
    fromQuote: SignedAmount,
    toQuote: SignedAmount,
    counts: list(Type.Integer({ minimum: 0 }), 64, {
      description: 'Paths by loss, in equal steps.',
    }),
  }),
  {
    fromQuote: inQuote('Lowest loss of the histogram'),
    toQuote: inQuote('Highest loss of the histogram'),
    counts: count('Paths in the step'),
  },
)

/** Results that depend on the included holdings. */
const lossFigures = {
  quantiles,
  expectedShortfallQuote: SignedAmount,
  standardErrorQuote: AtomicAmount,
  liquidityHorizonShortfallQuote: AtomicAmount,
  horizons,
  probabilityOfShortfallPips: orNull(Pips),
  histogram,
}
const lossMeasures = {
  expectedShortfallQuote: lower('Expected shortfall'),
  standardErrorQuote: lower('Standard error of the expected shortfall'),
  liquidityHorizonShortfallQuote: lower('Shortfall over the liquidity horizons'),
  probabilityOfShortfallPips: pips('Probability of a shortfall', 'LOWER'),
}

const ControlledLosses = measured(
  closed(lossFigures, {
    description:
      'Same paths with PROVEN and ATTESTED holdings only, which headlines show. Absent in older studies; run them again.',
  }),
  lossMeasures,
)

const MonteCarlo = measured(
  closed({
    model: oneOf(['BOOTSTRAP', 'STUDENT_T4'], 'Loss model used.'),
    paths: whole('Paths.', 1_000, 50_000),
    observedDays: whole('Days of returns of all factors together.', 0, 2_000),
    factors: list(AssetKey, 12, { description: 'Simulated assets.' }),
    byBeta: list(
      measured(closed({ assetKey: AssetKey, betaX6: SignedAmount }), {
        betaX6: multipleX6('Beta of {1/assetKey}'),
      }),
      400,
      {
        description: 'Assets that moved by their β on the first factor.',
      },
    ),
    still: list(AssetKey, 400, {
      description: 'Assets with a constant price because of missing returns.',
    }),
    ...lossFigures,
    needQuote: AtomicAmount,
    controlled: Type.Optional(annotated(ControlledLosses, titled('Controlled holdings'))),
  }),
  {
    paths: unitless,
    observedDays: days('Observed days of joint returns'),
    ...lossMeasures,
    needQuote: lower('Need at the confidence level'),
  },
)

const breakingPoint = {
  severityX6: whole('Multiple of the scenario, times 10^6.', 0, 3_000_000),
  reached: Type.Boolean({
    description: 'False if three times the scenario does not breach the limit.',
  }),
  value: orNull(AtomicAmount),
  legsAtSeverity: list(
    openObject('A leg of the scenario at the severity; HISTORICAL gives its multiple.'),
    32,
  ),
}

const Reverse = measured(
  closed({
    ...limit,
    scenarioId: Name,
    ...breakingPoint,
    controlled: Type.Optional(
      annotated(
        measured(
          closed(breakingPoint, {
            description:
              'Same with PROVEN and ATTESTED holdings only, which headlines show. Absent in older studies; run them again.',
          }),
          {
            severityX6: multipleX6('Severity that breaks the limit', 'HIGHER'),
            value: unitless,
          },
        ),
        titled('Controlled holdings'),
      ),
    ),
  }),
  {
    threshold: unitless,
    severityX6: multipleX6('Severity that breaks the limit on {1/metric}', 'HIGHER'),
    value: unitless,
  },
)

export const TreasuryStressStudy = named(
  'TreasuryStressStudy',
  measured(
    closed({
      request: TreasuryStressInput,
      quoteDecimals: orNull(whole('Decimals of the quote.', 0, 255)),
      holdings: list(annotated(Holding, titled('Holding of {0/assetKey}')), 1_600),
      markets: list(annotated(KnownMarket, titled('Market of {0/assetKey}')), 400),
      returns: measured(
        closed({
          days: whole('Days on which every asset with returns has a return.', 0, 2_000),
          series: list(
            measured(
              closed({
                assetKey: AssetKey,
                source: oneOf(
                  ['OBSERVATIONS', 'SERIES', 'CALLER_SUPPLIED'],
                  'Sealed observations of a venue, sealed prices of a feed, or the caller.',
                ),
                of: Type.String({
                  maxLength: 400,
                  description: 'Venue, feed, or hash of the vector.',
                }),
                days: whole('Returns that are known.', 0, 2_000),
                dailyVolatilityPips: whole('Daily σ, in millionths.', 0, 100_000_000),
              }),
              {
                days: days('Known daily returns of {1/assetKey}'),
                dailyVolatilityPips: pips('Daily volatility of {1/assetKey}'),
              },
            ),
            400,
          ),
          supplied: list(
            closed({
              assetKey: AssetKey,
              vectorHash: Hash,
              isUsed: Type.Boolean({ description: 'False if the store has thirty returns.' }),
            }),
            12,
          ),
        }),
        { days: days('Days with a return of every asset') },
      ),
      flows: measured(
        closed({
          dueQuote: AtomicAmount,
          laterQuote: AtomicAmount,
          inflowQuote: AtomicAmount,
        }),
        {
          dueQuote: lower('Due within the horizon'),
          laterQuote: lower('Due later'),
          inflowQuote: higher('Inflow within the horizon'),
        },
      ),
      before: orNull(annotated(Outcome, titled('Before shocks'))),
      scenarios: list(annotated(Scenario, titled('Scenario {0/scenarioId}')), 30),
      monteCarlo: orNull(MonteCarlo),
      reverse: list(annotated(Reverse, titled('Reverse stress {0/scenarioId}')), 4),
      executions: list(annotated(Execution, titled('Almgren–Chriss sale of {0/assetKey}')), 64, {
        description:
          'For comparison, for each asset with a known volume, sold whole: the Almgren–Chriss trajectory with a 1/κ of five days.',
      }),
      computation: TreasuryComputation,
    }),
    {
      request: unitless,
      quoteDecimals: unitless,
      monteCarlo: titled('Simulated paths'),
    },
  ),
)
export type TreasuryStressStudy = Static<typeof TreasuryStressStudy>
export type TreasuryStressOutcome = Static<typeof Outcome>
