import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { DamagedArtifactError } from '../../../store/artifacts/artifacts.ts'
import { emptyChange } from '../../../store/records/change.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { haltedRun, noWorkRemains, runAt } from './advance-run.ts'
import { assessmentKindOf } from './assessed/report-kinds.ts'
import { captureRun } from './capture-run.ts'
import { narrateRun } from './narration/narrate-run.ts'
import { planAssessment, planRun } from './plan-run.ts'
import type { Run } from './records.ts'
import { draftRun, verifyStep } from './write-run.ts'

const steps: Readonly<Record<string, (run: JobRun, current: Current<Run>) => Promise<JobEnd>>> = {
  PLAN: (run, current) => {
    const kind = assessmentKindOf(current.record.payload.kind)
    return kind ? planAssessment(kind, run, current) : planRun(run, current)
  },
  CAPTURE: (run, current) => {
    const kind = assessmentKindOf(current.record.payload.kind)
    return kind ? kind.capture(run, current) : captureRun(run, current)
  },
  DRAFT: draftRun,
  NARRATE: narrateRun,
  VERIFY: verifyStep,
}

/** Executes and settles one step of a run. If the step fails, the run halts and can be retried. */
export default async function doStep(run: JobRun): Promise<JobEnd> {
  const current = await runAt(run)
  if (!current) return noWorkRemains(run)
  const step = steps[run.input.step as string]
  if (!step) throw new Error(`Step ${run.input.step} does not exist.`)
  try {
    return await step(run, current)
  } catch (error) {
    if (run.signal.aborted || error instanceof JobFailure) throw error
    const isDamaged = error instanceof DamagedArtifactError
    const code = isDamaged ? 'LIQUIDITY_ARTIFACT_DAMAGED' : 'LIQUIDITY_INTERNAL_ERROR'
    throw new JobFailure(code, 'A step of the run failed.', {
      retryable: !isDamaged,
      cause: error,
      lastWords: async ({ records, organizationId, now }) => {
        const detail = isDamaged
          ? 'Sealed bytes are missing or changed.'
          : 'The step stopped early.'
        const change = await haltedRun(records, run.subject.id, { code, detail })
        return change ?? emptyChange(organizationId, now)
      },
    })
  }
}
