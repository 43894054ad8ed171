import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import {
  type MonteCarloData,
  monteCarloSpec,
  runPaths,
  runPathsReadably,
} from '@liquidity-os/engine/montecarlo'
import runReplayTask, {
  type ReplayTask,
} from '../../apps/server/src/families/simulate/studies/replay/replay-task.ts'
import { eventsOf } from '../../apps/server/src/market/sealed-events.ts'
import { compilePaths } from '../../packages/engine/src/montecarlo/compiled/compiled-paths.ts'
import { runPathsOn } from '../../packages/engine/src/montecarlo/monte-carlo-study.ts'
import { textOf } from '../../packages/engine/test/path-fuzz.ts'

/** Only the engine: some paths, the same paths on both engines, or a whole replay. */
export type EngineOrder =
  | { kind: 'PATHS'; data: MonteCarloData; from: number; to: number }
  | { kind: 'BOTH'; data: MonteCarloData; paths: number }
  | { kind: 'REPLAY'; task: ReplayTask }

/** Result of an order: milliseconds in the engine, and the outcomes of the paths. */
export interface EngineAnswer {
  milliseconds: number
  outcomes: ReturnType<typeof runPaths>
  /**
   * If both engines ran: milliseconds of the readable engine, and its share of arms in either
   * case.
   */
  readable?: { milliseconds: number; share: number }
}

parentPort?.on('message', (order: EngineOrder) => {
  parentPort?.postMessage(answerTo(order))
})

function answerTo(order: EngineOrder): EngineAnswer {
  switch (order.kind) {
    case 'PATHS':
      return paths(order)
    case 'BOTH':
      return both(order)
    case 'REPLAY':
      return replay(order.task)
  }
}

/** After this number of paths, both engines run at the speed of the middle of a study. */
const warmPaths = 20

/** The same paths on the compiled engine and on the readable one, which must come to the same. */
function both({ data, paths }: Extract<EngineOrder, { kind: 'BOTH' }>): EngineAnswer {
  const spec = monteCarloSpec(data)
  const compiled = compilePaths(spec)
  if (compiled === null) throw new Error('The study is none for the compiled engine.')
  runPathsOn(spec, 0, warmPaths, (run) => compiled.run(run))
  runPathsReadably(spec, 0, warmPaths)
  const start = performance.now()
  const own = runPathsOn(spec, 0, paths, (run) => compiled.run(run))
  const between = performance.now()
  const right = runPathsReadably(spec, 0, paths)
  const end = performance.now()
  if (textOf(own) !== textOf(right)) throw new Error('The engines differ.')
  const { readable, same, compiled: arms } = compiled.counts
  const share = readable / (readable + same + arms)
  return {
    milliseconds: between - start,
    outcomes: [],
    readable: { milliseconds: end - between, share },
  }
}

function paths({ data, from, to }: Extract<EngineOrder, { kind: 'PATHS' }>): EngineAnswer {
  const start = performance.now()
  const outcomes = runPaths(monteCarloSpec(data), from, to)
  return { milliseconds: performance.now() - start, outcomes }
}

/** Reading the events is not the engine’s work. */
function replay(task: ReplayTask): EngineAnswer {
  const start = performance.now()
  let read = 0
  for (const _event of eventsOf(task.events)) read += 1
  if (read === 0) throw new Error('The market has no events.')
  const reading = performance.now() - start
  runReplayTask(task)
  return { milliseconds: performance.now() - start - 2 * reading, outcomes: [] }
}
