import type { MarketEvent } from '@liquidity-os/engine/replay'
import { isMatching } from '../../../market/own-positions.ts'
import { eventsOf } from '../../../market/sealed-events.ts'
import type { TokenPair } from './position-performance.ts'

/** A position that its owner minted in the pool. */
export interface PositionRange {
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
}

/** Sums of the events of a position so far. Plain data: crosses a thread boundary. */
export interface FlowSums {
  readonly deposited: TokenPair
  readonly withdrawn: TokenPair
  readonly collected: TokenPair
  /** Index of the observation with the first event; null without an event. */
  readonly first: number | null
  /** Unix seconds of the first deposit. */
  readonly since: number | null
  /** False if an event has no amounts. */
  readonly isComplete: boolean
}

export interface PositionFlowsTask {
  /** Sealed events of observations that follow each other, in order. */
  readonly events: readonly Uint8Array[]
  /** Index of the first of these observations. */
  readonly from: number
  readonly positions: readonly PositionRange[]
  /** Sums over earlier observations, per position. */
  readonly sums: readonly FlowSums[]
}

type PositionEvent = Extract<
  MarketEvent,
  { type: 'Mint' | 'Burn' | 'Collect'; owner: string; tickLower: number; tickUpper: number }
>

const none: TokenPair = { amount0: 0n, amount1: 0n }
export const noFlows: FlowSums = {
  deposited: none,
  withdrawn: none,
  collected: none,
  first: null,
  since: null,
  isComplete: true,
}

/** Continues the sums per position. Pure; runs in a thread. */
export default function readPositionFlows({
  events,
  from,
  positions,
  sums,
}: PositionFlowsTask): FlowSums[] {
  const continued = [...sums]
  for (const [index, part] of events.entries()) {
    for (const event of eventsOf([part])) {
      if (!isPositionEvent(event)) continue
      for (const [row, position] of positions.entries()) {
        if (isMatching(event, position))
          continued[row] = addEvent(continued[row]!, event, from + index)
      }
    }
  }
  return continued
}

const isPositionEvent = (event: MarketEvent): event is PositionEvent =>
  (event.type === 'Mint' || event.type === 'Burn' || event.type === 'Collect') &&
  'tickLower' in event

const sumOfType = { Mint: 'deposited', Burn: 'withdrawn', Collect: 'collected' } as const

function addEvent(sums: FlowSums, event: PositionEvent, observation: number): FlowSums {
  const { type, amount0, amount1, timestamp } = event
  const first = sums.first ?? observation
  const since = type === 'Mint' ? (sums.since ?? timestamp) : sums.since
  if (amount0 === null || amount1 === null) return { ...sums, first, since, isComplete: false }
  const name = sumOfType[type]
  const sum = { amount0: sums[name].amount0 + amount0, amount1: sums[name].amount1 + amount1 }
  return { ...sums, first, since, [name]: sum }
}
