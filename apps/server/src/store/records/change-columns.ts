import { column, type Sql } from '../database/sql.ts'
import { type Change, newestOfEach, type StoredResponse } from './change.ts'

/** An event with the time of its change, milliseconds since 1970. */
type TimedEvent = Change['events'][number] & { readonly at: number }
type TimedResponse = StoredResponse & { readonly at: number }

/**
 * Rows of a group of changes by table. The database function and plain statements both append them.
 */
export interface Appended {
  readonly records: Change['records']
  /** Newest version per record and change. */
  readonly heads: Change['records']
  readonly events: readonly TimedEvent[]
  readonly claims: Change['claims']
  readonly answers: readonly TimedResponse[]
}

export const appendedBy = (changes: readonly Change[]): Appended => ({
  records: changes.flatMap((change) => change.records),
  heads: changes.flatMap(newestOfEach),
  events: changes.flatMap(({ events, at }) => events.map((sealed) => ({ ...sealed, at }))),
  claims: changes.flatMap((change) => change.claims),
  answers: changes.flatMap(({ response, at }) => (response ? [{ ...response, at }] : [])),
})

/** Id, sequence and body. */
export const recordColumns = (records: Appended['records']): Sql[] => [
  column('text', records, ({ record }) => record.id),
  column('integer', records, ({ record }) => record.sequence),
  column('text', records, ({ text }) => text),
]

/** Id, sequence, version and status. */
export const headColumns = (heads: Appended['heads']): Sql[] => [
  column('text', heads, ({ record }) => record.id),
  column('integer', heads, ({ record }) => record.sequence),
  column('text', heads, ({ resourceVersion }) => resourceVersion),
  column('text', heads, ({ record }) => record.status),
]

export const eventColumns = (events: Appended['events']) => ({
  subjects: column('text', events, ({ event }) => event.subject.id),
  sequences: column('integer', events, ({ event }) => event.sequence),
  bodies: column('text', events, ({ text }) => text),
  kinds: column('text', events, ({ event }) => event.kind),
  ids: column('text', events, ({ event }) => event.id),
  times: column('bigint', events, ({ at }) => at),
})

/** Kind, name and record. */
export const claimColumns = (claims: Appended['claims']): Sql[] => [
  column('text', claims, ({ kind }) => kind),
  column('text', claims, ({ name }) => name),
  column('text', claims, ({ recordId }) => recordId),
]

/** Actor, key, fingerprint, status, headers, body, record, its sequence and time. */
export const answerColumns = (answers: Appended['answers']): Sql[] => [
  column('text', answers, ({ actor }) => actor),
  column('text', answers, ({ key }) => key),
  column('text', answers, ({ fingerprint }) => fingerprint),
  column('integer', answers, ({ status }) => status),
  column('text', answers, ({ headers }) => JSON.stringify(headers)),
  column('text', answers, ({ body }) => body),
  column('text', answers, ({ record }) => record?.id ?? null),
  column('integer', answers, ({ record }) => record?.sequence ?? null),
  column('bigint', answers, ({ at }) => at),
]
