import { type JsonSafe, PoolRevertError } from '@liquidity-os/engine/amm'
import { type Series, sealSeries } from '../sealed-series.ts'
import { BaseFeesError } from './block-base-fees.ts'
import runReplayTask, { type ReplayTask, type ReplayTaskResult } from './replay-task.ts'

/** A replay with its series sealed and removed from its candidates. */
export interface SealedReplay extends ReplayTaskResult {
  series: Series[]
}

/**
 * A replay, or the refusal of an input field. Plain data, because error classes do not survive the thread
 * boundary.
 */
export type ReplayAnswer = SealedReplay | { field: string; refusal: string }

/** Runs a replay study in a thread. */
export default function runReplayStudyTask(task: ReplayTask): ReplayAnswer {
  try {
    return sealed(runReplayTask(task))
  } catch (error) {
    if (error instanceof PoolRevertError) {
      return { field: 'payload.capital', refusal: `cannot be deposited: ${error.message}` }
    }
    if (error instanceof BaseFeesError) {
      return { field: 'payload.costs.gas.baseFees', refusal: error.message }
    }
    throw error
  }
}

function sealed(replay: ReplayTaskResult): SealedReplay {
  const study = replay.study as unknown as { arms: Parameters<typeof sealSeries>[0] }
  const arms = study.arms.map(({ results, ...arm }) => ({
    ...arm,
    results: results.map(({ series: _s, actions: _a, layouts: _l, ...result }) => result),
  }))
  const lean = { ...study, arms } as unknown as JsonSafe
  return { ...replay, study: lean, series: sealSeries(study.arms) }
}
