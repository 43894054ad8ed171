import type { ErrorCode, OperationOutline } from '@liquidity-os/contract/outline'
import { sha256Hex } from '@liquidity-os/evidence'
import type { Services } from '../context.ts'
import { ConflictError, type Row } from '../database/database.ts'
import {
  type Authenticated,
  authenticate,
  type Credentials,
  present,
} from '../identity/authenticate.ts'
import { PublicLimits } from '../identity/public-limits.ts'
import { limits } from '../limits.ts'
import { emptyChange, type StoredResponse } from '../records/change.ts'
import { TenantRecords } from '../records/tenant-records.ts'
import { Failure, storeFailure } from './failure.ts'
import type { Handler, Outcome } from './handler.ts'
import { fingerprinter, isKept, replay, withResponse } from './idempotency.ts'
import { header, idempotencyKeyOf, organizationOf, preconditionOf } from './request-headers.ts'
import type { RequestValidators } from './validators.ts'

/** A request as the transport delivers it: the body is parsed, nothing is judged. */
export interface Incoming {
  method: string
  /** Path and query as sent, for the fingerprint. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  clientAddress: string
  /** Headers that inform the caller whatever the answer is; filled while the request is served. */
  notices: Record<string, string>
}

/** The answer, ready to be sent. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | null
}

export interface Bound {
  operation: OperationOutline
  handler: () => Promise<Handler>
  validators: () => Promise<RequestValidators>
  /** Name of the path parameter whose record the operation only reads, so that it comes with the opening. */
  readsRecordOf: string | null
}

/**
 * The life of a request, in the order of the design: each guard answers before the next one looks. The
 * change, its events, its deliveries and the stored answer commit together; a conflict starts the request
 * again from its idempotency key, so the answer is always that of one serial order.
 */
export class Pipeline {
  readonly #services: Services
  readonly #publicLimits: PublicLimits
  readonly #inFlight = new Map<string, Promise<unknown>>()

