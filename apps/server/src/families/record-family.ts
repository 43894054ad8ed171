import {
  type ErrorCode,
  type FieldErrors,
  isFinal,
  type Operation,
  type RecordFamily,
} from '@liquidity-os/contract'
import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { Departure, DepartureOutcome } from '../access/departure.ts'
import { Failure } from '../failure.ts'
import type { HeldName, RecordRules, RowRule } from '../family-parts.ts'
import { type Handler, type HandlerRequest, handle, type Outcome } from '../http/handler.ts'
import { reviewedVersion } from '../http/reviewed-version.ts'
import { type Ending, sweepOverdue } from '../jobs/overdue.ts'
import { required } from '../required.ts'
import type { RecordSweeping } from '../services.ts'
import type { Sql } from '../store/database/sql.ts'
import type { ArtifactInsert, Change, JobInsert } from '../store/records/change.ts'
import type { Question } from '../store/records/find.ts'
import type { ResourceType } from '../store/records/resource-types.ts'
import type { Current, TenantRecords, Version } from '../store/records/tenant-records.ts'
import { type BySubject, listOf, readOf, recordIdOf, versionOf, versionsOf } from './collection.ts'
import { recordReply } from './record-reply.ts'

/** The family-specific parts of a record that the store and verify-history use. */
export interface Rules<Payload> {
  /**
   * Names that a record claims in its current state. The store claims and releases the difference
   * between two versions.
   */
  readonly names?: (record: VersionedRecord<Payload>) => readonly HeldName[]
  /** Kinds of these names; empty if verify-history cannot derive their holders. */
  readonly nameKinds?: readonly string[]
  /** Replaces `names` if events also decide; the family then claims and releases names itself. */
  readonly held?: RecordRules['held']
  /** Field errors if another record has a name. */
  readonly taken?: (holderId: string) => FieldErrors
  /** Failure if another record has a name, for a family with several codes. */
  readonly takenFailure?: (record: VersionedRecord<Payload>, holderId: string) => Failure
  readonly row?: RowRule
  readonly isShownTo?: RecordRules['isShownTo']
  readonly shownText?: RecordRules['shownText']
  /**
   * Finds the records of a subject through an index. Without it, lists filter the record bodies.
   */
  readonly bySubject?: BySubject
}

/** A handler's decision on the next version; the rest follows from declaration and request. */
export interface Decision<Payload> {
  readonly payload: Payload
  readonly event: string
  readonly eventPayload?: Readonly<Record<string, unknown>>
  /** Default: the hashes of the request, otherwise those of the previous version. */
  readonly evidenceHashes?: readonly string[]
  readonly status?: string
  /** Default: the value of the request. */
  readonly reason?: string
  readonly artifacts?: readonly Omit<ArtifactInsert, 'producer'>[]
  readonly statements?: (sealed: SealedRecord<Payload>) => readonly Sql[]
  readonly jobs?: readonly JobInsert[]
  /** Replaces the record as the response. */
  readonly answer?: (sealed: SealedRecord<Payload>) => Omit<Outcome, 'change'>
  /** Replaces both if more than the record changes. */
  readonly complete?: (sealed: SealedRecord<Payload>, change: Change) => Promise<Outcome>
}

/** The members of the common mutation body that a declaration can use. */
interface CommonBody {
  readonly status?: string
  readonly reason: string
  readonly evidenceHashes?: readonly string[]
  readonly resourceVersion?: string
  readonly payload?: { readonly resourceVersion?: string }
}

type Request<O> = HandlerRequest<O>
type Written<Payload> = { sealed: SealedRecord<Payload>; change: Change }

/** Rules for the next version of a record. */
interface Step<O extends Operation, Payload> {
  /** Checks on the request before the record is read. */
  readonly requires?: (request: Request<O>) => void
  /** Runs after the check for final states and before the transition. */
  readonly admit?: (request: Request<O>, before: VersionedRecord<Payload>) => void
  /** Target state. Default: the state in the body, else the current one. */
  readonly to?: string | ((request: Request<O>, before: VersionedRecord<Payload>) => string)
  /** Response status. Default: that of the operation. */
  readonly status?: 200 | 201
  /** True if the actor needs a recent sign-in. */
  readonly isRecent?: boolean
  readonly decide: (
    request: Request<O>,
    before: VersionedRecord<Payload>,
    to: string,
  ) => Decision<Payload> | Promise<Decision<Payload>>
}

