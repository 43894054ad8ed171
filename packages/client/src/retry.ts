import { ApiFailure } from './api-failure.ts'

export interface RetryTerms {
  /** Attempts after the first; none where it is 0. */
  readonly retries: number
  /** Longest wait between two attempts, milliseconds; a longer `Retry-After` ends the attempts. */
  readonly longestWait: number
  readonly signal?: AbortSignal
}

const firstWait = 250
/** Temporary statuses of a service or its proxy, regardless of the body. */
const passing = new Set([429, 502, 503, 504])

/**
 * Retries a request on temporary errors: `retryable` in the body, 429, 502, 503, 504, or no
 * connection. Every attempt is identical, so the idempotency key makes it count once. Waits for
 * `Retry-After`, else for a doubling delay with random jitter of 50 % to 100 %.
 */
export async function retrying<Answer>(
  { retries, longestWait, signal }: RetryTerms,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (failed >= retries || !isPassing(error) || signal?.aborted) throw error
      const wait = readRetryAfter(error) ?? drawn(failed)
      if (wait > longestWait) throw error
      await pause(wait, signal)
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) {
    return error.body?.error?.retryable === true || passing.has(error.status)
  }
  // `fetch` throws TypeError if the server is unreachable; an abort is a different error.
  return error instanceof TypeError
}

/** Delay from `Retry-After`, in milliseconds; null if absent. */
function readRetryAfter(error: unknown): number | null {
  const stated = error instanceof ApiFailure ? error.headers.get('retry-after') : null
  if (stated === null) return null
  const seconds = /^\d+$/.test(stated)
    ? Number(stated)
    : Math.max(0, (Date.parse(stated) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? seconds * 1000 : null
}

const drawn = (failed: number) => firstWait * 2 ** failed * (0.5 + Math.random() / 2)

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, refuse) => {
    const give = () => {
      clearTimeout(timer)
      refuse(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give)
      done()
    }, milliseconds)
    signal?.addEventListener('abort', give, { once: true })
  })
}
