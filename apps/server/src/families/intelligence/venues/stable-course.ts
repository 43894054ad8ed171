import {
  amplificationOf,
  exchangeStable,
  type Orientation,
  PoolRevertError,
  priceOrNull,
  type StableState,
} from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { atTime, type MarketEvent } from '@liquidity-os/engine/replay'

type Exchange = Extract<MarketEvent, { type: 'TokenExchange' }>

/** Volume and fee of a trade, in quote atoms. */
export interface CountedTrade {
  readonly volumeQuote: bigint
  readonly feesQuote: bigint
}

const X18 = 10n ** 18n

/**
 * Tracks a StableSwap pool through its events. Events contain no price, and the amplification
 * changes it between events, so the pool state determines it. An unknown state gives no price.
 */
export class StablePoolTracker {
  readonly #side: Orientation
  #pool: StableState | null
  #priced: { amplification: bigint; price: Rat | null } | null = null

  constructor(start: StableState, side: Orientation) {
    this.#pool = start
    this.#side = side
  }

  /** @param pool state after an event; null if unknown */
  moveTo(pool: StableState | null): void {
    this.#pool = pool
    this.#priced = null
  }

  /** Price at a time; null if unknown. */
  priceAt(seconds: number): Rat | null {
    if (this.#pool === null) return null
    const now = atTime(this.#pool, seconds)
    const amplification = amplificationOf(now)
    if (this.#priced?.amplification !== amplification) {
      this.#priced = { amplification, price: priceOrNull(now, this.#side) }
    }
    return this.#priced.price
  }

  /**
   * Volume and fee of the next exchange, or null for other coins. The exact fee is taken from the
   * output. A fee in base converts at the price before the exchange, rounded down. If the pool
   * would reject the exchange, the fee is unknown and counts as 0.
   */
  trade(event: MarketEvent): CountedTrade | null {
    if (event.type !== 'TokenExchange') return null
    const { soldId, boughtId, tokensSold, tokensBought } = event
    const { base, quote } = this.#side
    if (soldId === quote && boughtId === base) {
      const price = this.priceAt(event.timestamp ?? 0)
      const fee = this.#feeOf(event)
      const feesQuote = price === null ? 0n : (fee * price.num) / price.den
      return { volumeQuote: tokensSold, feesQuote }
    }
    if (soldId !== base || boughtId !== quote) return null
    return { volumeQuote: tokensBought, feesQuote: this.#feeOf(event) }
  }

  #feeOf({ soldId: from, boughtId: to, tokensSold, timestamp }: Exchange): bigint {
    const pool = this.#pool
    if (pool === null) return 0n
    try {
      const { feeScaled } = exchangeStable(atTime(pool, timestamp), { from, to }, tokensSold)
      // The exchange was possible, so both coins have rates.
      return (feeScaled * X18) / pool.rates[to]!
    } catch (error) {
      if (error instanceof PoolRevertError) return 0n
      throw error
    }
  }
}
