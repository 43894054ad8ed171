import type { contract } from '@liquidity-os/contract'
import { toJsonSafe } from '@liquidity-os/engine/amm'
import type { ArmOutcome, ArmStatistics, RunConfig } from '@liquidity-os/engine/montecarlo'
import { roundHalfEven } from '@liquidity-os/engine/numerics'
import { ascending, quantileOfSorted } from '@liquidity-os/engine/statistics'
import type { Static } from 'typebox'
import type { StudySpec } from '../validate-spec.ts'

export type SimulatedArm = Static<typeof contract.SimulatedArmResult>

export interface ArmTerms {
  failure: NonNullable<StudySpec['failure']>
  cfg: RunConfig
  steps: number
  /** Positions at the start. */
  positions: SimulatedArm['positions']
  /** Inventory at the start; null for a candidate that keeps its position. */
  startInventory: NonNullable<SimulatedArm['startInventory']> | null
}

/** A candidate over all paths in the form of the contract; amounts are decimal strings. */
export function simulatedArmOf(
  arm: ArmStatistics,
  outcomes: readonly ArmOutcome[],
  terms: ArmTerms,
): SimulatedArm {
  const { risk, operations, flow } = arm
  return toJsonSafe({
    armId: arm.armId,
    positions: terms.positions,
    ...(terms.startInventory && { startInventory: terms.startInventory }),
    waterfallHolder: arm.waterfallHolder,
    waterfallMaker: arm.waterfallMaker,
    netVsHold: arm.netVsHold,
    risk: { net: risk.net, netVsHold: risk.netVsHold, maxDrawdown: risk.maxDrawdown },
    depth: arm.depth.map(({ bandPips, median, worst5, worst1 }) => ({
      bandPips,
      medianQuote: median,
      worst5Quote: worst5,
      worst1Quote: worst1,
    })),
    depthOverTime: depthOverTime(outcomes, terms),
    slippage: arm.slippage.map(({ sizeQuote, side, median, worst5, worst1 }) => ({
      sizeQuote,
      side,
      medianPips: median,
      worst5Pips: worst5,
      worst1Pips: worst1,
    })),
    timeInRangePips: arm.timeInRangePips,
    inventory: inventoryOf(arm.inventory),
    recovery: arm.recovery,
    failure: {
      rules: terms.failure.map((rule, index) => ({ rule, passage: arm.failure.rules[index] })),
      any: arm.failure.any,
    },
    operations: {
      done: operations.actions,
      refused: operations.refused,
      ownVolumeQuote: operations.ownVolumeQuote,
    },
    flow,
    fan: fanOf(arm, terms),
    sensitivity: null,
  }) as unknown as SimulatedArm
}

function inventoryOf({ versusVwap, ...inventory }: ArmStatistics['inventory']) {
  const { baseChange, baseSold, timeToTarget, quoteDepleted } = inventory
  return {
    baseChange,
    baseSold,
    versusVwap: versusVwap && {
      n: versusVwap.n,
      p05Pips: versusVwap.p05,
      medianPips: versusVwap.median,
      p95Pips: versusVwap.p95,
    },
    timeToTarget,
    quoteDepleted,
  }
}

/** Times of the fan, spread evenly over the samples and ending with the last. */
function fanOf({ fan, inventory }: ArmStatistics, { cfg, steps }: ArmTerms) {
  const seconds = retainedSeconds(cfg, steps, cfg.fanPoints ?? fanPoints)
  return fan.map(([p05, p25, p50, p75, p95], moment) => {
    const [s05, s50, s95] = inventory.baseShareFan[moment] ?? [0, 0, 0]
    return {
      seconds: seconds[moment],
      netVsHold: { p05, p25, p50, p75, p95 },
      baseSharePips: { p05: s05, p50: s50, p95: s95 },
    }
  })
}

/** Quantiles over the paths of the thinner side of the market at each measured moment. */
function depthOverTime(outcomes: readonly ArmOutcome[], { cfg, steps }: ArmTerms) {
  const seconds = [0, ...retainedSeconds(cfg, steps, measuredSamples)]
  const bands = outcomes[0]?.samples.depth ?? []
  return bands
    .filter(({ quote }) => quote.length > 0)
    .map(({ bandPips, quote }, band) => ({
      bandPips,
      points: Array.from(quote, (_, moment) => {
        const sorted = ascending(
          // Every path has the same bands and moments.
          outcomes.map(({ samples }) => samples.depth[band]!.quote[moment]!),
        )
        const at = (p: number) => roundHalfEven(quantileOfSorted(sorted, p))
        return { seconds: seconds[moment], p05: at(0.05), p50: at(0.5), p95: at(0.95) }
      }),
    }))
}

/** Maximum stored moments of a path, see the engine's `runPath`. */
const fanPoints = 50
const measuredSamples = 48

/** Times of the stored samples with a maximum count: every n-th, counted from the last. */
function retainedSeconds({ sampleEverySteps, stepSeconds }: RunConfig, steps: number, max: number) {
  const samples = Array.from(
    { length: Math.floor(steps / sampleEverySteps) },
    (_, index) => (index + 1) * sampleEverySteps,
  )
  if (samples.at(-1) !== steps) samples.push(steps)
  const stride = Math.max(1, Math.ceil(samples.length / max))
  return samples
    .filter((_, index) => (samples.length - 1 - index) % stride === 0)
    .map((step) => step * stepSeconds)
}
