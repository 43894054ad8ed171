import { pairKey } from '../../../../market/pair.ts'
import type { ScheduleReading } from '../../../../services.ts'
import { textOf } from '../../../../store/database/row.ts'
import { join, type Sql, sql, values } from '../../../../store/database/sql.ts'
import { type Change, emptyChange, joinChanges } from '../../../../store/records/change.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Alert } from '../alert.ts'
import {
  buildOpenNotice,
  buildResolvedNotice,
  handled,
  noticeOf,
  noticesOf,
} from '../alert-notices.ts'
import { alertsOf } from '../alerts.ts'
import { messageStatements } from '../messages/queue-messages.ts'
import { appendNotice, joinNotices } from '../notice-changes.ts'
import { thresholdTitle } from './describe.ts'
import type { Evaluated } from './evaluated.ts'
import { firingAlert, firingOf, type StoredFiring } from './firings.ts'
import type { Firing } from './state-machine.ts'
import { storeStates } from './stored-states.ts'

/**
 * The change that evaluations make: states, firings, and for firings that begin or end also notices
 * with their events, and messages. All are committed together, so none is lost or repeated.
 */
export async function transitionsOf(
  records: TenantRecords,
  services: ScheduleReading,
  evaluated: readonly Evaluated[],
): Promise<Change> {
  const { organizationId, now } = records
  const moved = evaluated.filter(hasMoved)
  const firings = await Promise.all(evaluated.map((one) => storedFirings(records, one)))
  const stored = firings.flat()
  let change: Change = {
    ...emptyChange(organizationId, now),
    // A rule that changed meanwhile is evaluated by its new terms.
    expects: evaluated
      .filter((one) => one.before === null || moved.includes(one))
      .map(({ rule: { id, sequence } }) => ({ id, sequence })),
    statements: [
      ...storeStates(organizationId, evaluated),
      ...(stored.length === 0 ? [] : [storeFirings(organizationId, stored)]),
    ],
  }
  if (moved.length === 0) return change
  const alerts = moved.flatMap((one) => {
    const last = firings[evaluated.indexOf(one)]!.at(-1)
    return last
      ? [{ last, alert: firingAlert(last, one.state.at), isNew: last.from !== one.before?.firedAt }]
      : []
  })
  for (const one of alerts) {
    const notice = await noticeChange(records, one)
    if (notice) change = joinChanges(change, notice)
  }
  const messages = await messagesOf(records, services, alerts)
  return { ...change, statements: [...change.statements, ...messages] }
}

/** True if a firing began or ended. */
const hasMoved = ({ before, firings }: Evaluated): boolean =>
  firings.some(({ from, to }) => to !== null || from !== (before?.firedAt ?? null))

/** Title and evidence of a firing are those of its start; its end and extreme can change. */
async function storedFirings(records: TenantRecords, one: Evaluated): Promise<StoredFiring[]> {
  const { rule, threshold, venues, score, before } = one
  const [first] = venues
  if (!first) throw new Error('A threshold has a venue.')
  const { pair } = first.payload
  return Promise.all(
    one.firings.map(async (firing) => ({
      ...firing,
      ruleId: rule.id,
      severity: threshold.severity,
      title: thresholdTitle(rule.payload.name, threshold, firing.extreme, pair),
      pair: pairKey(pair),
      venueId: threshold.subject.venueId ?? null,
      ...(firing.from === before?.firedAt
        ? await storedTexts(records, rule.id, firing)
        : { evidence: score ? refOf(score) : await observationAt(records, one, firing) }),
    })),
  )
}

const refOf = ({ resourceType, id, resourceVersion }: Alert['source']): Alert['source'] => ({
  resourceType,
  id,
  resourceVersion,
})

