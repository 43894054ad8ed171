import { Failure } from '../../../failure.ts'
import type { Threads } from '../../../threads.ts'
import type { AllocationInput } from './allocation-input.ts'
import type { AllocationAnswer } from './allocation-task.ts'
import type { PlanFigures } from './plan-payload.ts'

/** @throws Failure 422 for an invalid request */
export async function allocateInThread(
  threads: Threads,
  input: AllocationInput,
): Promise<PlanFigures> {
  const file = new URL('./allocation-task.ts', import.meta.url)
  const answer = await threads.run<AllocationAnswer>(file, input)
  if (answer.ok) return answer
  throw new Failure(answer.code, { fieldErrors: answer.fieldErrors })
}
