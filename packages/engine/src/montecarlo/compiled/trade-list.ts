/** Trade kinds, as in `assembly/paths/prices.ts`. */
export const TRADE = { sells: 0, buys: 1, sellsBase: 2 } as const
type Kind = (typeof TRADE)[keyof typeof TRADE]

/** Trades of one path, ordered by step, in the memory layout of the compiled engine. */
export class TradeList {
  count = 0
  #sizes = new Float64Array(1024)
  #thresholds = new Float64Array(1024)
  #codes = new Uint32Array(1024)

  clear(): void {
    this.count = 0
  }

  /**
   * @param threshold minimum rate for the trade to happen; negative for a trade that always happens
   */
  add(step: number, kind: Kind, size: number, threshold: number): void {
    if (this.count === this.#sizes.length) this.#grow()
    this.#sizes[this.count] = size
    this.#thresholds[this.count] = threshold
    this.#codes[this.count] = 4 * step + kind
    this.count += 1
  }

  /**
   * Writes sizes, thresholds and codes one after the other.
   *
   * @param capacity entries per block
   */
  writeTo(buffer: ArrayBuffer, at: number, capacity: number): void {
    new Float64Array(buffer, at, capacity).set(this.#sizes.subarray(0, this.count))
    const thresholds = new Float64Array(buffer, at + 8 * capacity, capacity)
    thresholds.set(this.#thresholds.subarray(0, this.count))
    const codes = new Uint32Array(buffer, at + 16 * capacity, capacity)
    codes.set(this.#codes.subarray(0, this.count))
  }

  #grow(): void {
    const wider = 2 * this.#sizes.length
    const widened = <Values extends Float64Array | Uint32Array>(values: Values, empty: Values) => {
      empty.set(values)
      return empty
    }
    this.#sizes = widened(this.#sizes, new Float64Array(wider))
    this.#thresholds = widened(this.#thresholds, new Float64Array(wider))
    this.#codes = widened(this.#codes, new Uint32Array(wider))
  }
}
