import { type WindowKind, windowAt } from '@liquidity-os/engine/mandates'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import { limits } from '../../../limits.ts'
import type { RecordSweeping, Services } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { evaluateEvidence, type RequestedWindow } from './evaluate-evidence.ts'
import { type Evaluation, windowOfKpi } from './evaluate-windows.ts'
import { findLastPublished } from './evidence-of-days.ts'
import { type MandateTerms, secondsOf, termsOf } from './mandate-terms.ts'
import { mandates, windowName } from './records.ts'

type ActiveMandate = Current<Parameters<typeof termsOf>[0]>

/** Publishes closed windows once, in order. Expires finished mandates. */
export function sweepMandates(
  services: RecordSweeping & Pick<Services, 'background'>,
): Promise<void> {
  return sweepOverdue(services, {
    actor: 'mandate-evaluation',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'MarketMakerMandate', {
        status: ['DRAFT', 'ACTIVE', 'PAUSED'],
        order: 'OLDEST',
      }),
    end: (records, id) => look(records, services, id),
  })
}

async function look(
  records: TenantRecords,
  services: Pick<Services, 'background'>,
  id: string,
): Promise<Change | null> {
  const current = await mandates.current(records, id)
  if (!current) throw new Error(`Mandate ${id} does not exist.`)
  const { status, payload } = current.record
  const isOver = Date.parse(payload.period.to) <= records.now
  if (status !== 'ACTIVE') return isOver ? end(records, current, 'EXPIRED') : null
  const requested = await windowsToTell(records, id, termsOf(payload))
  if (requested.length > 0) return publishWindows(records, services, current, requested)
  const isSettled = Date.parse(payload.period.to) + limits.mandateSettleMilliseconds <= records.now
  return isSettled ? end(records, current, 'COMPLETED') : null
}

/** Next closed, settled and unpublished windows of all KPIs, earliest first. */
async function windowsToTell(
  records: TenantRecords,
  id: string,
  terms: MandateTerms,
): Promise<RequestedWindow[]> {
  const published = await findLastPublished(
    records,
    id,
    terms.kpis.map(({ kpiId }) => kpiId),
  )
  const settled = Math.floor((records.now - limits.mandateSettleMilliseconds) / 1000)
  const found = terms.kpis.flatMap((kpi, index) => {
    const last = published[index]
    const first = last ? windowAt(kpi.window, secondsOf(last.from)).to : terms.period.from
    return closedWindows(terms, kpi.window, first, settled).map((at) => ({ place: index, at }))
  })
  return found
    .sort((a, b) => a.at - b.at || a.place - b.place)
    .slice(0, limits.mandateWindowsAtOnce)
}

/** Start moments of windows from `first` that end by `settled`. */
function closedWindows(
  terms: MandateTerms,
  window: WindowKind,
  first: number,
  settled: number,
): number[] {
  const moments: number[] = []
  for (let at = first; moments.length < limits.mandateWindowsAtOnce; ) {
    const cut = windowOfKpi(terms, { window }, at)
    if (cut === null || cut.to > settled) break
    moments.push(cut.from)
    at = cut.to
  }
  return moments
}

/** Events for current mandate windows: one per window, and one more per breached KPI. */
async function publishWindows(
  records: TenantRecords,
  services: Pick<Services, 'background'>,
  current: ActiveMandate,
  requestedValue: readonly RequestedWindow[],
): Promise<Change> {
  const asOf = Math.floor(records.now / 1000)
  const { record } = current
  const { evaluations } = await evaluateEvidence(records, services.background, record, {
    asOf,
    added: null,
    requested: requestedValue,
  })
  let last: ActiveMandate = current
  let change: Change | null = null
  const note = (kind: string, evaluation: Evaluation) => {
    const next = records.note(last, kind, { ...evaluation })
    const event = next.events.at(-1)?.event
    if (!event) throw new Error('A note must have an event.')
    last = { ...last, lastEvent: event }
    change = change ? { ...change, events: [...change.events, ...next.events] } : next
  }
  for (const evaluation of evaluations) {
    note('mandate.kpi_evaluated', evaluation)
    if (evaluation.verdict === 'BREACHED') note('mandate.kpi_breached', evaluation)
  }
  if (change === null) throw new Error('A closed window must have an evaluation.')
  const whole: Change = change
  const at = new Date(records.now).toISOString()
  const claims = evaluations.map(({ kpiId, verdict, window: { from } }) => ({
    ...windowName(record.id, { kpiId, verdict, from, at }),
    recordId: record.id,
  }))
  return { ...whole, claims: [...whole.claims, ...claims] }
}

function end(
  records: TenantRecords,
  current: ActiveMandate,
  status: 'EXPIRED' | 'COMPLETED',
): Change {
  const { payload, evidenceHashes } = current.record
  const isComplete = status === 'COMPLETED'
  return mandates.next(records, current, {
    status,
    payload,
    evidenceHashes,
    reason: isComplete
      ? 'The period ended and its results are published'
      : 'The period ended while the mandate was not active',
    event: isComplete ? 'mandate.completed' : 'mandate.expired',
    eventPayload: { period: payload.period },
  }).change
}
