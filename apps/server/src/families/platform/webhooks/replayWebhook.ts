import { contract, type FieldErrors } from '@liquidity-os/contract'
import { printCursor, readCursor } from '../../../http/cursor.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import type { WebhookPayload } from '../../../integrations/webhooks/subscription.ts'
import { limits } from '../../../limits.ts'
import type { Rows } from '../../../store/database/row.ts'
import { column, type Sql, sql, values } from '../../../store/database/sql.ts'
import {
  eventAtPlace,
  eventsBehind,
  isStillThere,
  orderOfEvents,
  parsePlace,
  placeColumns,
  placeOf,
  printPlace,
  readEvent,
} from '../../../store/records/event-order.ts'
import { dayMilliseconds } from '../../../units.ts'
import { eventKindFault } from './event-kinds.ts'

const operation = contract.replayWebhook
type Request = HandlerRequest<typeof operation>

/**
 * Queues the committed events of a window for one webhook, in order. Repeated calls have no further
 * effect.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, now, fail } = request
  const current = await records.current<WebhookPayload>('Webhook', params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (current.record.status === 'REVOKED') throw fail('LIQUIDITY_WEBHOOK_TERMINAL')
  if (current.record.status !== 'ACTIVE') throw fail('LIQUIDITY_WEBHOOK_NOT_ACTIVE')
  const faults = faultsOf(request, current.record.payload)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors: faults })
  }
  const window = { from: Date.parse(body.from), to: Math.min(Date.parse(body.to), now) }
  const kinds = body.kinds ?? current.record.payload.eventKinds
  const { rows, hasMore, nextCursor } = await readWindow(request, window, kinds)
  const summary = { from: timeOf(window.from), to: timeOf(window.to), events: rows.length }
  const { reason } = body
  const change = records.note(current, 'webhook.replayed', {
    ...summary,
    kinds: [...kinds],
    reason,
  })
  const [note] = change.events
  if (!note) throw new Error('The note has no event.')
  const replayId = note.event.id
  return {
    status: 201,
    data: { replayId, webhookId: params.id, ...summary, hasMore, nextCursor },
    change: {
      ...change,
      statements: rows.length === 0 ? [] : [inLine(request, replayId, rows)],
    },
  }
})

const timeOf = (at: number) => new Date(at).toISOString()

function faultsOf({ body }: Request, { eventKinds }: WebhookPayload): FieldErrors {
  const [from, to] = [Date.parse(body.from), Date.parse(body.to)]
  const faults: FieldErrors = {}
  if (to < from) faults.to = [`must not be before from, got ${body.to}`]
  else if (to - from > limits.webhookReplayMilliseconds) {
    faults.to = [
      `must be at most ${limits.webhookReplayMilliseconds / dayMilliseconds} days after from`,
    ]
  }
  for (const [index, kind] of (body.kinds ?? []).entries()) {
    const asks = eventKinds.includes('*') || eventKinds.includes(kind)
    const fault =
      eventKindFault(kind) ?? (asks ? null : `must be an event kind of the webhook, got ${kind}`)
    if (fault) faults[`kinds.${index}`] = [fault]
  }
  return faults
}

/**
 * Next committed events of a window, and the position to continue from. Later events reach an
 * active webhook anyway.
 */
async function readWindow(
  request: Request,
  { from, to }: { from: number; to: number },
  kinds: readonly string[],
): Promise<{ rows: Rows; hasMore: boolean; nextCursor: string | null }> {
  const { body, params, organizationId, records, services, fail } = request
  const place = {
    operation,
    organizationId,
    member: 'after',
    filter: [params.id, body.from, body.to, ...kinds].join(' '),
  }
  const cursor = readCursor(place, body.after, services.sealing)
  const after = cursor === null ? null : parsePlace(cursor)
  const [found = [], counts] = await records.query([
    sql`select ${placeColumns} from events e where ${eventsBehind(organizationId, after)}
      and e.at between ${from} and ${to}
      ${kinds.includes('*') ? sql`` : sql`and e.kind in ${values(kinds)}`}
      ${orderOfEvents} limit ${contract.eventsReplayedAtOnce + 1}`,
    ...(after ? [eventAtPlace(organizationId, after)] : []),
  ])
  if (after && !isStillThere(counts?.[0], after)) {
    throw fail('LIQUIDITY_EVENT_CURSOR_LOST', {
      fieldErrors: { after: ['must name an event in this store'] },
    })
  }
  const rows = found.slice(0, contract.eventsReplayedAtOnce)
  const hasMore = found.length > rows.length
  const last = rows.at(-1)
  const next = hasMore && last ? printPlace(placeOf(last)) : null
  return {
    rows,
    hasMore,
    nextCursor: next === null ? null : printCursor(place, next, services.sealing),
  }
}

/** Queues deliveries for the events. Deliveries already waiting stay unchanged. */
function inLine({ organizationId, params, now }: Request, replayId: string, rows: Rows): Sql {
  const events = rows.map((row, index) => ({
    ...readEvent(row).event,
    // These times order the queue, so the first committed event is sent first.
    due: now - rows.length + index + 1,
  }))
  return sql`insert into webhook_deliveries as d (organization_id, webhook_id, subject_id, event_sequence,
      message_id, status, attempts, next_attempt_at, created_at, replay_id)
    select ${organizationId}, ${params.id}, e.subject_id, e.sequence, e.id, 'WAITING', 0, e.due, ${now}, ${replayId}
    from unnest(${column('text', events, ({ subject }) => subject.id)},
      ${column('integer', events, ({ sequence }) => sequence)}, ${column('text', events, ({ id }) => id)},
      ${column('bigint', events, ({ due }) => due)}) as e (subject_id, sequence, id, due)
    on conflict (organization_id, webhook_id, subject_id, event_sequence) do update
      set status = 'WAITING', next_attempt_at = excluded.next_attempt_at, lease_until = null,
        attempts_before = d.attempts, replay_id = excluded.replay_id
      where d.status in ('DELIVERED', 'DEAD', 'SKIPPED')`
}
