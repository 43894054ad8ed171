import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pageOf, pageText } from '../../collection.ts'
import { handled, noticesOf } from './alert-notices.ts'
import { alertsOf, placeOf } from './alerts.ts'

/** Computes alerts from the records on each request, so the list is always current. */
export default handle(contract.listAlertsV2, async (request): Promise<Outcome> => {
  const { query, records, services, now } = request
  const { after, limit } = pageOf(contract.listAlertsV2, request)
  const [alerts, notices] = await Promise.all([alertsOf(records, services), noticesOf(records)])
  const chosen = alerts.filter(
    (alert) =>
      (query.state === undefined || alert.state === query.state) &&
      (query.severity === undefined || alert.severity === query.severity) &&
      (query.kind === undefined || alert.kind === query.kind) &&
      (query.pair === undefined || alert.subject.pair === query.pair.toLowerCase()) &&
      (after === null || placeOf(alert) < after),
  )
  const shown = chosen.slice(0, limit)
  const last = shown.at(-1)
  const page = {
    texts: shown.map((alert) => JSON.stringify(handled(alert, notices.get(alert.id), now))),
    lastId: last ? placeOf(last) : null,
    hasMore: chosen.length > limit,
  }
  return { text: pageText(contract.listAlertsV2, request, page) }
})
