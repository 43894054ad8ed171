import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import type { RecordReading, RecordSweeping, Services } from '../../../services.ts'
import { ConflictError } from '../../../store/database/database.ts'
import { TenantRecords } from '../../../store/records/tenant-records.ts'
import { shares } from './records.ts'
import { closeSlug, overdueHolders, type SlugHolder } from './slug.ts'

type StudyShare = Static<typeof contract.StudyShare>

/** Marks expired shares as EXPIRED. Reads check the expiry, so access ends on time without this sweep. */
export async function expireStudyShares(services: RecordSweeping): Promise<void> {
  // Processes overdue shares in portions. Speed is not critical, because reads check the expiry.
  const portion = limits.sweptRecords
  for (;;) {
    const overdue = await overdueHolders(services.database, services.clock(), portion)
    const closed = await Promise.all(overdue.map((holder) => tryToExpire(services, holder)))
    // Another node may have processed the rest. A batch without progress ends the loop.
    if (overdue.length < portion || !closed.includes(true)) return
  }
}

/** A failure of one share must not block the others. */
async function tryToExpire(services: RecordSweeping, holder: SlugHolder): Promise<boolean> {
  try {
    return await expire(services, holder)
  } catch (error) {
    if (!(error instanceof ConflictError)) {
      services.log.warn({ err: error, shareId: holder.shareId }, 'Failed to expire a share.')
    }
    return false
  }
}

/** Appends the last version of a share, and closes its slug. */
async function expire(
  { database, verified, artifacts, committer, clock }: RecordReading & Pick<Services, 'committer'>,
  { organizationId, shareId }: SlugHolder,
): Promise<boolean> {
  const now = clock()
  const actor = { kind: 'SYSTEM', id: 'study-share-expiry' } as const
  const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
  const current = await records.current<StudyShare>('StudyShare', shareId)
  if (current?.record.status !== 'ACTIVE') return false
  const { payload, evidenceHashes } = current.record
  const { change } = shares.next(records, current, {
    status: 'EXPIRED',
    payload,
    reason: 'Expired',
    evidenceHashes,
    event: 'study_share.expired',
    eventPayload: { studyId: payload.study.id },
  })
  await committer.commit({ ...change, statements: [closeSlug(payload.slug, now)] })
  return true
}
