/**
 * Results by key, the latest ones only. Repeated and concurrent requests for a key share one
 * computation; a failed one is forgotten.
 */
export class RecentResults<T> {
  readonly #results = new Map<string, Promise<T>>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#results.get(key)
    if (known !== undefined) return known
    const [oldest] = this.#results.keys()
    if (this.#results.size >= this.#max && oldest !== undefined) this.#results.delete(oldest)
    const result = compute()
    this.#results.set(key, result)
    result.catch(() => this.#results.delete(key))
    return result
  }
}
