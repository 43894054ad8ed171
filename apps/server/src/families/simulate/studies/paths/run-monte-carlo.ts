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

/** Runs paths in another thread. */
export type RunPaths = (task: MonteCarloTask, signal?: AbortSignal) => Promise<PathPart>

/** Stores finished batches, so that an interrupted study resumes after the last one. */
export interface BatchStore {
  load: (batch: number) => Promise<PathPart[] | null>
  /** @param estimates interim results including these paths */
  save: (
    batch: number,
    parts: readonly PathPart[],
    estimates: contract.StudyEstimates,
  ) => Promise<void>
}

/** Batches of an earlier study with the same paths and some of the candidates. */
export interface EarlierBatches extends Pick<KnownOutcomes, 'places'> {
  load: BatchStore['load']
}

export interface MonteCarloOptions {
  run: RunPaths
  threads: number
  store?: BatchStore
  /** Finds results that need no new run. */
  earlier?: (data: MonteCarloData) => Promise<EarlierBatches | null>
  /** Default: stops after the batch that reaches the precision. */
  until?: 'PRECISE' | 'ALL_PATHS'
  signal?: AbortSignal
  progress?: (done: number, total: number) => void
}

/**
 * Runs a study in batches until it is precise enough or its paths are exhausted. The first batch is
 * small, for early interim results. Later batches end at multiples of 200 paths, the only stopping
 * points. Threads run paths in any order, but parts are sorted by path. So the result has the same
 * bytes for any number of threads and after any interruption. A study can stop between two batches.
 * An interruption loses the running batch, and the previous one if it is not yet stored.
 *
 * @throws the signal's reason if the signal stops the study
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
  // A batch is saved while the next one runs. Saves are sequential.
  let saving: Promise<void> = Promise.resolve()
  try {
    for (let batch = 0; done < data.paths; batch += 1) {
      signal?.throwIfAborted()
      const to = Math.min(endOfBatch(done), data.paths)
      const stored = await wholeBatch(store, batch, to - done)
      const made = stored ?? (await runBatch(await cutsOf(batch, done, to)))
      await saving
      estimates.add(made)
      if (!stored && store) saving = failing(store.save(batch, made, estimates.serialize()))
      // Prevents an unhandled rejection: the error surfaces at the later await.
      saving.catch(() => undefined)
      parts.push(...made)
      done = to
      progress?.(done, data.paths)
      if (until === 'PRECISE' && judgeStop(netVsHoldOf(parts), terms) !== 'CONTINUE') break
    }
    await saving
    return parts
  } finally {
    // No save is pending after this point. A canceled job returns earlier; the age-based purge
    // removes its late rows.
    await saving.catch(() => undefined)
  }

  /** Stops the other parts of the study after a failure. */
  async function failing<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      hasFailed = true
      throw error
    }
  }

  /** Parts of a batch for the threads: parts that an earlier study knows, otherwise equal parts. */
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
      for (const [itemIndex, task] of waiting) {
        if (hasFailed) return
        batch[itemIndex] = await failing(run(task, signal))
        finished += task.to - task.from
        if (finished < end) progress?.(finished, data.paths)
      }
    }
    await Promise.all(Array.from({ length: threads }, work))
    return batch
  }
}

/**
 * A stored batch; null if it has another number of paths, from another release or the end of
 * another study.
 */
async function wholeBatch(
  { load }: Partial<Pick<BatchStore, 'load'>> = {},
  batch: number,
  paths: number,
): Promise<PathPart[] | null> {
  const stored = (await load?.(batch)) ?? []
  const count = stored.reduce((sum, { figures }) => sum + pathsIn(figures), 0)
  return count === paths ? stored : null
}

/** End of the next batch: the small first one, then the points with a stopping check. */
const endOfBatch = (done: number) =>
  done < limits.studyFirstLookPaths
    ? limits.studyFirstLookPaths
    : (Math.floor(done / PATHS_PER_BATCH) + 1) * PATHS_PER_BATCH

const pathsIn = ([first]: readonly ArmFigures[]) => first?.values.netVsHold.length ?? 0

const netVsHoldOf = (parts: readonly PathPart[]) =>
  (parts[0]?.figures ?? []).map(({ armId }, index) => ({
    armId,
    values: joinedFigure(parts, index, 'netVsHold'),
  }))
