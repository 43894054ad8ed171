import { Failure } from '../../../failure.ts'
import type { Threads } from '../../../threads.ts'
import type { EvaluationTask, MeasuredProgram } from './evaluate-task.ts'
import type { ProgramTask } from './program-problem.ts'
import type { PlannedProgram, ProgramAnswer } from './program-task.ts'

/** @throws Failure 400 if the evidence does not support the program */
export async function planInThread(threads: Threads, task: ProgramTask): Promise<PlannedProgram> {
  const file = new URL('./program-task.ts', import.meta.url)
  const answer = await threads.run<ProgramAnswer>(file, task)
  if (answer.ok) return answer
  throw new Failure(answer.code, { message: answer.message, fieldErrors: answer.fieldErrors })
}

/** Measures the results of a running program so far. */
export const evaluateInThread = (
  threads: Threads,
  task: EvaluationTask,
): Promise<MeasuredProgram> => threads.run(new URL('./evaluate-task.ts', import.meta.url), task)
