/** Runs the work of one lane in order of arrival, and different lanes in parallel. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => {})
    this.#last.set(lane, settled)
    void settled.then(() => {
      if (this.#last.get(lane) === settled) this.#last.delete(lane)
    })
    return mine
  }
}