export interface Expiry<Payload> {
  /** System part of the service that acts. */
  readonly actor: string
  readonly overdue: Ending['overdue']
  readonly until: (payload: Payload) => string
  readonly event: string
  readonly eventDetails?: (payload: Payload) => Readonly<Record<string, unknown>>
}

/** How records of a family react if the member who made them is removed. */
interface DepartureRules<Payload> {
  /** A function selects some of the records. */
  readonly outcome: DepartureOutcome | ((payload: Payload) => DepartureOutcome)
  readonly maker?: Departure['maker']
  readonly title: (payload: Payload) => string
  readonly event: string
  readonly payload?: (before: Payload) => Payload
  readonly eventPayload?: (payload: Payload) => Readonly<Record<string, unknown>>
  /** The same change for related rows. */
  readonly statements?: (record: VersionedRecord<Payload>, records: TenantRecords) => readonly Sql[]
}

const needed: Readonly<Record<string, string>> = { operate: 'an operator' }

/**
 * Records of a family: lifecycle from the contract, names and rows from the rules, and the
 * operations common to all families.
 */
export function recordFamily<const D extends RecordFamily>(
  declared: D,
  rules: Rules<Static<D['payload']>> = {},
) {
  return new Records<Static<D['payload']>>(declared, rules)
}

export class Records<Payload> {
  readonly declared: RecordFamily
  readonly #rules: Rules<Payload>
  readonly #type: ResourceType

  constructor(declared: RecordFamily, rules: Rules<Payload>) {
    this.declared = declared
    this.#rules = rules
    // Every declared type is valid, because the type derives from the declarations.
    this.#type = declared.type as ResourceType
  }

