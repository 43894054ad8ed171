import {
  type Authenticated,
  authenticate,
  type Credentials,
  present,
} from '../access/authenticate.ts'
import { header } from '../access/headers.ts'
import { isSameCaller } from '../access/known-callers.ts'
import type { Opening, OpeningRows } from '../access/opening-read.ts'
import { PublicLimits } from '../access/public-limits.ts'
import type { RequestActor } from '../access/request-actor.ts'
import { SessionLimits } from '../access/session-limits.ts'
import { Failure, storeFailure } from '../failure.ts'
import { limits } from '../limits.ts'
import { required } from '../required.ts'
import type { Services } from '../services.ts'
import { ConflictError, StoreUnavailableError } from '../store/database/database.ts'
import type { Row } from '../store/database/row.ts'
import { emptyChange, type StoredResponse } from '../store/records/change.ts'
import type { KnownCaller } from '../store/records/known-caller.ts'
import type { Requester } from '../thread-turns.ts'
import { requesters } from '../threads.ts'
import { answerOf } from './answer.ts'
import { blame, isNameTaken, once, readable, withNothingWritten } from './attempt-outcomes.ts'
import type { Bound } from './bound.ts'
import { withEvidenceMark } from './evidence-mark.ts'
import type { Handler, Outcome } from './handler.ts'
import { handlerRequest } from './handler-request.ts'
import { fingerprinter, isStored, replay, withResponse } from './idempotency.ts'
import { Lanes } from './lanes.ts'
import type { Answer } from './ready-answer.ts'
import { RecentSet } from './recent-set.ts'
import {
  idempotencyKeyOf,
  isIdempotencyKey,
  preconditionOf,
  requestedOrganization,
} from './request-headers.ts'
import { requireQuota } from './require-quota.ts'
import type { Incoming } from './transport-request.ts'
import type { RequestValidators } from './validators.ts'

/** One authenticated request while it is served, over all its attempts. */
interface Call {
  readonly bound: Bound
  readonly incoming: Incoming
  readonly credentials: Credentials
  readonly organizationId: string
  readonly fingerprint: (role: string) => Promise<string>
  isCharged: boolean
}

/** Inputs of a mutation. With a caller, the transaction confirms the caller's identity. */
interface Mutation {
  readonly actor: RequestActor
  readonly now: number
  readonly key: string
  readonly fingerprint: string
  readonly caller: KnownCaller | null
  /** Authenticates the caller before any work outside the transaction. */
  readonly confirm?: () => Promise<void>
}

/**
 * Lifecycle of a request; each guard responds before the next one runs. The change, its events, its
 * deliveries and the stored response commit together. A conflict restarts the request from its
 * idempotency key, so every response reflects one serial order.
 */
export class Pipeline {
  readonly #services: Services
  readonly #publicLimits: PublicLimits
  readonly #sessionLimits: SessionLimits
  readonly #inFlight = new Map<string, Promise<unknown>>()
  /**
   * Requests with a conflict retry one by one. In parallel, each round would have one winner only.
   */
  readonly #contended = new Lanes()
  /**
   * Recently used idempotency keys: looking up their response is cheaper than a failed transaction.
   */
  readonly #answered = new RecentSet(limits.answeredKeys)

