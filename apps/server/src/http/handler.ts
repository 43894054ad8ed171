import type { BodyOf, ErrorsOf, Operation, ParamsOf, QueryOf, Scope } from '@liquidity-os/contract'
import type { RequestActor } from '../access/request-actor.ts'
import type { Failure, FailureDetail } from '../failure.ts'
import type { Services } from '../services.ts'
import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { CachedForm } from './cached-text.ts'

/** Error codes of all handlers, in addition to the codes that an operation declares. */
type CommonCode =
  | 'LIQUIDITY_RESOURCE_NOT_FOUND'
  | 'LIQUIDITY_PRECONDITION_FAILED'
  | 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'
  | 'LIQUIDITY_INVALID_REQUEST'
  | 'LIQUIDITY_CURSOR_INVALID'
  | 'LIQUIDITY_ROLE_REQUIRED'

/** Handler input. Guards have passed; the store is scoped to the organization. */
export interface HandlerRequest<O> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  organizationId: string
  actor: RequestActor
  /** The version named by If-Match, unquoted, or null. */
  precondition: string | null
  /** Milliseconds since 1970. */
  now: number
  records: TenantRecords
  services: Services
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Rejects an interactive authentication older than ten minutes; checked after 404 and 412. */
  requireRecentAuthentication: () => void
  /**
   * For operations that any scope may call: requires this scope from a service credential and
   * charges its budget. Null rejects every credential. Sessions pass.
   *
   * @throws Failure 403 or 429
   */
  requireScope: (scope: Scope | null) => Promise<void>
  fail: (code: ErrorsOf<O> | CommonCode, detail?: FailureDetail) => Failure
}

/** Handler result: a response, and for a mutation the change to commit. */
export interface Outcome {
  status?: number
  /** Value of the body, or its exact text. */
  data?: unknown
  text?: string
  /** Body of a non-JSON response, with the media type in the headers; `etag` names the bytes. */
  bytes?: Uint8Array
  /** A text that is the same for all users, in the encoding that this client accepts. */
  cachedText?: CachedForm
  /** The appended record that forms the body; its stored text is sent unchanged. */
  record?: { id: string; sequence: number; text: string; resourceVersion: string }
  etag?: string
  headers?: Record<string, string>
  change?: Change
  /**
   * Returns the failure if a name claimed by the change is taken; null if it is free again. Called
   * only after a conflict: the claim itself is the check, so a free name costs no query.
   */
  claimTaken?: () => Promise<Failure | null>
  /** Runs after the change is committed. Must not throw: the response is stored. */
  committed?: () => Promise<void>
  /** Stored under the idempotency key in place of a response that contains a secret. */
  storedAs?: Failure
}

export interface Handler {
  operation: { id: string }
  run: (request: HandlerRequest<Operation>) => Promise<Outcome>
}

/** Binds a handler to its operation; request and error types derive from the contract. */
export function handle<const O extends Operation>(
  operation: O,
  run: (request: HandlerRequest<O>) => Promise<Outcome>,
): Handler {
  // Safe cast: the pipeline validates requests against the declaration behind these types.
  return { operation, run: run as unknown as Handler['run'] }
}
