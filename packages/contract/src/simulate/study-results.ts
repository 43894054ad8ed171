import Type, { type Static } from 'typebox'
import { Evidence, Gap } from '../envelope.ts'
import { Depth, Fidelity, Slip } from '../intelligence/venue-observations.ts'
import {
  annotated,
  count,
  measured,
  pips,
  priceX18,
  seconds,
  titled,
  unitless,
} from '../measures.ts'
import { OpenedPositions, RangeEdges } from '../plan/range.ts'
import {
  AtomicAmount,
  BlockNumber,
  closed,
  Hash,
  list,
  mapOf,
  named,
  oneOf,
  orNull,
  Pips,
  PriceX18,
  SignedAmount,
} from '../scalars.ts'
import { FailureRule } from './study-models.ts'
import { ArmId, flowModels } from './study-spec.ts'
import {
  ArmComparison,
  depthFigures,
  holderParts,
  makerParts,
  ofBase,
  ofQuote,
  operationFigures,
  PathCount,
  SimulatedArmResult,
  StudyCalibration,
  slippageFigures,
} from './study-statistics.ts'

export const WaterfallHolder = named(
  'WaterfallHolder',
  measured(
    closed({
      hold: SignedAmount,
      divergenceLoss: SignedAmount,
      exposureDrift: SignedAmount,
      fees: SignedAmount,
      rewards: SignedAmount,
      gas: SignedAmount,
      rebalanceCost: SignedAmount,
      rounding: SignedAmount,
      net: SignedAmount,
    }),
    holderParts,
  ),
)

export const WaterfallMaker = named(
  'WaterfallMaker',
  measured(
    closed(
      {
        deltaPnl: SignedAmount,
        lvr: SignedAmount,
        fees: SignedAmount,
        rewards: SignedAmount,
        gas: SignedAmount,
        rebalanceCost: SignedAmount,
        rounding: SignedAmount,
        net: SignedAmount,
      },
      {
        description:
          'Quote atoms; net = deltaPnl − lvr + fees + rewards − gas − rebalanceCost + rounding. lvr is the loss to all trades at the post-trade reference price: with external prices, loss versus rebalancing; with POOL_POST_SWAP, the price of the pool, it is the price impact of every trade, informed or not, and is not comparable across markets.',
      },
    ),
    makerParts,
  ),
)

const Both = measured(closed({ base: AtomicAmount, quote: AtomicAmount }), {
  base: ofBase('base'),
  quote: ofQuote('quote'),
})
const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Integer({ minimum: 0, description: 'Time since the start, in seconds.' })
const SignedPips = Type.Integer({ description: 'Millionths; a loss is below zero.' })
const Side = oneOf(['BUY', 'SELL'], 'Side of the market.')

/** Result of a risk limit in a replay, and the share of time in breach. */
export const RuleOutcome = named(
  'RuleOutcome',
  measured(
    closed({
      rule: FailureRule,
      failed: Type.Boolean(),
      timeSharePips: Pips,
      block: orNull(BlockNumber),
      timestamp: orNull(Type.Integer({ minimum: 0, description: 'Seconds since 1970.' })),
    }),
    {
      rule: unitless,
      timeSharePips: pips('Rule broken · share of the time', 'LOWER'),
      block: unitless,
      timestamp: unitless,
    },
  ),
)

/** Base held, sold and bought, without fees. */
const ReplayInventory = measured(
  closed({
    secondsToTarget: orNull(Seconds),
    hasTarget: Type.Boolean(),
    quoteDepletedAt: orNull(Seconds),
    baseSold: SignedAmount,
    quoteReceived: SignedAmount,
    averagePriceX18: orNull(PriceX18),
    vwapX18: orNull(PriceX18),
    versusVwapPips: orNull(SignedPips),
  }),
  {
    secondsToTarget: seconds('Time to the target', 'LOWER'),
    quoteDepletedAt: seconds('Time until the quote was depleted', 'HIGHER'),
    baseSold: ofBase('Base sold'),
    quoteReceived: ofQuote('Quote received', 'HIGHER'),
    averagePriceX18: priceX18('Average price'),
    vwapX18: priceX18('VWAP'),
    versusVwapPips: pips('Average price vs VWAP'),
  },
)

/** P&L of HODL of the inventory that a candidate starts with. */
const HodlPnl = Type.Intersect([SignedAmount], {
  description:
    'P&L of HODL of the starting inventory. Present for candidates that change their inventory: strategies and the rebalancing portfolio. For others it is hold + exposureDrift. Absent in results of earlier releases.',
})