  constructor(services: Services) {
    this.#services = services
    this.#sessionLimits = new SessionLimits(services.config.sessionRequestsPerMinute)
    this.#publicLimits = new PublicLimits(
      services.database,
      services.config.publicRequestsPerMinute,
      services.log,
    )
  }

  /** @throws Failure 429 if a client without a credential exceeds its limit per minute */
  admitPublic(requested: { readonly path: string }, client: { clientAddress: () => string }): void {
    this.#publicLimits.admit(requested, client, this.#services.clock())
  }

  async serve(bound: Bound, incoming: Incoming): Promise<Answer> {
    return withEvidenceMark(await this.#answer(bound, incoming))
  }

  async #answer(bound: Bound, incoming: Incoming): Promise<Answer> {
    const { operation } = bound
    if (operation.auth.kind === 'public' || operation.auth.kind === 'basic') {
      this.#publicLimits.admit(operation, incoming, this.#services.clock())
      await this.#validate(bound, incoming)
      // Shared results are computed to completion, even if the first requester disconnects.
      const outcome = await this.#run(bound, handlerRequest(this.#services, bound, incoming, null))
      return answerOf(operation, incoming, outcome)
    }
    const credentials = present(incoming.headers, this.#services.config, this.#services.tokens)
    const call: Call = {
      bound,
      incoming,
      credentials,
      organizationId: requestedOrganization(operation, incoming),
      fingerprint: fingerprinter(incoming, bound),
      isCharged: false,
    }
    const early = operation.idempotency ? await this.#atOnce(call) : null
    if (early) return early
    const attempt = () => this.#attempt(call)
    const lane = `${call.organizationId} ${operation.id} ${incoming.url}`
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await (attempts === 1 ? attempt() : this.#contended.run(lane, attempt))
      } catch (cause) {
        if (!(cause instanceof ConflictError)) throw cause
        if (attempts === limits.contentionAttempts) {
          throw new Failure('LIQUIDITY_CONTENTION', { cause })
        }
      }
    }
  }

  /**
   * Fast path for the mutation of a recently authenticated caller. The writing transaction itself
   * checks the caller and the key, so one message suffices. Returns null if the slow path is
   * needed; no data has then been written.
   */
  async #atOnce(call: Call): Promise<Answer | null> {
    const { bound, incoming, credentials, organizationId } = call
    const { callers } = this.#services
    const now = this.#services.clock()
    const identity = callers.recent(organizationId, credentials.hintKey, now)
    const key = header(incoming.headers, 'idempotency-key')
    if (!identity || key === null || !isIdempotencyKey(bound.operation, key)) return null
    const authenticated = this.#admitted(call, identity, now)
    if (!authenticated) return null
    const { actor, budget } = authenticated
    const slot = slotOf(organizationId, actor.id, key)
    if (this.#answered.has(slot)) return null
    await this.#charge(call, { actor, budget }, now)
    const fingerprint = await readable(call.fingerprint(actor.role))
    // Take the slow path: it authenticates the caller before rejecting an unreadable body.
    if (fingerprint === null) return null
    // No await between here and the start of the work, or a concurrent twin could slip in.
    if (this.#inFlight.has(slot)) return null
    const caller = { presented: credentials.presented, identity }
    const confirm = once(() => this.#confirm(call, identity, { actor: actor.id, key }))
    try {
      return await this.#alone(slot, () =>
        this.#mutate(call, { actor, now, key, fingerprint, caller, confirm }),
      )
    } catch (cause) {
      if (cause instanceof ConflictError) {
        callers.forget(organizationId, credentials.hintKey)
        return null
      }
      if (!(cause instanceof Failure) || isStored(bound.operation, cause)) throw cause
      if (cause.code === 'LIQUIDITY_OUTCOME_UNKNOWN') throw cause
      // A rejection without a write has not yet checked the caller.
      const rows = await this.#open({
        organizationId,
        presented: credentials.presented,
        key: { actor: actor.id, key },
        recordId: null,
      })
      if (isSameCaller(identity, rows.identity) && !rows.stored) throw cause
      callers.forget(organizationId, credentials.hintKey)
      return null
    }
  }

  /**
   * @throws ConflictError if the caller has changed since the check, or the key already has a
   * response
   */
  async #confirm(
    { organizationId, credentials }: Call,
    identity: Row,
    key: { actor: string; key: string },
  ): Promise<void> {
    const { presented } = credentials
    const rows = await this.#open({ organizationId, presented, key, recordId: null })
    if (isSameCaller(identity, rows.identity) && !rows.stored) return
    throw new ConflictError('caller', null)
  }

  async #attempt(call: Call): Promise<Answer> {
    const { bound, incoming, credentials, organizationId } = call
    const { operation } = bound
    const { callers } = this.#services
    const rawKey = operation.idempotency ? header(incoming.headers, 'idempotency-key') : null
    const hint = callers.actorOf(organizationId, credentials.hintKey)
    const rows = await this.#open({
      organizationId,
      presented: credentials.presented,
      key: rawKey !== null && hint !== undefined ? { actor: hint, key: rawKey } : null,
      recordId: bound.readsRecordOf
        ? String(required(incoming.params[bound.readsRecordOf], 'id in the path'))
        : null,
    })
    const now = this.#services.clock()
    const { actor, budget } = this.#authenticate(call, rows.identity, now)
    // Not null: the guard above rejects callers without a row.
    callers.remember(organizationId, credentials.hintKey, rows.identity as Row, now)
    await this.#charge(call, { actor, budget }, now)

    if (!operation.idempotency) {
      await this.#validate(bound, incoming)
      const request = handlerRequest(this.#services, bound, incoming, actor, organizationId, now, {
        preloaded: rows.record,
      })
      const { aborted } = incoming
      return answerOf(operation, incoming, await this.#run(bound, request, { aborted }))
    }
    const key = idempotencyKeyOf(operation, rawKey)
    const slot = slotOf(organizationId, actor.id, key)
    // Computed before the final check for twins, because no await may follow that check.
    const fingerprint = await call.fingerprint(actor.role)
    const twin = this.#inFlight.get(slot)
    if (twin) await twin
    const stored =
      twin || hint !== actor.id
        ? await this.#stored(organizationId, credentials, actor.id, key)
        : rows.stored
    const again = this.#inFlight.get(slot)
    if (again && !stored) {
      await again
      throw new ConflictError('idempotency', null)
    }
    if (stored) {
      this.#answered.add(slot)
      const { verified } = this.#services
      return replay(operation, stored, fingerprint, { verified, organizationId })
    }
    return this.#alone(slot, () =>
      this.#mutate(call, { actor, now, key, fingerprint, caller: null }),
    )
  }

  /**
   * @throws Failure LIQUIDITY_STUDIO_SERVICE_AUTH_UNAVAILABLE if a service credential cannot be
   * checked now
   */
  async #open(opening: Opening): Promise<OpeningRows> {
    try {
      return await this.#services.openings.read(opening)
    } catch (cause) {
      if (opening.presented.kind === 'session') throw withNothingWritten(cause)
      if (!(cause instanceof StoreUnavailableError)) throw cause
      throw new Failure('LIQUIDITY_STUDIO_SERVICE_AUTH_UNAVAILABLE', { cause })
    }
  }

  /** Runs the request of a key while identical requests wait. */
  async #alone(slot: string, mutate: () => Promise<Answer>): Promise<Answer> {
    const work = mutate()
    const settled = work.then(
      () => {},
      () => {},
    )
    this.#inFlight.set(slot, settled)
    try {
      const answer = await work
      this.#answered.add(slot)
      return answer
    } finally {
      if (this.#inFlight.get(slot) === settled) this.#inFlight.delete(slot)
    }
  }

  /**
   * Null if the cached caller data does not authorize the request, because the data may be
   * outdated.
   */
  #admitted(call: Call, identity: Row, now: number): Authenticated | null {
    try {
      return this.#authenticate(call, identity, now)
    } catch (cause) {
      if (cause instanceof Failure) return null
      throw cause
    }
  }

  #authenticate(call: Call, identity: Row | null, now: number): Authenticated {
    const { bound, credentials, incoming, organizationId } = call
    const { config } = this.#services
    return authenticate({
      organizationId,
      operation: bound.operation,
      credentials,
      identity,
      headers: incoming.headers,
      now,
      config,
    })
  }

  /**
   * Charges one request to the budget of the credential or the member, for all attempts of the
   * request.
   */
  async #charge(call: Call, { actor, budget }: Authenticated, now: number): Promise<void> {
    if (call.isCharged) return
    call.isCharged = true
    if (actor.kind === 'SESSION') this.#sessionLimits.admit(actor.id, now)
    if (!budget) return
    const { organizationId, incoming } = call
    await this.#services.budgets.charge(organizationId, budget, now, incoming.notices)
  }

  async #stored(
    organizationId: string,
    credentials: Credentials,
    actor: string,
    key: string,
  ): Promise<Row | null> {
    const rows = await this.#open({
      organizationId,
      presented: credentials.presented,
      key: { actor, key },
      recordId: null,
    })
    return rows.stored
  }

  async #mutate(call: Call, mutation: Mutation): Promise<Answer> {
    try {
      return await this.#change(call, mutation)
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError) || !cause.mayBeWritten) throw cause
      return this.#outcome(call, mutation, cause)
    }
  }

  /**
   * Resolves the outcome of a change whose transaction got no response: looks up its key once. If
   * the key exists, its response applies. If not, the transaction may still be in flight.
   */
  async #outcome(call: Call, { actor, key, fingerprint }: Mutation, cause: Error): Promise<Answer> {
    const { credentials, organizationId, bound } = call
    const stored = await this.#stored(organizationId, credentials, actor.id, key).catch(() => null)
    if (!stored) throw new Failure('LIQUIDITY_OUTCOME_UNKNOWN', { cause })
    const { verified } = this.#services
    return replay(bound.operation, stored, fingerprint, { verified, organizationId })
  }

  async #change(
    { bound, incoming, organizationId }: Call,
    { actor, now, key, fingerprint, caller, confirm }: Mutation,
  ): Promise<Answer> {
    const { operation } = bound
    const response = (status: number, body: string | null): StoredResponse => ({
      actor: actor.id,
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
        caller,
        response: response(failure.status, storeFailure(failure)),
      })
      throw failure
    }
    let outcome: Outcome
    try {
      await requireQuota(this.#services.usage, { operation, incoming, organizationId })
      const { canonicalPayload: serialize } = await this.#validate(bound, incoming)
      const request = handlerRequest(this.#services, bound, incoming, actor, organizationId, now, {
        serialize,
      })
      const { aborted } = incoming
      outcome = await this.#run(bound, request, confirm ? { confirm, aborted } : { aborted })
      // Handlers check at their position in the order of guards. A missing check is detected before
      // any write.
      if (operation.reauthentication) request.requireRecentAuthentication()
    } catch (cause) {
      if (!(cause instanceof Failure) || !isStored(operation, cause)) {
        throw withNothingWritten(blame(cause, incoming.body() ?? null))
      }
      return refuse(cause)
    }
    const answer = answerOf(operation, incoming, outcome)
    try {
      await this.#services.committer.commit({
        ...withResponse(outcome, answer, response, emptyChange(organizationId, now)),
        caller,
      })
    } catch (cause) {
      const taken = isNameTaken(cause) ? await outcome.claimTaken?.() : null
      if (!taken) throw cause
      return refuse(taken)
    }
    await outcome.committed?.()
    return answer
  }

  async #validate(bound: Bound, incoming: Incoming): Promise<RequestValidators> {
    const validators = await bound.validators()
    const params = validators.params(incoming.params)
    const query = validators.query(incoming.query)
    const body = validators.body?.(incoming.body())
    if (params || query || body) {
      throw new Failure('LIQUIDITY_INVALID_REQUEST', {
        fieldErrors: { ...params, ...query, ...body },
      })
    }
    // Checked after the body, so a request with both errors gets the 400 first.
    preconditionOf(bound.operation, incoming.headers)
    return validators
  }

  async #run(
    bound: Bound,
    request: Parameters<Handler['run']>[0],
    sender: Pick<Requester, 'confirm' | 'aborted'> = {},
  ): Promise<Outcome> {
    const handler = await bound.handler()
    const { organizationId } = request
    const requester = { organizationId, isAwaited: true, ...sender }
    return requesters.run(requester, () => handler.run(request))
  }
}

const slotOf = (organizationId: string, actor: string, key: string) =>
  `${organizationId}|${actor}|${key}`
