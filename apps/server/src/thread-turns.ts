import { Failure } from './failure.ts'
import { limits } from './limits.ts'

/** One request or job that computes, over all the tasks that it gives to threads. */
export interface Requester {
  /** Whose turn it takes; requests without an organization share one. */
  readonly organizationId: string
  /** True if a user waits and can retry later; a job waits without limit. */
  readonly isAwaited: boolean
  /** Confirms a caller that was not checked yet, before any work that a transaction cannot undo. */
  readonly confirm?: () => Promise<void>
  /** Aborts when the caller disconnects; only for work that serves this caller alone. */
  readonly aborted?: () => AbortSignal
}

interface Waiting {
  readonly start: () => void
  readonly end: (reason: unknown) => void
  readonly isEnded: () => boolean
}

/**
 * Schedules thread tasks. Organizations take turns, each with its tasks in order. A few slots are
 * reserved for organizations without running tasks, so slow tasks of one organization do not block
 * others.
 */
export class ThreadTurns {
  readonly #places: number
  readonly #reserved: number
  readonly #running = new Map<string, number>()
  /** In order of the organizations' turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  /** Tasks that wait or run, by request. */
  readonly #requesters = new Map<string, Map<Requester, number>>()
  readonly #admitted = new WeakSet<Requester>()

  /** @param reserved extra slots for organizations without running tasks */
  constructor({ places, reserved }: { places: number; reserved: number }) {
    this.#places = places
    this.#reserved = reserved
  }

  /**
   * Runs a task when its turn comes.
   *
   * @throws Failure 429 where too many requests of the organization compute or wait already
   * @throws the reason of the signal
   */
  async take<Result>(
    requester: Requester,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { organizationId } = requester
    const leave = this.#enter(requester)
    try {
      await this.#turn(organizationId, signal)
      try {
        return await work()
      } finally {
        this.#count(organizationId, -1)
        this.#startNext()
      }
    } finally {
      leave()
    }
  }

  /**
   * Counts a request while it has tasks; an admitted request is not rejected between two of its
   * tasks.
   */
  #enter(requester: Requester): () => void {
    const { organizationId, isAwaited } = requester
    const own = this.#requesters.get(organizationId) ?? new Map<Requester, number>()
    const isNew = isAwaited && !this.#admitted.has(requester)
    if (isNew && own.size >= limits.computingRequestsPerOrganization) {
      throw new Failure('LIQUIDITY_RATE_LIMITED', {
        message: `This organization already has ${own.size} running or waiting compute requests.`,
        retryAfterSeconds: limits.computingRetrySeconds,
      })
    }
    this.#admitted.add(requester)
    this.#requesters.set(organizationId, own.set(requester, (own.get(requester) ?? 0) + 1))
    return () => {
      const remaining = (own.get(requester) ?? 0) - 1
      if (remaining > 0) own.set(requester, remaining)
      else own.delete(requester)
      if (own.size === 0) this.#requesters.delete(organizationId)
    }
  }

  #turn(organizationId: string, signal?: AbortSignal): Promise<void> {
    return new Promise((start, end) => {
      signal?.throwIfAborted()
      const own = this.#waiting.get(organizationId) ?? []
      own.push({ start, end, isEnded: () => signal?.aborted ?? false })
      this.#waiting.set(organizationId, own)
      signal?.addEventListener('abort', () => end(signal.reason), { once: true })
      this.#startNext()
    })
  }

  #startNext(): void {
    for (;;) {
      const [organizationId, own] =
        [...this.#waiting].find(([organizationId]) => this.#hasPlace(organizationId)) ?? []
      if (organizationId === undefined || own === undefined) return
      this.#waiting.delete(organizationId)
      const next = own.shift()
      if (own.length > 0) this.#waiting.set(organizationId, own)
      if (!next || next.isEnded()) continue
      this.#count(organizationId, 1)
      next.start()
    }
  }

  #hasPlace(organizationId: string): boolean {
    const running = [...this.#running.values()].reduce((sum, count) => sum + count, 0)
    if (running < this.#places) return true
    return running < this.#places + this.#reserved && !this.#running.has(organizationId)
  }

  #count(organizationId: string, change: 1 | -1): void {
    const count = (this.#running.get(organizationId) ?? 0) + change
    if (count > 0) this.#running.set(organizationId, count)
    else this.#running.delete(organizationId)
  }
}
