import { toJsonSafe } from '../../packages/engine/src/amm/market-json.ts'
import { loadPool, snapshotPool } from '../../packages/engine/src/amm/v3/pool.ts'
import type { ClmmState } from '../../packages/engine/src/amm/v3/state.ts'
import { replayBaseline } from '../../packages/engine/src/replay/baseline.ts'
import { replayClmmEvent } from '../../packages/engine/src/replay/clmm-replay.ts'
import type { ClmmEvent } from '../../packages/engine/src/replay/events.ts'
import { FidelityTally } from '../../packages/engine/src/replay/fidelity.ts'
import { initialState, recordedClmmEvents } from '../../packages/engine/test/recordings.ts'
import type { Benchmark } from '../benchmark.ts'
import { loadRecordedPool } from './evm/recorded-pool.ts'

const folder = 'cl-weth-op-2024'

/** Events per second of some work on the whole recording, repeated for a while. */
function rate(events: number, seconds: number, work: () => unknown): number {
  const start = performance.now()
  let done = 0
  let elapsed = 0
  do {
    work()
    done += events
    elapsed = performance.now() - start
  } while (elapsed < seconds * 1000)
  return (done * 1000) / elapsed
}

function replayReadable(state: ClmmState, events: readonly ClmmEvent[]) {
  const pool = loadPool(state)
  const tally = new FidelityTally()
  for (const event of events) tally.add(event, replayClmmEvent(pool, event, 'COMPLETE'))
  return { final: snapshotPool(pool), fidelity: tally.report() }
}

/**
 * The whole recording with the calls behind the swaps, and the pool at the end. The bytecode
 * receives the calls and need not search for them.
 */
export const replay: Benchmark = {
  name: 'replay',
  title: '74,318 recorded events of WETH/OP, every amount and the end state equal',
  units: {
    fast: 'events/s',
    fromFile: 'events/s',
    readable: 'events/s',
    bytecode: 'events/s',
  },
  comparisons: [
    { name: 'bytecode (goal 60)', of: 'fast', to: 'bytecode', mark: { atLeast: 45 } },
    { name: 'from the file / bytecode', of: 'fromFile', to: 'bytecode', mark: null },
    { name: 'fast / readable BigInt', of: 'fast', to: 'readable', mark: null },
  ],
  open: async ({ seconds }) => {
    const state = initialState(folder)
    const read = () => recordedClmmEvents(`${folder}/events.csv.gz`, folder)
    const events = read()
    const [ours, wanted] = [replayBaseline(state, events), replayReadable(state, events)]
    if (JSON.stringify(toJsonSafe(ours)) !== JSON.stringify(toJsonSafe(wanted))) {
      throw new Error('the fast replay differs from the readable one')
    }
    const { pool, parts } = await loadRecordedPool(state, events)
    const rateBytecode = async () => {
      const start = performance.now()
      for (const { script, block } of parts) await pool.call(script, block)
      return (events.length * 1000) / (performance.now() - start)
    }
    const round = async () => ({
      bytecode: await rateBytecode(),
      fast: rate(events.length, seconds, () => replayBaseline(state, events)),
      fromFile: rate(events.length, seconds / 2, () => replayBaseline(state, read())),
      readable: rate(events.length, seconds / 2, () => replayReadable(state, events)),
    })
    await round()
    return { round, close: () => pool.stop() }
  },
}