/** One candidate of a REPLAY under one flow model; all amounts are historical. */
export const ArmResult = named(
  'ArmResult',
  measured(
    closed({
      armId: ArmId,
      flowModel: oneOf(flowModels, 'Flow model: one bound of the range.'),
      position: orNull(
        measured(
          closed({
            ...RangeEdges.properties,
            liquidity: AtomicAmount,
            deposited: Both,
            idle: Both,
          }),
          { liquidity: unitless, deposited: titled('Deposited'), idle: titled('Idle') },
        ),
      ),
      positions: OpenedPositions,
      operations: measured(
        closed({
          done: mapOf(Count, 'Transactions by kind.'),
          refused: mapOf(Count, 'Actions blocked by a guard, by guard.'),
          ownVolumeQuote: AtomicAmount,
        }),
        operationFigures,
      ),
      waterfallHolder: WaterfallHolder,
      waterfallMaker: WaterfallMaker,
      hodlPnl: Type.Optional(HodlPnl),
      depth: list(
        measured(
          closed({
            bandPips: Pips,
            side: Side,
            samples: Count,
            medianQuote: AtomicAmount,
            worst5Quote: AtomicAmount,
            worst1Quote: AtomicAmount,
          }),
          { ...depthFigures, samples: unitless },
        ),
        12,
        {
          description: 'Depth of the position itself: median, worst 5 % and 1 % of time.',
        },
      ),
      slippage: list(
        measured(
          closed({
            sizeQuote: AtomicAmount,
            side: Side,
            samples: Count,
            medianPips: Pips,
            worst5Pips: Pips,
            worst1Pips: Pips,
          }),
          { ...slippageFigures, samples: unitless },
        ),
        24,
        { description: 'All-in slippage of the whole pool with the arm in it, over time.' },
      ),
      failure: list(RuleOutcome, 8),
      risk: closed({
        maxDrawdown: measured(
          closed(
            {
              quote: AtomicAmount,
              pips: Type.Integer({ minimum: 0, description: 'Drawdown in pips of the capital.' }),
            },
            { description: 'Maximum drawdown of the result vs initial capital.' },
          ),
          {
            quote: ofQuote('Maximum drawdown', 'LOWER'),
            pips: pips('Maximum drawdown, share of the capital', 'LOWER'),
          },
        ),
      }),
      inventory: ReplayInventory,
      recovery: orNull(
        measured(
          closed({
            shocks: Count,
            after: list(
              measured(
                closed({
                  seconds: Seconds,
                  n: Count,
                  medianPips: Count,
                  lowestPips: Count,
                }),
                {
                  seconds: seconds('time after the shock'),
                  n: unitless,
                  medianPips: pips(
                    'median depth after {1/seconds} s, share of the depth before',
                    'HIGHER',
                  ),
                  lowestPips: pips(
                    'lowest depth after {1/seconds} s, share of the depth before',
                    'HIGHER',
                  ),
                },
              ),
              8,
              { description: 'Depth over that before the shock, millionths.' },
            ),
          }),
          { shocks: count('shocks') },
        ),
      ),
      markouts: list(
        measured(closed({ seconds: Seconds, quote: SignedAmount }), {
          seconds: seconds('Time after the trade'),
          quote: ofQuote('Markout after {1/seconds} s'),
        }),
        4,
        {
          description: 'Pool P&L on its trades, by markout horizon.',
        },
      ),
      timeInRangePips: orNull(Pips),
      flow: measured(
        closed({
          swaps: Count,
          volumeQuote: AtomicAmount,
          arbitrages: Count,
          arbitrageVolumeQuote: AtomicAmount,
        }),
        {
          swaps: count('Swaps'),
          volumeQuote: ofQuote('Volume'),
          arbitrages: count('Arbitrages'),
          arbitrageVolumeQuote: ofQuote('Arbitrage volume'),
        },
      ),
      end: Both,
      fees: Both,
    }),
    {
      waterfallHolder: titled('vs HODL'),
      waterfallMaker: titled('vs rebalancing'),
      hodlPnl: ofQuote('HODL P&L of the starting inventory'),
      depth: titled('Depth of the position'),
      slippage: titled('Slippage'),
      recovery: titled('Recovery'),
      timeInRangePips: pips('Time in range', 'HIGHER'),
      end: titled('Inventory at the end'),
      fees: titled('LP fees by token'),
    },
  ),
)
export type ArmResult = Static<typeof ArmResult>

