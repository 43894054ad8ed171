import Type, { type Static } from 'typebox'
import { AtomicAmount, closed, list, named, oneOf, Pips, PriceX18 } from '../scalars.ts'

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })

const AnnualDriftPips = whole(
  -10_000_000,
  10_000_000,
  'Expected return per year, millionths. Default: 0.',
)
const AnnualVolatilityPips = whole(
  0,
  20_000_000,
  'Standard deviation of ln price over a year, millionths: 800000 is 80 %.',
)
const Seconds = whole(0, 94_608_000, 'Time since the start, in seconds.')

/**
 * Model of the external price. Omitted fields are calibrated from the observations, except the
 * drift, which defaults to 0.
 */
export const PriceModel = named(
  'PriceModel',
  Type.Union([
    closed({
      kind: Type.Literal('GBM'),
      annualDriftPips: Type.Optional(AnnualDriftPips),
      annualVolatilityPips: Type.Optional(AnnualVolatilityPips),
    }),
    closed({
      kind: Type.Literal('JUMP_DIFFUSION'),
      annualDriftPips: Type.Optional(AnnualDriftPips),
      annualVolatilityPips: Type.Optional(AnnualVolatilityPips),
      jumpsPerYearMilli: Type.Optional(whole(0, 10_000_000, 'Expected jumps a year, thousandths.')),
      jumpMeanPips: Type.Optional(
        whole(-2_000_000, 2_000_000, 'Mean of the jump of ln price, millionths.'),
      ),
      jumpDeviationPips: Type.Optional(
        whole(0, 2_000_000, 'Standard deviation of the jump of ln price, millionths.'),
      ),
    }),
    closed({
      kind: Type.Literal('BLOCK_BOOTSTRAP'),
      drift: Type.Optional(oneOf(['KEEP', 'REMOVE'], 'REMOVE subtracts the mean return.')),
      meanBlockMilli: Type.Optional(
        whole(1000, 1_000_000_000, 'Mean length of a block, thousandths of a step.'),
      ),
      logReturnsX9: Type.Optional(
        list(whole(-2_000_000_000, 2_000_000_000, 'ln return of one step times 10^9.'), 20_000, {
          minItems: 500,
          description:
            'Log returns to use instead of the observed returns; volume is then independent of returns.',
        }),
      ),
    }),
  ]),
)
export type PriceModel = Static<typeof PriceModel>

/**
 * Noise traders, who ignore the external price. Omitted fields are calibrated from the
 * observations.
 */
export const NoiseFlow = named(
  'NoiseFlow',
  Type.Union([
    closed({ kind: Type.Literal('NONE') }),
    closed({
      kind: Type.Literal('COMPOUND_POISSON'),
      tradesPerDayMilli: Type.Optional(whole(0, 100_000_000, 'Trades a day, thousandths.')),
      logMeanQuotePips: Type.Optional(
        whole(
          -1_000_000,
          170_000_000,
          'Mean of ln size, the size in quote atoms, millionths: 41446532 is a median of 10^18.',
        ),
      ),
      logDeviationPips: Type.Optional(
        whole(0, 5_000_000, 'Standard deviation of ln size, millionths.'),
      ),
      buySharePips: Type.Optional(Pips),
      depthElasticityPips: Type.Optional(
        whole(
          -5_000_000,
          5_000_000,
          'Elasticity of the rate to depth, millionths. Default: 0. Maximum: four times the rate.',
        ),
      ),
    }),
  ]),
)
export type NoiseFlow = Static<typeof NoiseFlow>

/** Behavior of the other liquidity providers; default: STATIC. */
export const OtherLps = named(
  'OtherLps',
  Type.Union([
    closed({ kind: Type.Literal('STATIC') }),
    closed({
      kind: Type.Literal('EXIT_HAZARD'),
      perYearMilli: whole(0, 1_000_000_000, 'Expected exits a year, thousandths.'),
      sharePips: Pips,
    }),
    closed({ kind: Type.Literal('FOLLOW_PRICE') }),
  ]),
)

export const ScenarioPoint = named(
  'ScenarioPoint',
  closed({
    t: Seconds,
    priceRatioPips: Type.Optional(
      whole(
        1,
        1_000_000_000,
        'External price over that of the path, millionths; straight between points.',
      ),
    ),
    volumeRatioPips: Type.Optional(
      whole(0, 1_000_000_000, 'Volume over that of the path, millionths, until the next point.'),
    ),
    lpExitPips: Type.Optional(Pips),
    quotePegPips: Type.Optional(
      whole(1, 1_000_000_000, 'Price of the quote in its peg currency, millionths.'),
    ),
  }),
)

