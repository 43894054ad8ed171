/**
 * Decides when the next message is sent.
 *
 * Work that arrives while messages are in flight shares the next one, which spreads the fixed cost
 * of a message (parsing, flush, system calls). Only if the last message is late, such as behind a
 * row lock of another node, do others overtake it, up to a limit.
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
   * @param hasWork true if work is waiting
   * @param send takes waiting work and sends it; must not reject
   * @param bounds.sideBySide number of sends that may run at the same time
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

  /** Signals pending work. Waits one event loop turn, so that a burst shares a message. */
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
      const remaining = this.#lastStart + this.#patienceMilliseconds - performance.now()
      if (remaining > 0) {
        this.#timer ??= setTimeout(() => {
          this.#timer = null
          this.#take()
        }, Math.ceil(remaining))
        return
      }
    }
    this.#inFlight += 1
    this.#lastStart = performance.now()
    void this.#send().then(() => {
      this.#inFlight -= 1
      this.wake()
    })
    // Work that did not fit waits for the next message.
    if (this.#hasWork()) this.wake()
  }
}
