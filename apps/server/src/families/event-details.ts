import type { SealedRecord } from '@liquidity-os/evidence'
import type { Change } from '../store/records/change.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'

export type Note = readonly [kind: string, payload: Readonly<Record<string, unknown>>]

/**
 * A change that appends a version, extended with more events on the version, in order and in one
 * chain.
 *
 * @param change of `sealed`, whose last event is that of `sealed`
 */
export function appendNotes(
  records: TenantRecords,
  { record, text }: SealedRecord,
  change: Change,
  notes: readonly Note[],
): Change {
  const events = [...change.events]
  for (const [kind, payload] of notes) {
    const last = events.at(-1)?.event
    if (!last) throw new Error('A version has no event.')
    events.push(...records.note({ record, text, lastEvent: last }, kind, payload).events)
  }
  return { ...change, events }
}
