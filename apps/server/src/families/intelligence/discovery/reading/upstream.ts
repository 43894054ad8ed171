import { limits } from '../../../../limits.ts'
import type { Outbound } from '../../../../outbound.ts'

/** More is asked by strangers than leaves the process for them; whoever comes later has to come again. */
export class UpstreamBusyError extends Error {
  override readonly name = 'UpstreamBusyError'
}

export interface UpstreamLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly waitMilliseconds: number
}

/** One line for everything that strangers cause upstream, so that they cannot slow anybody else. */
export class UpstreamLine {
  readonly #limits: UpstreamLimits
  readonly #waiting: { enter: () => void; leave: (error: Error) => void }[] = []
  #running = 0

  constructor(bounds: UpstreamLimits) {
    this.#limits = bounds
  }

  /** @throws UpstreamBusyError where the line is full, or does not move in time */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.atOnce) this.#running += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Whoever follows takes the place over.
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

/** What became of the requests of one reading that its answers do not tell. */
export interface Trouble {
  isBusy: boolean
}

/**
 * A fetch that goes through the line, waits for the whole answer while it holds its place, and tries once more where there
 * was none.
 *
 * @param timeoutMilliseconds of one try
 * @param signal ends all of them
 * @param trouble is told where the line was full: whoever asked sees a failed request only
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
