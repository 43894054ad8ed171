import { PoolRevertError } from '@liquidity-os/engine'
import runReplayTask, { type ReplayTask, type ReplayTaskResult } from './replay-task.ts'

/** A replay, or what the pool itself refused; errors with classes do not survive the way out of a thread. */
export type ReplayAnswer = ReplayTaskResult | { refusal: string }

/** Runs a replay study in a thread. */
export default function runReplayStudyTask(task: ReplayTask): ReplayAnswer {
  try {
    return runReplayTask(task)
  } catch (error) {
    if (error instanceof PoolRevertError) return { refusal: error.message }
    throw error
  }
}
