import type { SealedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import { member } from '../../../store/records/find.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Evaluated, severer } from './anomaly-payload.ts'
import { openName } from './open-name.ts'
import { anomalies } from './records.ts'
import type { AnomalyPayload } from './subject.ts'

/** Earlier evaluations of a kind and subject. */
export interface Past {
  open: Current<AnomalyPayload> | null
  /** Unix seconds. */
  criticalAt: { from: number; to: number }[]
}

/** The open anomaly of a fingerprint, and the CRITICAL periods of it and of earlier ones. */
export async function pastOf(records: TenantRecords, fingerprint: string): Promise<Past> {
  const [id, critical] = await Promise.all([
    records.holder({ kind: openName, name: fingerprint }),
    records.find<AnomalyPayload>('LiquidityAnomaly', {
      where: sql`${member('payload.fingerprint')} = ${fingerprint}
        and ${member('payload.severity')} = 'CRITICAL'`,
      limit: limits.anomaliesRemembered,
    }),
  ])
  const found = id ? await records.current<AnomalyPayload>('LiquidityAnomaly', id) : null
  const seconds = (time: string) => Date.parse(time) / 1000
  const spans = critical.flatMap(({ payload }) => payload.criticalAt)
  return {
    open: found?.record.status === 'ACTIVE' ? found : null,
    criticalAt: spans.map(({ from, to }) => ({ from: seconds(from), to: seconds(to) })),
  }
}

/** All open anomalies. */
export async function openAnomalies(records: TenantRecords): Promise<Current<AnomalyPayload>[]> {
  const { organizationId } = records
  const [rows = []] = await records.query([
    sql`select record_id from names where organization_id = ${organizationId} and kind = ${openName}`,
  ])
  const found = await Promise.all(
    rows.map((row) =>
      records.current<AnomalyPayload>('LiquidityAnomaly', textOf(row, 'record_id')),
    ),
  )
  return found.filter((current) => current !== null)
}

/**
 * Stores an evaluation. A detection opens an anomaly or appends to the open one, and can only raise
 * its severity. Any other outcome becomes a separate record.
 */
export function keep(
  records: TenantRecords,
  { payload, artifacts }: Evaluated,
  open: Past['open'],
  { reason, evidenceHashes }: { reason: string; evidenceHashes: readonly string[] },
): { sealed: SealedRecord; change: Change } {
  const isDetected = payload.outcome === 'DETECTED'
  const written =
    isDetected && open
      ? append(records, payload, open, { reason, evidenceHashes })
      : anomalies.first(records, {
          status: isDetected ? 'ACTIVE' : payload.outcome === null ? 'ABSTAINED' : 'COMPLETED',
          payload,
          reason,
          evidenceHashes,
          event: isDetected ? 'anomaly.detected' : 'anomaly.evaluated',
          eventPayload: pickEventFields(payload),
        })
  const { id, resourceType, resourceVersion } = written.sealed.record
  const producer = { id, resourceType, resourceVersion }
  return {
    sealed: written.sealed,
    change: {
      ...written.change,
      artifacts: artifacts.map((artifact) => ({ ...artifact, producer })),
    },
  }
}

function append(
  records: TenantRecords,
  payload: AnomalyPayload,
  open: Current<AnomalyPayload>,
  version: { reason: string; evidenceHashes: readonly string[] },
) {
  const before = open.record.payload
  const severity = severer(before.severity, payload.severity)
  const isRaised = severity !== before.severity
  const next: AnomalyPayload = {
    ...payload,
    severity,
    openedAt: earlier(before.openedAt, payload.openedAt),
    lastSeenAt: later(before.lastSeenAt, payload.lastSeenAt),
    occurrences: before.occurrences + 1,
    criticalAt: [...before.criticalAt, ...payload.criticalAt].slice(-limits.anomalySpans),
  }
  const written = anomalies.next(records, open, {
    status: 'ACTIVE',
    payload: { ...next, criticalAt: joined(next) },
    ...version,
    event: isRaised ? 'anomaly.escalated' : 'anomaly.seen',
    eventPayload: { ...pickEventFields(next), previousSeverity: before.severity },
  })
  const isNewRegime = payload.baseline?.isNewRegime === true && !before.baseline?.isNewRegime
  if (!isNewRegime) return written
  const [event] = written.change.events
  const current = { ...written.sealed, lastEvent: event?.event ?? null }
  const accepted = records.note(current, 'anomaly.regime_accepted', pickEventFields(next))
  return {
    ...written,
    change: { ...written.change, events: [...written.change.events, ...accepted.events] },
  }
}

/** Adjacent spans merge, so a long incident does not fill the list. */
function joined({ criticalAt, cadenceSeconds }: AnomalyPayload): AnomalyPayload['criticalAt'] {
  const spans: { from: string; to: string }[] = []
  // A sweep can be late by two intervals.
  const reach = 6 * cadenceSeconds * 1000
  for (const span of criticalAt.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = spans.at(-1)
    if (last && Date.parse(span.from) <= Date.parse(last.to) + reach) {
      last.to = later(last.to, span.to) ?? span.to
    } else spans.push({ ...span })
  }
  return spans
}

/** Closes the open anomaly with a final version and releases its name. */
export const clear = (records: TenantRecords, open: Current<AnomalyPayload>, at: string): Change =>
  close(
    records,
    open,
    `No anomaly in the last ${open.record.payload.persistence.of} samples up to ${at}`,
  )

/** @param reason reason for the closing */
export function close(
  records: TenantRecords,
  open: Current<AnomalyPayload>,
  reason: string,
): Change {
  const { payload, evidenceHashes } = open.record
  const { change } = anomalies.next(records, open, {
    status: 'COMPLETED',
    payload,
    evidenceHashes,
    reason,
    event: 'anomaly.cleared',
    eventPayload: pickEventFields(payload),
  })
  return change
}

const pickEventFields = ({ kind, severity, fingerprint }: AnomalyPayload) => ({
  kind,
  severity,
  fingerprint,
})
const earlier = (a: string | null, b: string | null) =>
  a === null || (b !== null && b < a) ? b : a
const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)
