import type { Headers } from '../access/headers.ts'
import type { Failure } from '../failure.ts'
import type { Services } from '../services.ts'
import type { Pipeline } from './pipeline.ts'
import type { Answer } from './ready-answer.ts'
import type { Reply } from './reply.ts'

/** A request for a route: the body came whole, nothing is judged. */
export interface RouteRequest<N extends string = string> {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: Headers
  readonly params: Readonly<Record<N, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** Empty where none came, or where the route takes none. */
  readonly bytes: Uint8Array
  /** Of the client itself where proxies in front are trusted. */
  readonly clientAddress: () => string
  /** Is aborted when the sender goes before the answer. */
  readonly left: () => AbortSignal
  /** Takes the headers that inform the caller whatever the answer is. */
  readonly notices: Record<string, string>
  readonly services: Services
  readonly pipeline: Pipeline
}

/**
 * A route: an operation of the contract, or an extra route. The listener knows
 * nothing else, so whatever it does for one of them it does for all.
 */
export interface Route {
  /** Its name in metrics and logs. */
  readonly id: string
  readonly method: string
  /** From the root of the host, with `{name}` for a parameter. */
  readonly path: string
  readonly bodyLimitBytes?: number | undefined
  /** Answered even before the database has been reached. */
  readonly isServedWaiting?: boolean
  readonly answer: (request: RouteRequest) => Promise<Reply>
  /** How its refusals may be kept; `no-store` unless said otherwise. */
  readonly refusalCacheControl?: string
  /** A refusal under codes of its own; as it came where it has none for it. */
  readonly retold?: (failure: Failure) => Failure
  /** A refusal in another form than the one envelope; null where it keeps that. */
  readonly refusal?: (failure: Failure) => Answer | null
}

type NamesIn<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? N | NamesIn<Rest>
  : never

interface Declared<P extends string> extends Omit<Route, 'path' | 'answer'> {
  readonly path: P
  readonly answer: (request: RouteRequest<NamesIn<P>>) => Reply | Promise<Reply>
}

/** A route outside the contract. Its parameters are the names in its path. */
export function extraRoute<const P extends string>(declared: Declared<P>): Route {
  const { answer } = declared
  // The router gives a route the parameters of its own path.
  return { ...declared, answer: async (request) => answer(request as RouteRequest<NamesIn<P>>) }
}
