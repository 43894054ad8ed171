import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { studies } from './records.ts'
import { releasedBy } from './reproduction.ts'

/** The final version of a study after job cancellation; null if the study has already ended. */
export default async function cancelledStudy(
  records: TenantRecords,
  id: string,
): Promise<Change | null> {
  const current = await records.current<Static<typeof contract.SimulationStudy>>(
    'SimulationStudy',
    id,
  )
  if (current?.record.status !== 'VALIDATED' && current?.record.status !== 'ACTIVE') return null
  const { change } = studies.next(records, current, {
    status: 'FAILED',
    payload: current.record.payload,
    reason: 'The study was canceled',
    evidenceHashes: current.record.evidenceHashes,
    event: 'study.cancelled',
  })
  return { ...change, ...releasedBy(current.record.payload) }
}
