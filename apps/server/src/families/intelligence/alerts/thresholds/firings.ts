import { limits } from '../../../../limits.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { secondMilliseconds } from '../../../../units.ts'
import type { Alert } from '../alert.ts'

export const thresholdKind = 'THRESHOLD'
export const thresholdAlertId = (ruleId: string) => `${thresholdKind}:${ruleId}`

/** A stored firing of a rule. */
export interface StoredFiring {
  readonly ruleId: string
  /** Unix seconds. */
  readonly from: number
  readonly to: number | null
  readonly extreme: bigint
  readonly severity: Alert['severity']
  readonly title: string
  readonly pair: string
  readonly venueId: string | null
  readonly evidence: Alert['source']
}

/**
 * One firing per rule: the open firing, or else the newest that ended recently. Open firings come
 * first.
 */
export const firingsStatement = (organizationId: string, sinceMilliseconds: number): Sql =>
  sql`select f.*, t.at from (select distinct on (rule_id) * from alert_firings
      where organization_id = ${organizationId}
        and (until_at is null or until_at > ${Math.floor(sinceMilliseconds / secondMilliseconds)})
      order by rule_id, until_at is null desc, from_at desc) as f
    left join alert_thresholds t on t.organization_id = ${organizationId} and t.rule_id = f.rule_id
    order by f.until_at is null desc, f.from_at desc, f.rule_id limit ${limits.alertsOfSource}`

/** One alert per firing. */
export const firingAlerts = (rows: readonly Row[]): Alert[] =>
  rows.map((row) => {
    const firing = firingOf(row)
    const at = optionalTextOf(row, 'at')
    return firingAlert(firing, at === null ? firing.from : Number(at))
  })

export function firingOf(row: Row): StoredFiring {
  const until = optionalTextOf(row, 'until_at')
  return {
    ruleId: textOf(row, 'rule_id'),
    from: integerOf(row, 'from_at'),
    to: until === null ? null : Number(until),
    extreme: BigInt(textOf(row, 'extreme')),
    // The table contains no other values.
    severity: textOf(row, 'severity') as Alert['severity'],
    title: textOf(row, 'title'),
    pair: textOf(row, 'pair'),
    venueId: optionalTextOf(row, 'venue_id'),
    evidence: {
      resourceType: textOf(row, 'evidence_type'),
      id: textOf(row, 'evidence_id'),
      resourceVersion: textOf(row, 'evidence_version'),
    } as StoredFiring['evidence'],
  }
}

/** @param at time of the newest sample of an open firing, in Unix seconds */
export function firingAlert(firing: StoredFiring, at: number): Alert {
  const { ruleId, from, to, severity, title, pair, venueId, evidence } = firing
  return {
    id: thresholdAlertId(ruleId),
    source: evidence,
    kind: thresholdKind,
    severity,
    title,
    openedAt: timeOf(from),
    lastSeenAt: timeOf(to ?? Math.max(from, at)),
    occurrences: 1,
    state: to === null ? 'OPEN' : 'RESOLVED',
    subject: { pair, venueId },
    evidenceHash: evidence.resourceVersion as Alert['evidenceHash'],
  }
}

export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Ends the firing of a rule and deletes its state. */
export const endThreshold = (organizationId: string, ruleId: string, now: number): Sql[] => [
  sql`update alert_firings set until_at = greatest(from_at, ${Math.floor(now / secondMilliseconds)})
    where organization_id = ${organizationId} and rule_id = ${ruleId} and until_at is null`,
  sql`delete from alert_thresholds where organization_id = ${organizationId} and rule_id = ${ruleId}`,
]

export const forgetFirings = (now: number): Sql[] => [
  sql`delete from alert_firings
    where until_at < ${Math.floor(now / secondMilliseconds) - limits.alertFiringRetentionSeconds}`,
]
