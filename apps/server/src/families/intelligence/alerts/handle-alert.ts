import type { contract } from '@liquidity-os/contract'
import type { HandlerRequest, Outcome } from '../../../http/handler.ts'
import { recordReply } from '../../record-reply.ts'
import type { Alert } from './alert.ts'
import { buildEventPayload, buildOpenNotice, type Notice, noticeOf } from './alert-notices.ts'
import { alertsOf } from './alerts.ts'
import { appendNotice, joinNotices } from './notice-changes.ts'
import { notices } from './records.ts'

type Request = HandlerRequest<typeof contract.acknowledgeAlert | typeof contract.muteAlert>

/** User action on an alert. */
interface HandlingEvent {
  readonly payload: Partial<Notice>
  readonly event: string
  readonly eventPayload?: Readonly<Record<string, unknown>>
}

/**
 * Records a user action on an open alert. If no sweep has published the alert yet, the same change
 * publishes it first.
 */
export async function handleAlert(
  request: Request,
  say: (alert: Alert) => HandlingEvent,
): Promise<Outcome> {
  const { params, body, records, services, fail } = request
  const [alerts, before] = await Promise.all([
    alertsOf(records, services),
    noticeOf(records, params.id),
  ])
  const alert = alerts.find(({ id }) => id === params.id)
  if (!alert && !before) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  if (alert?.state !== 'OPEN') throw fail('LIQUIDITY_ALERT_NOT_OPEN')
  const news = buildOpenNotice(before?.record ?? null, alert)
  const written = news === null ? null : appendNotice(records, before, news)
  const current = written?.current ?? before
  if (!current) throw new Error('An open alert must have a notice.')
  const { payload, event, eventPayload } = say(alert)
  const { sealed, change } = notices.next(records, current, {
    status: 'ACTIVE',
    payload: { ...current.record.payload, ...payload },
    reason: body.reason,
    evidenceHashes: current.record.evidenceHashes,
    event,
    eventPayload: { ...buildEventPayload(alert), ...eventPayload },
  })
  return recordReply(sealed, written ? joinNotices(written.change, change) : change, 200)
}
