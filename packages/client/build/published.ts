// Printed from the contract when the package is built.
import { apiVersion, basePath, operations } from '#contract'
import {
  call,
  type LooseRequest,
  type Reply,
  type Sendable,
  type SendOptions,
} from '../src/core.ts'
import { type FailureClass, failureClass } from '../src/failures.ts'
import { retrying } from '../src/retry.ts'

export { ApiFailure, type Reply } from '../src/core.ts'
export { each } from '../src/pages.ts'
export { type DeliveredEvent, verifyWebhook } from '../src/webhooks.ts'
export { apiVersion }

export type ClientOptions = Omit<SendOptions, 'basePath'> & {
  /** Maximum number of retries of temporary errors. Default: 3. */
  readonly retries?: number
  /** Longest wait between two attempts, milliseconds; 60,000 where it is left out. */
  readonly longestWait?: number
}

type Loose = LooseRequest & { signal?: AbortSignal }
type Method = (request?: Loose) => Promise<Reply<unknown>>

/** A client with a method for every operation of the contract. */
export function createClient(options: ClientOptions): Record<string, Method> {
  const { retries = 3, longestWait = 60_000, ...sent } = options
  const methods = (operations as readonly Sendable[]).map((operation): [string, Method] => [
    operation.id,
    async (request = {}) => {
      const { signal, ...requested } = request
      const doer = sent.fetch ?? fetch
      const fetching: typeof fetch = (url, init) => doer(url, signal ? { ...init, signal } : init)
      // One key for all attempts: a lost response is repeated, and no change applies twice.
      const once = operation.idempotency
        ? { ...requested, idempotencyKey: requested.idempotencyKey ?? crypto.randomUUID() }
        : requested
      const terms = { retries, longestWait, ...(signal ? { signal } : {}) }
      return retrying(terms, () => call({ ...sent, basePath, fetch: fetching }, operation, once))
    },
  ])
  return Object.fromEntries(methods)
}

/** By code: `error instanceof Failures.LIQUIDITY_PRECONDITION_FAILED`. */
export const Failures = new Proxy({} as Record<string, FailureClass<string>>, {
  get: (_target, code) => (typeof code === 'string' ? failureClass(code) : undefined),
})
