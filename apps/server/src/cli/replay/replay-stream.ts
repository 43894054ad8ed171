import { type ClmmState, type TickWindow, UNISWAP_V2_FEE } from '@liquidity-os/engine/amm'
import {
  type ClmmEvent,
  type Divergence,
  type Fidelity,
  type PoolEvent,
  ReplayInputError,
  SingleRangeReplay,
  type SwapEvent,
  startReplay,
} from '@liquidity-os/engine/replay'
import { H } from '@liquidity-os/evidence'
import { ChainOrder } from './chain-order.ts'
import { type Diagnosis, diagnoseSwap, type Rereadable } from './diagnose.ts'
import {
  type ComparedEnd,
  compareEndOfLogs,
  compareEndOfPair,
  compareEndState,
  hashMarket,
} from './end-state.ts'
import { LiquidityTransfers } from './liquidity-transfers.ts'
import { PairSwapChecker } from './pair-swaps.ts'
import type { OnProgress } from './read-lines.ts'
import { readRecording } from './read-rows.ts'
import { feeChange, recordedEvents, toEvent } from './recorded-events.ts'
import type { FirstDifference, KindResult, RecordingResult } from './result.ts'
import { isPairEvent, readJson, resolveStart, type Start, type StartFiles } from './start.ts'

/** Events of one market, or single v2 swaps, with initial and final state. */
export interface StreamRecording {
  readonly kind: 'STREAM'
  readonly name: string
  readonly events: string
  readonly start: StartFiles
  /** File with the recorded end state, if any. */
  readonly end: string | null
}

/** A result, and its number of events. */
export interface Replayed {
  readonly result: RecordingResult
  readonly events: number
}

interface Checker {
  readonly ofPair: boolean
  /** How the stream of a v3 pool began; null for anything else. */
  readonly started: Extract<Start, { kind: 'MARKET' }> | null
  apply(event: PoolEvent): void
  fidelity(): Fidelity
  describe(): { market: string; fee: string | null; notes: string[] }
  endState(): Promise<ComparedEnd>
}

/**
 * Replays a stream event by event; memory use does not grow with its length.
 *
 * @throws ReplayInputError with file, line, column, expected and actual value
 */
export async function replayStream(
  recording: StreamRecording,
  onProgress: OnProgress,
): Promise<Replayed> {
  let checker: Checker | null = null
  let pairs: PairSwapChecker | null = null
  let unknownLogs = 0
  let pool: string | null = null
  const order = new ChainOrder(recording.events)
  const transfers = new LiquidityTransfers()
  for await (const rows of readRecording(recording.events, onProgress)) {
    for (const row of rows) {
      if (row.kind === 'TABLE') {
        pairs ??= new PairSwapChecker(recording.start.pairFee ?? UNISWAP_V2_FEE)
        pairs.check(row.row)
        continue
      }
      const decoded = toEvent(row, recording.events)
      if (decoded === null) {
        unknownLogs += 1
        if (row.kind === 'LOG') transfers.note(row.log, row.address)
        continue
      }
      const address = row.kind === 'LOG' ? row.address : null
      const event = transfers.complete(decoded, address)
      pool = assertSamePool(pool, address, event, recording.events)
      order.check(event)
      if (checker === null) {
        const source = { file: recording.events, rows: row.kind }
        checker = createChecker(await resolveStart(recording.start, event, source), recording)
      }
      assertFamily(event, checker.ofPair, recording.events)
      checker.apply(event)
    }
  }
  if (pairs !== null) return reportPairs(recording, pairs)
  if (checker === null) {
    const found = unknownLogs > 0 ? `${unknownLogs} logs of other events` : 'no events'
    throw new ReplayInputError({ file: recording.events, expected: 'events of a pool', found })
  }
  return report(recording, checker, unknownLogs)
}

/** A recording contains events of one pool only. @returns the pool address, once a log states it */
function assertSamePool(
  pool: string | null,
  address: string | null,
  { line }: PoolEvent,
  file: string,
): string | null {
  if (pool === null || address === null || pool === address) return pool ?? address
  throw new ReplayInputError({
    file,
    ...(line === null ? {} : { line }),
    column: 'address',
    expected: `logs of one pool, ${pool}`,
    found: address,
  })
}

