import { limits } from '../../limits.ts'
import { Turns } from './turns.ts'

/**
 * Batches calls that arrive while a message is in flight into the next message. A call never uses a
 * message sent before it, so no caller reads data older than its request.
 */
export class Grouped<Item, Answer> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Answer[]>
  readonly #maximumItems: number
  readonly #turns: Turns
  #waiting: { item: Item; done: (answer: Answer) => void; refuse: (cause: unknown) => void }[] = []

  constructor(
    run: (items: readonly Item[]) => Promise<readonly Answer[]>,
    bounds: { maximumItems: number; maximumInFlight: number },
  ) {
    this.#run = run
    this.#maximumItems = bounds.maximumItems
    this.#turns = new Turns(
      () => this.#waiting.length > 0,
      () => this.#send(),
      {
        sideBySide: 1,
        maximumInFlight: bounds.maximumInFlight,
        patienceMilliseconds: limits.messagePatienceMilliseconds,
      },
    )
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((done, refuse) => {
      this.#waiting.push({ item, done, refuse })
      this.#turns.wake()
    })
  }

  async #send(): Promise<void> {
    const group = this.#waiting.splice(0, this.#maximumItems)
    try {
      const answers = await this.#run(group.map(({ item }) => item))
      for (const [index, { done }] of group.entries()) done(answers[index] as Answer)
    } catch (cause) {
      for (const { refuse } of group) refuse(cause)
    }
  }
}
