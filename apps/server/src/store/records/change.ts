import type { SealedEvent, SealedRecord } from '@liquidity-os/evidence'
import type { Sql } from '../database/sql.ts'
import type { KnownCaller } from './known-caller.ts'

/** A content-addressed blob that is registered together with the change that produced it. */
export interface ArtifactInsert {
  contentHash: string
  mediaType: string
  content: Uint8Array
  producer: { resourceType: string; id: string; resourceVersion: string }
  /** The bytes are in the object store; only the registration is written. */
  isExternal?: boolean
}

/** A job queued together with the change that requested it. */
export interface JobInsert {
  id: string
  kind: string
  subject: { resourceType: string; id: string; resourceVersion: string }
  input: Readonly<Record<string, unknown>>
}

export interface StoredResponse {
  actor: string
  key: string
  fingerprint: string
  status: number
  /** Text of the body, or null when it is the record named below. */
  body: string | null
  record: { id: string; sequence: number } | null
  headers: Readonly<Record<string, string>>
}

/**
 * Everything that one mutation writes. It is applied as a whole or not at all, together with its events,
 * the deliveries of those events, and the stored answer.
 */
export interface Change {
  organizationId: string
  at: number
  records: readonly SealedRecord[]
  events: readonly SealedEvent[]
  /** Records that must still be at this sequence when the change is applied. */
  expects: readonly { id: string; sequence: number }[]
  /** Names that must be free, for example a venue address on a chain. */
  claims: readonly { kind: string; name: string; recordId: string }[]
  releases: readonly { kind: string; name: string }[]
  artifacts: readonly ArtifactInsert[]
  jobs: readonly JobInsert[]
  /** Projections of a family next to its records, under the same policy. */
  statements: readonly Sql[]
  response: StoredResponse | null
  /** Changes in other organizations, each under its own policy, in the same transaction. */
  otherTenants: readonly Change[]
  /** Caller that the transaction must confirm as unchanged; null if checked beforehand. */
  caller: KnownCaller | null
}

export function emptyChange(organizationId: string, at: number): Change {
  return {
    organizationId,
    at,
    records: [],
    events: [],
    expects: [],
    claims: [],
    releases: [],
    artifacts: [],
    jobs: [],
    statements: [],
    response: null,
    otherTenants: [],
    caller: null,
  }
}

/** Combines two changes of one organization into one. Response and caller are those of the first. */
export function joinChanges(change: Change, other: Change): Change {
  return {
    ...change,
    artifacts: [...change.artifacts, ...other.artifacts],
    jobs: [...change.jobs, ...other.jobs],
    statements: [...change.statements, ...other.statements],
    records: [...change.records, ...other.records],
    events: [...change.events, ...other.events],
    expects: [...change.expects, ...other.expects],
    claims: [...change.claims, ...other.claims],
    releases: [...change.releases, ...other.releases],
    otherTenants: [...change.otherTenants, ...other.otherTenants],
  }
}

/**
 * Keys that two changes in one transaction must not share, because the later change would fail the
 * whole group. Duplicates are allowed. Keys of two organizations may collide by chance, which only
 * costs a separate transaction.
 */
export function keysOf(change: Change): string[] {
  const keys = change.records.map((sealed) => sealed.record.id)
  for (const { event } of change.events) {
    // The event of a new version has the same subject.
    const isKnown = change.records.some(({ record }) => record.id === event.subject.id)
    if (!isKnown) keys.push(event.subject.id)
  }
  for (const { id } of change.expects) keys.push(id)
  for (const { name } of change.claims) keys.push(name)
  for (const { name } of change.releases) keys.push(name)
  if (change.response) keys.push(change.response.key)
  return [...keys, ...change.otherTenants.flatMap(keysOf)]
}

/** A change with its changes in other organizations. */
export function partsOf(change: Change): Change[] {
  return [change, ...change.otherTenants.flatMap(partsOf)]
}

/**
 * Bytes of the texts and artifacts that a change stores for its own organization. Counts versions,
 * events, the response body, and artifacts in any location. `keptBytes` measures the same from
 * rows.
 */
export function bytesOf({ records, events, response, artifacts }: Change): number {
  const texts = [...records, ...events].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const answer = response?.body ? Buffer.byteLength(response.body) : 0
  return artifacts.reduce((sum, { content }) => sum + content.length, texts + answer)
}

/** A change may append several versions of one record; only the last is its head. */
export function newestOfEach(change: Change): Change['records'] {
  if (change.records.length < 2) return change.records
  return [...new Map(change.records.map((sealed) => [sealed.record.id, sealed])).values()]
}
