import { Failure } from '../failure.ts'
import { minuteMilliseconds } from '../units.ts'

/**
 * Requests per minute of one signed-in member to one process, counted in memory. Billing and
 * budgets shared between nodes apply to service credentials only. This limit stops a browser script
 * from slowing down other users.
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
        message: `The limit is ${this.#perMinute} requests per member and minute.`,
        retryAfterSeconds: Math.ceil((window + minuteMilliseconds - now) / 1000),
      })
    }
    this.#used.set(userId, used)
  }
}
