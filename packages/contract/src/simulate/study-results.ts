import Type, { type Static } from 'typebox'
import { Evidence, Gap } from '../envelope.ts'
import { Depth, Fidelity, Slip } from '../intelligence/venue-observations.ts'
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
  PathCount,
  SimulatedArmResult,
  StudyCalibration,
} from './study-statistics.ts'

export const WaterfallHolder = named(
  'WaterfallHolder',
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
)

export const WaterfallMaker = named(
  'WaterfallMaker',
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
        'Quote atoms; net = deltaPnl − lvr + fees + rewards − gas − rebalanceCost + rounding. lvr is what all trades took at the reference price after them: against prices outside, loss versus rebalancing; against POOL_POST_SWAP, the price of the pool itself, it is the price impact of every trade, informed or not, and compares with no figure of another market.',
    },
  ),
)

const Both = closed({ base: AtomicAmount, quote: AtomicAmount })
const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Integer({ minimum: 0, description: 'Since the start.' })
const SignedPips = Type.Integer({ description: 'Millionths; a loss is below zero.' })
const Side = oneOf(['BUY', 'SELL'], 'Side of the market.')

/** What became of a failure rule in the one history there is, and for what share of its time it was broken. */
export const RuleOutcome = named(
  'RuleOutcome',
  closed({
    rule: FailureRule,
    failed: Type.Boolean(),
    timeSharePips: Pips,
    block: orNull(BlockNumber),
    timestamp: orNull(Type.Integer({ minimum: 0, description: 'Seconds since 1970.' })),
  }),
)

/** How base was held, sold and bought; fees are left out. */
const ReplayInventory = closed({
  secondsToTarget: orNull(Seconds),
  hasTarget: Type.Boolean(),
  quoteDepletedAt: orNull(Seconds),
  baseSold: SignedAmount,
  quoteReceived: SignedAmount,
  averagePriceX18: orNull(PriceX18),
  vwapX18: orNull(PriceX18),
  versusVwapPips: orNull(SignedPips),
})

/** One arm of a REPLAY under one flow model; every amount is the one that history gives. */
export const ArmResult = named(
  'ArmResult',
  closed({
    armId: ArmId,
    flowModel: oneOf(flowModels, 'One edge of the band of assumptions.'),
    position: orNull(
      closed({
        ...RangeEdges.properties,
        liquidity: AtomicAmount,
        deposited: Both,
        idle: Both,
      }),
    ),
    positions: OpenedPositions,
    operations: closed({
      done: mapOf(Count, 'Transactions by kind.'),
      refused: mapOf(Count, 'Actions that a guard refused, by guard.'),
      ownVolumeQuote: AtomicAmount,
    }),
    waterfallHolder: WaterfallHolder,
    waterfallMaker: WaterfallMaker,
    depth: list(
      closed({
        bandPips: Pips,
        side: Side,
        samples: Count,
        medianQuote: AtomicAmount,
        worst5Quote: AtomicAmount,
        worst1Quote: AtomicAmount,
      }),
      12,
      {
        description: 'Depth that the position itself delivered: median, worst 5 % and 1 % of time.',
      },
    ),
    slippage: list(
      closed({
        sizeQuote: AtomicAmount,
        side: Side,
        samples: Count,
        medianPips: Pips,
        worst5Pips: Pips,
        worst1Pips: Pips,
      }),
      24,
      { description: 'All-in slippage of the whole pool with the arm in it, over time.' },
    ),
    failure: list(RuleOutcome, 8),
    risk: closed({
      maxDrawdown: closed(
        { quote: AtomicAmount, pips: Type.Integer({ minimum: 0, description: 'Of the capital.' }) },
        { description: 'Largest fall of net vs hold from its peak.' },
      ),
    }),
    inventory: ReplayInventory,
    recovery: orNull(
      closed({
        shocks: Count,
        after: list(
          closed({
            seconds: Seconds,
            n: Count,
            medianPips: Count,
            lowestPips: Count,
          }),
          8,
          { description: 'Depth over that before the shock, millionths.' },
        ),
      }),
    ),
    markouts: list(closed({ seconds: Seconds, quote: SignedAmount }), 4, {
      description: 'What the pool made of its trades, valued so long after each.',
    }),
    timeInRangePips: orNull(Pips),
    flow: closed({
      swaps: Count,
      volumeQuote: AtomicAmount,
      arbitrages: Count,
      arbitrageVolumeQuote: AtomicAmount,
    }),
    end: Both,
    fees: Both,
  }),
)
export type ArmResult = Static<typeof ArmResult>

