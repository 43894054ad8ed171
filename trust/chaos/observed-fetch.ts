import { type AnswerLog, retryAfterOf } from './answer-log.ts'
import { type Clock, messageOf } from './clock.ts'
import type { Limits } from './limits.ts'

const pauseMilliseconds = 250

/** `fetch` for the checks after the load: it repeats a refused request for a limited time, and notes every answer. */
export function observedFetch(
  answers: AnswerLog,
  clock: Clock,
  limits: Pick<Limits, 'check' | 'checkAttempt' | 'maxFailedAttempts'>,
): typeof fetch {
  return async (input, init) => {
    const deadline = clock.now() + limits.check
    const { operation, request } = describe(input, init)
    for (let failed = 1; ; failed += 1) {
      const askedAt = clock.now()
      let pause = pauseMilliseconds
      try {
        const answer = await fetch(input, {
          ...init,
          signal: AbortSignal.timeout(limits.checkAttempt),
        })
        const text = await answer.clone().text()
        const { status } = answer
        const answeredAt = clock.now()
        answers.note('checks', { operation, request, status, text, askedAt, answeredAt })
        const isPassing = status === 429 || status === 503
        const isOver = status < 500 && status !== 429
        if (isOver || (!isPassing && failed >= limits.maxFailedAttempts)) return answer
        pause = retryAfterOf(answer.headers, Date.now()) ?? pauseMilliseconds
        if (clock.now() + pause > deadline) return answer
      } catch (error) {
        answers.noteSilence('checks', 'no answer')
        if (clock.now() + pause > deadline) {
          throw new Error(`${operation} got no answer: ${messageOf(error)}`, { cause: error })
        }
      }
      await clock.sleep(pause)
    }
  }
}

function describe(input: string | URL | Request, init: RequestInit | undefined) {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const body = typeof init?.body === 'string' ? init.body : ''
  return { operation: `${init?.method ?? 'GET'} ${pathname}`, request: `${search} ${body}`.trim() }
}
