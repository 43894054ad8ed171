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

/** A trade as it is counted, atomic units of the quote. */
export interface CountedTrade {
  readonly volumeQuote: bigint
  readonly feesQuote: bigint
}

const X18 = 10n ** 18n

/**
 * A StableSwap pool on its way through its events. They name no price, and the amplification can move it without
 * one, so it is asked of the pool; an event that leaves the pool unknown leaves no price.
 */
export class StableCourse {
  readonly #side: Orientation
  #pool: StableState | null
  #priced: { amplification: bigint; price: Rat | null } | null = null

  constructor(start: StableState, side: Orientation) {
    this.#pool = start
    this.#side = side
  }

  /** @param pool after an event; null where the event does not tell it */
  moveTo(pool: StableState | null): void {
    this.#pool = pool
    this.#priced = null
  }

  /** Price at a time; null where it is not known. */
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
   * What an exchange that comes next moves and pays, if it is one of the pair. The fee is the exact one, taken from what
   * is paid out; in base it is valued at the price before the exchange, rounded down. Of an exchange that the pool
   * would not carry out the fee is not known, and none is counted.
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
      // The exchange found both coins in the rates.
      return (feeScaled * X18) / pool.rates[to]!
    } catch (error) {
      if (error instanceof PoolRevertError) return 0n
      throw error
    }
  }
}
