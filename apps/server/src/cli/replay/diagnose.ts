import type { ClmmState } from '@liquidity-os/engine/amm'
import { applyOperation } from '@liquidity-os/engine/parity'
import {
  type Mismatch,
  type PoolEvent,
  type PositionCoverage,
  type Replay,
  type SwapEvent,
  startReplay,
} from '@liquidity-os/engine/replay'
import { limits } from '../../limits.ts'

/** Index of the event at fault, and its fields at fault. */
export interface Diagnosis {
  readonly index: number
  readonly event: SwapEvent
  readonly mismatches: readonly Mismatch[]
}

/** Start of a stream, and a function that reads it again. */
export interface Rereadable {
  readonly market: ClmmState
  readonly positions: PositionCoverage
  events(): AsyncIterable<PoolEvent>
}

/** Diagnosis from the events around a difference. */
export interface Verdicts {
  /** Fields at fault of the event that differs; null if the next swap does not decide it. */
  readonly here: Diagnosis | null
  /**
   * The previous swap, if another price there would also remove the difference. It replayed as
   * stopped by a price limit, but its amounts also fit a plain call. It stays exact, because the
   * recording cannot show which swap is wrong.
   */
  readonly orBefore: Diagnosis | null
}

/**
 * Finds the faulty column of a swap if its own log is ambiguous. A wrong price and a wrong amount
 * can explain the same difference. A slightly wrong price looks like the limit of the call. The
 * next swap decides, because it starts from the true pool state.
 */
export async function diagnoseSwap(stream: Rereadable, divergent: SwapEvent): Promise<Verdicts> {
  const found = await findAround(stream, divergent)
  if (found === null) return { here: null, orBefore: null }
  return {
    here: diagnoseHere(stream, divergent, found),
    orBefore: diagnoseBefore(stream, divergent, found),
  }
}

type Surroundings = NonNullable<Awaited<ReturnType<typeof findAround>>>

function diagnoseBefore(
  stream: Rereadable,
  divergent: SwapEvent,
  { before, between, index }: Surroundings,
): Diagnosis | null {
  const previous = between[0]
  if (previous === undefined || !isSwap(previous)) return null
  const meant = explain(before.market, previous)
  if (meant === null || !isExact(meant.state, stream, [...between.slice(1), divergent])) return null
  return { index: index - between.length, event: previous, mismatches: meant.mismatches }
}

function diagnoseHere(
  stream: Rereadable,
  divergent: SwapEvent,
  { before, between, later, index }: Surroundings,
): Diagnosis | null {
  const here = run(before.market, stream, between)
  const meant = explain(here.final() as ClmmState, divergent)
  if (meant === null || !later.some(isSwap) || !isExact(meant.state, stream, later)) return null
  here.apply(divergent)
  const isAmbiguous = later.every((event) => here.apply(event).status !== 'DIFFERENT')
  return isAmbiguous ? null : { index, event: divergent, mismatches: meant.mismatches }
}

/** The pool before the swap that precedes the difference, and the events from there to the next swap. */
async function findAround(stream: Rereadable, divergent: SwapEvent) {
  let between: PoolEvent[] = []
  const later: PoolEvent[] = []
  let index = 0
  let isBehind = false
  for await (const event of stream.events()) {
    if (isBehind) {
      later.push(event)
      if (isSwap(event) || later.length >= limits.diagnosedEvents) break
    } else if (event.line === divergent.line && isSwap(event)) isBehind = true
    else {
      if (isSwap(event)) between = []
      between.push(event)
      index += 1
    }
  }
  if (!isBehind) return null
  const replay = startReplay(stream.market, { positions: stream.positions })
  const stop = index - between.length
  let applied = 0
  for await (const event of stream.events()) {
    if (applied === stop) break
    replay.apply(event)
    applied += 1
  }
  // The stream began with a v3 pool, and a replay never changes the market type.
  return { before: { market: replay.final() as ClmmState }, between, later, index }
}

/**
 * The plain call that yields the recorded amounts, and the log fields that contradict it. Null if
 * no field does.
 */
function explain(
  market: ClmmState,
  event: SwapEvent,
): { state: ClmmState; mismatches: Mismatch[] } | null {
  const zeroForOne = event.amount0 > 0n
  const [amountIn, amountOut] = zeroForOne
    ? [event.amount0, -event.amount1]
    : [event.amount1, -event.amount0]
  if (amountIn <= 0n || amountOut < 0n) return null
  const sqrtPriceLimitX96 = zeroForOne ? SMALLEST_LIMIT : LARGEST_LIMIT
  let meant: { state: ClmmState; mismatches: Mismatch[] } | null = null
  for (const amountSpecified of [amountIn, -amountOut]) {
    if (amountSpecified === 0n) continue
    const timestamp = event.timestamp ?? market.blockTimestamp
    const request = { zeroForOne, amountSpecified, sqrtPriceLimitX96 }
    const { state, outcome } = applyOperation(market, { kind: 'v3.swap', timestamp, ...request })
    const args = outcome.reverted ? undefined : outcome.logs[0]?.args
    if (args?.amount0 !== event.amount0 || args.amount1 !== event.amount1) continue
    const mismatches = (['sqrtPriceX96', 'liquidity', 'tick'] as const).flatMap((field) =>
      args[field] === event[field]
        ? []
        : [{ field, recorded: `${event[field]}`, computed: `${args[field]}` }],
    )
    // A call that explains the whole log leaves no field at fault.
    if (mismatches.length === 0) return null
    meant ??= { state, mismatches }
  }
  return meant
}

/** One inside the prices at the ends of the range of ticks. */
const SMALLEST_LIMIT = 4295128740n
const LARGEST_LIMIT = 1461446703485210103287273052203988822378723970341n

function run(market: ClmmState, { positions }: Rereadable, events: readonly PoolEvent[]): Replay {
  const replay = startReplay(market, { positions })
  for (const event of events) replay.apply(event)
  return replay
}

function isExact(
  market: ClmmState,
  { positions }: Rereadable,
  events: readonly PoolEvent[],
): boolean {
  const replay = startReplay(market, { positions })
  return events.every((event) => replay.apply(event).status !== 'DIFFERENT')
}

function isSwap(event: PoolEvent): event is SwapEvent {
  return event.type === 'Swap' && !('amount0In' in event)
}
