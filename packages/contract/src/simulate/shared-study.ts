import Type, { type Static } from 'typebox'
import { Block, Evidence, SimulatedMarket } from '../envelope.ts'
import { Depth, Slip } from '../intelligence/venue-observations.ts'
import { venueKinds } from '../intelligence/venues.ts'
import { SharedPositions } from '../plan/range.ts'
import { StrategyDefinitionV2Input } from '../plan/strategy-definition.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  Label,
  list,
  named,
  oneOf,
  orNull,
  PriceX18,
  SignedAmount,
  Timestamp,
} from '../scalars.ts'
import { FailureKind, SharedComparisons, SharedSimulatedResult } from './shared-paths.ts'
import { ArmResult, StudyResult } from './study-results.ts'
import { ArmPosition, StudySpec } from './study-spec.ts'
import { SharedVerdict } from './study-verdict.ts'

/** Maximum points of a series for readers. */
export const sharedSeriesPoints = 500

const { armId, flowModel, waterfallHolder, waterfallMaker, depth, timeInRangePips, flow } =
  ArmResult.properties
const { operations, end, fees, slippage, failure, risk } = ArmResult.properties
const outcome = failure.items.properties
const strategy = StrategyDefinitionV2Input.properties

/** A strategy without members that identify the owner's records: pair, venue and notes. */
export const SharedStrategy = named(
  'SharedStrategy',
  closed({
    name: strategy.name,
    objective: strategy.objective,
    capital: strategy.capital,
    inventory: strategy.inventory,
    positions: strategy.positions,
    idlePips: strategy.idlePips,
    rules: strategy.rules,
    guards: strategy.guards,
    end: strategy.end,
  }),
)
export type SharedStrategy = Static<typeof SharedStrategy>

export const SharedArm = named(
  'SharedArm',
  closed({
    armId,
    label: Label,
    kind: oneOf(['POSITION', 'STRATEGY'], 'A fixed position, or rules that move it.'),
    position: orNull(ArmPosition),
    strategy: orNull(SharedStrategy),
  }),
)

export const SharedArmResult = named(
  'SharedArmResult',
  closed({
    armId,
    flowModel,
    waterfallHolder,
    waterfallMaker,
    // Optional: absent in reports signed before this member existed.
    hodlPnl: Type.Optional(SignedAmount),
    depth,
    slippage: orNull(slippage),
    failure: list(
      closed({
        kind: FailureKind,
        rule: orNull(outcome.rule),
        failed: outcome.failed,
        timeSharePips: outcome.timeSharePips,
      }),
      8,
    ),
    maxDrawdown: risk.properties.maxDrawdown,
    timeInRangePips,
    end,
    fees,
    ownVolumeQuote: AtomicAmount,
    operations: orNull(
      closed({ done: operations.properties.done, refused: operations.properties.refused }),
    ),
    positions: SharedPositions,
    flow: orNull(flow),
  }),
)
export type SharedArmResult = Static<typeof SharedArmResult>

const Seconds = Type.Integer({
  minimum: 0,
  description: 'Time since the first sample, in seconds.',
})

export const SharedSimulationStudy = named(
  'SharedSimulationStudy',
  closed({
    schemaVersion: Type.Literal('shared-simulation-study-v1'),
    resourceVersion: Hash,
    resultHash: orNull(Hash),
    superseded: Type.Boolean({ description: 'True if the study has a newer version.' }),
    name: StudySpec.properties.name,
    kind: StudySpec.properties.kind,
    state: oneOf(
      ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED'],
      'Only COMPLETED assesses market health.',
    ),
    reasons: StudyResult.properties.reasons,
    assessesMarketHealth: Type.Boolean(),
    // Optional: absent for evidence on a main network, and in reports signed before this member
    // existed.
    simulated: Type.Optional(SimulatedMarket),
    computedAt: Timestamp,
    expiresAt: Timestamp,
    organization: orNull(closed({ name: Type.String() })),
    venue: orNull(
      closed({
        name: Label,
        kind: oneOf(venueKinds, 'The market mathematics of the venue.'),
        chainId: ChainId,
        address: Address,
        base: Address,
        quote: Address,
        blocks: list(Block, 256, { description: 'First and last block that were read.' }),
      }),
    ),
    decimals: closed({
      base: Type.Integer({ minimum: 0, maximum: 36 }),
      quote: Type.Integer({ minimum: 0, maximum: 36 }),
    }),
    unit: oneOf(
      ['ATOMS', 'MILLIONTHS_OF_CAPITAL'],
      'Unit of every amount. ATOMS: of base or quote. MILLIONTHS_OF_CAPITAL: value at the start price of the study, with a capital of 1,000,000; rounded to nearest, halves away from zero, so lines of a P&L breakdown can miss their sum by a few units.',
    ),
    capital: orNull(
      closed({
        base: AtomicAmount,
        quote: AtomicAmount,
        normalization: StudySpec.properties.capital.properties.normalization,
      }),
    ),
    startPriceX18: orNull(PriceX18),
    endPriceX18: orNull(PriceX18),
    fidelity: orNull(
      closed({
        eventsReplayed: Type.Integer({ minimum: 0 }),
        eventsExact: Type.Integer({ minimum: 0 }),
      }),
    ),
    parity: orNull(StudyResult.properties.parity),
    market: orNull(closed({ depth: list(Depth, 12), slippage: list(Slip, 24) })),
    arms: list(SharedArm, 8),
    results: list(Type.Union([SharedArmResult, SharedSimulatedResult]), 32, {
      description: 'REPLAY: one per arm and flow model. Else one per arm, over all paths.',
    }),
    // Optional: reports that an earlier release signed have none.
    verdict: Type.Optional(SharedVerdict),
    comparisons: SharedComparisons,
    paths: StudyResult.properties.paths,
    coverage: StudyResult.properties.coverage,
    overfitting: StudyResult.properties.overfitting,
    calibration: StudyResult.properties.calibration,
    feeBand: list(closed({ armId, lowQuote: SignedAmount, highQuote: SignedAmount }), 16),
    prices: list(closed({ seconds: Seconds, priceX18: PriceX18 }), sharedSeriesPoints),
    series: list(
      closed({
        armId,
        flowModel,
        points: list(
          closed({
            seconds: Seconds,
            netVsHold: SignedAmount,
            // Optional: reports that an earlier release signed have none.
            netVsHodl: Type.Optional(orNull(SignedAmount)),
          }),
          sharedSeriesPoints,
        ),
      }),
      64,
      {
        description:
          'netVsHold: vs initial capital. netVsHodl: vs HODL of the own starting inventory. Both begin at zero. Thinned while preserving the shape.',
      },
    ),
    assumptions: orNull(Evidence.properties.assumptions),
    gaps: list(Type.String({ maxLength: 80 }), 64, { description: 'Codes of data gaps.' }),
    engine: orNull(closed({ engineVersion: Type.String(), engineBuildHash: Hash })),
  }),
)
export type SharedSimulationStudy = Static<typeof SharedSimulationStudy>
