import { setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { LearnedLimit, LearnedLimits } from '../../store/node-calls/node-calls.ts'
import { dayMilliseconds, secondMilliseconds } from '../../units.ts'
import type { DayQuota, ReadPurpose } from './day-quota.ts'
import { LogWidth, type NextLogBlocks } from './log-width.ts'
import { PacedOutError, type PauseCause, type WaitBudget } from './wait-budget.ts'

/** Time and randomness; tests inject their own. */
export interface PaceClock {
  /** Unix time in ms. */
  readonly now: () => number
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export const systemClock: PaceClock = {
  // Not Date.now: a clock that is set back would extend a pause.
  now: () => performance.timeOrigin + performance.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
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
/** Share of a call. */
const roundingError = 1e-6
/** Time until the next attempt of a caller for whom no request ended in time. */
const busyMilliseconds = 5_000
/** Limits that the plan of a provider has, from its configuration. */
export interface ConfiguredLimits {
  readonly requestsPerSecond?: number
  readonly batchCalls?: number
  readonly logBlocks?: number
  readonly concurrency?: number
}

/**
 * Tokens of a provider that several processes share. Reserves the tokens of some time, at the rate of
 * the caller.
 *
 * @returns Unix time in ms from which the tokens may be used
 */
export type ReserveTokens = (milliseconds: number, now: number) => Promise<number>

export interface RpcPaceOptions {
  readonly configured?: ConfiguredLimits
  readonly clock?: PaceClock
  /** Absent if this process is the only one. */
  readonly reserve?: ReserveTokens
  readonly quota?: DayQuota
}

/**
 * Configured and learned limits of one provider: calls per second, calls and blocks per request, and
 * concurrent requests. All are unlimited until they are configured or the provider refuses. All clients
 * of a provider share its pace.
 */
export class RpcPace {
  readonly clock: PaceClock
  /** Null without a configured number of credits. */
  readonly quota: DayQuota | null
  readonly #maximumBatch: number
  readonly #maximumRate: number
  readonly #maximumLogBlocks: number | null
  readonly #maximumRequests: number
  readonly #reserve: ReserveTokens | null
  readonly #width: LogWidth
  #batchCalls: number
  #cleanBatches = 0
  /** Batches grow again after this time. */
  #noGrowthBefore = 0
  /** True while one request tries a larger batch. */
  #isTryingBatch = false
  #pausedUntil = 0
  #pauseCause: PauseCause | null = null
  #refusedInARow = 0
  /** Calls per second; null without a limit. */
  #rate: number | null
  #rateAt: number
  #reducedAt = Number.NEGATIVE_INFINITY
  #streak = 0
  #tokens: number
  /** Newest reservation of tokens, and the times in Unix ms between which they are usable. */
  #reserved = { from: 0, until: 0, tokens: 0, milliseconds: 0 }
  #reserving: Promise<void> | null = null
  /** Calls answered since the last pause. */
  #answered = 0
  /** Answered calls of about the last second, by Unix time in ms. */
  #recent: { readonly at: number; readonly calls: number }[] = []
  /** Requests without a response, and those that wait for one of them to end. */
  #open = 0
  readonly #queue: ((slot: 'SLOT') => void)[] = []
  #learned: LearnedLimits = {}
  #report: ((learned: LearnedLimits) => void) | null = null

  constructor({ configured = {}, clock = systemClock, reserve, quota }: RpcPaceOptions = {}) {
    const { requestsPerSecond, batchCalls, logBlocks, concurrency } = configured
    this.clock = clock
    this.quota = quota ?? null
    this.#reserve = reserve ?? null
    this.#maximumBatch = Math.min(limits.chainBatchCalls, batchCalls ?? limits.chainBatchCalls)
    this.#batchCalls = this.#maximumBatch
    this.#maximumRate = requestsPerSecond ?? Number.POSITIVE_INFINITY
    this.#rate = requestsPerSecond ?? null
    this.#rateAt = clock.now()
    this.#tokens = requestsPerSecond === undefined ? 0 : Math.max(1, requestsPerSecond)
    this.#maximumLogBlocks = logBlocks ?? null
    this.#maximumRequests = concurrency ?? Number.POSITIVE_INFINITY
    this.#width = new LogWidth((blocks) => this.#learnLogBlocks(blocks), logBlocks)
  }

  /** Current maximum of calls per request. */
  get batchCalls(): number {
    return this.#withinBurst(this.#batchCalls)
  }

  #withinBurst(calls: number): number {
    return this.#rate === null ? calls : Math.min(calls, Math.max(1, Math.floor(this.#rate)))
  }

  /** Calls per second; null without a limit. */
  get rate(): number | null {
    return this.#rate
  }

  /** Blocks of one `eth_getLogs`; null without a limit. */
  get logBlocks(): number | null {
    return this.#withinConfigured(this.#width.blocks)
  }

  /** Without the configured limit. */
  get learnedLogBlocks(): number | null {
    return this.#width.blocks
  }

  #withinConfigured(blocks: number | null): number | null {
    const maximum = this.#maximumLogBlocks
    if (blocks === null || maximum === null) return blocks ?? maximum
    return Math.min(blocks, maximum)
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
      this.#rate = Math.min(callsPerSecond.value, this.#maximumRate)
      this.#rateAt = this.clock.now()
    }
    if (logBlocks) this.#width.restore(logBlocks.value)
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
   * Waits until the provider accepts these calls. The caller reports their end with `leave`.
   *
   * @throws PacedOutError if the wait is longer than the remaining budget, or if the credits of the
   *         day are used up
   */
  async enter(
    methods: readonly string[],
    budget: WaitBudget,
    purpose: ReadPurpose = 'REQUEST',
  ): Promise<void> {
    await this.quota?.check(methods, purpose)
    for (;;) {
      await this.#enterQueue(budget)
      let delay: number
      try {
        delay = await this.#takeTokens(methods.length, budget)
        if (delay === 0) {
          this.quota?.charge(methods, purpose)
          return
        }
      } catch (error) {
        this.leave()
        throw error
      }
      // Other callers can have more time or none: a waiting caller does not block them.
      this.leave()
      await this.clock.wait(delay, budget.signal)
    }
  }

  /** Ends a request of `enter`. */
  leave(): void {
    const next = this.#queue.shift()
    if (next) next('SLOT')
    else this.#open -= 1
  }

  /** Waits until fewer requests than the maximum are open. */
  async #enterQueue(budget: WaitBudget): Promise<void> {
    if (this.#open < this.#maximumRequests) {
      this.#open += 1
      return
    }
    budget.signal?.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<'SLOT'>()
    this.#queue.push(resolve)
    try {
      while ((await this.#slotWithin(promise, budget)) === 'LATE') {
        const now = this.clock.now()
        // Responses can have refilled the budget.
        if (budget.longest(now) > 0) continue
        throw new PacedOutError(busyMilliseconds, null)
      }
    } catch (error) {
      const index = this.#queue.indexOf(resolve)
      if (index >= 0) this.#queue.splice(index, 1)
      // The slot was assigned at the same moment.
      else this.leave()
      throw error
    }
  }

  /** The slot or the end of the budget; charges the time that passed. */
  async #slotWithin(slot: Promise<'SLOT'>, budget: WaitBudget): Promise<'SLOT' | 'LATE'> {
    const began = this.clock.now()
    const longest = Math.min(dayMilliseconds, budget.longest(began))
    if (longest <= 0) return 'LATE'
    const timer = new AbortController()
    const { signal } = timer
    const end = budget.signal ? AbortSignal.any([signal, budget.signal]) : signal
    const late = this.clock.wait(longest, end).then(() => 'LATE' as const)
    try {
      return await Promise.race([slot, late])
    } finally {
      late.catch(() => {})
      timer.abort()
      const now = this.clock.now()
      budget.reserve(began, Math.min(longest, now - began))
    }
  }

  /** Takes the tokens of the calls, or returns the time to wait for them. */
  async #takeTokens(calls: number, budget: WaitBudget): Promise<number> {
    const now = this.clock.now()
    const missing = await this.#tokenDelay(calls, now)
    const paused = Math.max(0, this.#pausedUntil - now)
    const delay = Math.max(paused, missing)
    if (delay === 0) {
      if (this.#rate === null) return 0
      // A concurrent caller can have taken the tokens.
      const isCovered = this.#tokens + roundingError >= Math.min(calls, Math.max(1, this.#rate))
      if (!isCovered) return this.#takeTokens(calls, budget)
      this.#tokens -= calls
      return 0
    }
    if (budget.reserve(now, delay)) return delay
    if (paused > 0) throw new PacedOutError(paused, this.#pauseCause)
    if (Number.isFinite(this.#maximumRate)) throw new PacedOutError(delay, null)
    // The learned rate is an estimate, so the calls are sent anyway.
    return 0
  }

  async #tokenDelay(calls: number, now: number): Promise<number> {
    if (this.#rate === null) return 0
    const seconds = Math.max(0, now - this.#rateAt) / 1000
    this.#rateAt = now
    this.#rate = Math.min(this.#maximumRate, this.#rate * (1 + growthPerSecond * seconds))
    const burst = Math.max(1, this.#rate)
    if (this.#reserve) return this.#reservedDelay(Math.min(calls, burst), now)
    this.#tokens = Math.min(burst, this.#tokens + seconds * this.#rate)
    const missing = Math.min(calls, burst) - this.#tokens
    return missing > roundingError ? Math.ceil((missing / this.#rate) * 1000) : 0
  }

  /** Delay until reserved tokens cover the calls. Concurrent calls share one reservation. */
  async #reservedDelay(needed: number, now: number): Promise<number> {
    const isCovered = now < this.#reserved.until && this.#tokens >= needed
    if (!isCovered) {
      this.#reserving ??= this.#reserveTokens(needed, now).finally(() => {
        this.#reserving = null
      })
      await this.#reserving
    }
    const delay = Math.max(0, Math.ceil(this.#reserved.from - now))
    // Another call can use up the tokens of a shared reservation; this one then reserves again.
    return delay === 0 && this.#tokens < needed ? this.#reservedDelay(needed, now) : delay
  }

  /** Reserves twice the tokens used of the last reservation, at most those of a second. */
  async #reserveTokens(needed: number, now: number): Promise<void> {
    const rate = this.#rate ?? 1
    const used = this.#reserved.tokens - this.#tokens
    const tokens = Math.min(Math.max(1, rate), Math.max(needed, 2 * used))
    const milliseconds = Math.ceil((tokens / rate) * 1000)
    // Without the database, the process uses its own rate until the next reservation.
    const earliest = Math.max(now, this.#reserved.from + this.#reserved.milliseconds)
    const from = (await this.#reserve?.(milliseconds, now).catch(() => earliest)) ?? earliest
    const until = from + Math.max(milliseconds, secondMilliseconds)
    this.#reserved = { from, until, tokens, milliseconds }
    this.#tokens = tokens
  }

  /** Records calls with a response. */
  answered(calls: number): void {
    if (calls === 0) return
    this.#answered += calls
    this.#refusedInARow = 0
    const now = this.clock.now()
    this.#recent.push({ at: now, calls })
    // At most twice the answers of a second.
    if ((this.#recent[0]?.at ?? now) <= now - 2 * secondMilliseconds) this.#forgetAnswers(now)
  }

  #forgetAnswers(now: number): void {
    this.#recent = this.#recent.filter(({ at }) => at > now - secondMilliseconds)
  }

  /** Calls answered in the last second, also before a pause. */
  #perSecond(now: number): number {
    this.#forgetAnswers(now)
    return this.#recent.reduce((sum, { calls }) => sum + calls, 0)
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
    const measured = Math.min(this.#rate ?? Infinity, this.#perSecond(now))
    this.#rate = Math.min(this.#maximumRate, Math.max(minimumRate, reduction * measured))
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

  /**
   * Blocks of the next `eth_getLogs`.
   *
   * @param maximum largest number that the reader requests
   */
  nextLogBlocks(maximum?: number): NextLogBlocks {
    const { blocks, isTrial } = this.#width.next(maximum)
    return { blocks: this.#withinConfigured(blocks), isTrial }
  }

  /** Ends a trial of more blocks without a verdict. */
  releaseLogBlocks(): void {
    this.#width.release()
  }

  /**
   * Lowers the number of blocks of one `eth_getLogs` after a refusal.
   *
   * @param named number that the refusal names
   */
  refuseLogBlocks(blocks: number, named: number | null = null): void {
    this.#width.refuse(blocks, named)
  }

  /** Records an `eth_getLogs` with a result; after several, one request tries more blocks. */
  passLogBlocks(blocks: number): void {
    this.#width.pass(blocks)
  }

  /** Returns to an earlier number of blocks; null for none. */
  resetLogBlocks(blocks: number | null): void {
    this.#width.reset(blocks)
  }

  #learnLogBlocks(blocks: number | null): void {
    if (blocks !== null) {
      this.#learn('logBlocks', blocks)
      return
    }
    const { logBlocks: _, ...others } = this.#learned
    this.#learned = others
    this.#report?.(others)
  }

  /** Records a request whose calls all have a response. */
  passBatch(): void {
    this.#cleanBatches += 1
  }

  /**
   * Twice the learned number of calls per request, at most the calls of a second, for one request at a
   * time; null if it is too early or another request tries it. `endLargerBatch` follows.
   */
  tryLargerBatch(): number | null {
    const larger = this.#withinBurst(Math.min(this.#maximumBatch, this.#batchCalls * 2))
    const isDue =
      larger > this.#batchCalls &&
      this.#cleanBatches >= limits.chainBatchesBeforeGrowth &&
      this.clock.now() >= this.#noGrowthBefore
    if (!isDue || this.#isTryingBatch) return null
    this.#isTryingBatch = true
    return larger
  }

  /** Ends the trial of a larger batch. FAILED: not all its calls have a response. */
  endLargerBatch(calls: number, result: 'PASSED' | 'FAILED' | 'NOT_SENT'): void {
    this.#isTryingBatch = false
    if (result === 'NOT_SENT') return
    this.#cleanBatches = 0
    if (result === 'FAILED') {
      this.#noGrowthBefore = this.clock.now() + limits.chainBatchGrowthMilliseconds
      return
    }
    this.#batchCalls = calls
    this.#learn('callsPerRequest', calls)
  }
}
