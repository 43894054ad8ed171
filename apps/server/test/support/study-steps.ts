import { onTestFinished } from 'vitest'
import type { StudyThreads } from '../../src/families/simulate/studies/study-threads.ts'
import type { Threads } from '../../src/threads.ts'

/** Module by step that a test can wrap. */
const files = {
  runPaths: '/paths/monte-carlo-task.ts',
  aggregatePaths: '/paths/aggregate-paths-task.ts',
} as const

type Steps = Pick<StudyThreads, keyof typeof files>

/** Wraps one step of the studies that run in these threads until the test ends. */
export function wrapStudyStep<Name extends keyof Steps>(
  threads: Threads,
  name: Name,
  wrap: (run: () => ReturnType<Steps[Name]>, task: Parameters<Steps[Name]>[0]) => unknown,
): void {
  const { run } = threads
  threads.run = ((file, task, signal) => {
    const original = () => run.call(threads, file, task, signal) as ReturnType<Steps[Name]>
    const isWrapped = file.pathname.endsWith(files[name])
    return isWrapped ? wrap(original, task as Parameters<Steps[Name]>[0]) : original()
  }) as Threads['run']
  onTestFinished(() => {
    threads.run = run
  })
}