/** One recording holds the events of one kind of market. */
function assertFamily(event: PoolEvent, ofPair: boolean, file: string): void {
  if (isPairEvent(event) === ofPair) return
  throw new ReplayInputError({
    file,
    ...(event.line === null ? {} : { line: event.line }),
    column: 'type',
    expected: `an event of the ${ofPair ? 'v2 pair' : 'v3 pool'}`,
    found: `a ${event.type} event of another market kind`,
  })
}

function createChecker(start: Start, recording: StreamRecording): Checker {
  const steps = [...start.feeSteps]
  const target =
    start.kind === 'MARKET' ? marketChecker(start, recording) : logsChecker(start, recording.end)
  return {
    ...target,
    apply(event) {
      for (
        let step = steps[0];
        step !== undefined && event.block >= step.fromBlock;
        step = steps[0]
      ) {
        steps.shift()
        target.apply(feeChange(step, event))
      }
      target.apply(event)
    },
  }
}

function marketChecker(
  start: Extract<Start, { kind: 'MARKET' }>,
  recording: StreamRecording,
): Checker {
  const { market, positions, reservesKnown, tickWindow, known } = start
  const replay = startReplay(market, { positions, reservesKnown, tickWindow })
  return {
    ofPair: market.kind === 'UNISWAP_V2',
    started: market.kind === 'UNISWAP_V3' ? start : null,
    apply: (event) => void replay.apply(event),
    fidelity: () => replay.fidelity(),
    describe() {
      const notes: string[] = []
      if (positions === 'PARTIAL') notes.push('positions missing from the start state were added')
      if (tickWindow !== null) notes.push(partOfTicks(tickWindow))
      if (market.kind === 'UNISWAP_V2') {
        const { numerator, denominator } = market.fee
        return { market: 'UNISWAP_V2', fee: `${numerator}/${denominator}`, notes }
      }
      const later = start.feeSteps.map(
        ({ feePips, fromBlock }) => `, ${feePips} from block ${fromBlock}`,
      )
      return { market: 'UNISWAP_V3', fee: `${market.feePips} pips${later.join('')}`, notes }
    },
    async endState() {
      const reached = replay.final()
      if (recording.end !== null && reached.kind === 'UNISWAP_V3' && market.kind === 'UNISWAP_V3') {
        const document = await readJson(recording.end)
        const { end: file } = recording
        return compareEndState(reached, {
          document,
          file,
          start: market,
          positions,
          tickWindow,
          // A fork that splits its fees in another way leaves them undetermined.
          known: { ...known, fees: known.fees && replay.undetermined().length === 0 },
        })
      }
      if (recording.end !== null && reached.kind === 'UNISWAP_V2') {
        const recorded = { document: await readJson(recording.end), file: recording.end }
        return compareEndOfPair(reached, replay.undetermined(), recorded)
      }
      return notCompared(hashMarket(reached))
    },
  }
}

function logsChecker(start: Extract<Start, { kind: 'LOGS_ONLY' }>, end: string | null): Checker {
  const replay = new SingleRangeReplay(start.feePips, start.tickSpacing)
  return {
    ofPair: false,
    started: null,
    // The start was chosen by the first event, which was one of a v3 pool; the decoder mixes no others in.
    apply: (event) => void replay.apply(event as ClmmEvent),
    fidelity: () => replay.fidelity(),
    describe() {
      const notes = ['no start state: only swaps within one tick range are checked']
      const { feePips } = replay
      if (start.feePips === null && feePips !== null)
        notes.push('the fee was inferred from the swaps')
      return { market: 'UNISWAP_V3', fee: feePips === null ? null : `${feePips} pips`, notes }
    },
    async endState() {
      const { sqrtPriceX96, tick, liquidity } = replay.final()
      const known = { sqrtPriceX96: `${sqrtPriceX96}`, tick, liquidity: `${liquidity}` }
      const hash = H('replay-state/v1', known)
      if (end === null) return notCompared(hash)
      const recorded = { document: await readJson(end), file: end }
      return compareEndOfLogs({ sqrtPriceX96, tick, liquidity }, recorded, start, hash)
    },
  }
}

