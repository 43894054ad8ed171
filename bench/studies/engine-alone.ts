import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import {
  aggregate,
  aggregateTerms,
  type MonteCarloData,
  monteCarloSpec,
} from '@liquidity-os/engine/montecarlo'
import type { ReplayTask } from '../../apps/server/src/families/simulate/studies/replay/replay-task.ts'
import type { EngineAnswer, EngineOrder } from './engine-worker.ts'

/** Two threads with only the engine: the minimum cost of a study. */
export class EngineAlone {
  readonly #workers: readonly Worker[] = [1, 2].map(
    () => new Worker(new URL('./engine-worker.ts', import.meta.url)),
  )

  /** @returns milliseconds: the slower half of the paths, and adding them up */
  async paths(data: MonteCarloData): Promise<number> {
    const half = data.paths / 2
    const answers = await Promise.all(
      this.#workers.map((worker, index) =>
        ask(worker, { kind: 'PATHS', data, from: index * half, to: (index + 1) * half }),
      ),
    )
    const start = performance.now()
    const outcomes = answers.flatMap((answer) => answer.outcomes)
    aggregate(outcomes, aggregateTerms(monteCarloSpec(data)))
    const adding = performance.now() - start
    return Math.max(...answers.map(({ milliseconds }) => milliseconds)) + adding
  }

  /** @returns milliseconds of both engines for the same paths on one thread, and the share of arms left readable */
  async bothEngines(data: MonteCarloData, paths: number) {
    const { milliseconds, readable } = await ask(this.#first(), { kind: 'BOTH', data, paths })
    if (readable === undefined) throw new Error('The readable engine did not run.')
    return { compiled: milliseconds, readable: readable.milliseconds, share: readable.share }
  }

  /** @returns milliseconds on one thread: a replay is one history */
  async replay(task: ReplayTask): Promise<number> {
    return (await ask(this.#first(), { kind: 'REPLAY', task })).milliseconds
  }

  #first(): Worker {
    const [worker] = this.#workers
    if (!worker) throw new Error('The worker has no thread.')
    return worker
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }
}

function ask(worker: Worker, order: EngineOrder): Promise<EngineAnswer> {
  return new Promise((done, refuse) => {
    worker.once('message', done)
    worker.once('error', refuse)
    worker.postMessage(order)
  })
}
