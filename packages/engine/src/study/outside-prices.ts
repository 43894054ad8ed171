import type { Orientation } from '../amm/market.ts'
import { clampRoot } from '../amm/v3/market.ts'
import { integerSquareRoot, type Rat } from '../arithmetic/integer.ts'

/** A price outside of the pool. */
export interface ReferencePrice {
  /** Unix seconds. */
  readonly at: number
  /** Quote atoms per base atom, times 10^36; above zero. */
  readonly priceX36: bigint
}

/** A reference as a root price of the pool, and as quote per base. */
export interface Reference {
  readonly sqrtPriceX96: bigint
  readonly price: Rat
}

const x36 = 10n ** 36n

/** Prices outside, walked along once. */
export class OutsidePrices {
  readonly #prices: readonly ReferencePrice[]
  readonly #orientation: Orientation
  #next = 1
  #current: Reference

  constructor(prices: readonly ReferencePrice[], orientation: Orientation) {
    const [first] = prices
    if (first === undefined) throw new RangeError('a reference requires at least one price')
    this.#prices = prices
    this.#orientation = orientation
    this.#current = this.#of(first)
  }

  /** The last price at or before a moment; an event without a time leaves it unchanged. */
  at(timestamp: number | null): Reference {
    if (timestamp === null) return this.#current
    const from = this.#next
    while (this.#next < this.#prices.length && this.#prices[this.#next]!.at <= timestamp) {
      this.#next += 1
    }
    if (this.#next > from) this.#current = this.#of(this.#prices[this.#next - 1]!)
    return this.#current
  }

  /** √(token1/token0) rounded down. */
  #of({ priceX36 }: ReferencePrice): Reference {
    const isBaseFirst = this.#orientation.base === 0
    const square = isBaseFirst ? (priceX36 << 192n) / x36 : (x36 << 192n) / priceX36
    return {
      sqrtPriceX96: clampRoot(integerSquareRoot(square)),
      price: { num: priceX36, den: x36 },
    }
  }
}