/** Trials and choice of a search; the arms are evaluated on the held-out period. */
export const StudySearchResult = named(
  'StudySearchResult',
  measured(
    closed({
      armId: ArmId,
      trials: Count,
      leftOut: Type.Integer({
        minimum: 0,
        description: 'Parameter values that are not a valid strategy.',
      }),
      splitAt: Type.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
      scores: list(
        measured(
          closed({ choice: mapOf(Type.String(), 'Value per path.'), netVsHold: SignedAmount }),
          {
            netVsHold: ofQuote('P&L vs initial capital by choice', 'HIGHER'),
          },
        ),
        256,
      ),
      chosen: mapOf(Type.String(), 'Value per path.'),
    }),
    { trials: count('Trials'), leftOut: count('Choices left out'), splitAt: unitless },
  ),
)

export const StudyResult = named(
  'StudyResult',
  measured(
    closed({
      state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'Only COMPLETED assesses market health.'),
      reasons: list(Type.String({ maxLength: 80 }), 32),
      assessesMarketHealth: Type.Boolean(),
      fidelity: orNull(Fidelity),
      coverage: orNull(
        measured(
          closed(
            { blocks: Count, observedBlocks: Count, pips: Pips },
            {
              description: 'Observed share of the window, the basis of averages over time.',
            },
          ),
          {
            blocks: count('Blocks of the window'),
            observedBlocks: count('Observed blocks', 'HIGHER'),
            pips: pips('Coverage of the window', 'HIGHER'),
          },
        ),
      ),
      course: Type.Optional(
        orNull(
          measured(
            closed(
              {
                fromTime: Type.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
                toTime: Type.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
              },
              {
                description:
                  'For a REPLAY: the first recorded event with liquidity in range, and the last event. The arms run between them. Absent in results of earlier releases.',
              },
            ),
            { fromTime: unitless, toTime: unitless },
          ),
        ),
      ),
      parity: closed({
        verdict: oneOf(
          ['VERIFIED', 'UNVERIFIED'],
          'VERIFIED if this market was compared with its bytecode.',
        ),
        basis: Type.String({ description: 'Compared items.' }),
      }),
      startPriceX18: orNull(PriceX18),
      endPriceX18: orNull(PriceX18),
      startValueQuote: Type.Optional(orNull(AtomicAmount)),
      market: orNull(
        measured(
          closed(
            { depth: list(Depth, 12), slippage: list(Slip, 24) },
            { description: 'State at the end of a REPLAY, otherwise at the start.' },
          ),
          { depth: ofQuote('Market depth', 'HIGHER'), slippage: ofQuote('Market slippage') },
        ),
      ),
      paths: orNull(PathCount),
      calibration: orNull(StudyCalibration),
      arms: list(annotated(Type.Union([ArmResult, SimulatedArmResult]), titled('{0/armId}')), 32, {
        description:
          'REPLAY: one per arm and flow model. Else one per arm. The ids of benchmarks begin with benchmark-.',
      }),
      comparisons: list(ArmComparison, 64, { description: 'Every pair of arms; none in REPLAY.' }),
      feeBand: list(
        measured(closed({ armId: ArmId, lowQuote: SignedAmount, highQuote: SignedAmount }), {
          lowQuote: ofQuote('LP fees of {1/armId}, low end of the range', 'HIGHER'),
          highQuote: ofQuote('LP fees of {1/armId}, high end of the range', 'HIGHER'),
        }),
        16,
        {
          description:
            'Fee income over the flow models: a band of assumptions, not a confidence interval.',
        },
      ),
      search: orNull(StudySearchResult),
      overfitting: orNull(
        measured(
          closed({
            trials: Count,
            splits: Count,
            pboPips: Type.Integer({
              minimum: 0,
              maximum: 1_000_000,
              description: 'Probability of backtest overfitting.',
            }),
          }),
          {
            trials: unitless,
            splits: unitless,
            pboPips: pips('Probability of backtest overfitting', 'LOWER'),
          },
        ),
      ),
      seriesArtifacts: list(closed({ name: Type.String(), hash: Hash, rows: Count }), 96, {
        description:
          'Stored artifacts of each arm and flow model: samples over time, actions (.actions) and liquidity layouts (.layouts).',
      }),
      resultHash: Hash,
      gaps: list(Gap, 64),
      evidence: Evidence,
    }),
    {
      startPriceX18: priceX18('Start price'),
      endPriceX18: priceX18('End price'),
      startValueQuote: ofQuote('Capital at the start price'),
      // Parameters of models, not results.
      calibration: unitless,
      seriesArtifacts: unitless,
      gaps: unitless,
      evidence: unitless,
    },
  ),
)
export type StudyResult = Static<typeof StudyResult>
