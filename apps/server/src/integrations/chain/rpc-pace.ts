import { setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.ts'

/** Time and randomness; tests inject their own. */
export interface PaceClock {
  /** Unix time in ms. */
  readonly now: () => number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

const systemClock: PaceClock = {
  // Not Date.now: a clock that is set back would extend a pause.
  now: () => performance.timeOrigin + performance.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
}

/** Total time that a caller waits for a provider. Concurrent waits count once. */
export class WaitBudget {
  readonly signal: AbortSignal | undefined
  #remaining: number
  /** End of the waits so far, Unix time in ms. */
  #end = 0

  constructor(milliseconds: number, signal?: AbortSignal) {
    this.#remaining = milliseconds
    this.signal = signal
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

/** The provider pauses for longer than the caller waits. */
export class PacedOutError extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super(`The provider takes no call for ${delayMs} ms.`)
    this.delayMs = delayMs
  }
}

/** Growth of the rate per second. */
const growthPerSecond = 0.005
/** After a refusal, the new rate as a share of the measured one; at most once per interval. */
const reduction = 0.9
const reductionInterval = 5_000
/** Refusals in a row, each soon after a pause, from which a rate limit follows. */
const [streakLength, streakInterval] = [3, 3_000]
/** Lowest rate, calls per second. */
const minimumRate = 2

/**
 * Learned limits of one provider: calls per second and calls per request. Both are unlimited until
 * the provider refuses. All clients of a provider share its pace.
 */
export class RpcPace {
  readonly clock: PaceClock
  readonly #maximumBatch: number
  #batchCalls: number
  #cleanBatches = 0
  /** Batches grow again after this time. */
  #noGrowthBefore = 0
  #pausedUntil = 0
  #refusedInARow = 0
  /** Calls per second; null without a limit. */
  #rate: number | null = null
  #rateAt = 0
  #reducedAt = Number.NEGATIVE_INFINITY
  #streak = 0
  #tokens = 0
  /** Calls answered since the last pause. */
  #answered = 0

  /** @param batchCalls maximum calls per request */
  constructor(batchCalls: number = limits.chainBatchCalls, clock: PaceClock = systemClock) {
    this.clock = clock
    this.#maximumBatch = batchCalls
    this.#batchCalls = batchCalls
  }

  /** Current maximum of calls per request. */
  get batchCalls(): number {
    const perSecond = this.#rate === null ? this.#batchCalls : Math.max(1, Math.floor(this.#rate))
    return Math.min(this.#batchCalls, perSecond)
  }

  /** Calls per second; null without a limit. */
  get rate(): number | null {
    return this.#rate
  }

  get refusedInARow(): number {
    return this.#refusedInARow
  }

  /**
   * Waits until the provider accepts this number of calls.
   *
   * @throws PacedOutError if the pause is longer than the remaining budget
   */
  async enter(calls: number, budget: WaitBudget): Promise<void> {
    for (;;) {
      const now = this.clock.now()
      const paused = Math.max(0, this.#pausedUntil - now)
      const delay = Math.max(paused, this.#refillDelay(calls, now))
      if (delay === 0) break
      if (!budget.reserve(now, delay)) {
        if (paused > 0) throw new PacedOutError(paused)
        // The rate is an estimate, so the calls are sent anyway.
        return
      }
      await this.clock.wait(delay, budget.signal)
    }
    if (this.#rate !== null) this.#tokens -= calls
  }

  #refillDelay(calls: number, now: number): number {
    if (this.#rate === null) return 0
    const seconds = Math.max(0, now - this.#rateAt) / 1000
    this.#rateAt = now
    this.#rate *= 1 + growthPerSecond * seconds
    const burst = Math.max(1, this.#rate)
    this.#tokens = Math.min(burst, this.#tokens + seconds * this.#rate)
    const missing = Math.min(calls, burst) - this.#tokens
    // Less than a millionth of a call is a rounding error.
    return missing > 1e-6 ? Math.ceil((missing / this.#rate) * 1000) : 0
  }

  /** Records calls with a response. */
  answered(calls: number): void {
    if (calls === 0) return
    this.#answered += calls
    this.#refusedInARow = 0
  }

  /**
   * Stops all calls for a time.
   *
   * @param isRate true if there were too many calls; false if the reason is unclear
   */
  pause(delayMs: number, isRate: boolean): void {
    const now = this.clock.now()
    // Concurrent calls are refused together and count once.
    if (now >= this.#pausedUntil) {
      if (isRate) this.#reduceRate(now)
      this.#refusedInARow += 1
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + delayMs)
    this.#tokens = 0
  }

  #reduceRate(now: number): void {
    const answered = this.#answered
    this.#answered = 0
    // Without responses the pause was too short, which says nothing about a rate.
    if (answered === 0) return
    const since = now - this.#pausedUntil
    this.#streak = since < streakInterval ? this.#streak + 1 : 0
    if (this.#streak < streakLength || now - this.#reducedAt < reductionInterval) return
    const measured = Math.min(this.#rate ?? Infinity, answered / Math.max(1, since / 1000))
    this.#rate = Math.max(minimumRate, reduction * measured)
    this.#rateAt = now
    this.#reducedAt = now
  }

  /** Limits the calls per request to a number that had responses. */
  learnBatch(calls: number): void {
    this.#batchCalls = Math.max(1, Math.min(this.#batchCalls, calls))
    this.#cleanBatches = 0
    this.#noGrowthBefore = this.clock.now() + limits.chainBatchGrowthMilliseconds
  }

  /** Records a request whose calls all have a response. */
  passBatch(): void {
    this.#cleanBatches += 1
    if (this.#cleanBatches < limits.chainBatchesBeforeGrowth) return
    if (this.clock.now() < this.#noGrowthBefore) return
    this.#batchCalls = Math.min(this.#maximumBatch, this.#batchCalls * 2)
    this.#cleanBatches = 0
  }
}
