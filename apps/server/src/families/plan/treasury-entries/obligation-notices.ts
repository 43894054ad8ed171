import type { contract } from '@liquidity-os/contract'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import type { Sweep } from '../../../jobs/sweeps.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type ComingDue, comingDue } from './coming-due.ts'
import { noticeKind, noticeName, obligationName } from './names.ts'
import { treasuryEntries } from './records.ts'

/** Publishes obligations 30 days, 7 days and one day before they are due, once each. */
export const notifyObligations: Sweep['run'] = (services) =>
  sweepOverdue(services, {
    actor: 'obligation-notices',
    // Only active obligations hold this name.
    overdue: (organizationId) => sql`select distinct record_id as id from names
      where organization_id = ${organizationId} and kind = ${obligationName}`,
    end: notifyObligation,
  })

async function notifyObligation(records: TenantRecords, id: string): Promise<Change | null> {
  const current = await treasuryEntries.current(records, id)
  if (!current) throw new Error(`Obligation ${id} does not exist.`)
  const { status, payload } = current.record
  if (status !== 'ACTIVE' || payload.entryKind !== 'OBLIGATION') return null
  const notified = await findNotified(records, id)
  const coming = comingDue(payload, records.now).filter(({ dueAt, withinDays }) => {
    const { name } = noticeName(id, dueAt, withinDays)
    return !notified.has(name)
  })
  const [first, ...more] = coming
  if (!first) return null
  const note = (last: typeof current, due: ComingDue) =>
    records.note(last, 'treasury.entry.coming_due', eventPayloadOf(payload, due))
  let change = note(current, first)
  for (const due of more) {
    const last = change.events.at(-1)?.event
    if (!last) throw new Error('A note must have an event.')
    const next = note({ ...current, lastEvent: last }, due)
    change = { ...change, events: [...change.events, ...next.events] }
  }
  const claims = coming.map(({ dueAt, withinDays }) => ({
    ...noticeName(id, dueAt, withinDays),
    recordId: id,
  }))
  return { ...change, claims: [...change.claims, ...claims] }
}

async function findNotified(records: TenantRecords, id: string): Promise<Set<string>> {
  const [rows = []] = await records.query([
    sql`select name from names where organization_id = ${records.organizationId} and kind = ${noticeKind}
      and name > ${`${id}|`} and name < ${`${id}}`}`,
  ])
  return new Set(rows.map((row) => textOf(row, 'name')))
}

const eventPayloadOf = (
  { asset, obligation: { obligationKind, certainty } }: contract.TreasuryObligation,
  { dueAt, withinDays, amount }: ComingDue,
) => ({ dueAt, withinDays, asset, amount: `${amount}`, obligationKind, certainty })
