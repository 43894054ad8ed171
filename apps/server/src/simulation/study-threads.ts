import type { FieldErrors } from '@liquidity-os/contract'
import type { Piscina } from 'piscina'
import type { AggregatePathsTask, PathStatistics } from './aggregate-paths-task.ts'
import type { CompileArmsTask } from './compile-arms-task.ts'
import type { MonteCarloTask } from './monte-carlo-task.ts'
import type { PathPart } from './path-part.ts'
import type { PreparedPaths, PreparePathsTask } from './prepare-paths-task.ts'
import type { ReplayTask, ReplayTaskResult } from './replay-task.ts'

/**
 * Threads in which studies run, so that the event loop never waits for one. They start with the first study
 * and hold no state between two.
 */
export class StudyThreads {
  /** Threads that may run at the same time. */
  readonly count: number
  #pool: Promise<Piscina> | null = null

  constructor(count = 2) {
    this.count = count
  }

  /** @throws AbortError when the signal stops it */
  run(task: ReplayTask, signal?: AbortSignal): Promise<ReplayTaskResult> {
    return this.#run('./replay-task.ts', task, signal)
  }

  compileArms(task: CompileArmsTask): Promise<FieldErrors> {
    return this.#run('./compile-arms-task.ts', task)
  }

  preparePaths(task: PreparePathsTask, signal?: AbortSignal): Promise<PreparedPaths> {
    return this.#run('./prepare-paths-task.ts', task, signal)
  }

  runPaths(task: MonteCarloTask, signal?: AbortSignal): Promise<PathPart> {
    return this.#run('./monte-carlo-task.ts', task, signal)
  }

  aggregatePaths(task: AggregatePathsTask, signal?: AbortSignal): Promise<PathStatistics> {
    return this.#run('./aggregate-paths-task.ts', task, signal)
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }

  async #run<Result>(file: string, task: object, signal?: AbortSignal): Promise<Result> {
    this.#pool ??= open(this.count)
    const { href: filename } = new URL(file, import.meta.url)
    return (await this.#pool).run(task, { filename, ...(signal ? { signal } : {}) })
  }
}

async function open(maxThreads: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({ minThreads: 0, maxThreads, idleTimeout: 30_000 })
}