function partOfTicks({ lowest, highest }: TickWindow): string {
  return `the start state lists only the ticks from ${lowest} to ${highest}; other ticks are not verified`
}

function notCompared(hash: string): ComparedEnd {
  return { endState: { hash, reached: null, compared: 0, fields: [] }, notes: [] }
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  Swap: 'swaps',
  Mint: 'mints',
  Burn: 'burns',
  Collect: 'collects',
  Flash: 'flashes',
  Sync: 'syncs',
  Initialize: 'initializations',
  SetFeeProtocol: 'protocol shares',
  CollectProtocol: 'protocol collects',
  IncreaseObservationCardinalityNext: 'oracle growths',
  FeeChange: 'fee changes',
}

async function report(
  recording: StreamRecording,
  checker: Checker,
  unknownLogs: number,
): Promise<Replayed> {
  const fidelity = checker.fidelity()
  const { market, fee, notes } = checker.describe()
  if (unknownLogs > 0) notes.push(`${unknownLogs} logs of other events were skipped`)
  const kinds: Record<string, KindResult> = {}
  for (const [type, name] of Object.entries(KIND_NAMES)) {
    const count = fidelity.byKind[type as PoolEvent['type']]
    if (count === undefined) continue
    const { replayed: total, exact, refused } = count
    kinds[name] = { total, exact, refused, different: total - exact - refused }
  }
  const { endState, notes: unknown } = await checker.endState()
  notes.push(...unknown)
  const result = {
    name: recording.name,
    market,
    fee,
    kinds,
    modes: { ...fidelity.modes },
    refusals: { ...fidelity.refusals },
    firstDifference: await nameDifference(fidelity, recording, checker),
    endState,
    notes,
  }
  return { result, events: fidelity.eventsReplayed }
}

async function nameDifference(
  fidelity: Fidelity,
  recording: StreamRecording,
  { started }: Checker,
): Promise<FirstDifference | null> {
  const first = fidelity.firstDivergence
  if (first === null) return null
  const isOpen = first.event.type === 'Swap' && !('amount0In' in first.event)
  const swap = isOpen ? (first.event as SwapEvent) : null
  // If the recording has the specified amount, the log alone decides.
  const needed = started?.market.kind === 'UNISWAP_V3' && swap?.amountSpecified === undefined
  const verdicts =
    needed && swap !== null ? await diagnoseSwap(rereadable(recording, started), swap) : null
  const place = (difference: Diagnosis | Divergence) => {
    const { event, mismatches, index } = difference
    const log = event.logIndex === null ? '' : `, log ${event.logIndex}`
    return {
      subject: `${event.type} event ${index + 1}, block ${event.block}${log}`,
      file: recording.events,
      line: event.line,
      fields: mismatches,
    }
  }
  const orBefore = verdicts?.orBefore ?? null
  return {
    ...place(verdicts?.here ?? first),
    ...(orBefore === null ? {} : { ambiguousWith: place(orBefore) }),
  }
}

/** The replayed stream, readable again from its start. */
function rereadable(
  recording: StreamRecording,
  { market, positions, feeSteps }: Extract<Start, { kind: 'MARKET' }>,
): Rereadable {
  const events = () => recordedEvents(recording.events, feeSteps)
  // Only streams of v3 pools are read again.
  return { market: market as ClmmState, positions, events }
}

function reportPairs(recording: StreamRecording, pairs: PairSwapChecker): Replayed {
  const { kinds, refusals, firstDifference } = pairs.tally
  const result: RecordingResult = {
    name: recording.name,
    market: 'UNISWAP_V2',
    fee: `${pairs.fee.numerator}/${pairs.fee.denominator}`,
    kinds,
    modes: pairs.modes,
    refusals,
    firstDifference,
    endState: null,
    notes: ['each swap is checked with its reserves before and after'],
  }
  return { result, events: kinds.swaps?.total ?? 0 }
}
