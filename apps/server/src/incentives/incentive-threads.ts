import { Failure } from '../http/failure.ts'
import type { Threads } from '../threads.ts'
import type { EvaluationTask, MeasuredProgram } from './evaluate-task.ts'
import type { ProgramTask } from './program-problem.ts'
import type { PlannedProgram, ProgramAnswer } from './program-task.ts'

/** Threads in which programs are planned and evaluated, so that the event loop never waits for one. */
export class IncentiveThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  /** @throws Failure 400 where the evidence does not carry the program */
  async plan(task: ProgramTask): Promise<PlannedProgram> {
    const file = new URL('./program-task.ts', import.meta.url)
    const answer = await this.#threads.run<ProgramAnswer>(file, task)
    if (answer.ok) return answer
    throw new Failure(answer.code, { message: answer.message, fieldErrors: answer.fieldErrors })
  }

  evaluate(task: EvaluationTask): Promise<MeasuredProgram> {
    return this.#threads.run(new URL('./evaluate-task.ts', import.meta.url), task)
  }
}
