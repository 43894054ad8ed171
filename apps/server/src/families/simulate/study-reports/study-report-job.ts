import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { ConflictError } from '../../../store/database/database.ts'
import { sql } from '../../../store/database/sql.ts'
import { type ArtifactInsert, emptyChange } from '../../../store/records/change.ts'
import { storedVersion } from '../../../store/records/stored-version.ts'
import { reportTask } from './read-task.ts'
import { reportInThread } from './report-in-thread.ts'
import type { RenderingFormat } from './report-task.ts'
import { fileHashOf, signReport } from './study-report.ts'

interface JobInput {
  formats: RenderingFormat[]
  reason: string
  evidenceHashes: string[]
  requestedBy: { kind: string; id: string }
}

/**
 * Creates the report of one study version in a thread, signs it, and stores it with its renderings.
 */
export default async function reportStudy(run: JobRun): Promise<JobEnd> {
  const { records, services, subject, now } = run
  // The operation that queued the job wrote this.
  const { formats, ...request } = run.input as unknown as JobInput
  const { id, resourceVersion } = subject
  const study = await storedVersion<contract.SimulationStudy>(records, 'SimulationStudy', {
    id,
    resourceVersion,
  })
  const task = await reportTask(records, study, formats)
  const { report, renderings } = await reportInThread(services.reporting, task, run.signal)
  const signed = signReport(report, renderings, await services.signingKeys.current(now))
  const body = Buffer.from(canonicalize(signed))
  const { keyId, publicKey, contentHash } = signed
  const json = {
    format: 'json',
    mediaType: 'application/json',
    byteLength: body.length,
    hash: fileHashOf(body),
    content: body,
  }
  const files = [json, ...renderings]
  const artifacts = files.map(({ content: _, ...file }) => file)
  await keep(run, {
    artifacts: files.map(({ hash, mediaType, content }) => ({
      contentHash: hash,
      mediaType,
      content,
      producer: subject,
    })),
    note: {
      jobId: run.jobId,
      reportedVersion: subject.resourceVersion,
      contentHash,
      keyId,
      reportHash: json.hash,
      ...request,
    },
  })
  return {
    change: emptyChange(run.organizationId, now),
    result: { state: signed.state, contentHash, keyId, publicKey, artifacts },
  }
}

/**
 * Stores the files with an event of the study, once per job for any number of attempts. Concurrent
 * reports of one study retry here, because a conflict at the job's end means that another attempt
 * took it over.
 */
async function keep(
  { records, services, jobId, organizationId, subject }: JobRun,
  { artifacts, note }: { artifacts: ArtifactInsert[]; note: Readonly<Record<string, unknown>> },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const [noted = []] = await records.query([
      sql`select 1 from events where organization_id = ${organizationId}
        and subject_id = ${subject.id} and position(${`"jobId":"${jobId}"`} in body) > 0`,
    ])
    if (noted.length > 0) return
    const study = await records.current('SimulationStudy', subject.id)
    if (!study) throw new Error(`Study ${subject.id} does not exist.`)
    try {
      const change = records.note(study, 'study.report_signed', note)
      await services.committer.commit({ ...change, artifacts })
      return
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === limits.contentionAttempts) throw error
    }
  }
}