  /** Checks for verify-history, and read access to a record. */
  get kind(): RecordRules {
    const { names, held, nameKinds = [], row, isShownTo, shownText } = this.#rules
    const ofRecord: RecordRules['held'] = (record) =>
      nameKinds.length === 0 ? [] : (names?.(record as VersionedRecord<Payload>) ?? [])
    const rules = { type: this.#type, nameKinds, held: held ?? ofRecord }
    return {
      ...rules,
      ...(row ? { row } : {}),
      ...(isShownTo ? { isShownTo } : {}),
      ...(shownText ? { shownText } : {}),
    }
  }

  list<const O extends Operation>(
    operation: O,
    where?: (request: Request<O>) => Sql | undefined,
  ): Handler {
    return listOf(operation, this.declared, where, this.#rules)
  }

  get<const O extends Operation>(operation: O): Handler {
    return readOf(operation, this.#type, this.#rules.shownText)
  }

  versions<const O extends Operation>(operation: O): Handler {
    return versionsOf(operation, this.#type)
  }

  version<const O extends Operation>(operation: O): Handler {
    return versionOf(operation, this.#type)
  }

  current(records: TenantRecords, id: string): Promise<Current<Payload> | null> {
    return records.current<Payload>(this.#type, id)
  }

  find(records: TenantRecords, requested: Question): Promise<VersionedRecord<Payload>[]> {
    return records.find<Payload>(this.#type, requested)
  }

  /** The first version of a record, with the names that it claims. */
  first(records: TenantRecords, version: Version<Payload>, id?: string): Written<Payload> {
    this.#assertDeclared(null, version)
    const { sealed, change } = records.create<Payload>(this.#type, version, id)
    return { sealed, change: this.#named(change, null, sealed.record) }
  }

  /** The next version, with the names that it claims and releases. */
  next(
    records: TenantRecords,
    current: Current<Payload>,
    version: Version<Payload>,
  ): Written<Payload> {
    this.#assertDeclared(current.record.status, version)
    const { sealed, change } = records.supersede<Payload>(current, version)
    return { sealed, change: this.#named(change, current.record, sealed.record) }
  }

  /** Returns 201 with the first version of a record. */
  create<const O extends Operation>(
    operation: O,
    decide: (request: Request<O>, status: string) => Promise<Decision<Payload>>,
  ): Handler {
    return handle(operation, async (request): Promise<Outcome> => {
      const body = request.body as unknown as CommonBody
      const [first] = Object.keys(this.declared.moves)
      const status = body.status ?? required(first, `state of a new ${this.declared.name}`)
      this.#requireNeeded(request, status, `; create the ${this.declared.name} as `)
      const decision = await decide(request, status)
      const { sealed, change } = this.first(
        request.records,
        versionOfDecision(body, status, decision, []),
      )
      const claimTaken = () => this.#taken(request.records, sealed.record)
      const outcome =
        (await decision.complete?.(sealed, change)) ?? answered(decision, sealed, change, 201)
      return this.#rules.names && this.declared.refusals?.taken
        ? { ...outcome, claimTaken }
        : outcome
    })
  }

  /**
   * Handler that returns the next version of a record. The declaration defines its states and their
   * roles.
   */
  supersede<const O extends Operation>(operation: O, step: Step<O, Payload>): Handler {
    return handle(operation, async (request): Promise<Outcome> => {
      const { params, records } = request
      const body = request.body as unknown as CommonBody
      step.requires?.(request)
      const reviewed = this.#reviewed(request, operation)
      const id = recordIdOf(operation, params)
      const current = await records.reviewed<Payload>(this.#type, id, reviewed)
      const { status: from } = current.record
      if (step.isRecent) request.requireRecentAuthentication()
      if (isFinal(this.declared, from)) throw this.#refusal('terminal', from)
      step.admit?.(request, current.record)
      const to = targetOf(step, request, current.record)
      if (!this.declared.moves[from]?.includes(to)) throw this.#refusal('move', from, to)
      if (body.status !== undefined) this.#requireNeeded(request, to)
      const decision = await step.decide(request, current.record, to)
      const version = versionOfDecision(body, to, decision, current.record.evidenceHashes)
      const { sealed, change } = this.next(records, current, version)
      return decision.complete?.(sealed, change) ?? answered(decision, sealed, change, step.status)
    })
  }

  /** Sweep that marks expired records. Expiry takes effect at its time, even before the sweep. */
  expiry({
    actor,
    overdue,
    until,
    event,
    eventDetails: reported,
  }: Expiry<Payload>): (services: RecordSweeping) => Promise<void> {
    const end = async (records: TenantRecords, id: string): Promise<Change | null> => {
      const current = await this.current(records, id)
      if (!current) throw new Error(`${this.#type} ${id} does not exist.`)
      const { status, payload, evidenceHashes } = current.record
      const mayEnd = this.declared.moves[status]?.includes('EXPIRED') ?? false
      if (!mayEnd || Date.parse(until(payload)) > records.now) return null
      const version = { status: 'EXPIRED', payload, reason: 'Expired', evidenceHashes }
      return this.next(records, current, {
        ...version,
        event,
        ...(reported ? { eventPayload: reported(payload) } : {}),
      }).change
    }
    return (services) => sweepOverdue(services, { actor, overdue, end })
  }

  /** How records of this kind react if the member who made them is removed. The outcome is also the next status. */
  departure(rules: DepartureRules<Payload>): Departure {
    const { outcome, maker = 'FIRST_OR_LAST', title, event } = rules
    const outcomeOf = (payload: Payload) =>
      typeof outcome === 'function' ? outcome(payload) : outcome
    const payloadOf = (record: VersionedRecord) => record.payload as Payload
    return {
      type: this.#type,
      maker,
      outcomeOf: (record) => outcomeOf(payloadOf(record)),
      titleOf: (record) => title(payloadOf(record)),
      end: (records, current, userId) => {
        const { evidenceHashes } = current.record
        const before = payloadOf(current.record)
        const payload = rules.payload?.(before) ?? before
        const { sealed, change } = this.next(records, current as Current<Payload>, {
          status: outcomeOf(before),
          payload,
          evidenceHashes,
          event,
          reason: 'The member who created this was removed',
          eventPayload: { ...rules.eventPayload?.(payload), because: 'MEMBER_REMOVED', userId },
        })
        return { ...change, statements: rules.statements?.(sealed.record, records) ?? [] }
      },
    }
  }

  /** @throws Failure 428 if neither If-Match nor the body states the reviewed version */
  #reviewed({ precondition, body }: Request<Operation>, operation: Operation): string | null {
    const { resourceVersion, payload } = body as unknown as CommonBody
    const inPayload = resourceVersion === undefined
    const named = inPayload ? payload?.resourceVersion : resourceVersion
    const field = inPayload ? 'payload.resourceVersion' : 'resourceVersion'
    const reviewed = reviewedVersion(precondition, named, field)
    if (reviewed === null && operation.precondition) {
      throw new Failure('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
    }
    return reviewed
  }

  #refusal(kind: 'terminal' | 'move', from: string, to?: string): Failure {
    const { refusals, name, type } = this.declared
    const code: ErrorCode | undefined = refusals?.[kind] ?? refusals?.terminal
    if (code === undefined) throw new Error(`A ${type} with status ${from} has no error code.`)
    if (to === undefined) return new Failure(code, { fieldErrors: { id: [`must not be ${from}`] } })
    const article = /^[aeiou]/.test(name) ? 'an' : 'a'
    const message = `${article} ${name} with status ${from} cannot become ${to}`
    return new Failure(code, { fieldErrors: { status: [message] } })
  }

  #requireNeeded({ actor }: Request<Operation>, status: string, instead = ''): void {
    const permission = this.declared.needs?.[status]
    if (permission === undefined || actor.permissions.has(permission)) return
    const first = Object.keys(this.declared.moves)[0]
    const hint = instead === '' ? '' : `${instead}${first}`
    throw new Failure('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: { status: [`${status} requires ${needed[permission] ?? permission}${hint}`] },
    })
  }

  #named(
    change: Change,
    before: VersionedRecord<Payload> | null,
    after: VersionedRecord<Payload>,
  ): Change {
    const { names } = this.#rules
    if (!names) return change
    const [had, has] = [before ? names(before) : [], names(after)]
    const without = (some: readonly HeldName[], others: readonly HeldName[]) =>
      some.filter(({ kind, name }) => !others.some((o) => o.kind === kind && o.name === name))
    return {
      ...change,
      claims: [
        ...change.claims,
        ...without(has, had).map(({ kind, name }) => ({ kind, name, recordId: after.id })),
      ],
      releases: [
        ...change.releases,
        ...without(had, has).map(({ kind, name }) => ({ kind, name })),
      ],
    }
  }

  /** Failure if another record has a name; null if the name has been released since. */
  async #taken(records: TenantRecords, record: VersionedRecord<Payload>): Promise<Failure | null> {
    const code = this.declared.refusals?.taken
    for (const name of this.#rules.names?.(record) ?? []) {
      const holder = await records.holder(name)
      if (holder === null || code === undefined) continue
      if (this.#rules.takenFailure) return this.#rules.takenFailure(record, holder)
      const fieldErrors = this.#rules.taken?.(holder)
      return new Failure(code, fieldErrors ? { fieldErrors } : {})
    }
    return null
  }

  /** Checks a name before expensive work; null if it is available. */
  takenBy(records: TenantRecords, payload: Payload, status: string): Promise<Failure | null> {
    return this.#taken(records, { status, payload } as VersionedRecord<Payload>)
  }

  /** A state or event outside the contract is a programming error. */
  #assertDeclared(from: string | null, { status, event }: Version<Payload>): void {
    const { moves, events, type } = this.declared
    const isKnown = from === null ? status in moves : moves[from]?.includes(status)
    if (!isKnown)
      throw new Error(`The contract has no transition of ${type} from ${from} to ${status}.`)
    if (!events.includes(event)) throw new Error(`The contract has no event ${event} of ${type}.`)
  }
}

function targetOf<O extends Operation, Payload>(
  { to }: Step<O, Payload>,
  request: Request<O>,
  before: VersionedRecord<Payload>,
): string {
  if (typeof to === 'function') return to(request, before)
  return to ?? (request.body as unknown as CommonBody).status ?? before.status
}

function versionOfDecision<Payload>(
  body: CommonBody,
  status: string,
  decision: Decision<Payload>,
  before: readonly string[],
): Version<Payload> {
  const { payload, event, eventPayload } = decision
  return {
    status: decision.status ?? status,
    payload,
    reason: decision.reason ?? body.reason,
    evidenceHashes: decision.evidenceHashes ?? body.evidenceHashes ?? before,
    event,
    ...(eventPayload ? { eventPayload } : {}),
  }
}

function answered<Payload>(
  { artifacts = [], statements, jobs = [], answer }: Decision<Payload>,
  sealed: SealedRecord<Payload>,
  change: Change,
  status?: number,
): Outcome {
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { id, resourceType, resourceVersion }
  const whole: Change = {
    ...change,
    artifacts: artifacts.map((artifact) => ({ ...artifact, producer })),
    statements: statements?.(sealed) ?? [],
    jobs,
  }
  return answer ? { ...answer(sealed), change: whole } : recordReply(sealed, whole, status)
}
