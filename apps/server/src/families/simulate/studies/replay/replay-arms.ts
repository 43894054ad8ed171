import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { EngineFidelity } from '../../../../market/fidelity.ts'
import { orientationOf } from '../../../../market/inline-market.ts'
import { edgesOf } from '../../../../market/range-edges.ts'
import { type ExactPrices, exactHodlPnl, isUnmoved } from '../start-inventory.ts'
import type { StudyResult } from '../study-hashes.ts'
import type { StudySpec } from '../validate-spec.ts'

type ArmResult = Static<typeof contract.ArmResult>
type Side = 'BUY' | 'SELL'

/** One candidate under one flow model, in the format of the engine. */
export interface EngineArmResult
  extends Pick<
    ArmResult,
    'flowModel' | 'waterfallHolder' | 'waterfallMaker' | 'timeInRangePips' | 'flow' | 'end' | 'fees'
  > {
  opening: {
    positions: { tickLower: number; tickUpper: number; liquidity: string }[]
    deposited: { base: string; quote: string }
    idle: { base: string; quote: string }
  }
  operations: {
    actions: { done: Record<string, number>; refused: Record<string, number> }
    ownVolumeQuote: string
  }
  depth: {
    bandPips: number
    side: Side
    samples: number
    median: string
    worst5: string
    worst1: string
  }[]
  measures: {
    failure: {
      failed: boolean
      timeSharePips: number
      block: number | null
      timestamp: number | null
    }[]
    slippage: {
      sizeQuote: string
      side: Side
      samples: number
      median: number
      worst5: number
      worst1: number
    }[]
    maxDrawdown: string
    recovery: ArmResult['recovery']
    inventory: ArmResult['inventory']
    markouts: ArmResult['markouts']
  }
}

/** The part of the engine's replay JSON in use here. */
export interface EngineStudy {
  state: StudyResult['state']
  reasons: string[]
  fidelity: EngineFidelity
  window: { fromTime: number | null; toTime: number | null }
  startPrice: { num: string; den: string } | null
  endPrice: { num: string; den: string } | null
  arms: {
    armId: string
    feeBand: { low: string; high: string }
    results: EngineArmResult[]
  }[]
}

/**
 * The figures of a candidate in the form of the contract.
 *
 * @param worth value of the capital at the start, quote atoms
 */
export function armResultOf(
  armId: string,
  result: EngineArmResult,
  spec: StudySpec,
  { worth, prices }: { worth: bigint; prices: ExactPrices | null },
): ArmResult {
  const { failure = [], pair } = spec
  const { opening, operations, measures } = result
  // A replay is of a v3 venue, so every position has a range.
  const positions = opening.positions.map(({ liquidity, ...range }) => ({
    ...edgesOf(range, orientationOf(pair)),
    liquidity,
  }))
  const { deposited, idle } = opening
  const [position, second] = positions
  return {
    armId,
    flowModel: result.flowModel,
    // Null unless exactly one position is in the pool.
    position: position && !second ? { ...position, deposited, idle } : null,
    positions,
    operations: { ...operations.actions, ownVolumeQuote: operations.ownVolumeQuote },
    waterfallHolder: result.waterfallHolder,
    waterfallMaker: result.waterfallMaker,
    ...(prices &&
      !isUnmoved(armId, spec) && {
        hodlPnl: `${exactHodlPnl(result, spec.capital, prices)}`,
      }),
    depth: result.depth.map(({ bandPips, side, samples, median, worst5, worst1 }) => ({
      bandPips,
      side,
      samples,
      medianQuote: median,
      worst5Quote: worst5,
      worst1Quote: worst1,
    })),
    slippage: measures.slippage.map(({ sizeQuote, side, samples, median, worst5, worst1 }) => ({
      sizeQuote,
      side,
      samples,
      medianPips: median,
      worst5Pips: worst5,
      worst1Pips: worst1,
    })),
    failure: failure.map((rule, index) => {
      const outcome = measures.failure[index]
      const { failed = false, timeSharePips = 0, block = null, timestamp = null } = outcome ?? {}
      return { rule, failed, timeSharePips, block, timestamp }
    }),
    risk: { maxDrawdown: drawdownOf(measures.maxDrawdown, worth) },
    inventory: measures.inventory,
    recovery: measures.recovery,
    markouts: measures.markouts,
    // Without positions, time in range is undefined.
    timeInRangePips: positions.length === 0 ? null : result.timeInRangePips,
    flow: result.flow,
    end: result.end,
    fees: result.fees,
  }
}

function drawdownOf(quote: string, worth: bigint): ArmResult['risk']['maxDrawdown'] {
  return { quote, pips: worth === 0n ? 0 : Number((BigInt(quote) * 1_000_000n) / worth) }
}
