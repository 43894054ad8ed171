import Type, { type Static } from 'typebox'
import { SharedPositions } from '../plan/range.ts'
import { closed, list, named, oneOf, orNull, SignedAmount } from '../scalars.ts'
import { FailureRule } from './study-models.ts'
import { ArmComparison, FirstPassage, SimulatedArmResult } from './study-statistics.ts'

const arm = SimulatedArmResult.properties
const { operations, flow } = { operations: arm.operations.properties, flow: arm.flow.properties }

/** Kinds of risk limit breaches, in contract order. */
export const failureKinds = [
  'DEPTH_BELOW',
  'SLIPPAGE_ABOVE',
  'OUT_OF_RANGE',
  'QUOTE_BELOW',
  'BASE_SHARE_ABOVE',
  'LOSS_VS_HOLD',
  'DRAWDOWN',
  'PRICE_BELOW',
] as const

export const FailureKind = oneOf(failureKinds, 'Risk limit breach, as the study defines it.')

/**
 * Results of an arm over all paths, for readers. Values that could reveal a hidden scale are null
 * or empty.
 */
export const SharedSimulatedResult = named(
  'SharedSimulatedResult',
  closed({
    armId: arm.armId,
    positions: SharedPositions,
    waterfallHolder: arm.waterfallHolder,
    waterfallMaker: arm.waterfallMaker,
    // Optional: absent in reports signed before this member existed.
    hodlPnlMean: Type.Optional(SignedAmount),
    netVsHold: arm.netVsHold,
    risk: arm.risk,
    depth: arm.depth,
    depthOverTime: arm.depthOverTime,
    slippage: arm.slippage,
    timeInRangePips: arm.timeInRangePips,
    inventory: arm.inventory,
    recovery: arm.recovery,
    failure: closed({
      rules: list(
        closed({ kind: FailureKind, rule: orNull(FailureRule), passage: FirstPassage }),
        8,
      ),
      any: orNull(FirstPassage),
    }),
    ownVolumeQuote: operations.ownVolumeQuote,
    operations: orNull(closed({ done: operations.done, refused: operations.refused })),
    arbitrageSharePips: flow.arbitrageSharePips,
    flow: orNull(
      closed({
        arbitrageVolumeQuote: flow.arbitrageVolumeQuote,
        noiseVolumeQuote: flow.noiseVolumeQuote,
        refusedTrades: flow.refusedTrades,
        markouts: flow.markouts,
      }),
    ),
    fan: arm.fan,
    sensitivity: arm.sensitivity,
  }),
)
export type SharedSimulatedResult = Static<typeof SharedSimulatedResult>

export const SharedComparisons = list(ArmComparison, 64)
