import type { Change } from '../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import type { ScorePayload } from './active-score.ts'
import { scores } from './records.ts'

export const refOf = ({ record: { id, resourceVersion } }: Current) => ({ id, resourceVersion })

/** The change that activates a score and retires the previous one. */
export function withRetired(
  records: TenantRecords,
  change: Change,
  former: Current<ScorePayload>,
): Change {
  const retired = scores.next(records, former, {
    status: 'RETIRED',
    payload: former.record.payload,
    reason: 'A later score is active for the pair',
    evidenceHashes: former.record.evidenceHashes,
    event: 'score.retired',
  }).change
  return {
    ...change,
    records: [...change.records, ...retired.records],
    events: [...change.events, ...retired.events],
    expects: [...change.expects, ...retired.expects],
    releases: [...change.releases, ...retired.releases],
  }
}
