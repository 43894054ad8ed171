import { limits } from '../../../../limits.ts'
import type { Outbound } from '../../../../outbound.ts'

/** The queue for public requests is full. The caller should retry later. */
export class UpstreamBusyError extends Error {
  override readonly name = 'UpstreamBusyError'
}

export interface UpstreamLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly waitMilliseconds: number
}

/** One queue for all upstream requests of public callers, so that they cannot slow other users. */
export class UpstreamLine {
  readonly #limits: UpstreamLimits
  readonly #waiting: { enter: () => void; leave: (error: Error) => void }[] = []
  #running = 0

  constructor(bounds: UpstreamLimits) {
    this.#limits = bounds
  }

  /** @throws UpstreamBusyError if the queue is full or does not advance in time */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The next request takes over the slot.
      if (next) next.enter()
      else this.#running -= 1
    }
  }

  #turn(): Promise<void> {
    const { waiting, waitMilliseconds } = this.#limits
    if (this.#waiting.length >= waiting) return Promise.reject(new UpstreamBusyError())
    return new Promise((enter, leave) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1)
        leave(new UpstreamBusyError())
      }, waitMilliseconds)
      const place = {
        enter: () => {
          clearTimeout(timer)
          enter()
        },
        leave,
      }
      this.#waiting.push(place)
    })
  }
}

/** Read failures that its responses do not show. */
export interface Trouble {
  isBusy: boolean
}

/**
 * Fetches through the queue. A request holds its slot until the full response arrives, and retries
 * once if no response arrives.
 *
 * @param timeoutMilliseconds of one try
 * @param signal aborts all tries
 * @param trouble records a full queue, because the caller only sees a failed request
 */
export function fetchInLine(
  outbound: Pick<Outbound, 'request'>,
  line: UpstreamLine,
  {
    timeoutMilliseconds,
    trouble,
    signal,
  }: { timeoutMilliseconds: number; trouble: Trouble; signal: AbortSignal },
): typeof fetch {
  const once = async (url: string, init: RequestInit) => {
    const { status, headers, body } = await outbound.request(url, {
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      ...(init.body ? { body: init.body as string } : {}),
      timeoutMs: timeoutMilliseconds,
      maxBytes: limits.publicUpstreamBytes,
      signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
    })
    return new Response(Buffer.from(body), { status, headers })
  }
  return async (input, init = {}) => {
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === limits.publicUpstreamTries
      try {
        const answer = await line.run(() => once(String(input), init))
        if (answer.status < 500 || isLast) return answer
      } catch (error) {
        if (error instanceof UpstreamBusyError) trouble.isBusy = true
        if (isLast || trouble.isBusy || signal.aborted) throw error
      }
    }
  }
}
