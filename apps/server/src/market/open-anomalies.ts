import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { createdAtOf, member } from '../store/records/find.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import type { Pair } from './pair.ts'

type Anomaly = Static<typeof contract.LiquidityAnomaly>

/** CRITICAL anomalies of a market: open ones, and those opened in a period. */
export interface CriticalAnomalies {
  open: { id: string; resourceVersion: string }[]
  opened: number
}

/**
 * CRITICAL anomalies of the venues or of their pair. The same base with another quote or on another
 * chain is another market.
 *
 * @param window Unix seconds, half-open; without it, no anomaly counts as opened
 */
export async function criticalAnomalies(
  records: TenantRecords,
  subject: MarketSubject,
  window?: { from: number; to: number },
): Promise<CriticalAnomalies> {
  const found = await records.find<Anomaly>('LiquidityAnomaly', {
    where: sql`${member('payload.severity')} = 'CRITICAL' and ${isAbout(subject)}`,
    order: 'OLDEST',
  })
  const isWithin = (id: string) => {
    const at = createdAtOf(id)
    return window !== undefined && at >= window.from * 1000 && at < window.to * 1000
  }
  return {
    open: found
      .filter(({ status }) => status === 'ACTIVE')
      .map(({ id, resourceVersion }) => ({ id, resourceVersion })),
    opened: found.filter(({ id }) => isWithin(id)).length,
  }
}

export interface MarketSubject {
  venueIds: readonly string[]
  pair: Pair
}

function isAbout({ venueIds, pair: { chainId, base, quote } }: MarketSubject): Sql {
  const of = (name: string) => member(`payload.subject.${name}`)
  return sql`(${of('venueId')} in ${values(venueIds)} or (${of('pair.chainId')} = ${`${chainId}`}
    and lower(${of('pair.base')}) = ${base.toLowerCase()}
    and lower(${of('pair.quote')}) = ${quote.toLowerCase()}))`
}

/** Every anomaly of a market that was WARNING or worse when it was last seen, or CRITICAL before, oldest first. */
export function anomaliesAbout(
  records: TenantRecords,
  subject: MarketSubject,
): Promise<VersionedRecord<Anomaly>[]> {
  return records.find<Anomaly>('LiquidityAnomaly', {
    where: sql`${isAbout(subject)} and ${member('payload.openedAt')} is not null
      and (${member('payload.severity')} in ('WARNING', 'CRITICAL') or ${member('payload.criticalAt')} <> '[]')`,
    order: 'OLDEST',
  })
}

/** Number of open anomalies of these kinds, WARNING or worse, on the venues or their pair. */
export async function openAnomaliesOf(
  records: TenantRecords,
  subject: MarketSubject,
  kinds: readonly string[],
): Promise<number> {
  if (kinds.length === 0) return 0
  return records.count('LiquidityAnomaly', {
    status: ['ACTIVE'],
    where: sql`${member('payload.kind')} in ${values(kinds)} and ${isAbout(subject)}
      and ${member('payload.severity')} in ('WARNING', 'CRITICAL')`,
  })
}

/** Number of open divergences, WARNING or worse, from one of these studies. */
export function openDivergences(
  records: TenantRecords,
  studyIds: readonly string[],
): Promise<number> {
  return records.count('LiquidityAnomaly', {
    status: ['ACTIVE'],
    where: sql`${member('payload.subject.study.id')} in ${values(studyIds)}
      and ${member('payload.severity')} in ('WARNING', 'CRITICAL')`,
  })
}

/** Divergence anomalies from any of these studies, newest first, and their total number. */
export async function divergencesFrom(
  records: TenantRecords,
  studyIds: readonly string[],
  limit: number,
): Promise<{ found: VersionedRecord<Anomaly>[]; inAll: number }> {
  const where = sql`${member('payload.subject.study.id')} in ${values(studyIds)}`
  const [found, inAll] = await Promise.all([
    records.find<Anomaly>('LiquidityAnomaly', { where, limit }),
    records.count('LiquidityAnomaly', { where }),
  ])
  return { found, inAll }
}
