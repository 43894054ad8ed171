import { Failure } from '../../../../failure.ts'
import { seedOf } from '../study-hashes.ts'
import type { StudyThreads } from '../study-threads.ts'
import type { StudySpec } from '../validate-spec.ts'
import type { PathStatistics } from './path-statistics.ts'
import type { PathStudy } from './path-study.ts'
import { isPoolRevert } from './pool-domain.ts'
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
  const refuse = refusePaths(data)
  const parts = await runMonteCarlo(data, {
    run: (task, stop) => threads.runPaths(task, stop).catch(refuse),
    threads: threads.count,
    ...run,
  })
  const failure = spec.failure ?? []
  const statistics = await threads.aggregatePaths({ data, failure, parts }, signal)
  if (!spec.sensitivity) return statistics
  const sensitivity = await sensitivityOf(threads, data, signal).catch(refuse)
  const arms = statistics.arms.map((arm) => ({
    ...arm,
    sensitivity: sensitivity.get(arm.armId) ?? null,
  }))
  return { ...statistics, arms }
}

/**
 * Refuses a study with a path that leaves the domain of the pool. A retry cannot help. The cause is
 * the price model, or, if the pool rejects a state, also the size of the noise trades.
 */
export function refusePaths({ flow }: Pick<PathStudy['data'], 'flow'>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RangeError)) throw error
    const isRevert = isPoolRevert(error)
    const limit = isRevert
      ? 'keep the pool in a computable state'
      : 'stay within the price limits of a pool'
    const fault = [`must ${limit}: ${error.message}`]
    throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', {
      fieldErrors: {
        'payload.price': fault,
        ...(isRevert && flow !== null ? { 'payload.flow': fault } : {}),
      },
    })
  }
}
