import type { contract } from '@liquidity-os/contract'
import {
  type ArmFigures,
  aggregateTerms,
  judgeStop,
  type MonteCarloData,
  monteCarloSpec,
} from '@liquidity-os/engine/montecarlo'
import { PATHS_PER_BATCH } from '@liquidity-os/engine/statistics'
import { limits } from '../../../../limits.ts'
import type { MonteCarloTask } from './monte-carlo-task.ts'
import { PathEstimates } from './path-estimates.ts'
import { joinedFigure, type PathPart } from './path-part.ts'

/** Runs some paths somewhere else. */
export type RunPaths = (task: MonteCarloTask, signal?: AbortSignal) => Promise<PathPart>

/** Keeps finished batches, so that a study that was cut off goes on after the last of them. */
export interface BatchStore {
  load: (batch: number) => Promise<PathPart[] | null>
  /** @param estimates what the paths so far say, these included */
  save: (
    batch: number,
    parts: readonly PathPart[],
    estimates: contract.StudyEstimates,
  ) => Promise<void>
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
 * Runs a study in batches until it is precise enough or its paths are used up: a small one, so that there soon is something to
 * tell, then up to every 200 paths, where alone it may end. Threads run paths in any order;
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
  const estimates = new PathEstimates(terms)
  const parts: PathPart[] = []
  let done = 0
  for (let batch = 0; done < data.paths; batch += 1) {
    signal?.throwIfAborted()
    const to = Math.min(endOfBatch(done), data.paths)
    const kept = await keptBatch(batch, to - done)
    const made = kept ?? (await runBatch(done, to))
    estimates.add(made)
    if (!kept) await store?.save(batch, made, estimates.tell())
    parts.push(...made)
    done = to
    progress?.(done, data.paths)
    if (until === 'PRECISE' && judgeStop(netVsHoldOf(parts), terms) !== 'CONTINUE') break
  }
  return parts

  /** A batch that was cut otherwise, by another release, is none of these. */
  async function keptBatch(batch: number, paths: number): Promise<PathPart[] | null> {
    const kept = (await store?.load(batch)) ?? []
    const count = kept.reduce((sum, { figures: [first] }) => sum + pathsIn(first), 0)
    return count === paths ? kept : null
  }

  async function runBatch(from: number, to: number): Promise<PathPart[]> {
    const batch: PathPart[] = []
    const atOnce = Math.min(limits.studyPathsAtOnce, Math.ceil((to - from) / partsOfSmallBatch))
    let next = from
    let finished = from
    const work = async () => {
      while (next < to) {
        const start = next
        const end = Math.min(start + atOnce, to)
        next = end
        batch[(start - from) / atOnce] = await runPart(start, end)
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

/** The small first batch, and those after each of which the study is judged. */
const endOfBatch = (done: number) =>
  done < limits.studyFirstLookPaths
    ? limits.studyFirstLookPaths
    : (Math.floor(done / PATHS_PER_BATCH) + 1) * PATHS_PER_BATCH

/** What is fewer paths than threads take at once is cut into so many parts, so that none of them waits. */
const partsOfSmallBatch = 4

const pathsIn = (figures: ArmFigures | undefined) => figures?.values.netVsHold.length ?? 0

/** Net vs hold of all paths so far per arm. */
const netVsHoldOf = (parts: readonly PathPart[]) =>
  (parts[0]?.figures ?? []).map(({ armId }, place) => ({
    armId,
    values: joinedFigure(parts, place, 'netVsHold'),
  }))
