import type { FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { Threads } from '../../../threads.ts'
import type { AggregatePathsTask } from './paths/aggregate-paths-task.ts'
import type { CompileArmsTask } from './paths/compile-arms-task.ts'
import type { MonteCarloTask } from './paths/monte-carlo-task.ts'
import type { PathPart } from './paths/path-part.ts'
import type { PathStatistics } from './paths/path-statistics.ts'
import type { PreparedPaths, PreparePathsTask } from './paths/prepare-paths-task.ts'
import type { SensitivityAnswer, SensitivityTask } from './paths/sensitivity-task.ts'
import type { ReplayAnswer, SealedReplay } from './replay/replay-study-task.ts'
import type { ReplayTask } from './replay/replay-task.ts'

/** The steps of a study, in the interactive or the background threads. */
export class StudyThreads {
  readonly threads: Threads

  constructor(threads: Threads) {
    this.threads = threads
  }

  /** Threads that may run at the same time. */
  get count(): number {
    return this.threads.count
  }

  /**
   * @throws Failure 422 for a deposit that the pool refuses
   * @throws AbortError when the signal stops it
   */
  async run(task: ReplayTask, signal?: AbortSignal): Promise<SealedReplay> {
    const answer = await this.#run<ReplayAnswer>('./replay/replay-study-task.ts', task, signal)
    if (!('refusal' in answer)) return answer
    throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', {
      fieldErrors: { [answer.field]: [answer.refusal] },
    })
  }

  compileArms(task: CompileArmsTask): Promise<FieldErrors> {
    return this.#run('./paths/compile-arms-task.ts', task)
  }

  preparePaths(task: PreparePathsTask, signal?: AbortSignal): Promise<PreparedPaths> {
    return this.#run('./paths/prepare-paths-task.ts', task, signal)
  }

  runPaths(task: MonteCarloTask, signal?: AbortSignal): Promise<PathPart> {
    return this.#run('./paths/monte-carlo-task.ts', task, signal)
  }

  changeParameter(task: SensitivityTask, signal?: AbortSignal): Promise<SensitivityAnswer> {
    return this.#run('./paths/sensitivity-task.ts', task, signal)
  }

  aggregatePaths(task: AggregatePathsTask, signal?: AbortSignal): Promise<PathStatistics> {
    return this.#run('./paths/aggregate-paths-task.ts', task, signal)
  }

  #run<Result>(file: string, task: object, signal?: AbortSignal): Promise<Result> {
    return this.threads.run(new URL(file, import.meta.url), task, signal)
  }
}
