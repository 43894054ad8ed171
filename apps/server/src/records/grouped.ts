/**
 * Gathers calls that arrive while a message is on its way and answers them with the next one. A call is
 * never answered by a message that left before the call was made, so nobody reads older than their request.
 */
export class Grouped<Item, Answer> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Answer[]>
  readonly #maximumItems: number
  readonly #maximumInFlight: number
  #waiting: { item: Item; done: (answer: Answer) => void; refuse: (cause: unknown) => void }[] = []
  #inFlight = 0
  #scheduled = false

  constructor(
    run: (items: readonly Item[]) => Promise<readonly Answer[]>,
    bounds: { maximumItems: number; maximumInFlight: number },
  ) {
    this.#run = run
    this.#maximumItems = bounds.maximumItems
    this.#maximumInFlight = bounds.maximumInFlight
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((done, refuse) => {
      this.#waiting.push({ item, done, refuse })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (this.#inFlight < this.#maximumInFlight && this.#waiting.length > 0) this.#start()
    })
  }

  #start(): void {
    const group = this.#waiting.splice(0, this.#maximumItems)
    this.#inFlight += 1
    void this.#run(group.map(({ item }) => item))
      .then(
        (answers) => {
          for (const [index, { done }] of group.entries()) done(answers[index] as Answer)
        },
        (cause: unknown) => {
          for (const { refuse } of group) refuse(cause)
        },
      )
      .finally(() => {
        this.#inFlight -= 1
        if (this.#waiting.length > 0) this.#schedule()
      })
  }
}
