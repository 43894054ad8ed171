import type { Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'

/** Horizons of markouts, seconds. */
export const MARKOUT_SECONDS = [0, 60, 300, 1800] as const

/** Profit of a market's liquidity providers from its trades, valued at a later reference price. */
export interface Markout {
  readonly seconds: number
  /** Fees included, quote atoms. */
  readonly quote: bigint
}

interface Taken {
  readonly seconds: number
  base: bigint
  quote: bigint
}

/**
 * Markouts of trades at irregular times. A trade is valued at the reference price in force at each
 * horizon. Horizons after the last event are omitted.
 */
export class MarkoutLedger {
  readonly #taken: Taken[] = []
  readonly #next: number[] = MARKOUT_SECONDS.map(() => 0)
  readonly #sums: bigint[] = MARKOUT_SECONDS.map(() => 0n)

  /** The market took tokens in, and paid where they are below zero. */
  add(seconds: number, base: bigint, quote: bigint): void {
    const last = this.#taken.at(-1)
    if (last?.seconds === seconds) {
      last.base += base
      last.quote += quote
    } else this.#taken.push({ seconds, base, quote })
  }

  /** A price has been in force until this moment, the moment itself included. */
  passTo(seconds: number, price: Rat): void {
    for (const [place, wait] of MARKOUT_SECONDS.entries()) {
      // There is a next trade, and a sum, per horizon.
      let next = this.#next[place]!
      for (; next < this.#taken.length; next++) {
        const { base, quote, ...taken } = this.#taken[next]!
        if (taken.seconds + wait > seconds) break
        this.#sums[place]! += quoteValue(base, price) + quote
      }
      this.#next[place] = next
    }
  }

  finish(): Markout[] {
    return MARKOUT_SECONDS.map((seconds, place) => ({ seconds, quote: this.#sums[place]! }))
  }
}
