import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { anomaliesAbout, type MarketSubject } from '../../../market/open-anomalies.ts'
import { pairKey } from '../../../market/pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

export type Incident = VersionedRecord<contract.LiquidityAnomaly>

/**
 * Anomalies of the market, WARNING or worse, that were open at any time of a window, ordered by
 * createdAt and id.
 */
export async function incidentsOf(
  records: TenantRecords,
  subject: MarketSubject,
  window: { from: number; to: number },
): Promise<Incident[]> {
  const found = await anomaliesAbout(records, subject)
  return found
    .filter((one) => wasOpen(one, window))
    .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1))
}

/**
 * Incidents of wrapped v1 strategies of a pair that were open within a window, without duplicates
 * by hash. If strategies disagree, the newest decides the end, and the highest severity counts.
 */
export async function v1IncidentsOf(
  records: TenantRecords,
  pair: Parameters<typeof pairKey>[0],
  { from, to }: { from: number; to: number },
): Promise<contract.LegacyIncident[]> {
  const wrapped = await records.find<contract.StrategyDefinitionV2>('StrategyDefinitionV2', {
    where: sql`${member('payload.wrapper.incidents')} is not null`,
    order: 'OLDEST',
  })
  const found = new Map<string, contract.LegacyIncident>()
  for (const { payload } of wrapped) {
    if (pairKey(payload.definition.pair) !== pairKey(pair)) continue
    for (const one of payload.wrapper?.incidents ?? []) {
      const isCritical = [one, found.get(one.evidenceHash)].some(
        (incident) => incident?.severity === 'CRITICAL',
      )
      found.set(one.evidenceHash, { ...one, severity: isCritical ? 'CRITICAL' : 'WARNING' })
    }
  }
  return [...found.values()]
    .filter(
      ({ openedAt, endedAt }) =>
        secondsOf(openedAt) <= to && (endedAt === null || secondsOf(endedAt) >= from),
    )
    .toSorted((a, b) => (a.evidenceHash < b.evidenceHash ? -1 : 1))
}

const secondsOf = (time: string) => Date.parse(time) / 1000

function wasOpen(
  { status, createdAt, payload: { openedAt, lastSeenAt } }: Incident,
  { from, to }: { from: number; to: number },
): boolean {
  if (openedAt === null || secondsOf(openedAt) > to) return false
  // The last version of a closed anomaly dates from its end.
  return (
    status === 'ACTIVE' || secondsOf(createdAt) >= from || secondsOf(lastSeenAt ?? openedAt) >= from
  )
}

/** True if it was CRITICAL at any time of a window. */
export function wasCritical(
  { payload: { severity, criticalAt } }: Pick<Incident, 'payload'>,
  { from, to }: { from: number; to: number },
): boolean {
  if (severity === 'CRITICAL') return true
  return criticalAt.some((span) => secondsOf(span.from) <= to && secondsOf(span.to) >= from)
}
