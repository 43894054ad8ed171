/**
 * Reads whose cost grows with what an organization has written. They take a share of the connections and no more, and whoever
 * asks the same at once gets one answer, which is begun after all of them asked: nobody reads older than their request.
 */
export class HeavyReads {
  readonly #places: number
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #next = new Map<string, Promise<unknown>>()
  readonly #waiting: (() => void)[] = []
  #taken = 0

  /** @param places reads that may be under way at the same time */
  constructor(places: number) {
    this.#places = places
  }

  /** @param key what is asked, and for whom; answers to the same key are the same */
  read<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(key)
    if (!running) return this.#begin(key, work)
    // One that is under way may have looked before this was asked.
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
      // The place goes on to whoever waits.
      if (next) next()
      else this.#taken -= 1
    }
  }
}
