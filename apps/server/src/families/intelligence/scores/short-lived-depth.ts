import type { SealedEvent } from '../../../market/venue-history.ts'
import { minuteSeconds } from '../../../units.ts'

/** Liquidity removed sooner than this after its addition is short-lived. */
export const shortLivedSeconds = 10 * minuteSeconds

interface Lot {
  readonly at: number
  size: bigint
}

/**
 * Time integral of the 2 % depth from liquidity that was removed within ten minutes of its addition.
 * A removal takes the newest liquidity of the same owner and range first. The depth is what the
 * removal takes away.
 */
export class ShortLivedDepth {
  /** Thinner-side depth times seconds in the window. */
  depthSeconds = 0
  readonly #window: { from: number; to: number }
  #lots = new Map<string, Lot[]>()
  /** Depth before a removal, and the seconds in the window of its removed liquidity, weighted by size. */
  #pending: { depth: number; seconds: number } | null = null

  constructor(window: { from: number; to: number }) {
    this.#window = window
  }

  /**
   * Call before a removal applies.
   *
   * @param depth computed only for short-lived liquidity
   */
  remove(event: SealedEvent, depth: () => number): void {
    const seconds = this.#take(event)
    this.#pending = seconds > 0 ? { depth: depth(), seconds } : null
  }

  /** Call after each event applied. */
  pass(event: SealedEvent, depth: () => number): void {
    if (this.#pending !== null) {
      this.depthSeconds += Math.max(0, this.#pending.depth - depth()) * this.#pending.seconds
      this.#pending = null
    }
    const size = event.type === 'Mint' ? sizeOf(event) : 0n
    if (size <= 0n || event.timestamp === null) return
    const key = keyOf(event)
    const lots = this.#lots.get(key)
    const lot = { at: event.timestamp, size }
    if (lots) lots.push(lot)
    else this.#lots.set(key, [lot])
  }

  /** Unobserved time follows, so the age of liquidity is unknown. */
  forget(): void {
    this.#lots = new Map()
    this.#pending = null
  }

  /** Mean seconds in the window of the removed liquidity; older liquidity counts as 0 s. */
  #take(event: SealedEvent): number {
    const total = sizeOf(event)
    const at = event.timestamp
    if (total <= 0n || at === null) return 0
    const lots = this.#lots.get(keyOf(event)) ?? []
    let remaining = total
    let seconds = 0
    for (let lot = lots.at(-1); lot && remaining > 0n; lot = lots.at(-1)) {
      const taken = lot.size < remaining ? lot.size : remaining
      remaining -= taken
      lot.size -= taken
      if (lot.size === 0n) lots.pop()
      if (at - lot.at >= shortLivedSeconds) continue
      seconds += (Number(taken) / Number(total)) * this.#insideOf(lot.at, at)
    }
    return seconds
  }

  #insideOf(from: number, to: number): number {
    return Math.max(0, Math.min(to, this.#window.to) - Math.max(from, this.#window.from))
  }
}

type LiquidityEvent = Extract<SealedEvent, { type: 'Mint' | 'Burn' }>

/** Owner and range of a v3 position. Liquidity of a v2 pair is fungible. */
const keyOf = (event: SealedEvent): string =>
  'tickLower' in event ? `${event.owner} ${event.tickLower} ${event.tickUpper}` : 'pair'

function sizeOf(event: SealedEvent): bigint {
  if (event.type !== 'Mint' && event.type !== 'Burn') return 0n
  const change: LiquidityEvent = event
  return 'tickLower' in change ? change.liquidity : change.amount0
}
