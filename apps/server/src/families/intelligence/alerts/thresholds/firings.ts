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

/** Firings that last, or ended recently, newest first. */
export const firingsStatement = (organizationId: string, sinceMilliseconds: number): Sql =>
  sql`select f.*, t.at from alert_firings f left join alert_thresholds t
      on t.organization_id = ${organizationId} and t.rule_id = f.rule_id
    where f.organization_id = ${organizationId}
      and (f.until_at is null or f.until_at > ${Math.floor(sinceMilliseconds / secondMilliseconds)})
    order by f.from_at desc, f.rule_id limit ${limits.alertsOfSource}`

/** One alert per rule, of its newest firing. */
export function firingAlerts(rows: readonly Row[]): Alert[] {
  const newest = new Map<string, Alert>()
  for (const row of rows) {
    const firing = firingOf(row)
    if (newest.has(firing.ruleId)) continue
    const at = optionalTextOf(row, 'at')
    newest.set(firing.ruleId, firingAlert(firing, at === null ? firing.from : Number(at)))
  }
  return [...newest.values()]
}

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

/** @param at newest sample of a firing that lasts, in Unix seconds */
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
    where until_at < ${Math.floor(now / secondMilliseconds) - limits.alertFiringsKeptSeconds}`,
]
