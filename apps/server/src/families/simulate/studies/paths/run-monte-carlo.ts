import {
  aggregateTerms,
  judgeStop,
  type MonteCarloData,
  monteCarloSpec,
} from '@liquidity-os/engine/montecarlo'
import { PATHS_PER_BATCH } from '@liquidity-os/engine/statistics'
import { limits } from '../../../../limits.ts'
import type { MonteCarloTask } from './monte-carlo-task.ts'
import type { PathPart } from './path-part.ts'

/** Runs some paths somewhere else. */
export type RunPaths = (task: MonteCarloTask, signal?: AbortSignal) => Promise<PathPart>

/** Keeps finished batches, so that a study that was cut off goes on after the last of them. */
export interface BatchStore {
  load: (batch: number) => Promise<PathPart[] | null>
  save: (batch: number, parts: readonly PathPart[]) => Promise<void>
}

export interface MonteCarloOptions {
  run: RunPaths
  /** Threads to keep busy. */
  threads: number
  store?: BatchStore
  /** Unless said otherwise, it ends with the batch that is precise enough. */
  until?: 'PRECISE' | 'ALL_PATHS'
  signal?: AbortSignal
  /** Paths that are done, of the most that there may be. */
  progress?: (done: number, total: number) => void
}

/**
 * Runs a study in batches until it is precise enough or its paths are used up. Threads run paths in any order;
 * parts are put in the order of their paths, so what is made of them has the same bytes for every number of
 * threads, and after every interruption. Between two batches a study can be stopped.
 *
 * @throws the reason of the signal when it stops the study
 */
export async function runMonteCarlo(
  data: MonteCarloData,
  { run, threads, store, until = 'PRECISE', signal, progress }: MonteCarloOptions,
): Promise<PathPart[]> {
  const terms = aggregateTerms(monteCarloSpec(data))
  const parts: PathPart[] = []
  let done = 0
  for (let batch = 0; done < data.paths; batch += 1) {
    signal?.throwIfAborted()
    const to = Math.min(done + PATHS_PER_BATCH, data.paths)
    const kept = (await store?.load(batch)) ?? null
    const made = kept ?? (await runBatch(done, to))
    if (!kept) await store?.save(batch, made)
    parts.push(...made)
    done = to
    progress?.(done, data.paths)
    if (until === 'PRECISE' && judgeStop(joined(parts), terms) !== 'CONTINUE') break
  }
  return parts

  async function runBatch(from: number, to: number): Promise<PathPart[]> {
    const batch: PathPart[] = []
    let next = from
    let finished = from
    const work = async () => {
      while (next < to) {
        const start = next
        const end = Math.min(start + limits.studyPathsAtOnce, to)
        next = end
        batch[(start - from) / limits.studyPathsAtOnce] = await runPart(start, end)
        finished += end - start
        if (finished < to) progress?.(finished, data.paths)
      }
    }
    const runPart = async (start: number, end: number) => {
      try {
        return await run({ data, from: start, to: end }, signal)
      } catch (error) {
        // The study fails with it, so nobody waits for the other parts.
        next = to
        throw error
      }
    }
    await Promise.all(Array.from({ length: threads }, work))
    return batch
  }
}

/** Net vs hold of all paths so far per arm; every part has the same arms. */
function joined(parts: readonly PathPart[]): PathPart['netVsHold'] {
  const [first] = parts
  return (first?.netVsHold ?? []).map(({ armId }, place) => {
    const all = parts.map(({ netVsHold }) => netVsHold[place]?.values ?? new Float64Array())
    const values = new Float64Array(all.reduce((sum, { length }) => sum + length, 0))
    let filled = 0
    for (const some of all) {
      values.set(some, filled)
      filled += some.length
    }
    return { armId, values }
  })
}
