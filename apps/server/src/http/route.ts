import type { Headers } from '../access/headers.ts'
import type { Failure } from '../failure.ts'
import type { Services } from '../services.ts'
import type { Pipeline } from './pipeline.ts'
import type { Answer } from './ready-answer.ts'
import type { Reply } from './reply.ts'

/** A request for a route: body complete, contents unvalidated. */
export interface RouteRequest<N extends string = string> {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: Headers
  readonly params: Readonly<Record<N, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** Empty if the request has no body or the route accepts none. */
  readonly bytes: Uint8Array
  /** Client address, taken from trusted proxy headers if configured. */
  readonly clientAddress: () => string
  /** Aborts if the client disconnects before the response. */
  readonly aborted: () => AbortSignal
  /** Receives informational headers for any outcome. */
  readonly notices: Record<string, string>
  readonly services: Services
  readonly pipeline: Pipeline
}

/**
 * A contract operation or an extra route. The listener treats both alike, so its features apply to
 * all routes.
 */
export interface Route {
  /** Name in metrics and logs. */
  readonly id: string
  readonly method: string
  /** Path from the root of the host, with `{name}` for a parameter. */
  readonly path: string
  /** True if the last parameter can contain slashes. */
  readonly hasPathTail?: boolean
  readonly bodyLimitBytes?: number | undefined
  /** Served even before the database is reachable. */
  readonly isServedWaiting?: boolean
  readonly answer: (request: RouteRequest) => Promise<Reply>
  /** Cache-Control of error responses. Default: `no-store`. */
  readonly refusalCacheControl?: string
  /** Maps a failure to the route's own codes; returns it unchanged if no code matches. */
  readonly retold?: (failure: Failure) => Failure
  /** Error response in a special format; null for the standard error body. */
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
  // Safe cast: the router supplies the parameters of the route's path.
  return { ...declared, answer: async (request) => answer(request as RouteRequest<NamesIn<P>>) }
}