/** Events on top of the price path: explicit points, or a preset. */
export const Scenario = named(
  'Scenario',
  Type.Union([
    closed({
      kind: Type.Literal('POINTS'),
      points: list(ScenarioPoint, 2000, { minItems: 1, description: 'Ascending in time.' }),
      sale: Type.Optional(
        closed(
          {
            base: AtomicAmount,
            fromSeconds: Seconds,
            seconds: whole(1, 94_608_000, 'Length, in seconds.'),
          },
          { description: 'Forced seller: base sold evenly.' },
        ),
      ),
    }),
    closed({ kind: Type.Literal('CRASH_50_24H', { description: 'Half of the price in a day.' }) }),
    closed({
      kind: Type.Literal('LP_EXIT_80', { description: 'Four fifths of the others leave.' }),
    }),
    closed({
      kind: Type.Literal('QUOTE_DEPEG_5', { description: 'The quote loses 5 %, for days.' }),
    }),
    closed({
      kind: Type.Literal('VOLUME_X10', { description: 'Ten times the volume for a day.' }),
    }),
    closed({
      kind: Type.Literal('UNLOCK_SELL', { description: 'A holder sells unlocked tokens.' }),
      base: AtomicAmount,
      seconds: whole(1, 94_608_000, 'Duration of the sale, in seconds.'),
    }),
  ]),
)
export type Scenario = Static<typeof Scenario>

/** Risk limit of the study. Shares of time refer to the whole horizon. */
export const FailureRule = named(
  'FailureRule',
  Type.Union([
    closed({
      kind: Type.Literal('DEPTH_BELOW'),
      bandPips: whole(1, 999_999, 'Price band.'),
      minQuote: AtomicAmount,
      timeSharePips: Pips,
    }),
    closed({
      kind: Type.Literal('SLIPPAGE_ABOVE'),
      sizeQuote: AtomicAmount,
      side: oneOf(['BUY', 'SELL'], 'Direction of the trade.'),
      maxPips: Pips,
      timeSharePips: Pips,
    }),
    closed({ kind: Type.Literal('OUT_OF_RANGE'), timeSharePips: Pips }),
    closed({ kind: Type.Literal('QUOTE_BELOW'), minQuote: AtomicAmount }),
    closed({ kind: Type.Literal('BASE_SHARE_ABOVE'), pips: Pips }),
    closed({ kind: Type.Literal('LOSS_VS_HOLD'), pips: Pips }),
    closed({ kind: Type.Literal('DRAWDOWN'), pips: Pips }),
    closed({ kind: Type.Literal('PRICE_BELOW'), priceX18: PriceX18 }),
  ]),
)
export type FailureRule = Static<typeof FailureRule>

const ConstantFee = closed(
  { constantWei: AtomicAmount },
  { description: 'Base fee of every block.' },
)
const Ar1Fee = closed(
  {
    meanWei: AtomicAmount,
    persistencePips: whole(0, 999_999, 'Share of a deviation that is left after a step.'),
    deviationPips: whole(0, 2_000_000, 'Standard deviation of the shock of ln fee a step.'),
  },
  { description: 'AR(1) of the logarithm of the base fee; not for REPLAY.' },
)
const nativeCosts = {
  nativePriceX18: PriceX18,
  tipWei: Type.Optional(AtomicAmount),
  l1DataFeeWei: Type.Optional(AtomicAmount),
}

export const StudyCosts = named(
  'StudyCosts',
  closed({ gas: Type.Union([ConstantFee, Ar1Fee]), ...nativeCosts }),
)

/** Maximum base fees of a study: one for each block with an event. */
export const maxBaseFees = 5_000

const BlockBaseFee = closed(
  {
    kind: Type.Literal('BLOCK_BASE_FEE'),
    baseFees: list(
      closed({
        block: Type.Integer({ minimum: 0, description: 'Block number.' }),
        wei: AtomicAmount,
      }),
      maxBaseFees,
      {
        minItems: 1,
        description:
          'Base fee of each block of the window that has an event in the pool, by ascending block. Further blocks are allowed.',
      },
    ),
  },
  {
    description: 'Charges each action with the base fee of its block. Only for REPLAY.',
  },
)

/** Costs of a study. */
export const SimulationCosts = named(
  'SimulationCosts',
  closed({ gas: Type.Union([ConstantFee, Ar1Fee, BlockBaseFee]), ...nativeCosts }),
)
export type SimulationCosts = Static<typeof SimulationCosts>
