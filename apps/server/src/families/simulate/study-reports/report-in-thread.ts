import type { Threads } from '../../../threads.ts'
import type { ReportTask, ReportTaskResult } from './report-task.ts'

/**
 * Makes a report, so that the event loop never waits for a page to be drawn.
 *
 * @throws AbortError when the signal stops it
 */
export const reportInThread = (
  threads: Threads,
  task: ReportTask,
  signal?: AbortSignal,
): Promise<ReportTaskResult> =>
  threads.run(new URL('./report-task.ts', import.meta.url), task, signal)
