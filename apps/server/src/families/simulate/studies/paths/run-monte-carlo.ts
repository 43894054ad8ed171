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
import type { KnownOutcomes, MonteCarloTask } from './monte-carlo-task.ts'
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

/** Batches of an earlier study whose paths are these, and that has some of the arms. */
export interface EarlierBatches extends Pick<KnownOutcomes, 'places'> {
  load: BatchStore['load']
}

export interface MonteCarloOptions {
  run: RunPaths
  /** Threads to keep busy. */
  threads: number
  store?: BatchStore
  /** Finds what need not be run again. */
  earlier?: (data: MonteCarloData) => Promise<EarlierBatches | null>
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
 * threads, and after every interruption. Between two batches a study can be stopped; what is lost of one that is cut off is
 * the batch that runs, and the one before it where that was not kept yet.
 *
 * @throws the reason of the signal when it stops the study
 */
export async function runMonteCarlo(
  data: MonteCarloData,
  { run, threads, store, earlier, until = 'PRECISE', signal, progress }: MonteCarloOptions,
): Promise<PathPart[]> {
  const terms = aggregateTerms(monteCarloSpec(data))
  const estimates = new PathEstimates(terms)
  const known = (await earlier?.(data)) ?? null
  const parts: PathPart[] = []
  let done = 0
  let hasFailed = false
  // A batch is kept while the next one runs; that one is kept after it.
  let saving: Promise<void> = Promise.resolve()
  try {
    for (let batch = 0; done < data.paths; batch += 1) {
      signal?.throwIfAborted()
      const to = Math.min(endOfBatch(done), data.paths)
      const kept = await wholeBatch(store, batch, to - done)
      const made = kept ?? (await runBatch(await cutsOf(batch, done, to)))
      await saving
      estimates.add(made)
      if (!kept && store) saving = failing(store.save(batch, made, estimates.tell()))
      // Told where it is waited for, which may be long after.
      saving.catch(() => undefined)
      parts.push(...made)
      done = to
      progress?.(done, data.paths)
      if (until === 'PRECISE' && judgeStop(netVsHoldOf(parts), terms) !== 'CONTINUE') break
    }
    await saving
    return parts
  } finally {
    // When this ends, nothing is written any more. A job that somebody cancels ends sooner: what comes after is purged by its age.
    await saving.catch(() => undefined)
  }

  /** Nobody waits for the other parts of a study that fails with this. */
  async function failing<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      hasFailed = true
      throw error
    }
  }

  /** What threads are given of a batch: parts that are known of an earlier study, else even ones. */
  async function cutsOf(batch: number, from: number, to: number): Promise<MonteCarloTask[]> {
    const found = known && (await wholeBatch(known, batch, to - from))
    if (known && found) {
      let next = from
      return found.map(({ encoded, figures }) => {
        const start = next
        next += pathsIn(figures)
        return { data, from: start, to: next, known: { encoded, places: known.places } }
      })
    }
    const atOnce = Math.min(limits.studyPathsAtOnce, Math.ceil((to - from) / threads))
    return Array.from({ length: Math.ceil((to - from) / atOnce) }, (_, part) => {
      const start = from + part * atOnce
      return { data, from: start, to: Math.min(start + atOnce, to) }
    })
  }

  async function runBatch(tasks: readonly MonteCarloTask[]): Promise<PathPart[]> {
    const batch: PathPart[] = []
    const end = tasks.at(-1)?.to ?? done
    const waiting = [...tasks.entries()].values()
    let finished = done
    const work = async () => {
      for (const [place, task] of waiting) {
        if (hasFailed) return
        batch[place] = await failing(run(task, signal))
        finished += task.to - task.from
        if (finished < end) progress?.(finished, data.paths)
      }
    }
    await Promise.all(Array.from({ length: threads }, work))
    return batch
  }
}

/** A batch as it is kept; one that was cut otherwise, by another release or a study that ended with it, is none of these. */
async function wholeBatch(
  { load }: Partial<Pick<BatchStore, 'load'>> = {},
  batch: number,
  paths: number,
): Promise<PathPart[] | null> {
  const kept = (await load?.(batch)) ?? []
  const count = kept.reduce((sum, { figures }) => sum + pathsIn(figures), 0)
  return count === paths ? kept : null
}

/** The small first batch, and those after each of which the study is judged. */
const endOfBatch = (done: number) =>
  done < limits.studyFirstLookPaths
    ? limits.studyFirstLookPaths
    : (Math.floor(done / PATHS_PER_BATCH) + 1) * PATHS_PER_BATCH

const pathsIn = ([first]: readonly ArmFigures[]) => first?.values.netVsHold.length ?? 0

/** Net vs hold of all paths so far per arm. */
const netVsHoldOf = (parts: readonly PathPart[]) =>
  (parts[0]?.figures ?? []).map(({ armId }, index) => ({
    armId,
    values: joinedFigure(parts, index, 'netVsHold'),
  }))
