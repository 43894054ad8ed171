/**
 * Limits reads whose cost grows with an organization's data to a share of the connections.
 * Concurrent equal requests share one result. It starts after all have arrived, so no caller reads
 * data older than its request.
 */
export class HeavyReads {
  readonly #places: number
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #next = new Map<string, Promise<unknown>>()
  readonly #waiting: (() => void)[] = []
  #taken = 0

  /** @param places maximum concurrent reads */
  constructor(places: number) {
    this.#places = places
  }

  /** @param key request and tenant; equal keys have equal results */
  read<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(key)
    if (!running) return this.#begin(key, work)
    // A running read may predate this request.
    const next = this.#next.get(key)
    if (next) return next as Promise<Answer>
    const after = running
      .catch(() => {})
      .then(() => {
        this.#next.delete(key)
        return this.#begin(key, work)
      })
    this.#next.set(key, after)
    return after
  }

  #begin<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.#placed(work).finally(() => this.#running.delete(key))
    this.#running.set(key, mine)
    return mine
  }

  async #placed<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#taken >= this.#places) await new Promise<void>((start) => this.#waiting.push(start))
    else this.#taken += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The slot passes to the next waiting read.
      if (next) next()
      else this.#taken -= 1
    }
  }
}
