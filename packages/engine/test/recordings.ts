import { type ClmmState, createClmmPool } from '../src/amm/v3/state.ts'
import { applyOperation } from '../src/parity/apply-operation.ts'
import type { ClmmEvent, PoolEvent } from '../src/replay/events.ts'
import { bindColumns, readEventRow } from '../src/replay/read/event-row.ts'
import { type ClmmPoolTerms, readPoolTerms } from '../src/replay/read/pool-terms.ts'
import { readDataset, readDatasetJson } from './datasets.ts'

/** The pool of a recording right after its initialisation. */
export function initialState(folder: string): ClmmState {
  const { feePips, tickSpacing, initialSqrtPriceX96 } = poolTerms(folder)
  const empty = createClmmPool({ feePips, tickSpacing })
  // The recordings this is used with name their initial price.
  const sqrtPriceX96 = initialSqrtPriceX96!
  const { state } = applyOperation(empty, { kind: 'v3.initialize', timestamp: 0, sqrtPriceX96 })
  return { ...state, balance0: null, balance1: null }
}

/** Events of a recording in order, with the fee changes of its pool file in between. */
export function* recordedEvents(path: string, folder?: string): Generator<PoolEvent> {
  const [header, ...lines] = readDataset(path).trimEnd().split('\n')
  const bind = bindColumns(header!.split(','), path)
  const steps = folder === undefined ? [] : [...poolTerms(folder).feeSteps]
  for (const [index, line] of lines.entries()) {
    const event = readEventRow(bind(line.split(','), index + 2))
    const step = steps[0]
    if (step !== undefined && event.block >= step.fromBlock) {
      steps.shift()
      const { block, timestamp } = event
      const place = { block, timestamp, logIndex: null, line: null }
      yield { type: 'FeeChange', ...place, feePips: step.feePips }
    }
    yield event
  }
}

/** As `recordedEvents`, for a v3 pool. */
export function recordedClmmEvents(path: string, folder?: string): ClmmEvent[] {
  // A file with root prices holds no events of a v2 pair.
  return [...recordedEvents(path, folder)] as ClmmEvent[]
}

function poolTerms(folder: string): ClmmPoolTerms {
  return readPoolTerms(readDatasetJson(`${folder}/pool.json`), 'pool.json') as ClmmPoolTerms
}
