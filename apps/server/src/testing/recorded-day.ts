import { join } from 'node:path'
import { type ClmmState, marketToJson, toJsonSafe } from '@liquidity-os/engine/amm'
import { type PoolEvent, startReplay } from '@liquidity-os/engine/replay'
import { findRecordings } from '../cli/replay/find-recordings.ts'
import { recordedEvents } from '../cli/replay/recorded-events.ts'
import { resolveStart } from '../cli/replay/start.ts'
import { datasets } from '../cli/replay/testing/recordings.ts'
import type { ScoreTask } from '../families/intelligence/scores/score-task.ts'
import type { VenueHistory } from '../market/venue-history.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const ether = 10n ** 18n
/** WBTC is token0 and the base. */
export const orientation = { base: 0, quote: 1 } as const

type TimedEvent = PoolEvent & { timestamp: number }

type Origin = string | null | ((itemIndex: number) => string)

/** A recorded day of WBTC/WETH as the history of a venue, and the task that judges it. */
export interface RecordedDay {
  start: ClmmState
  events: readonly TimedEvent[]
  window: { from: number; to: number }
  /** The day as one stretch, as far as `keep` says; each swap signed by another of the name of `origin`,
   *  or by whom it says. */
  history: (keep?: (timestamp: number) => boolean, origin?: Origin) => VenueHistory
  task: (change?: Partial<ScoreTask>) => ScoreTask
}

export async function recordedDay(): Promise<RecordedDay> {
  const terms = { feePips: null, tickSpacing: null, pairFee: null }
  const [stream] = await findRecordings(join(datasets, 'v3-wbtc-weth-2023-04'), terms)
  if (stream?.kind !== 'STREAM') throw new Error('The recording is a stream.')
  const events = (await Array.fromAsync(recordedEvents(stream.events, []))) as TimedEvent[]
  const [first, last] = [events[0]!, events.at(-1)!]
  const found = await resolveStart(stream.start, first, { file: stream.events, rows: 'EVENT' })
  if (found.kind !== 'MARKET') throw new Error('The recording has a start state.')
  const start = found.market as ClmmState
  const window = { from: first.timestamp, to: last.timestamp }
  const history: RecordedDay['history'] = (keep = () => true, origin = null) => {
    const inside = events.filter(({ timestamp }) => keep(timestamp))
    const replay = startReplay(start, { positions: 'PARTIAL' })
    for (const event of events) {
      if (event.timestamp >= inside[0]!.timestamp) break
      replay.apply(event)
    }
    const lines = inside.map((event, index) =>
      JSON.stringify(
        toJsonSafe({
          ...event,
          logIndex: index,
          blockHash: `0x${event.block.toString(16).padStart(64, '0')}`,
          ...originOf(origin, index),
        }),
      ),
    )
    const ends = { from: inside[0]!.timestamp, to: inside.at(-1)!.timestamp }
    const market = bytes(JSON.stringify(marketToJson(replay.final())))
    const stretch = { ...ends, fromBlock: inside[0]!.block, toBlock: inside.at(-1)!.block }
    return {
      venueId: 'venue_a',
      kind: 'UNISWAP_V3',
      feePips: 3000,
      orientation,
      stretches: [{ ...stretch, start: market, events: [bytes(lines.join('\n'))] }],
    }
  }
  const task: RecordedDay['task'] = (change = {}) => ({
    histories: [history()],
    reference: null,
    window,
    sampleSeconds: 300,
    providers: [],
    gradedSizeQuote: `${10n * ether}`,
    requestedSizeQuote: `${10n * ether}`,
    tradeSizesQuote: [`${ether}`, `${10n * ether}`, `${100n * ether}`],
    usableSlippagePips: 20_000,
    ungraded: [],
    valueLocked: `${5000n * ether}`,
    quoteDecimals: 18,
    hasCriticalAnomaly: false,
    issuerAccounts: [],
    provenAccounts: [],
    seed: new Uint8Array(32),
    ...change,
  })
  return { start, events, window, history, task }
}

function originOf(origin: Origin, index: number): { origin?: string } {
  if (origin === null) return {}
  return { origin: typeof origin === 'string' ? `${origin}${index}` : origin(index) }
}
