import type { contract } from '@liquidity-os/contract'
import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import type { Current } from '../../../../store/records/tenant-records.ts'
import { findObservation, type ObservationRecord } from '../../projects/api.ts'
import { sealCapture } from '../assessed/seal-capture.ts'
import type { Run } from '../records.ts'
import type { ProjectRequest } from './material.ts'

/**
 * Seals the observations of the request. They were frozen before, so equal observations give equal
 * captures at any time.
 */
export async function captureProject(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { subject, question } = current.record.payload
  const requested: ProjectRequest = {
    requestVersion: 'public-project-request-v1',
    rules: { rulesVersion: 'public-project-rules-v1' },
    subject: projectSubject(subject),
    question,
  }
  const records: ObservationRecord[] = []
  for (const version of requested.subject.observations) {
    const found = await findObservation(run.records, requested.subject.projectId, version)
    if (!found) throw new Error(`The observation ${version} of this run no longer exists.`)
    records.push(found)
  }
  const whole = records.filter(({ payload }) => payload.analysis.state === 'COMPLETED').length
  return sealCapture(run, current, {
    request: requested,
    asOf: null,
    records,
    found: [],
    gaps: [],
    // Share of the observations without gaps.
    coveragePips: Math.floor((whole * 1_000_000) / records.length),
  })
}

/** @throws Error if the subject is of another kind */
function projectSubject(subject: Run['subject']): contract.ProjectSubject {
  if ('projectId' in subject) return subject
  throw new Error('The run of a public project has no project.')
}
