import type { BodyOf, ErrorsOf, Operation, ParamsOf, QueryOf, Scope } from '@liquidity-os/contract'
import type { RequestActor } from '../access/request-actor.ts'
import type { Failure, FailureDetail } from '../failure.ts'
import type { Services } from '../services.ts'
import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { KeptForm } from './kept-text.ts'

/** Refusals that any handler may answer with, besides those its operation declares. */
type CommonCode =
  | 'LIQUIDITY_RESOURCE_NOT_FOUND'
  | 'LIQUIDITY_PRECONDITION_FAILED'
  | 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'
  | 'LIQUIDITY_INVALID_REQUEST'
  | 'LIQUIDITY_CURSOR_INVALID'
  | 'LIQUIDITY_ROLE_REQUIRED'

/** What an operation's handler receives. Guards have run; the store is scoped to the organization. */
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
  /** Refuses an interactive authentication that is older than ten minutes; after 404 and 412. */
  requireRecentAuthentication: () => void
  /**
   * Where any scope may call: asks a service credential for this one and spends from its budget; null is what no
   * credential may have. Sessions pass.
   *
   * @throws Failure 403 or 429
   */
  requireScope: (scope: Scope | null) => Promise<void>
  fail: (code: ErrorsOf<O> | CommonCode, detail?: FailureDetail) => Failure
}

/** What a handler decided: an answer, and for a mutation the change that makes it true. */
export interface Outcome {
  status?: number
  /** Value of the body, or its exact text. */
  data?: unknown
  text?: string
  /** Bytes of an answer that is none of JSON, with the media type in the headers; `etag` names them. */
  bytes?: Uint8Array
  /** A text that is the same for everybody, in the form that this reader takes. */
  kept?: KeptForm
  /** The appended record that the body is; its stored text is sent as it is. */
  record?: { id: string; sequence: number; text: string; resourceVersion: string }
  etag?: string
  headers?: Record<string, string>
  change?: Change
  /**
   * Says what is wrong when a name that the change claims is already taken; null when it has become free
   * again. Asked only then, so that the claim itself is the check and a free name costs no query.
   */
  claimTaken?: () => Promise<Failure | null>
  /** What is kept under the idempotency key instead of the answer, because the answer holds a secret. */
  storedAs?: Failure
}

export interface Handler {
  operation: { id: string }
  run: (request: HandlerRequest<Operation>) => Promise<Outcome>
}

/** Binds a handler to its operation; the types of request and refusals come from the contract. */
export function handle<const O extends Operation>(
  operation: O,
  run: (request: HandlerRequest<O>) => Promise<Outcome>,
): Handler {
  // The pipeline validates the request against the same declaration from which the types are derived.
  return { operation, run: run as unknown as Handler['run'] }
}
