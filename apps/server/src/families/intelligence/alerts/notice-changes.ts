import type { Change } from '../../../store/records/change.ts'
import type { Current, TenantRecords, Version } from '../../../store/records/tenant-records.ts'
import type { Notice } from './alert-notices.ts'
import { notices } from './records.ts'

/** Appends a version of a notice. The next version can be chained to the result. */
export function appendNotice(
  records: TenantRecords,
  before: Current<Notice> | null,
  version: Version<Notice>,
): { readonly current: Current<Notice>; readonly change: Change } {
  const { sealed, change } = before
    ? notices.next(records, before, version)
    : notices.first(records, version)
  const lastEvent = change.events.at(-1)?.event
  if (!lastEvent) throw new Error('A version has an event.')
  return { current: { record: sealed.record, text: sealed.text, lastEvent }, change }
}

/** Both changes of one notice, in their order. */
export const joinNotices = (first: Change, second: Change): Change => ({
  ...second,
  records: [...first.records, ...second.records],
  events: [...first.events, ...second.events],
  claims: [...first.claims, ...second.claims],
})
