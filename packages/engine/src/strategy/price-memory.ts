import type { Rat } from '../arithmetic/integer.ts'
import { ln } from '../numerics/ln.ts'

interface Reading {
  readonly seconds: number
  readonly lnPrice: number
}

/** Fewer returns than this say nothing about a volatility. */
const FEWEST_RETURNS = 8

/**
 * What a strategy remembers of the pool's price: ln price at each step, as far back as its longest window.
 * Nothing that comes later can be in it.
 */
export class PriceMemory {
  readonly #windowSeconds: number
  readonly #readings: Reading[] = []
  #first = 0

  /** @param windowSeconds longest window that is asked for */
  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds
  }

  note(seconds: number, price: Rat): void {
    this.#readings.push({ seconds, lnPrice: lnOf(price) })
    const oldest = seconds - this.#windowSeconds
    // One reading before the window stays: the price that held when the window began.
    while ((this.#readings[this.#first + 1]?.seconds ?? oldest + 1) <= oldest) this.#first += 1
    if (this.#first > 1024) {
      this.#readings.splice(0, this.#first)
      this.#first = 0
    }
  }

  /** ln of the latest price. */
  get latest(): number {
    return this.#readings.at(-1)?.lnPrice ?? 0
  }

  /** Mean of ln price over the window's time, each price weighed by how long it held. */
  average(windowSeconds: number): number {
    const last = this.#readings.length - 1
    const end = this.#readings[last]
    if (end === undefined) return 0
    const start = end.seconds - windowSeconds
    let weight = 0
    let sum = 0
    for (let index = last; index > this.#first; index--) {
      const from = this.#readings[index - 1]!
      const until = this.#readings[index]!.seconds
      const seconds = until - Math.max(from.seconds, start)
      sum += from.lnPrice * seconds
      weight += seconds
      if (from.seconds <= start) break
    }
    return weight === 0 ? end.lnPrice : sum / weight
  }

  /**
   * Standard deviation of ln price per root of a second: the root of the squared returns over the time.
   *
   * @returns null while the window holds fewer than eight returns
   */
  volatility(windowSeconds: number): number | null {
    const last = this.#readings.length - 1
    const end = this.#readings[last]
    if (end === undefined) return null
    const start = end.seconds - windowSeconds
    let squares = 0
    let returns = 0
    let since = end.seconds
    for (let index = last; index > this.#first; index--) {
      const from = this.#readings[index - 1]!
      if (from.seconds < start) break
      const move = this.#readings[index]!.lnPrice - from.lnPrice
      squares += move * move
      returns += 1
      since = from.seconds
    }
    const seconds = end.seconds - since
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
