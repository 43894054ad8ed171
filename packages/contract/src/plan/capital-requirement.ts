import Type, { type Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import {
  annotated,
  atoms,
  type Better,
  daysX3,
  each,
  measured,
  multipleX18,
  pips,
  priceX36,
  titled,
  unitless,
} from '../measures.ts'
import {
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
} from '../scalars.ts'
import { EntryRef, TreasuryComputation } from './treasury-computation.ts'
import { AssetKey } from './treasury-terms.ts'

/** Capital study: token amounts required for a depth, with request and result. */

const Side = oneOf(
  ['BUY', 'SELL'],
  'BUY: quote that is paid, net of fees, until the price is up by the move. SELL: quote that is received until it is down by it.',
)
const MovePips = Type.Integer({
  minimum: 1_000,
  maximum: 500_000,
  description: 'Price move, in millionths of the price.',
})

const Target = closed({
  side: oneOf(['BUY', 'SELL', 'BOTH'], 'Side of the depth target; BOTH is two targets.'),
  movePips: MovePips,
  depthQuote: AtomicAmount,
})

const SlippageTarget = closed({
  tradeQuote: AtomicAmount,
  side: Side,
  maximumAveragePips: Type.Integer({
    minimum: 500,
    maximum: 200_000,
    description:
      'Maximum average price impact of a trade of this size, without the fee: t/(L√p) of a constant product. Other shapes use the same end price, which bounds it.',
  }),
})

const EdgePips = (description: string, maximum: number) =>
  Type.Integer({ minimum: 1_000, maximum, description })
const TickSpacing = Type.Integer({
  minimum: 1,
  maximum: 16_383,
  description: 'Tick spacing of the pool.',
})
const weight = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description })

const LadderBand = closed({
  fromMovePips: Type.Integer({
    minimum: -900_000,
    maximum: 10_000_000,
    description:
      'Nearer or farther edge as a move of the price, millionths; below zero is below the price.',
  }),
  toMovePips: Type.Integer({
    minimum: -900_000,
    maximum: 10_000_000,
    description: 'The other edge, above.',
  }),
  weightPips: weight('Liquidity of the band relative to the other bands.', 1, 1_000_000),
})

const Shape = Type.Union([
  closed({ kind: Type.Literal('V2', { description: 'A constant product over every price.' }) }),
  closed({
    kind: Type.Literal('V3_RANGE', {
      description: 'One range, its edges rounded outwards to the spacing.',
    }),
    lowerMovePips: EdgePips('Lower edge below the price, in millionths of the price.', 900_000),
    upperMovePips: EdgePips('Upper edge above the price, in millionths of the price.', 10_000_000),
    tickSpacing: TickSpacing,
  }),
  closed({
    kind: Type.Literal('V3_LADDER', {
      description: 'Bands with given liquidity proportions.',
    }),
    bands: list(LadderBand, 32, { minItems: 1 }),
    tickSpacing: TickSpacing,
  }),
  closed({
    kind: Type.Literal('V3_TARGET_LADDER', {
      description: 'One band per side between consecutive targets: the minimum capital for them.',
    }),
    tickSpacing: TickSpacing,
  }),
  closed({
    kind: Type.Literal('WEIGHTED', {
      description: 'A pool that maintains fixed value weights of its tokens.',
    }),
    tokenWeightPips: weight('Value weight of the token in the pool.', 10_000, 990_000),
  }),
  closed({
    kind: Type.Literal('STABLESWAP', { description: 'A balanced StableSwap pool at its peg.' }),
    amplification: Type.Integer({ minimum: 1, maximum: 100_000, description: 'A of the pool.' }),
  }),
  closed({
    kind: Type.Literal('ORDER_BOOK', {
      description: 'Orders posted at the targets, refilled from an inventory.',
    }),
    inventoryMultiplePips: weight(
      'Inventory behind the posted depth, in millionths of the depth.',
      1_000_000,
      10_000_000,
    ),
  }),
])

const ShapeRequest = closed({
  shapeId: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
    description: 'A name within the request.',
  }),
  sharePips: weight(
    'Share of every target that this shape gives; all shares are 1,000,000 together.',
    1,
    1_000_000,
  ),
  feePips: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    description: 'Fee of the pool, millionths.',
  }),
  shape: Shape,
})

const reference = Type.Union([
  closed({
    kind: Type.Literal('ORACLE', {
      description: 'Last price of a registered provider.',
    }),
    providerId: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Price provider.',
    }),
    oracleGeneration: Type.Optional(Hash),
  }),
  closed({
    kind: Type.Literal('DECLARED', {
      description: 'Caller-supplied price; the result states this.',
    }),
    priceX18: Type.Optional(PriceX18),
    priceX36: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]{0,79})$',
        description:
          'Quote atoms per token atom, times 10^36, in place of priceX18. For tokens with extreme decimals or prices.',
      }),
    ),
  }),
])

