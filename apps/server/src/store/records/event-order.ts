import { type OperatingSystemEvent, openEvent } from '@liquidity-os/evidence'
import { type Row, textOf } from '../database/row.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * Commit order of an organization's events: by era, transaction and ordinal, as in the migration
 * `0014-order-of-events`. A place identifies an event by hash, because a restored store may have
 * another event, or none, at that position.
 */
export interface EventPosition {
  readonly era: string
  readonly transactionId: string
  readonly ordinal: string
  readonly evidenceHash: string
}

/** Columns that `placeOf` and `eventAt` read, of the events `e`. */
export const placeColumns = sql`e.era, e.transaction_id, e.ordinal, e.body`

const inOrder = sql`e.era, e.transaction_id, e.ordinal`

/** Events of an organization after a place. A later commit can still precede them. */
export function eventsBehind(organizationId: string, after: EventPosition | null): Sql {
  const behind = after
    ? sql`and (${inOrder}) > (${Number(after.era)}, ${BigInt(after.transactionId)}, ${Number(after.ordinal)})`
    : sql``
  return sql`e.organization_id = ${organizationId} ${behind}`
}

/**
 * Events of an organization after a place that no later commit can precede: all of earlier eras,
 * and those below the oldest running transaction. Read them in one statement, because the bound
 * applies to its snapshot.
 */
export function eventsAfter(organizationId: string, after: EventPosition | null): Sql {
  return sql`${eventsBehind(organizationId, after)}
    and (e.era < (select max(era) from event_eras)
      or e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`
}

export const orderOfEvents = sql`order by ${inOrder}`
export const orderOfEventsNewest = sql`order by e.era desc, e.transaction_id desc, e.ordinal desc`

/** The event at a place, as a row of `placeColumns`. */
export function eventAtPlace(organizationId: string, place: EventPosition): Sql {
  return sql`select ${placeColumns} from events e where e.organization_id = ${organizationId}
    and (${inOrder}) = (${Number(place.era)}, ${BigInt(place.transactionId)}, ${Number(place.ordinal)})`
}

/** The event of a row, with a verified hash. */
export function readEvent(row: Row): { event: OperatingSystemEvent; text: string } {
  const text = textOf(row, 'body')
  return { event: openEvent(text), text }
}

export function isStillThere(row: Row | undefined, place: EventPosition): boolean {
  return row !== undefined && readEvent(row).event.evidenceHash === place.evidenceHash
}

export function placeOf(row: Row): EventPosition {
  return {
    era: textOf(row, 'era'),
    transactionId: textOf(row, 'transaction_id'),
    ordinal: textOf(row, 'ordinal'),
    evidenceHash: readEvent(row).event.evidenceHash,
  }
}

export const printPlace = ({ era, transactionId, ordinal, evidenceHash }: EventPosition) =>
  [era, transactionId, ordinal, evidenceHash].join('.')

/** Place from an authenticated cursor; a parse failure is therefore a service bug. */
export function parsePlace(text: string): EventPosition {
  const [era, transactionId, ordinal, evidenceHash, ...more] = text.split('.')
  if (!era || !transactionId || !ordinal || !evidenceHash || more.length > 0) {
    throw new Error(`Not an event position: ${text}`)
  }
  return { era, transactionId, ordinal, evidenceHash }
}
