import type { Threads } from '../../../threads.ts'
import type { ReportTask, ReportTaskResult } from './report-task.ts'

/**
 * Creates a report in a thread, because drawing a page would block the event loop.
 *
 * @throws AbortError if the signal aborts it
 */
export const reportInThread = (
  threads: Threads,
  task: ReportTask,
  signal?: AbortSignal,
): Promise<ReportTaskResult> =>
  threads.run(new URL('./report-task.ts', import.meta.url), task, signal)