const volatility = Type.Union([
  closed({
    kind: Type.Literal('OBSERVED', {
      description:
        'Daily log returns of the prices of the reference, which must be an ORACLE; weighted by 0.97 a day into the past.',
    }),
    days: Type.Integer({ minimum: 30, maximum: 365, description: 'Lookback, in days.' }),
  }),
  closed({
    kind: Type.Literal('DECLARED', { description: 'A volatility of the caller.' }),
    annualPips: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'A year of 365 days, millionths.',
    }),
  }),
])

const Amounts = { token: AtomicAmount, quote: AtomicAmount }
const inQuote = (title: string, better?: Better) => atoms('/payload/request/quote', title, better)
const amountsAre = (better?: Better) => ({
  token: atoms('/payload/request/token', 'Token', better),
  quote: inQuote('Quote', better),
})
const move = pips('Move of the price')

export const CapitalRequirementInput = named(
  'CapitalRequirementInput',
  closed({
    label: Type.String({ minLength: 1, maxLength: 120, description: 'Purpose.' }),
    token: AssetKey,
    quote: AssetKey,
    reference,
    targets: list(Target, 16, { minItems: 1 }),
    slippageTargets: Type.Optional(list(SlippageTarget, 8)),
    shapes: list(ShapeRequest, 8, { minItems: 1 }),
    volatility,
    horizonDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        default: 10,
        description: 'Days that the buffer lasts.',
      }),
    ),
    confidencePips: Type.Optional(
      weight('Share of moves that the buffer outlasts, default 975,000.', 900_000, 999_000),
    ),
    existingDepth: Type.Optional(
      closed({
        observations: list(SourceRef, 16, {
          minItems: 1,
          description: 'Venue observations of the pair whose third-party liquidity counts.',
        }),
        persistencePips: Type.Optional(Pips),
      }),
    ),
    flow: Type.Optional(
      closed({
        dailyVolumeQuote: AtomicAmount,
        netSellSharePips: Pips,
      }),
    ),
    blockTimeSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_600,
        description:
          'Seconds between two blocks of the chain. Default: the published block time of the chain, else the median of the headers in existingDepth.',
      }),
    ),
    budget: Type.Optional(closed(Amounts)),
    ledgerSources: Type.Optional(
      list(EntryRef, 64, {
        description: 'Usable ledger holdings of token or quote.',
      }),
    ),
  }),
)
export type CapitalRequirementInput = Static<typeof CapitalRequirementInput>

const NetTarget = measured(
  closed({
    side: Side,
    movePips: Type.Integer({ description: 'Price move, in millionths of the price.' }),
    grossQuote: AtomicAmount,
    existingQuote: AtomicAmount,
    netQuote: AtomicAmount,
  }),
  {
    movePips: move,
    ...each(inQuote, {
      grossQuote: 'Depth wanted',
      existingQuote: 'Depth of others',
      netQuote: 'Depth to provide',
    }),
  },
)

const Band = measured(
  closed({
    tickLower: Type.Integer({ description: 'Lower tick of the pool.' }),
    tickUpper: Type.Integer({ description: 'Upper tick of the pool.' }),
    liquidity: AtomicAmount,
  }),
  { tickLower: unitless, tickUpper: unitless, liquidity: unitless },
)

const SignedPips = Type.Integer({ description: 'Millionths; below zero is a loss.' })

const Achieved = (list: string) =>
  measured(closed({ side: Side, movePips: Type.Integer(), depthQuote: AtomicAmount }), {
    movePips: move,
    depthQuote: inQuote(list, 'HIGHER'),
  })

const ShapeResult = measured(
  closed({
    shapeId: Type.String({ maxLength: 40 }),
    kind: Type.String({ maxLength: 40, description: 'Kind of the shape.' }),
    liquidity: orNull(AtomicAmount),
    bands: orNull(
      list(Band, 32, { description: 'Positions of a pool with ranges, ready to mint.' }),
    ),
    sqrtPriceX96: orNull(
      Type.String({
        maxLength: 50,
        description: '√(token1/token0) of the pool, Q64.96, at the price.',
      }),
    ),
    ...Amounts,
    valueQuote: AtomicAmount,
    achieved: list(Achieved('{1/side} depth'), 40, {
      description: 'Depth that the amounts give at each target, rounded down.',
    }),
    efficiencyPips: Type.Integer({
      minimum: 0,
      description:
        'Capital efficiency: value of a constant product over all prices with the same targets, divided by the value of this shape.',
    }),
    lvrAnnualQuote: orNull(AtomicAmount),
    lvrWithFeesAnnualQuote: orNull(AtomicAmount),
    breakEvenDailyVolumeQuote: orNull(AtomicAmount),
    rangeSurvivalPips: orNull(Pips),
    expectedExitDaysX3: orNull(Type.Integer({ minimum: 0, description: 'Days, thousandths.' })),
    divergence: orNull(
      list(
        measured(closed({ movePips: SignedPips, versusHoldPips: SignedPips }), {
          movePips: move,
          versusHoldPips: pips('Value vs HODL at another price', 'HIGHER'),
        }),
        8,
        {
          description: 'Value at another price vs HODL of both amounts, without fees.',
        },
      ),
    ),
  }),
  {
    liquidity: unitless,
    ...amountsAre('LOWER'),
    valueQuote: inQuote('Capital required', 'LOWER'),
    efficiencyPips: pips('Capital efficiency against a full range', 'HIGHER'),
    lvrAnnualQuote: inQuote('LVR per year', 'LOWER'),
    lvrWithFeesAnnualQuote: inQuote('LVR per year with fees', 'LOWER'),
    breakEvenDailyVolumeQuote: inQuote('Break-even daily volume', 'LOWER'),
    rangeSurvivalPips: pips('Probability that the price stays in range', 'HIGHER'),
    expectedExitDaysX3: daysX3('Expected time to leave the range', 'HIGHER'),
  },
)

