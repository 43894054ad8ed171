import { Failure } from '../../../../failure.ts'
import { seedOf } from '../study-hashes.ts'
import type { StudyThreads } from '../study-threads.ts'
import type { StudySpec } from '../validate-spec.ts'
import type { PathStatistics } from './path-statistics.ts'
import type { PathStudy } from './path-study.ts'
import type { PreparePathsTask } from './prepare-paths-task.ts'
import { type MonteCarloOptions, runMonteCarlo } from './run-monte-carlo.ts'
import { sensitivityOf } from './sensitivity.ts'

/**
 * Prepares a path study in a thread.
 *
 * @throws Failure 422 if the market or the data do not allow the study
 */
export async function preparePaths(
  threads: StudyThreads,
  task: Omit<PreparePathsTask, 'seed'>,
): Promise<PathStudy> {
  const seed = Buffer.from(seedOf(task.spec).slice(2), 'hex')
  const prepared = await threads.preparePaths({ ...task, seed: Uint8Array.from(seed) })
  if (!prepared.ok) throw new Failure(prepared.code, { fieldErrors: prepared.fieldErrors })
  return prepared.study
}

export type PathRun = Pick<MonteCarloOptions, 'signal' | 'store' | 'earlier' | 'progress'>

/** Runs a prepared study completely, in threads. */
export async function runPathStudy(
  threads: StudyThreads,
  spec: StudySpec,
  { data }: PathStudy,
  run: PathRun,
): Promise<PathStatistics> {
  const { signal } = run
  const parts = await runMonteCarlo(data, {
    run: (task, stop) => threads.runPaths(task, stop).catch(refuseWildPrice),
    threads: threads.count,
    ...run,
  })
  const failure = spec.failure ?? []
  const statistics = await threads.aggregatePaths({ data, failure, parts }, signal)
  if (!spec.sensitivity) return statistics
  const sensitivity = await sensitivityOf(threads, data, signal).catch(refuseWildPrice)
  const arms = statistics.arms.map((arm) => ({
    ...arm,
    sensitivity: sensitivity.get(arm.armId) ?? null,
  }))
  return { ...statistics, arms }
}

/**
 * The engine reports a path with a price outside of the pool's range. The models are too volatile
 * for the horizon, so a retry cannot help.
 */
export function refuseWildPrice(error: unknown): never {
  if (!(error instanceof RangeError)) throw error
  throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', {
    fieldErrors: {
      'payload.price': [`must stay within the price limits of a pool: ${error.message}`],
    },
  })
}
