import type { JobRun } from '../../../../jobs/job-run.ts'
import { StudyThreads } from '../study-threads.ts'
import { jobBatches } from './batch-store.ts'
import type { PathPart } from './path-part.ts'
import type { PathStudy } from './path-study.ts'
import { runMonteCarlo } from './run-monte-carlo.ts'
import { refusePaths } from './run-path-study.ts'

/**
 * Runs every path of a study in the job threads and stores batches. Returns unmodified outcomes,
 * without slippage, which paired comparisons do not use.
 */
export function runTrialPaths(run: JobRun, { data }: PathStudy): Promise<PathPart[]> {
  const threads = new StudyThreads(run.services.background)
  const cfg = { ...data.cfg, tradeSizesQuote: [] }
  return runMonteCarlo(
    { ...data, cfg },
    {
      run: (task, stop) => threads.runPaths(task, stop).catch(refusePaths(data)),
      threads: threads.count,
      store: jobBatches(run),
      signal: run.signal,
      until: 'ALL_PATHS',
      progress: (done, max) => void run.progress((done / max) * 1_000_000).catch(() => undefined),
    },
  )
}
