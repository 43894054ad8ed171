import { Failure } from '../failure.ts'
import { minuteMilliseconds } from '../units.ts'

/**
 * How often one signed-in member may ask one process in a minute. It is counted in memory alone: a budget to bill or to
 * share between nodes is that of a service credential; this one keeps a script in a browser from slowing everybody.
 */
export class SessionLimits {
  readonly #perMinute: number
  #window = 0
  #used = new Map<string, number>()

  /** @param perMinute 0 for any number */
  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /**
   * Counts one request of a member.
   *
   * @throws Failure 429 with the seconds until the next minute
   */
  admit(userId: string, now: number): void {
    if (this.#perMinute === 0) return
    const window = Math.floor(now / minuteMilliseconds) * minuteMilliseconds
    if (window !== this.#window) {
      this.#window = window
      this.#used = new Map()
    }
    const used = (this.#used.get(userId) ?? 0) + 1
    if (used > this.#perMinute) {
      throw new Failure('LIQUIDITY_RATE_LIMITED', {
        message: `A member may make ${this.#perMinute} requests in a minute.`,
        retryAfterSeconds: Math.ceil((window + minuteMilliseconds - now) / 1000),
      })
    }
    this.#used.set(userId, used)
  }
}
