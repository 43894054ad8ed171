import type { Rat } from '../arithmetic/integer.ts'
import { ln } from '../numerics/ln.ts'

/** Minimum returns for a volatility estimate. */
const FEWEST_RETURNS = 8

/**
 * Price history of a strategy: ln price per step, for its longest window. It never contains future
 * data.
 */
export class PriceMemory {
  readonly #windowSeconds: number
  /** One entry per reading, as two arrays: number arrays need no object per entry. */
  readonly #seconds: number[] = []
  readonly #lnPrices: number[] = []
  #first = 0
  #price: Rat | null = null

  /** @param windowSeconds longest window in use */
  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds
  }

  note(seconds: number, price: Rat): void {
    // An unchanged price usually is the same object, and logarithms are expensive.
    this.#lnPrices.push(price === this.#price ? this.latest : lnOf(price))
    this.#seconds.push(seconds)
    this.#price = price
    const oldest = seconds - this.#windowSeconds
    const last = this.#seconds.length - 1
    // One reading before the window stays: the price that held when the window began.
    while (this.#first < last && this.#seconds[this.#first + 1]! <= oldest) this.#first += 1
    if (this.#first > 1024) {
      this.#seconds.splice(0, this.#first)
      this.#lnPrices.splice(0, this.#first)
      this.#first = 0
    }
  }

  /** ln of the latest price. */
  get latest(): number {
    return this.#lnPrices.at(-1) ?? 0
  }

  /** Mean of ln price over the window's time, each price weighed by how long it held. */
  average(windowSeconds: number): number {
    const last = this.#seconds.length - 1
    const end = this.#seconds[last]
    if (end === undefined) return 0
    const start = end - windowSeconds
    let weight = 0
    let sum = 0
    for (let index = last; index > this.#first; index--) {
      const from = this.#seconds[index - 1]!
      const seconds = this.#seconds[index]! - Math.max(from, start)
      sum += this.#lnPrices[index - 1]! * seconds
      weight += seconds
      if (from <= start) break
    }
    return weight === 0 ? this.latest : sum / weight
  }

  /**
   * Standard deviation of ln price per square root of a second: the root of the squared returns
   * over the time.
   *
   * @returns null for a window with fewer than eight returns
   */
  volatility(windowSeconds: number): number | null {
    const last = this.#seconds.length - 1
    const end = this.#seconds[last]
    if (end === undefined) return null
    const start = end - windowSeconds
    let squares = 0
    let returns = 0
    let since = end
    for (let index = last; index > this.#first; index--) {
      const from = this.#seconds[index - 1]!
      if (from < start) break
      const move = this.#lnPrices[index]! - this.#lnPrices[index - 1]!
      squares += move * move
      returns += 1
      since = from
    }
    const seconds = end - since
    return returns < FEWEST_RETURNS || seconds === 0 ? null : Math.sqrt(squares / seconds)
  }
}

/** ln of a price, by way of a quotient with at least 60 significant bits. */
export function lnOf({ num, den }: Rat): number {
  const shift = 4 * (den.toString(16).length - num.toString(16).length) + 64
  const scaled = shift >= 0 ? (num << BigInt(shift)) / den : num / (den << BigInt(-shift))
  return ln(Number(scaled)) - shift * LN_2
}

const LN_2 = Math.LN2