export const CapitalRequirementStudy = named(
  'CapitalRequirementStudy',
  measured(
    closed({
      request: CapitalRequirementInput,
      chainId: orNull(ChainId),
      tokenDecimals: orNull(
        Type.Integer({
          minimum: 0,
          maximum: 80,
          description: 'Decimals, if a venue reports them.',
        }),
      ),
      quoteDecimals: orNull(
        Type.Integer({
          minimum: 0,
          maximum: 80,
          description: 'Decimals, if a venue reports them.',
        }),
      ),
      priceX36: orNull(
        Type.String({ maxLength: 80, description: 'Quote atoms for a token atom, times 10^36.' }),
      ),
      // Optional: absent in studies sealed before this field existed, which assumed 12 s by default.
      blockTime: Type.Optional(
        orNull(
          closed(
            {
              milliseconds: Type.Integer({ minimum: 0 }),
              source: oneOf(
                ['DECLARED', 'CHAIN', 'HEADERS'],
                'DECLARED: of the request. CHAIN: published for the chain. HEADERS: measured from indexed headers.',
              ),
            },
            {
              description:
                'Time between blocks behind lvrWithFeesAnnualQuote. Null if unknown: the figure is then null too.',
            },
          ),
        ),
      ),
      annualVolatilityPips: orNull(
        Type.Integer({ minimum: 0, description: 'A year of 365 days, millionths.' }),
      ),
      targets: list(NetTarget, 40, {
        description:
          'Each target by side, less the depth of other providers; for slippage targets the allowed move.',
      }),
      base: orNull(measured(closed(Amounts), amountsAre('LOWER'))),
      buffer: orNull(
        measured(
          closed({
            priceQuote: AtomicAmount,
            priceToken: AtomicAmount,
            shortfallQuote: AtomicAmount,
            shortfallToken: AtomicAmount,
            flowQuote: AtomicAmount,
            ...Amounts,
          }),
          {
            priceQuote: inQuote('Quote for a move of the price', 'LOWER'),
            priceToken: atoms('/payload/request/token', 'Token for a move of the price', 'LOWER'),
            shortfallQuote: inQuote('Quote shortfall', 'LOWER'),
            shortfallToken: atoms('/payload/request/token', 'Token shortfall', 'LOWER'),
            flowQuote: inQuote('Quote for net selling', 'LOWER'),
            ...amountsAre('LOWER'),
          },
        ),
      ),
      total: orNull(
        measured(closed({ ...Amounts, valueQuote: AtomicAmount }), {
          ...amountsAre('LOWER'),
          valueQuote: inQuote('Value of both', 'LOWER'),
        }),
      ),
      floor: orNull(measured(closed(Amounts), amountsAre('LOWER'))),
      perShape: list(annotated(ShapeResult, titled('Shape {0/shapeId}')), 8),
      budgetSolve: orNull(
        measured(
          closed({
            scaleX18: AtomicAmount,
            bindingSide: oneOf(['TOKEN', 'QUOTE'], 'Side that runs out first.'),
            targets: list(Achieved('{1/side} depth'), 40),
          }),
          { scaleX18: multipleX18('Share of the targets', 'HIGHER') },
        ),
      ),
      available: orNull(measured(closed(Amounts), amountsAre('HIGHER'))),
      gap: orNull(measured(closed(Amounts), amountsAre('LOWER'))),
      curve: list(
        measured(
          closed({
            movePips: SignedPips,
            buyDepthQuote: AtomicAmount,
            sellDepthQuote: AtomicAmount,
          }),
          {
            movePips: move,
            buyDepthQuote: inQuote('BUY depth', 'HIGHER'),
            sellDepthQuote: inQuote('SELL depth', 'HIGHER'),
          },
        ),
        81,
        {
          description: 'Combined depth of all shapes from −40 % to +40 %, in steps of 1 %.',
        },
      ),
      computation: TreasuryComputation,
    }),
    {
      request: unitless,
      chainId: unitless,
      tokenDecimals: unitless,
      quoteDecimals: unitless,
      priceX36: priceX36('Price'),
      blockTime: unitless,
      annualVolatilityPips: pips('Annual volatility'),
      targets: titled('Target'),
      base: titled('Capital without buffer'),
      buffer: titled('Buffer'),
      total: titled('Capital with buffer'),
      floor: titled('Minimum capital'),
      budgetSolve: titled('Within the budget'),
      available: titled('Available capital'),
      gap: titled('Missing capital'),
      curve: titled('Depth curve'),
    },
  ),
)
export type CapitalRequirementStudy = Static<typeof CapitalRequirementStudy>
