import type { SealedRecord } from '@liquidity-os/evidence'
import type { Change, JobInsert } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { studies } from './records.ts'
import type { StudyPayload } from './replay/replay-result.ts'
import { studyClaim } from './reproduction.ts'
import type { StudySpec } from './validate-spec.ts'

type Earlier = StudyPayload['reproduces']

/** An accepted study with its job; not yet stored. */
export interface AcceptedStudy {
  readonly sealed: SealedRecord<StudyPayload>
  readonly change: Change
  readonly job: JobInsert
}

/** Accepts a study with a valid specification, for a worker to run. */
export function acceptedStudy(
  records: TenantRecords,
  requested: {
    readonly spec: StudySpec
    readonly reason: string
    readonly evidenceHashes: readonly string[]
    readonly earlier: Earlier
  },
): AcceptedStudy {
  const { spec, reason, evidenceHashes, earlier } = requested
  const { sealed, change } = studies.first(records, {
    status: 'VALIDATED',
    payload: { spec, progress: null, reproduces: earlier, result: null } satisfies StudyPayload,
    reason,
    evidenceHashes,
    event: 'study.queued',
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const job: JobInsert = {
    id: newId('job', records.now),
    kind: 'STUDY_RUN',
    subject: { resourceType, id, resourceVersion },
    input: {},
  }
  return { sealed, job, change: { ...change, ...claimOf(spec, earlier, id), jobs: [job] } }
}

/** The first study of a specification claims it. Later ones refer to it in `reproduces`. */
export function claimOf(
  spec: StudySpec,
  earlier: Earlier,
  recordId: string,
): Pick<Change, 'claims'> {
  return { claims: earlier ? [] : [{ ...studyClaim(spec), recordId }] }
}

export async function earlierStudy(records: TenantRecords, spec: StudySpec): Promise<Earlier> {
  const id = await records.holder(studyClaim(spec))
  const study = id ? await records.text('SimulationStudy', id) : null
  return study && id ? { id, resourceVersion: study.resourceVersion } : null
}
