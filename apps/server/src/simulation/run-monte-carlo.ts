import {
  type ArmOutcome,
  aggregate,
  aggregateTerms,
  judgeStop,
  type MonteCarloData,
  monteCarloSpec,
  netVsHoldByArm,
  PATHS_PER_BATCH,
  type StudyStatistics,
} from '@liquidity-os/engine'
import type { MonteCarloTask } from './monte-carlo-task.ts'

/** Runs some paths somewhere else. */
export type RunPaths = (task: MonteCarloTask, signal?: AbortSignal) => Promise<ArmOutcome[][]>

/** Keeps finished batches, so that a study that was cut off goes on after the last of them. */
export interface BatchStore {
  load: (batch: number) => Promise<ArmOutcome[][] | null>
  save: (batch: number, outcomes: ArmOutcome[][]) => Promise<void>
}

export interface MonteCarloOptions {
  run: RunPaths
  /** Threads to keep busy. */
  threads: number
  store?: BatchStore
  signal?: AbortSignal
  /** Paths that are done, of the most that there may be. */
  progress?: (done: number, total: number) => void
}

/** Paths that one thread runs at a time: small enough that a study can be cancelled and progress is seen. */
const pathsAtOnce = 25

/**
 * Runs a study in batches until it is precise enough or its paths are used up. Threads run paths in any order;
 * outcomes are put in the order of their paths before anything is added up, so the result has the
 * same bytes for every number of threads, and after every interruption.
 *
 * @throws the reason of the signal when it stops the study
 */
export async function runMonteCarlo(
  data: MonteCarloData,
  { run, threads, store, signal, progress }: MonteCarloOptions,
): Promise<StudyStatistics> {
  const terms = aggregateTerms(monteCarloSpec(data))
  const outcomes: ArmOutcome[][] = []
  for (let batch = 0; outcomes.length < data.paths; batch += 1) {
    signal?.throwIfAborted()
    const from = outcomes.length
    const to = Math.min(from + PATHS_PER_BATCH, data.paths)
    const kept = (await store?.load(batch)) ?? null
    const done = kept ?? (await runBatch({ data, from, to }))
    if (!kept) await store?.save(batch, done)
    for (const arms of done) outcomes.push(arms)
    progress?.(outcomes.length, data.paths)
    if (judgeStop(netVsHoldByArm(outcomes), terms) !== 'CONTINUE') break
  }
  return aggregate(outcomes, terms)

  async function runBatch({ from, to }: MonteCarloTask): Promise<ArmOutcome[][]> {
    const parts: ArmOutcome[][][] = []
    let next = from
    let finished = from
    const work = async () => {
      while (next < to) {
        const start = next
        const end = Math.min(start + pathsAtOnce, to)
        next = end
        parts[(start - from) / pathsAtOnce] = await runPart(start, end)
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
    return parts.flat()
  }
}
