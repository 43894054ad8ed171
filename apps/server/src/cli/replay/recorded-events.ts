import {
  decodeLog,
  type FeeStep,
  LogDecodeError,
  type PoolEvent,
  ReplayInputError,
} from '@liquidity-os/engine/replay'
import type { OnProgress } from './read-lines.ts'
import { type RecordedRow, readRecording } from './read-rows.ts'

/**
 * Events of a recorded v3 pool in order. Fee changes from the pool file precede the first event of
 * their block. Skips tables of single swaps and logs of other events.
 *
 * @throws ReplayInputError with file, line, column, expected and actual value
 */
export async function* recordedEvents(
  file: string,
  feeSteps: readonly FeeStep[],
  onProgress: OnProgress = () => undefined,
): AsyncGenerator<PoolEvent> {
  const steps = [...feeSteps]
  for await (const rows of readRecording(file, onProgress)) {
    for (const row of rows) {
      const event = row.kind === 'TABLE' ? null : toEvent(row, file)
      if (event === null) continue
      while (steps[0] !== undefined && event.block >= steps[0].fromBlock) {
        yield feeChange(steps[0], event)
        steps.shift()
      }
      yield event
    }
  }
}

/** The event of a row; null for a log of something else. @throws ReplayInputError for a malformed log */
export function toEvent(
  row: Exclude<RecordedRow, { kind: 'TABLE' }>,
  file: string,
): PoolEvent | null {
  if (row.kind === 'EVENT') return row.event
  try {
    return decodeLog(row.log, row.place)
  } catch (error) {
    if (!(error instanceof LogDecodeError)) throw error
    throw new ReplayInputError({
      file,
      ...(row.place.line === null ? {} : { line: row.place.line }),
      column: 'data',
      expected: 'a log in the shape of its event',
      found: error.message,
    })
  }
}

/** A change of the fee right before an event. */
export function feeChange(step: FeeStep, next: PoolEvent): PoolEvent {
  const { block, timestamp } = next
  return { type: 'FeeChange', block, timestamp, logIndex: null, line: null, feePips: step.feePips }
}
