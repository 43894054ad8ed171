import type { OperatingSystemEvent } from '@liquidity-os/contract'
import {
  type Actor,
  type EventSubject,
  openEvent,
  openRecord,
  type SealedRecord,
  sealEvent,
  sealRecord,
  type VersionedRecord,
} from '@liquidity-os/evidence'
import { Failure } from '../../failure.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { SharedBytes } from '../artifacts/cached-artifacts.ts'
import type { Database } from '../database/database.ts'
import { integerOf, optionalTextOf, type Row, type Rows, textOf } from '../database/row.ts'
import { type Sql, sql, values } from '../database/sql.ts'
import { type Change, emptyChange } from './change.ts'
import { countStatement, findStatement, headsById, type Question } from './find.ts'
import { newId } from './ids.ts'
import { idPrefixes, isIdOf, type ResourceType } from './resource-types.ts'
import { assertPlace, type VerifiedTexts } from './verified-texts.ts'

type Hash = VersionedRecord['resourceVersion']

/** Current version of a record, and the event that its next version is chained to. */
export interface Current<Payload = unknown> {
  record: VersionedRecord<Payload>
  text: string
  lastEvent: { sequence: number; evidenceHash: Hash } | null
}

/** Content of a new version; all else follows from the previous one. */
export interface Version<Payload> {
  status: string
  payload: Payload
  reason: string
  evidenceHashes?: readonly string[]
  event: string
  eventPayload?: Readonly<Record<string, unknown>>
}

/** One page of a collection, as stored texts. */
export interface RecordPage {
  texts: string[]
  lastId: string | null
  hasMore: boolean
}

/**
 * Records of one organization: reads, and building of changes. It never writes; the pipeline
 * commits the change together with the response.
 */
export class TenantRecords {
  readonly organizationId: string
  readonly actor: Actor
  readonly now: number
  readonly database: Database
  /** Decides at which share of a provider's daily credits the chain reads of this work stop. */
  readonly purpose: 'REQUEST' | 'JOB'
  readonly #preloaded: Row | null
  readonly #verified: VerifiedTexts
  readonly #artifacts: Artifacts
  readonly #serialize: ((payload: unknown) => string) | undefined

  constructor(options: {
    organizationId: string
    actor: Actor
    now: number
    database: Database
    /** JOB: background work. It has no default, so that no job reads chains as a request. */
    purpose: 'REQUEST' | 'JOB'
    preloaded?: Row | null
    verified: VerifiedTexts
    artifacts: Artifacts
    /** A canonical serializer compiled for the appended payloads. Default: the general one. */
    serialize?: ((payload: unknown) => string) | undefined
  }) {
    this.organizationId = options.organizationId
    this.actor = options.actor
    this.now = options.now
    this.database = options.database
    this.purpose = options.purpose
    this.#preloaded = options.preloaded ?? null
    this.#verified = options.verified
    this.#artifacts = options.artifacts
    this.#serialize = options.serialize
  }

  query(statements: readonly Sql[]) {
    return this.database.tenant(this.organizationId, statements)
  }

