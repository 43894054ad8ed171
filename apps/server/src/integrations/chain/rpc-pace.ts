import { setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { LearnedLimit, LearnedLimits } from '../../store/node-calls/node-calls.ts'

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

/** Growth of the rate per second. */
const growthPerSecond = 0.005
/** After a refusal, the new rate as a share of the measured one; at most once per interval. */
const reduction = 0.9
const reductionInterval = 5_000
/** Refusals in a row, each soon after a pause, from which a rate limit follows. */
const [streakLength, streakInterval] = [3, 3_000]
/** Lowest rate, calls per second. */
const minimumRate = 2
/** Requests of the learned number of blocks that pass before a larger number is tried. */
const [passesBeforeGrowth, passesBeforeRefusedWidth] = [2, 64]

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
  #pauseCause: PauseCause | null = null
  #refusedInARow = 0
  /** Calls per second; null without a limit. */
  #rate: number | null = null
  #rateAt = 0
  #reducedAt = Number.NEGATIVE_INFINITY
  #streak = 0
  #tokens = 0
  /** Calls answered since the last pause. */
  #answered = 0
  /** Blocks of one `eth_getLogs`; null without a limit. */
  #logBlocks: number | null = null
  /** Smallest refused number of blocks. */
  #refusedLogBlocks = Number.POSITIVE_INFINITY
  #logPasses = 0
  #learned: LearnedLimits = {}
  #report: ((learned: LearnedLimits) => void) | null = null

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

  /** Blocks of one `eth_getLogs`; null without a limit. */
  get logBlocks(): number | null {
    return this.#logBlocks
  }

  get learned(): LearnedLimits {
    return this.#learned
  }

  /** End of the current pause, Unix time in ms; null without a pause. */
  get pausedUntil(): number | null {
    return this.#pausedUntil > this.clock.now() ? this.#pausedUntil : null
  }

  /** Continues with limits of an earlier process, and reports new ones. */
  restore(stored: LearnedLimits, report: (learned: LearnedLimits) => void): void {
    this.#report = report
    if (Object.keys(this.#learned).length > 0) return
    this.#learned = stored
    const { callsPerSecond, callsPerRequest, logBlocks } = stored
    if (callsPerRequest) {
      this.#batchCalls = Math.min(this.#maximumBatch, callsPerRequest.value)
      this.#noGrowthBefore = callsPerRequest.at + limits.chainBatchGrowthMilliseconds
    }
    if (callsPerSecond) {
      this.#rate = callsPerSecond.value
      this.#rateAt = this.clock.now()
    }
    if (logBlocks) {
      this.#logBlocks = logBlocks.value
      this.#refusedLogBlocks = 2 * logBlocks.value
    }
  }

  #learn(name: keyof LearnedLimits, value: number): void {
    const limit: LearnedLimit = { value, at: Math.floor(this.clock.now()) }
    this.#learned = { ...this.#learned, [name]: limit }
    this.#report?.(this.#learned)
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
        if (paused > 0) throw new PacedOutError(paused, this.#pauseCause)
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
  pause(delayMs: number, isRate: boolean, cause: PauseCause | null = null): void {
    const now = this.clock.now()
    // Concurrent calls are refused together and count once.
    if (now >= this.#pausedUntil) {
      if (isRate) this.#reduceRate(now)
      this.#refusedInARow += 1
    }
    if (now + delayMs >= this.#pausedUntil) this.#pauseCause = cause
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
    this.#learn('callsPerSecond', Math.round(this.#rate * 10) / 10)
  }

  /** Limits the calls per request to a number that had responses. */
  learnBatch(calls: number): void {
    this.#batchCalls = Math.max(1, Math.min(this.#batchCalls, calls))
    this.#cleanBatches = 0
    this.#noGrowthBefore = this.clock.now() + limits.chainBatchGrowthMilliseconds
    this.#learn('callsPerRequest', this.#batchCalls)
  }

  /** Halves the number of blocks of one `eth_getLogs` after a refusal. */
  refuseLogBlocks(blocks: number): void {
    this.#refusedLogBlocks = Math.min(this.#refusedLogBlocks, blocks)
    this.#setLogBlocks(Math.max(1, Math.floor(blocks / 2)))
  }

  /** Records an `eth_getLogs` with a result; after several, a larger number of blocks is tried. */
  passLogBlocks(blocks: number): void {
    if (this.#logBlocks === null || blocks < this.#logBlocks) return
    this.#logPasses += 1
    const larger = 2 * this.#logBlocks
    const passes = larger < this.#refusedLogBlocks ? passesBeforeGrowth : passesBeforeRefusedWidth
    if (this.#logPasses < passes) return
    if (larger >= this.#refusedLogBlocks) this.#refusedLogBlocks = Number.POSITIVE_INFINITY
    this.#setLogBlocks(larger)
  }

  /** Returns to an earlier limit; null for none. */
  resetLogBlocks(blocks: number | null): void {
    if (blocks === this.#logBlocks) return
    this.#refusedLogBlocks = Number.POSITIVE_INFINITY
    if (blocks !== null) {
      this.#setLogBlocks(blocks)
      return
    }
    this.#logBlocks = null
    const { logBlocks: _, ...others } = this.#learned
    this.#learned = others
    this.#report?.(others)
  }

  #setLogBlocks(blocks: number): void {
    this.#logBlocks = blocks
    this.#logPasses = 0
    this.#learn('logBlocks', blocks)
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
