import { Failure } from '../http/failure.ts'
import type { Threads } from '../threads.ts'
import type { AllocationInput } from './allocation-input.ts'
import type { AllocationAnswer } from './allocation-task.ts'
import type { PlanFigures } from './plan-payload.ts'

/** Threads in which plans are computed while somebody waits for them. */
export class AllocationThreads {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  /** @throws Failure 422 for what cannot be asked */
  async allocate(input: AllocationInput): Promise<PlanFigures> {
    const file = new URL('./allocation-task.ts', import.meta.url)
    const answer = await this.#threads.run<AllocationAnswer>(file, input)
    if (answer.ok) return answer
    throw new Failure(answer.code, { fieldErrors: answer.fieldErrors })
  }
}
