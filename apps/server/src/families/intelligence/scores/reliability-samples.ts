import { type MarketSample, worseSlippageOf } from '@liquidity-os/engine/scoring'
import { canonicalize } from '@liquidity-os/evidence'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'

/** Consecutive samples on one side of the usable limit. */
export interface SampleRun {
  /** Unix seconds. */
  readonly from: number
  readonly to: number
  readonly samples: number
  readonly isUsable: boolean
  /** Highest slippage of the worse side. */
  readonly worstSlippagePips: number
}

/** Samples of a market, grouped by whether both sides were usable at the measured size. */
export function sampleRunsOf(
  samples: readonly MarketSample[],
  usableSlippagePips: number,
): SampleRun[] {
  const runs: SampleRun[] = []
  for (const sample of samples) {
    const slippage = worseSlippageOf(sample)
    const isUsable = slippage <= usableSlippagePips
    const last = runs.at(-1)
    const isSameRun = last?.isUsable === isUsable
    const run = isSameRun ? last : { from: sample.at, samples: 0, worstSlippagePips: 0 }
    const next = {
      from: run.from,
      to: sample.at,
      samples: run.samples + 1,
      isUsable,
      worstSlippagePips: Math.max(run.worstSlippagePips, slippage),
    }
    if (isSameRun) runs[runs.length - 1] = next
    else runs.push(next)
  }
  return runs
}

/** Name of the samples among the inputs of a score. */
export const samplesInput = 'samples'

/** The samples behind the reliability of a score. Its evidence names the hash. */
export function samplesArtifact(
  usableSlippagePips: number,
  runs: readonly SampleRun[],
): Omit<ArtifactInsert, 'producer'> {
  const content = Buffer.from(
    canonicalize({ samplesVersion: 'liquidity-samples-v1', usableSlippagePips, runs }),
  )
  return { contentHash: contentHashOf(content), mediaType: 'application/json', content }
}