  constructor(services: Services) {
    this.#services = services
    this.#publicLimits = new PublicLimits(
      services.database,
      services.config.publicRequestsPerMinute,
      services.log,
    )
  }

  async serve(bound: Bound, incoming: Incoming): Promise<Answer> {
    const { operation } = bound
    if (operation.auth.kind === 'public' || operation.auth.kind === 'basic') {
      this.#publicLimits.admit(operation, incoming, this.#services.clock())
      await this.#validate(bound, incoming)
      const outcome = await (await bound.handler()).run(this.#request(bound, incoming, null))
      return this.#answer(operation, incoming, outcome)
    }
    const credentials = present(incoming.headers, this.#services.config, this.#services.tokens)
    const organizationId = organizationOf(incoming.headers)
    const fingerprint = fingerprinter(incoming, bound)
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(bound, incoming, credentials, organizationId, {
          isFirst: attempt === 1,
          fingerprint,
        })
      } catch (cause) {
        if (!(cause instanceof ConflictError)) throw cause
        if (attempt === limits.contentionAttempts) {
          throw new Failure('LIQUIDITY_CONTENTION', { cause })
        }
      }
    }
  }

  async #attempt(
    bound: Bound,
    incoming: Incoming,
    credentials: Credentials,
    organizationId: string,
    { isFirst, fingerprint }: { isFirst: boolean; fingerprint: (role: string) => Promise<string> },
  ): Promise<Answer> {
    const { operation } = bound
    const { openings, budgets, actorHints } = this.#services
    const rawKey = operation.idempotency ? header(incoming.headers, 'idempotency-key') : null
    const hint = actorHints.get(credentials.hintKey)
    const rows = await openings.read({
      organizationId,
      presented: credentials.presented,
      key: rawKey !== null && hint !== undefined ? { actor: hint, key: rawKey } : null,
      recordId: bound.readsRecordOf ? String(incoming.params[bound.readsRecordOf] ?? '') : null,
    })
    const now = this.#services.clock()
    const authenticated = authenticate({
      operation,
      credentials,
      identity: rows.identity,
      incoming,
      now,
      config: this.#services.config,
    })
    actorHints.set(credentials.hintKey, authenticated.actor.id)
    if (isFirst && authenticated.budget) {
      await budgets.charge(organizationId, authenticated.budget, now, incoming.notices)
    }

    if (!operation.idempotency) {
      await this.#validate(bound, incoming)
      const request = this.#request(bound, incoming, authenticated, organizationId, now, {
        preloaded: rows.record,
      })
      return this.#answer(operation, incoming, await (await bound.handler()).run(request))
    }
    const key = idempotencyKeyOf(operation, rawKey)
    const slot = `${organizationId}|${authenticated.actor.id}|${key}`
    // Known before the last look at the twins: from there on nothing may be waited for.
    const print = await fingerprint(authenticated.actor.role)
    const twin = this.#inFlight.get(slot)
    if (twin) await twin
    const stored =
      twin || hint === undefined || hint !== authenticated.actor.id
        ? await this.#stored(organizationId, credentials, authenticated.actor.id, key)
        : rows.stored
    const again = this.#inFlight.get(slot)
    if (again && !stored) {
      await again
      throw new ConflictError('idempotency', null)
    }
    if (stored) return replay(operation, stored, print)
    const work = this.#mutate(bound, incoming, authenticated, organizationId, now, key, print)
    const settled = work.catch(() => {})
    this.#inFlight.set(slot, settled)
    try {
      return await work
    } finally {
      if (this.#inFlight.get(slot) === settled) this.#inFlight.delete(slot)
    }
  }

  async #stored(
    organizationId: string,
    credentials: Credentials,
    actor: string,
    key: string,
  ): Promise<Row | null> {
    const rows = await this.#services.openings.read({
      organizationId,
      presented: credentials.presented,
      key: { actor, key },
      recordId: null,
    })
    return rows.stored
  }

  async #mutate(
    bound: Bound,
    incoming: Incoming,
    authenticated: Authenticated,
    organizationId: string,
    now: number,
    key: string,
    fingerprint: string,
  ): Promise<Answer> {
    const { operation } = bound
    const response = (status: number, body: string | null): StoredResponse => ({
      actor: authenticated.actor.id,
      key,
      fingerprint,
      status,
      body,
      record: null,
      headers: {},
    })
    const refuse = async (failure: Failure): Promise<never> => {
      await this.#services.committer.commit({
        ...emptyChange(organizationId, now),
        response: response(failure.status, storeFailure(failure)),
      })
      throw failure
    }
    let outcome: Outcome
    try {
      const { canonicalPayload: serialize } = await this.#validate(bound, incoming)
      const request = this.#request(bound, incoming, authenticated, organizationId, now, {
        serialize,
      })
      outcome = await (await bound.handler()).run(request)
      // Handlers ask at their place in the order of guards; one that forgot is caught before anything is written.
      if (operation.reauthentication) request.requireRecentAuthentication()
    } catch (cause) {
      if (!(cause instanceof Failure) || !isKept(operation, cause)) throw cause
      return refuse(cause)
    }
    const answer = this.#answer(operation, incoming, outcome)
    try {
      await this.#services.committer.commit(
        withResponse(outcome, answer, response, emptyChange(organizationId, now)),
      )
    } catch (cause) {
      const taken = isNameTaken(cause) ? await outcome.claimTaken?.() : null
      if (!taken) throw cause
      return refuse(taken)
    }
    return answer
  }

  async #validate(bound: Bound, incoming: Incoming): Promise<RequestValidators> {
    const validators = await bound.validators()
    const params = validators.params(incoming.params)
    const query = validators.query(incoming.query)
    const body = validators.body?.(incoming.body)
    if (params || query || body) {
      throw new Failure('LIQUIDITY_INVALID_REQUEST', {
        fieldErrors: { ...params, ...query, ...body },
      })
    }
    // Judged after the body, so that a request with both faults is told of the 400 first.
    preconditionOf(bound.operation, incoming.headers)
    return validators
  }

  #request(
    bound: Bound,
    incoming: Incoming,
    authenticated: Authenticated | null,
    organizationId = '',
    now: number = this.#services.clock(),
    known: { preloaded?: Row | null; serialize?: RequestValidators['canonicalPayload'] } = {},
  ): Parameters<Handler['run']>[0] {
    const actor = authenticated?.actor
    return {
      params: incoming.params as never,
      query: incoming.query as never,
      body: incoming.body as never,
      organizationId,
      actor: actor as never,
      precondition: preconditionOf(bound.operation, incoming.headers),
      now,
      records: new TenantRecords({
        organizationId,
        actor: actor ? { kind: actor.kind, id: actor.id } : { kind: 'SYSTEM', id: 'public' },
        now,
        database: this.#services.database,
        ...known,
        verified: this.#services.verified,
      }),
      services: this.#services,
      headers: incoming.headers,
      requireRecentAuthentication: () => {
        const age = now - (actor?.authenticatedAt ?? Number.NEGATIVE_INFINITY)
        if (age > limits.recentAuthenticationMilliseconds) {
          throw new Failure('LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED')
        }
      },
      fail: (code: ErrorCode, detail) => new Failure(code, detail),
    }
  }

  #answer(operation: OperationOutline, incoming: Incoming, outcome: Outcome): Answer {
    const status = outcome.status ?? operation.success[0] ?? 200
    const headers: Record<string, string> = {
      'cache-control':
        operation.cacheControl ??
        (operation.auth.kind === 'public' ? 'no-store' : 'private, no-store'),
      ...outcome.headers,
    }
    if (status === 204) return { status, headers, body: null }
    const body = bodyOf(operation, outcome)
    const version = outcome.record?.resourceVersion ?? outcome.etag
    if (operation.method === 'GET') {
      headers.etag = version ? `"${version}"` : `"${sha256Hex(body)}"`
      if (header(incoming.headers, 'if-none-match')?.includes(headers.etag)) {
        return { status: 304, headers, body: null }
      }
    } else if (version) headers.etag = `"${version}"`
    return { status, headers, body }
  }
}

function bodyOf(operation: OperationOutline, outcome: Outcome): string {
  if (outcome.record) return `{"data":${outcome.record.text}}`
  if (outcome.text !== undefined) return outcome.text
  return operation.answer.wrap === 'raw'
    ? JSON.stringify(outcome.data)
    : JSON.stringify({ data: outcome.data })
}

const isNameTaken = (cause: unknown) =>
  cause instanceof ConflictError && cause.constraint === 'names_pkey'
