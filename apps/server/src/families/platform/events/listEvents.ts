import { contract } from '@liquidity-os/contract'
import { printCursor, readCursor } from '../../../http/cursor.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { type Rows, textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import {
  type EventPosition,
  eventAtPlace,
  eventsAfter,
  isStillThere,
  orderOfEvents,
  parsePlace,
  placeColumns,
  placeOf,
  printPlace,
  readEvent,
} from '../../../store/records/event-order.ts'
import { textOrEmpty } from '../../../texts.ts'
import { eventKindFault } from '../webhooks/api.ts'

const operation = contract.listEvents
type Request = HandlerRequest<typeof operation>

/** Committed events after a position, oldest first. A filter by kind may skip many events. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { query, organizationId, records, services, fail } = request
  const { kind, limit = 100 } = query
  const fault = kind === undefined ? null : eventKindFault(kind)
  if (fault) throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { 'query.kind': [fault] } })
  const place = cursorPlace(request)
  const cursor = readCursor(place, query.after, services.sealing)
  const after = cursor === null ? null : parsePlace(cursor)
  const scanned = kind === undefined ? limit + 1 : Math.max(limit + 1, limits.eventsScanned)
  const wanted = kind === undefined ? sql`true` : sql`e.kind = ${kind}`
  const [rows = [], counts] = await records.query([
    // Of filtered-out events only the last is returned, as the position to continue from.
    sql`select era, transaction_id, ordinal, is_wanted,
        case when is_wanted or lead(1) over (${orderOfEvents}) is null then body end as body from (
          select ${placeColumns}, ${wanted} as is_wanted from events e
          where ${eventsAfter(organizationId, after)} ${orderOfEvents} limit ${scanned}
        ) as e ${orderOfEvents}`,
    ...(after ? [eventAtPlace(organizationId, after)] : []),
  ])
  if (after && !isStillThere(counts?.[0], after)) {
    throw fail('LIQUIDITY_EVENT_CURSOR_LOST', {
      fieldErrors: { 'query.after': ['must name an event in this store'] },
    })
  }
  const { shown, last, hasMore } = pageOf(rows, limit, scanned)
  const next: EventPosition | null = last ? placeOf(last) : after
  return {
    data: {
      events: shown.map((row) => readEvent(row).event),
      hasMore,
      nextCursor: next ? printCursor(place, printPlace(next), services.sealing) : null,
    } as unknown as contract.EventsRead,
  }
})

const cursorPlace = ({ organizationId, query }: Request) => ({
  operation,
  organizationId,
  member: 'query.after',
  filter: textOrEmpty(query.kind),
})

/** Visible events, and the last processed position, including events skipped by the filter. */
function pageOf(rows: Rows, limit: number, scanned: number) {
  const wanted = rows.filter((row) => textOf(row, 'is_wanted') === 't')
  const shown = wanted.slice(0, limit)
  const isCut = wanted.length > limit
  return {
    shown,
    last: (isCut ? shown : rows).at(-1) ?? null,
    hasMore: isCut || rows.length === scanned,
  }
}
