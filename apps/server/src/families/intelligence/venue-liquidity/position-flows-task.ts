import type { LoggedMarket } from '@liquidity-os/engine/amm'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import { parseExact } from '../../../market/exact-json.ts'
import { isMatching } from '../../../market/own-positions.ts'
import { eventsOf } from '../../../market/sealed-events.ts'
import type { PositionFlows } from './position-performance.ts'

/** A position that its owner minted in the pool. */
export interface PositionRange {
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
}

export interface PositionFlowsTask {
  /** Sealed events of observations that follow each other, in order. */
  readonly events: readonly Uint8Array[]
  readonly positions: readonly PositionRange[]
}

/** Flows of a position and the index of the observation with its first event; null if no event exists. */
export type ReadFlows = { readonly flows: PositionFlows; readonly first: number } | null

type PositionEvent = Extract<
  MarketEvent,
  { type: 'Mint' | 'Burn' | 'Collect'; owner: string; tickLower: number; tickUpper: number }
>

/** Sums the flows per position. Pure; runs in a thread. */
export default function readPositionFlows({ events, positions }: PositionFlowsTask): ReadFlows[] {
  const read = positions.map(() => new FlowSums())
  for (const [observation, part] of events.entries()) {
    for (const event of eventsOf([part])) {
      if (!isPositionEvent(event)) continue
      for (const [index, position] of positions.entries()) {
        if (isMatching(event, position)) read[index]!.add(event, observation)
      }
    }
  }
  return read.map((sums) => sums.result)
}

const isPositionEvent = (event: MarketEvent): event is PositionEvent =>
  (event.type === 'Mint' || event.type === 'Burn' || event.type === 'Collect') &&
  'tickLower' in event

class FlowSums {
  readonly #sums = {
    Mint: { amount0: 0n, amount1: 0n },
    Burn: { amount0: 0n, amount1: 0n },
    Collect: { amount0: 0n, amount1: 0n },
  }
  #first: number | null = null
  #since: number | null = null
  #isComplete = true

  add(event: PositionEvent, observation: number): void {
    const { type, amount0, amount1, timestamp } = event
    this.#first ??= observation
    if (type === 'Mint') this.#since ??= timestamp
    if (amount0 === null || amount1 === null) {
      this.#isComplete = false
      return
    }
    this.#sums[type].amount0 += amount0
    this.#sums[type].amount1 += amount1
  }

  get result(): ReadFlows {
    const [first, since] = [this.#first, this.#since]
    if (first === null || since === null || !this.#isComplete) return null
    const { Mint: deposited, Burn: withdrawn, Collect: collected } = this.#sums
    return { first, flows: { deposited, withdrawn, collected, since } }
  }
}

/**
 * True if a position had no liquidity and was owed nothing in a sealed state.
 *
 * @param areAllListed false if the state lists only the positions of the events that follow it
 */
export function isEmptyIn(
  state: Uint8Array,
  position: PositionRange,
  areAllListed: boolean,
): boolean {
  const market = parseExact(new TextDecoder().decode(state)) as LoggedMarket
  if (market.kind !== 'UNISWAP_V3') return false
  const found = market.positions.find((one) => isMatching(one, position))
  if (!found) return areAllListed
  return found.liquidity === 0n && found.tokensOwed0 === 0n && found.tokensOwed1 === 0n
}