async function storedTexts(
  records: TenantRecords,
  ruleId: string,
  { from }: Firing,
): Promise<Pick<StoredFiring, 'title' | 'evidence'>> {
  const [rows = []] = await records.query([
    sql`select * from alert_firings where organization_id = ${records.organizationId}
      and rule_id = ${ruleId} and from_at = ${from}`,
  ])
  const [row] = rows
  if (!row) throw new Error(`The firing of ${ruleId} at ${from} is not stored.`)
  const { title, evidence } = firingOf(row)
  return { title, evidence }
}

/** The newest counted observation of the venues that begins at or before the firing. */
async function observationAt(
  records: TenantRecords,
  { rule, venues }: Evaluated,
  { from }: Firing,
): Promise<StoredFiring['evidence']> {
  const ids = venues.map(({ id }) => id)
  const [rows = []] = await records.query([
    sql`select id, resource_version from venue_spans where organization_id = ${records.organizationId}
      and venue_id in ${values(ids)} and is_counted and first_at <= ${from}
      order by first_at desc, id desc limit 1`,
  ])
  const [row] = rows
  // The observation can be superseded between two reads; the rule then is the only evidence.
  return row
    ? refOf({
        resourceType: 'VenueObservation',
        id: textOf(row, 'id'),
        resourceVersion: textOf(row, 'resource_version'),
      } as Alert['source'])
    : refOf(rule as Alert['source'])
}

function storeFirings(organizationId: string, firings: readonly StoredFiring[]): Sql {
  const rows = firings.map(
    ({ ruleId, from, to, extreme, severity, title, pair, venueId, evidence }) =>
      sql`(${organizationId}, ${ruleId}, ${from}, ${to}::bigint, ${extreme}::numeric, ${severity}, ${title},
        ${pair}, ${venueId}, ${evidence.resourceType}, ${evidence.id}, ${evidence.resourceVersion})`,
  )
  return sql`insert into alert_firings (organization_id, rule_id, from_at, until_at, extreme, severity, title,
      pair, venue_id, evidence_type, evidence_id, evidence_version) values ${join(rows)}
    on conflict (organization_id, rule_id, from_at)
      do update set until_at = excluded.until_at, extreme = excluded.extreme`
}

interface Moved {
  readonly last: StoredFiring
  readonly alert: Alert
  /** True if the firing began in this evaluation. */
  readonly isNew: boolean
}

/** Publishes the newest firing of a rule: that it began, ended, or both. */
async function noticeChange(
  records: TenantRecords,
  { last, alert, isNew }: Moved,
): Promise<Change | null> {
  let current = await noticeOf(records, alert.id)
  const open = isNew ? buildOpenNotice(current?.record ?? null, { ...alert, state: 'OPEN' }) : null
  let change: Change | null = null
  if (open) {
    const appended = appendNotice(records, current, open)
    current = appended.current
    change = appended.change
  }
  if (last.to === null || current?.record.status !== 'ACTIVE') return change
  const resolved = buildResolvedNotice(current.record.payload, last.to * 1000)
  const ended = appendNotice(records, current, resolved).change
  return change === null ? ended : joinNotices(change, ended)
}

/**
 * Messages about all alerts after this change. A firing that began and ended in one evaluation is
 * open for this purpose; the next sweep sends its resolution.
 */
async function messagesOf(
  records: TenantRecords,
  services: ScheduleReading,
  moved: readonly Moved[],
): Promise<Sql[]> {
  const [before, notices] = await Promise.all([alertsOf(records, services), noticesOf(records)])
  const byId = new Map(moved.map((one) => [one.alert.id, one]))
  const news = moved.map(({ alert, isNew }) =>
    isNew ? { ...alert, state: 'OPEN' as const } : alert,
  )
  const alerts = [...before.filter(({ id }) => !byId.has(id)), ...news]
  return messageStatements(
    records,
    alerts.map((alert) => {
      const notice = notices.get(alert.id)
      // An acknowledgment ends with its firing.
      const isNew = byId.get(alert.id)?.isNew ?? false
      return handled(
        alert,
        notice && isNew ? { ...notice, acknowledged: null } : notice,
        records.now,
      )
    }),
  )
}
