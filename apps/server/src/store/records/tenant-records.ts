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
import type { Database, Row } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import { type Change, emptyChange } from './change.ts'
import { newId } from './ids.ts'
import { idPrefixes, idRange, isIdOf, type ResourceType } from './resource-types.ts'
import type { VerifiedTexts } from './verified-texts.ts'

type Hash = VersionedRecord['resourceVersion']

/** A record as it is now, with what its next version must be chained to. */
export interface Current<Payload = unknown> {
  record: VersionedRecord<Payload>
  text: string
  lastEvent: { sequence: number; evidenceHash: Hash } | null
}

/** What a new version says; everything else follows from the version before. */
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
 * The records of one organization: read, and appended to by building a change. Nothing is written here; the
 * pipeline commits the change together with the answer.
 */
export class TenantRecords {
  readonly organizationId: string
  readonly actor: Actor
  readonly now: number
  readonly database: Database
  readonly #preloaded: Row | null
  readonly #verified: VerifiedTexts
  readonly #artifacts: Artifacts
  readonly #serialize: ((payload: unknown) => string) | undefined

  constructor(options: {
    organizationId: string
    actor: Actor
    now: number
    database: Database
    preloaded?: Row | null
    verified: VerifiedTexts
    artifacts: Artifacts
    /** A canonical serializer compiled for the payloads that are appended; the general one without. */
    serialize?: ((payload: unknown) => string) | undefined
  }) {
    this.organizationId = options.organizationId
    this.actor = options.actor
    this.now = options.now
    this.database = options.database
    this.#preloaded = options.preloaded ?? null
    this.#verified = options.verified
    this.#artifacts = options.artifacts
    this.#serialize = options.serialize
  }

  /** Runs reads of this organization in one message. */
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
        : ((await this.query([this.#head(id)]))[0]?.[0] ?? null)
    if (!row) return null
    const resourceVersion = row.resource_version ?? ''
    return { text: this.#verified.check(row.body ?? '', resourceVersion), resourceVersion }
  }

  /** The current version, verified, with the end of its event chain; null when there is none. */
  async current<Payload = unknown>(
    type: ResourceType,
    id: string,
  ): Promise<Current<Payload> | null> {
    if (!isIdOf(type, id)) return null
    const [heads, events] = await this.query([
      this.#head(id),
      sql`select body from events where organization_id = ${this.organizationId}
        and subject_id = ${id} order by sequence desc limit 1`,
    ])
    const body = heads?.[0]?.body
    if (!body) return null
    const event = events?.[0]?.body
    return {
      record: openRecord(body) as VersionedRecord<Payload>,
      text: body,
      lastEvent: event ? openEvent(event) : null,
    }
  }

  /**
   * The current version, which must be the one that the caller reviewed.
   *
   * @param reviewed the version named by If-Match or in the body; null where none was needed
   * @throws Failure 404 when there is none, 412 when it has changed
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
      sql`select r.body, h.resource_version from records r join record_heads h
        on h.organization_id = ${this.organizationId} and h.id = r.id
        where r.organization_id = ${this.organizationId} and r.id = ${id} order by r.sequence desc`,
    ])
    for (const row of rows ?? []) {
      const record = openRecord(row.body ?? '') as VersionedRecord<Payload>
      if (record.resourceVersion === resourceVersion) {
        return { record, isCurrent: row.resource_version === resourceVersion }
      }
    }
    return null
  }

  /** A page of current versions, newest first; ids sort by creation. */
  async page(
    type: ResourceType,
    page: { after: string | null; limit: number; where?: Sql },
  ): Promise<RecordPage> {
    const { from, to } = idRange(type)
    const before = page.after ?? to
    const [rows = []] = await this.query([
      // Each body is looked up by its whole key, whatever the planner believes about the table.
      sql`select h.id, h.resource_version, r.body from record_heads h
        cross join lateral (select body from records where organization_id = ${this.organizationId}
          and id = h.id and sequence = h.sequence limit 1) as r
        where h.organization_id = ${this.organizationId} and h.id >= ${from} and h.id < ${before}
        ${page.where ? sql`and (${page.where})` : { text: '' }}
        order by h.id desc limit ${page.limit + 1}`,
    ])
    const shown = rows.slice(0, page.limit)
    return {
      texts: shown.map((row) => this.#verified.check(row.body ?? '', row.resource_version ?? '')),
      lastId: shown.at(-1)?.id ?? null,
      hasMore: rows.length > page.limit,
    }
  }

  /** The bytes of an artifact that a record names, checked against their hash. */
  async artifact(contentHash: string): Promise<Buffer> {
    const bytes = await this.#artifacts.find(this.organizationId, contentHash)
    if (!bytes) throw new Error(`The artifact ${contentHash} is named by a record and not stored.`)
    return bytes
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

  /** Another event of a record that does not change. */
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

  #head(id: string): Sql {
    return sql`select h.id, h.sequence, h.resource_version, h.status, r.body
      from record_heads h join records r
        on r.organization_id = ${this.organizationId} and r.id = h.id and r.sequence = h.sequence
      where h.organization_id = ${this.organizationId} and h.id = ${id}`
  }
}