/** What a search tried and chose; the arms are judged on the time that the choice had not seen. */
export const StudySearchResult = named(
  'StudySearchResult',
  closed({
    armId: ArmId,
    trials: Count,
    leftOut: Type.Integer({ minimum: 0, description: 'Points that are no strategy.' }),
    splitAt: Type.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
    scores: list(
      closed({ choice: mapOf(Type.String(), 'Value per path.'), netVsHold: SignedAmount }),
      256,
    ),
    chosen: mapOf(Type.String(), 'Value per path.'),
  }),
)

export const StudyResult = named(
  'StudyResult',
  closed({
    state: oneOf(['COMPLETED', 'PARTIAL', 'ABSTAINED'], 'Only COMPLETED assesses market health.'),
    reasons: list(Type.String({ maxLength: 80 }), 32),
    assessesMarketHealth: Type.Boolean(),
    fidelity: orNull(Fidelity),
    coverage: orNull(
      closed(
        { blocks: Count, observedBlocks: Count, pips: Pips },
        { description: 'Share of the window that was observed: what averages over time rest on.' },
      ),
    ),
    course: Type.Optional(
      orNull(
        closed(
          {
            fromTime: Type.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
            toTime: Type.Integer({ minimum: 0, description: 'Seconds since 1970.' }),
          },
          {
            description:
              'Of a REPLAY: the first recorded event with liquidity in range, and the last event. The arms run in between. Absent in results of earlier releases.',
          },
        ),
      ),
    ),
    parity: closed({
      verdict: oneOf(
        ['VERIFIED', 'UNVERIFIED'],
        'Whether this market was compared with its bytecode.',
      ),
      basis: Type.String({ description: 'What was compared.' }),
    }),
    startPriceX18: orNull(PriceX18),
    endPriceX18: orNull(PriceX18),
    market: orNull(
      closed(
        { depth: list(Depth, 12), slippage: list(Slip, 24) },
        { description: 'At the end of a REPLAY, else at the start.' },
      ),
    ),
    paths: orNull(PathCount),
    calibration: orNull(StudyCalibration),
    arms: list(Type.Union([ArmResult, SimulatedArmResult]), 32, {
      description:
        'REPLAY: one per arm and flow model. Else one per arm. The ids of benchmarks begin with benchmark-.',
    }),
    comparisons: list(ArmComparison, 64, { description: 'Every pair of arms; none in REPLAY.' }),
    feeBand: list(closed({ armId: ArmId, lowQuote: SignedAmount, highQuote: SignedAmount }), 16, {
      description:
        'Fee income over the flow models: a band of assumptions, not a confidence interval.',
    }),
    search: orNull(StudySearchResult),
    overfitting: orNull(
      closed({
        trials: Count,
        splits: Count,
        pboPips: Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'Probability of backtest overfitting.',
        }),
      }),
    ),
    seriesArtifacts: list(closed({ name: Type.String(), hash: Hash, rows: Count }), 96, {
      description:
        'Of each arm and flow model, as stored artifacts: samples over time, and under .actions and .layouts what it did and where its liquidity lay.',
    }),
    resultHash: Hash,
    gaps: list(Gap, 64),
    evidence: Evidence,
  }),
)
export type StudyResult = Static<typeof StudyResult>
