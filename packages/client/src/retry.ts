import { ApiFailure } from './api-failure.ts'

/** How a client goes on when it is refused for a moment. */
export interface RetryTerms {
  /** Attempts after the first; none where it is 0. */
  readonly retries: number
  /** Longest wait between two attempts, milliseconds; a longer `Retry-After` ends the attempts. */
  readonly longestWait: number
  readonly signal?: AbortSignal
}

const firstWait = 250
/** Statuses that a service or what stands before it answers for a moment, whatever the body says. */
const passing = new Set([429, 502, 503, 504])

/**
 * Repeats a request as long as the refusal passes: the service says `retryable`, its place is taken (429, 502, 503, 504), or it
 * could not be reached. The same attempt is sent each time, so that the same idempotency key makes it count once; after
 * `Retry-After`, else after a wait that doubles, drawn between half and all of it.
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
      const wait = told(error) ?? drawn(failed)
      if (wait > longestWait) throw error
      await pause(wait, signal)
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) {
    return error.body?.error?.retryable === true || passing.has(error.status)
  }
  // What `fetch` throws where nobody answers; an abort is another error.
  return error instanceof TypeError
}

/** Milliseconds that the refusal asks for; null where it asks for none. */
function told(error: unknown): number | null {
  const said = error instanceof ApiFailure ? error.headers.get('retry-after') : null
  if (said === null) return null
  const seconds = /^\d+$/.test(said)
    ? Number(said)
    : Math.max(0, (Date.parse(said) - Date.now()) / 1000)
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
