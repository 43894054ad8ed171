import { setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.ts'

/** Time and chance of a pace; tests inject their own. */
export interface PaceClock {
  /** Unix time in ms. */
  readonly now: () => number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

const systemClock: PaceClock = {
  now: Date.now,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
}

/** Remaining time that a caller waits for a provider in total. */
export interface WaitBudget {
  leftMs: number
  readonly signal?: AbortSignal | undefined
}

/** The provider takes no call within the time that the caller waits. */
export class PacedOutError extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super(`The provider takes no call for ${delayMs} ms.`)
    this.delayMs = delayMs
  }
}

/** A rate grows by this share per second. */
const growthPerSecond = 0.005
/** A refused rate is reduced to this share of the measured one, once per interval. */
const reduction = 0.9
const reductionInterval = 5_000
/**
 * Pauses alone are enough until so many of them were each followed by responses and, within this
 * time, by the next refusal.
 */
const [streakLength, streakInterval] = [3, 3_000]
/** Calls per second below which a rate is not reduced. */
const minimumRate = 2

/**
 * What is known about the limits of one provider: the calls per second, and the calls per request.
 * There is no limit until the provider refuses. All clients of a provider share its pace.
 */
export class RpcPace {
  readonly clock: PaceClock
  readonly #maximumBatch: number
  #batchCalls: number
  #cleanBatches = 0
  /** A larger batch was refused; no growth before this time. */
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

  /** Calls per request that the provider takes. */
  get batchCalls(): number {
    return this.#batchCalls
  }

  /** Calls per second; null if the provider refused none. */
  get rate(): number | null {
    return this.#rate
  }

  get refusedInARow(): number {
    return this.#refusedInARow
  }

  /**
   * Waits until the provider takes so many calls.
   *
   * @throws PacedOutError if it pauses for longer than the caller waits
   */
  async enter(calls: number, budget: WaitBudget): Promise<void> {
    for (;;) {
      const now = this.clock.now()
      const paused = Math.max(0, this.#pausedUntil - now)
      if (paused > budget.leftMs) throw new PacedOutError(paused)
      const delay = Math.max(paused, this.#refillDelay(calls, now))
      // The rate is an estimate, so a call that can wait no longer is tried.
      if (delay === 0 || delay > budget.leftMs) break
      budget.leftMs -= delay
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

  /** The provider answered calls. */
  answered(calls: number): void {
    if (calls === 0) return
    this.#answered += calls
    this.#refusedInARow = 0
  }

  /**
   * The provider refuses calls for a time.
   *
   * @param isRate true if there were too many calls; false if the reason is unclear
   */
  pause(delayMs: number, isRate: boolean): void {
    const now = this.clock.now()
    // Calls that were sent together are refused together.
    if (isRate && now >= this.#pausedUntil) this.#reduceRate(now)
    this.#pausedUntil = Math.max(this.#pausedUntil, now + delayMs)
    this.#refusedInARow += 1
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

  /** The provider refused a request because of its number of calls. */
  refuseBatch(calls: number): void {
    if (calls > 1) this.limitBatch(Math.floor(calls / 2))
    this.#noGrowthBefore = this.clock.now() + limits.chainBatchGrowthMilliseconds
  }

  /** The provider answered only so many calls of a request. */
  limitBatch(calls: number): void {
    this.#batchCalls = Math.max(1, Math.min(this.#batchCalls, calls))
    this.#cleanBatches = 0
  }

  /** The provider answered all calls of a request. */
  passBatch(): void {
    this.#cleanBatches += 1
    if (this.#cleanBatches < limits.chainBatchesBeforeGrowth) return
    if (this.clock.now() < this.#noGrowthBefore) return
    this.#batchCalls = Math.min(this.#maximumBatch, this.#batchCalls * 2)
    this.#cleanBatches = 0
  }
}
