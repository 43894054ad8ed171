/**
 * Decides when the next message of a kind leaves.
 *
 * What arrives while messages are on their way travels together in the next, so the fixed price of a message
 * (its parsing, its flush, its system calls) is shared by many. Only when the last one is late, as behind a row
 * that another node has locked, others overtake it up to the bound.
 */
export class Turns {
  readonly #hasWork: () => boolean
  readonly #send: () => Promise<void>
  readonly #sideBySide: number
  readonly #maximumInFlight: number
  readonly #patienceMilliseconds: number
  #inFlight = 0
  #isScheduled = false
  #lastStart = 0
  #timer: NodeJS.Timeout | null = null

  /**
   * @param hasWork whether anything waits
   * @param send    takes what waits and sends it; must not reject
   * @param bounds.sideBySide how many leave without regard to one another
   */
  constructor(
    hasWork: () => boolean,
    send: () => Promise<void>,
    bounds: { sideBySide: number; maximumInFlight: number; patienceMilliseconds: number },
  ) {
    this.#hasWork = hasWork
    this.#send = send
    this.#sideBySide = bounds.sideBySide
    this.#maximumInFlight = bounds.maximumInFlight
    this.#patienceMilliseconds = bounds.patienceMilliseconds
  }

  /** Says that something waits. The event loop gets one turn first, so that a burst travels together. */
  wake(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#take()
    })
  }

  #take(): void {
    if (!this.#hasWork()) return
    if (this.#inFlight >= this.#sideBySide) {
      if (this.#inFlight >= this.#maximumInFlight) return
      const left = this.#lastStart + this.#patienceMilliseconds - performance.now()
      if (left > 0) {
        this.#timer ??= setTimeout(() => {
          this.#timer = null
          this.#take()
        }, Math.ceil(left))
        return
      }
    }
    this.#inFlight += 1
    this.#lastStart = performance.now()
    void this.#send().then(() => {
      this.#inFlight -= 1
      this.wake()
    })
    // What one message could not hold waits like any other.
    if (this.#hasWork()) this.wake()
  }
}
