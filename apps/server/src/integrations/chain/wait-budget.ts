/** Total time that a caller waits for a provider. Concurrent waits count once. */
export class WaitBudget {
  readonly signal: AbortSignal | undefined
  readonly #total: number
  readonly #isRefilled: boolean
  #remaining: number
  /** End of the waits so far, Unix time in ms. */
  #end = 0

  /** @param isRefilled true if each response restores the total */
  constructor(milliseconds: number, signal?: AbortSignal, isRefilled = false) {
    this.#total = milliseconds
    this.#remaining = milliseconds
    this.#isRefilled = isRefilled
    this.signal = signal
  }

  /** Records a response. */
  answered(): void {
    if (this.#isRefilled) this.#remaining = this.#total
  }

  /** Longest wait from now that the budget covers, in ms. */
  longest(now: number): number {
    return this.#remaining + Math.max(0, this.#end - now)
  }

  /** Reserves a wait; false if the budget does not cover it. */
  reserve(now: number, delay: number): boolean {
    const end = now + delay
    const cost = Math.max(0, end - Math.max(now, this.#end))
    if (cost > this.#remaining) return false
    this.#remaining -= cost
    this.#end = Math.max(this.#end, end)
    return true
  }
}

/** The refusal that caused a pause. */
export interface PauseCause {
  readonly isQuota: boolean
  readonly httpStatus?: number
  readonly rpcCode?: number
  readonly providerText?: string
}

/** The provider pauses for longer than the caller waits. */
export class PacedOutError extends Error {
  readonly delayMs: number
  readonly pauseCause: PauseCause | null

  constructor(delayMs: number, pauseCause: PauseCause | null) {
    super(`The provider takes no call for ${delayMs} ms.`)
    this.delayMs = delayMs
    this.pauseCause = pauseCause
  }
}
