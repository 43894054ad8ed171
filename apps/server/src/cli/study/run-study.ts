import { type PoolMarket, type TickWindow, toJsonSafe } from '@liquidity-os/engine/amm'
import {
  type PoolEvent,
  type PositionCoverage,
  ReplayInputError,
} from '@liquidity-os/engine/replay'
import type { StrategyInput } from '../../families/plan/strategies/exact-definition.ts'
import runReplayTask, {
  type ReplayTask,
  type ReplayTaskResult,
  type TaskArm,
} from '../../families/simulate/studies/replay/replay-task.ts'
import { studyDefaults } from '../../families/simulate/studies/study-defaults.ts'
import { findRecordings } from '../replay/find-recordings.ts'
import type { OnProgress } from '../replay/read-lines.ts'
import { recordedEvents } from '../replay/recorded-events.ts'
import type { StreamRecording } from '../replay/replay-stream.ts'
import { isPairEvent, resolveStart } from '../replay/start.ts'
import type { StudyFile } from './study-file.ts'

const encoder = new TextEncoder()

/** A recorded v3 pool, read to its end. */
interface RecordedMarket {
  readonly market: PoolMarket
  readonly positions: PositionCoverage
  readonly tickWindow: TickWindow | null
  readonly events: readonly PoolEvent[]
}

export type StudySource =
  | { readonly folder: string }
  | { readonly events: string; readonly pool: string | null; readonly state: string | null }

const terms = { feePips: null, tickSpacing: null, pairFee: null }

/**
 * Runs a study on a recording, with the task that studies of the API run.
 *
 * @throws ReplayInputError when it is no v3 pool with its start
 */
export async function studyRecording(
  source: StudySource,
  file: StudyFile,
  onProgress: OnProgress,
): Promise<ReplayTaskResult> {
  const recorded = await readMarket(await streamOf(source), onProgress)
  return runReplayTask(taskOf(file, recorded))
}

type Stream = Pick<StreamRecording, 'events' | 'start'>

async function streamOf(source: StudySource): Promise<Stream> {
  if ('events' in source) {
    const { events, pool, state } = source
    return { events, start: { ...terms, pool, state } }
  }
  const recordings = await findRecordings(source.folder, terms)
  const stream = recordings.find(({ kind }) => kind === 'STREAM')
  if (stream?.kind !== 'STREAM') throw noPool(source.folder, 'no stream of events')
  return stream
}

async function readMarket(stream: Stream, onProgress: OnProgress): Promise<RecordedMarket> {
  let start: Awaited<ReturnType<typeof resolveStart>> | null = null
  const first = await anyEvent(recordedEvents(stream.events, []))
  if (first === null) throw noPool(stream.events, 'no events')
  if (isPairEvent(first)) throw noPool(stream.events, 'a v2 pair')
  start = await resolveStart(stream.start, first, { file: stream.events, rows: 'EVENT' })
  if (start.kind !== 'MARKET') throw noPool(stream.events, 'logs without a start state')
  const events: PoolEvent[] = []
  for await (const event of recordedEvents(stream.events, start.feeSteps, onProgress)) {
    events.push(event)
  }
  const { market, positions, tickWindow } = start
  return { market, positions, tickWindow, events }
}

async function anyEvent(events: AsyncGenerator<PoolEvent>): Promise<PoolEvent | null> {
  for await (const event of events) return event
  return null
}

function noPool(file: string, found: string): ReplayInputError {
  return new ReplayInputError({ file, expected: 'the events of a v3 pool and its start', found })
}

function taskOf(
  file: StudyFile,
  { market, positions, tickWindow, events }: RecordedMarket,
): ReplayTask {
  const lines = events.map(({ line: _line, ...event }) => JSON.stringify(toJsonSafe(event)))
  return {
    start: encoder.encode(JSON.stringify(toJsonSafe(market))),
    events: [encoder.encode(lines.join('\n'))],
    window: file.window ?? { fromBlock: 0, toBlock: Number.MAX_SAFE_INTEGER },
    positions,
    tickWindow,
    orientation: file.base === 0 ? { base: 0, quote: 1 } : { base: 1, quote: 0 },
    capital: file.capital,
    arms: file.arms.map((arm): TaskArm => {
      const { armId } = arm
      if ('position' in arm) return { armId, ...arm.position }
      return { armId, kind: 'STRATEGY', definition: arm.strategy as StrategyInput }
    }),
    flowModels: file.flowModels ?? ['INELASTIC_INPUT', 'PRICE_SETTING'],
    bandsPips: file.bandsPips ?? studyDefaults.bandsPips,
    tradeSizesQuote: [],
    measures: { failure: file.failure ?? [], targetBaseShare: null },
    sampleSeconds: file.sampleSeconds ?? null,
    actionLatencySeconds: file.actionLatencySeconds ?? studyDefaults.latencySeconds,
    costs: file.costs ?? null,
  }
}
