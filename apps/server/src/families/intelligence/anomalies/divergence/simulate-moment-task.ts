import {
  type ArmOutcome,
  type MonteCarloData,
  monteCarloSpec,
  runPaths,
} from '@liquidity-os/engine/montecarlo'

/** One candidate of a study up to a time of its paths, for a thread. */
export interface SimulateMomentTask {
  readonly data: MonteCarloData
  readonly armId: string
  /** Steps up to the moment. */
  readonly steps: number
  /** First path, and the path after the last. */
  readonly from: number
  readonly to: number
}

/** Path results at the moment, in path order. Amounts in quote atoms. */
export interface SimulatedMoment {
  readonly netVsHold: Float64Array
  readonly fees: Float64Array
  /** Thinner side of the market's 2 % depth, including the candidate's liquidity. */
  readonly depth: Float64Array
  readonly baseSharePips: Float64Array
  /** Traded quote volume, excluding the candidate's own trades. */
  readonly volume: Float64Array
}

export const depthBandPips = 20_000

/**
 * Reruns the paths of a study up to a moment. Random draws are sequential, so a shorter path is a
 * prefix of the full path. Arms do not interact, so one arm can run alone.
 */
export default function simulateMoment(task: SimulateMomentTask): SimulatedMoment {
  const { data, armId, steps, from, to } = task
  const whole = monteCarloSpec({ ...data, steps, cfg: momentConfig(data, steps) })
  const alone = { ...whole, arms: () => whole.arms().filter((arm) => arm.armId === armId) }
  // Runs this candidate only.
  const outcomes = runPaths(alone, from, to).map(([outcome]) => outcome!)
  const valuesOf = (read: (outcome: ArmOutcome) => bigint | number) =>
    Float64Array.from(outcomes, (outcome) => Number(read(outcome)))
  return {
    netVsHold: valuesOf(({ samples }) => samples.fan.netVsHold.at(-1) ?? 0),
    fees: valuesOf(({ holder }) => holder.fees),
    depth: valuesOf(({ samples }) => samples.depth[0]?.quote.at(-1) ?? 0),
    baseSharePips: valuesOf(({ samples }) => samples.fan.baseSharePips.at(-1) ?? 0),
    volume: valuesOf(({ flow }) => flow.noiseVolumeQuote + flow.arbitrageVolumeQuote),
  }
}

/** One sample, at the moment itself. Sampling does not affect the path. */
export function momentConfig({ cfg }: MonteCarloData, steps: number): MonteCarloData['cfg'] {
  return {
    ...cfg,
    sampleEverySteps: steps,
    bandsPips: [depthBandPips],
    tradeSizesQuote: [],
    failure: [],
  }
}
