import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { type MonteCarloData, monteCarloSpec, runPaths } from '@liquidity-os/engine/montecarlo'
import runReplayTask, {
  type ReplayTask,
} from '../../apps/server/src/families/simulate/studies/replay/replay-task.ts'
import { eventsOf } from '../../apps/server/src/market/sealed-events.ts'

/** The engine with nothing around it: some paths, or a whole replay. */
export type EngineOrder =
  | { kind: 'PATHS'; data: MonteCarloData; from: number; to: number }
  | { kind: 'REPLAY'; task: ReplayTask }

/** What an order came to: milliseconds in the engine, and the outcomes of paths. */
export interface EngineAnswer {
  milliseconds: number
  outcomes: ReturnType<typeof runPaths>
}

parentPort?.on('message', (order: EngineOrder) => {
  parentPort?.postMessage(order.kind === 'PATHS' ? paths(order) : replay(order.task))
})

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
  if (read === 0) throw new Error('There is nothing to replay.')
  const reading = performance.now() - start
  runReplayTask(task)
  return { milliseconds: performance.now() - start - 2 * reading, outcomes: [] }
}
