import type { contract } from '@liquidity-os/contract'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { settleStep } from './advance-run.ts'
import { draftAssessment } from './assessed/assessed-report.ts'
import { sealedMaterial } from './assessed/documents.ts'
import { assessmentKindOf } from './assessed/report-kinds.ts'
import { mayNarrate } from './narration/narrate-run.ts'
import type { Run } from './records.ts'
import { reportMaterial } from './report-material.ts'
import type { ReportAnswer } from './report-task.ts'
import type { SealedJson } from './sealed-json.ts'
import { verifyRun } from './verify-run.ts'

/** Writes the sentences of a report once; they are settled from then on. */
export async function draftRun(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { payload } = current.record
  const kind = assessmentKindOf(payload.kind)
  const draft = kind
    ? draftAssessment(kind, await sealedMaterial(run.records, payload))
    : await draftResearch(run, payload)
  const { contentHash } = draft
  return settleStep(run, current, {
    outcomeHash: contentHash,
    patch: { draftHash: contentHash },
    next: { step: (await mayNarrate(run.records, payload)) ? 'NARRATE' : 'VERIFY' },
    event: 'agent_run.step_settled',
    eventDetails: { draftHash: contentHash },
    artifacts: [draft],
  })
}

async function draftResearch(run: JobRun, payload: Run): Promise<SealedJson> {
  const task = await reportMaterial(run.records, payload)
  const answer: ReportAnswer = await run.services.background.run(
    ...([new URL('./report-task.ts', import.meta.url), task, run.signal] as const),
  )
  if (!('draft' in answer)) throw new Error('The draft is already complete.')
  return answer.draft
}

/**
 * Rebuilds the report from the seals. The run has a result only if the rebuilt report equals the
 * written one.
 */
export async function verifyStep(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { records, services } = run
  const { id, payload } = current.record
  const { checks, rebuilt } = await verifyRun(records, services.database, services.background, {
    id,
    payload,
  })
  const failed = checks.flatMap(({ code, ok }) => (ok ? [] : [code]))
  const isVerified = failed.length === 0
  const { report, resultHash } = rebuilt
  return settleStep(run, current, {
    outcomeHash: resultHash,
    patch: isVerified ? { report: publicReport(report), resultHash } : {},
    next: { state: isVerified ? report.state : 'FAILED' },
    event: 'agent_run.result_verified',
    eventDetails: isVerified ? { resultHash, state: report.state } : { failed },
    artifacts: [],
  })
}

/** Excludes a proposal review from the record, because only reviewers may read it. */
const publicReport = (report: contract.AgentRunResult['report']): Run['report'] =>
  report.reportVersion === 'proposal-review-report-v1' ? null : report