  /** The stored text of the current version, or null. */
  async text(
    type: ResourceType,
    id: string,
  ): Promise<{ text: string; resourceVersion: string } | null> {
    if (!isIdOf(type, id)) return null
    const row =
      this.#preloaded?.id === id
        ? this.#preloaded
        : ((await this.query([headsById(this.organizationId, [id])]))[0]?.[0] ?? null)
    if (!row) return null
    return { text: this.#check(row), resourceVersion: textOf(row, 'resource_version') }
  }

  /** Current version, verified, with the end of its event chain; null if missing. */
  async current<Payload = unknown>(
    type: ResourceType,
    id: string,
  ): Promise<Current<Payload> | null> {
    if (!isIdOf(type, id)) return null
    // One statement reads one snapshot; two could see a version between them.
    const [heads = []] = await this.query([
      sql`select head.*, (select body from events where organization_id = ${this.organizationId}
          and subject_id = head.id order by sequence desc limit 1) as last_event
        from (${headsById(this.organizationId, [id])}) as head`,
    ])
    const [head] = heads
    if (!head) return null
    const body = this.#check(head)
    const record = openRecord(body) as VersionedRecord<Payload>
    const event = optionalTextOf(head, 'last_event')
    const lastEvent = event === null ? null : openEvent(event)
    // Every version has an event. A head that was reset to an earlier version differs from the
    // version in the newest event.
    if (lastEvent && lastEvent.subject.resourceVersion !== record.resourceVersion) {
      throw new Error(`The newest event of ${id} names a version other than its head.`)
    }
    return { record, text: body, lastEvent }
  }

  /**
   * Current version, which must equal the reviewed one.
   *
   * @param reviewed version from If-Match or the body; null if not required
   * @throws Failure 404 if missing, 412 if changed
   */
  async reviewed<Payload = unknown>(
    type: ResourceType,
    id: string,
    reviewed: string | null,
  ): Promise<Current<Payload>> {
    const current = await this.current<Payload>(type, id)
    if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    if (reviewed !== null && reviewed !== current.record.resourceVersion) {
      throw new Failure('LIQUIDITY_PRECONDITION_FAILED', {
        message: `The resource is now at version ${current.record.resourceVersion}, not ${reviewed}.`,
      })
    }
    return current
  }

  /** One exact version, verified, or null. */
  async version<Payload = unknown>(
    type: ResourceType,
    id: string,
    resourceVersion: string,
  ): Promise<{ record: VersionedRecord<Payload>; isCurrent: boolean } | null> {
    if (!isIdOf(type, id)) return null
    const [rows] = await this.query([
      sql`select r.body, r.sequence, h.resource_version from records r join record_heads h
        on h.organization_id = ${this.organizationId} and h.id = r.id
        where r.organization_id = ${this.organizationId} and r.id = ${id} order by r.sequence desc`,
    ])
    for (const row of rows ?? []) {
      const record = this.#opened<Payload>(row, id)
      if (record.resourceVersion === resourceVersion) {
        return { record, isCurrent: row.resource_version === resourceVersion }
      }
    }
    return null
  }

  /** A page of current versions as stored texts. Default: newest first. */
  async page(type: ResourceType, requested: Question & { limit: number }): Promise<RecordPage> {
    const question = { ...requested, limit: requested.limit + 1 }
    const [rows = []] = await this.query([findStatement(this.organizationId, type, question)])
    const shown = rows.slice(0, requested.limit)
    return {
      texts: shown.map((row) => this.#check(row)),
      lastId: shown.at(-1)?.id ?? null,
      hasMore: rows.length > requested.limit,
    }
  }

  async find<Payload = unknown>(
    type: ResourceType,
    requestedValue: Question = {},
  ): Promise<VersionedRecord<Payload>[]> {
    const [rows = []] = await this.query([findStatement(this.organizationId, type, requestedValue)])
    return this.opened<Payload>(rows)
  }

  /** Rows of a `findStatement` that was sent with other statements. */
  opened<Payload = unknown>(rows: Rows): VersionedRecord<Payload>[] {
    return rows.map((row) => JSON.parse(this.#check(row)) as VersionedRecord<Payload>)
  }

  /** Number of current records that match a query. */
  async count(type: ResourceType, request: Question = {}): Promise<number> {
    const [rows = []] = await this.query([countStatement(this.organizationId, type, request)])
    return integerOf(rows[0] ?? {}, 'number')
  }

  /** The record that has a name, or null. */
  async holder({ kind, name }: { kind: string; name: string }): Promise<string | null> {
    const [rows = []] = await this.query([
      sql`select record_id from names where organization_id = ${this.organizationId}
        and kind = ${kind} and name = ${name}`,
    ])
    return rows[0] ? textOf(rows[0], 'record_id') : null
  }

  /**
   * Versions of one record, verified. Default: oldest first.
   *
   * @param input.below exclusive upper bound of the sequence
   * @param input.sequence only the version with this sequence
   */
  async versions<Payload = unknown>(
    type: ResourceType,
    id: string,
    request: {
      limit: number
      order?: 'NEWEST' | 'OLDEST'
      below?: number | null
      sequence?: number
    },
  ): Promise<VersionedRecord<Payload>[]> {
    if (!isIdOf(type, id)) return []
    const { limit, order, below, sequence } = request
    const [rows = []] = await this.query([
      sql`select body, sequence from records where organization_id = ${this.organizationId} and id = ${id}
        ${below == null ? { text: '' } : sql`and sequence < ${below}`}
        ${sequence === undefined ? { text: '' } : sql`and sequence = ${sequence}`}
        order by sequence ${{ text: order === 'NEWEST' ? 'desc' : 'asc' }} limit ${limit}`,
    ])
    return rows.map((row) => this.#opened<Payload>(row, id))
  }

  #check(row: Row): string {
    return this.#verified.check(row, this.organizationId)
  }

  /** A version of a record, verified, including its stored sequence. */
  #opened<Payload>(row: Row, id: string): VersionedRecord<Payload> {
    const record = openRecord(textOf(row, 'body')) as VersionedRecord<Payload>
    const { organizationId } = this
    assertPlace(record, { organizationId, id, sequence: integerOf(row, 'sequence') })
    return record
  }

  /**
   * Events of one subject, verified, by default oldest first; optionally filtered by kind or
   * payload member.
   *
   * @param input.below exclusive upper bound of the sequence
   */
  async events(
    subjectId: string,
    request: {
      kinds?: readonly string[]
      having?: string
      limit?: number
      order?: 'NEWEST' | 'OLDEST'
      below?: number | null
    } = {},
  ): Promise<OperatingSystemEvent[]> {
    const { kinds, having, limit, order, below } = request
    const [rows = []] = await this.query([
      sql`select body from events where organization_id = ${this.organizationId} and subject_id = ${subjectId}
        ${below == null ? { text: '' } : sql`and sequence < ${below}`}
        ${kinds ? sql`and body::jsonb ->> 'kind' in ${values(kinds)}` : { text: '' }}
        ${having ? sql`and body::jsonb -> 'payload' -> ${having} is not null` : { text: '' }}
        order by sequence ${{ text: order === 'NEWEST' ? 'desc' : 'asc' }} ${limit === undefined ? { text: '' } : sql`limit ${limit}`}`,
    ])
    return rows.map((row) => openEvent(textOf(row, 'body')) as OperatingSystemEvent)
  }

  /** The bytes of an artifact of a record, verified against their hash. */
  async artifact(contentHash: string): Promise<Buffer> {
    return required(await this.#artifacts.find(this.organizationId, contentHash), contentHash)
  }

  /** The same in memory shared between threads, cached while space permits. */
  async sharedArtifact(contentHash: string): Promise<SharedBytes> {
    return required(await this.#artifacts.findShared(this.organizationId, contentHash), contentHash)
  }

  /** A fresh id of this kind. */
  newId(type: ResourceType): string {
    return newId(idPrefixes[type], this.now)
  }

  /** The first version of a record, with its first event. */
  create<Payload>(
    type: ResourceType,
    version: Version<Payload>,
    id: string = this.newId(type),
  ): { sealed: SealedRecord<Payload>; change: Change } {
    return this.#append(type, id, null, version)
  }

  /** The next version of a record, with the next event of its chain. */
  supersede<Payload>(
    current: Current,
    version: Version<Payload>,
  ): { sealed: SealedRecord<Payload>; change: Change } {
    const type = current.record.resourceType as ResourceType
    return this.#append(type, current.record.id, current, version)
  }

  /** An additional event of an unchanged record. */
  note(current: Current, kind: string, payload: Readonly<Record<string, unknown>>): Change {
    const { id, resourceType, resourceVersion, sequence } = current.record
    return {
      ...emptyChange(this.organizationId, this.now),
      expects: [{ id, sequence }],
      events: [
        this.#event(kind, { resourceType, id, resourceVersion }, payload, current.lastEvent),
      ],
    }
  }

  #append<Payload>(
    type: ResourceType,
    id: string,
    current: Current | null,
    version: Version<Payload>,
  ): { sealed: SealedRecord<Payload>; change: Change } {
    const createdAt = new Date(this.now).toISOString()
    const draft = {
      id,
      resourceType: type,
      organizationId: this.organizationId,
      sequence: (current?.record.sequence ?? 0) + 1,
      previousResourceVersion: current?.record.resourceVersion ?? null,
      status: version.status,
      payload: version.payload,
      evidenceHashes: (version.evidenceHashes ?? []) as Hash[],
      reason: version.reason,
      createdAt,
      createdBy: this.actor,
    }
    const sealed = sealRecord<Payload>(draft, this.#serialize)
    const subject = { resourceType: type, id, resourceVersion: sealed.resourceVersion }
    const event = this.#event(
      version.event,
      subject,
      { status: version.status, ...version.eventPayload },
      current?.lastEvent ?? null,
    )
    return {
      sealed,
      change: {
        ...emptyChange(this.organizationId, this.now),
        records: [sealed],
        events: [event],
      },
    }
  }

  #event(
    kind: string,
    subject: EventSubject,
    payload: Readonly<Record<string, unknown>>,
    last: Current['lastEvent'],
  ) {
    return sealEvent({
      id: newId('event', this.now),
      sequence: (last?.sequence ?? 0) + 1,
      kind,
      organizationId: this.organizationId,
      subject,
      payload,
      previousEventHash: last?.evidenceHash ?? null,
      occurredAt: new Date(this.now).toISOString(),
      actor: this.actor,
    })
  }
}

function required<Bytes extends Uint8Array>(bytes: Bytes | null, contentHash: string): Bytes {
  if (bytes) return bytes
  throw new Error(`The artifact ${contentHash} is named by a record but not stored.`)
}
