import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { required } from '../../../required.ts'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { type Change, emptyChange, type JobInsert } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { textOrEmpty } from '../../../texts.ts'
import { agentRuns, type Run } from './records.ts'
import { goOn, type Step, stopped, trialKeyOf } from './run-course.ts'
import type { SealedJson } from './sealed-json.ts'

export const stepKind = 'AGENT_RUN_STEP'
export const trialKind = 'RESEARCH_TRIAL'

export interface Settled {
  /** Hash of the step's result, recorded in the journal. */
  readonly outcomeHash: string
  readonly patch: Partial<Run>
  /** Next step, or the final state of the run. */
  readonly next:
    | { readonly step: Step }
    | { readonly phase: 'AWAITING_APPROVAL' }
    | { readonly state: 'COMPLETED' | 'PARTIAL' | 'ABSTAINED' | 'FAILED' }
  /** Tokens used by a language model, if the step called one. */
  readonly modelTokens?: number
  readonly event: string
  readonly eventDetails: Readonly<Record<string, unknown>>
  readonly artifacts: readonly SealedJson[]
}

/** Returns the run of a job. Null if the step is already settled or the run is halted. */
export async function runAt(run: JobRun): Promise<Current<Run> | null> {
  const current = await agentRuns.current(run.records, run.subject.id)
  if (!current) throw new Error(`Run ${run.subject.id} does not exist.`)
  const { status, payload } = current.record
  const isUnderWay = status === 'ACTIVE' || status === 'DRAFT'
  return isUnderWay && payload.nextStep === run.input.step ? current : null
}

export const noWorkRemains = ({ organizationId, now }: JobRun): JobEnd => ({
  change: emptyChange(organizationId, now),
  result: { settled: false },
})

/**
 * Settles a step. The journal entry, the result and the next job are one transaction. If a worker
 * crashes, the run is in the state before or after the step.
 */
export function settleStep(run: JobRun, current: Current<Run>, settled: Settled): JobEnd {
  const { records } = run
  const before = current.record.payload
  const step = required(before.nextStep, `next step of the run ${current.record.id}`)
  const worked = Math.max(0, run.services.clock() - run.now)
  const journaled: Run = {
    ...before,
    ...settled.patch,
    nextStep: null,
    usage: usedBy(before.usage, worked, settled.modelTokens),
    steps: [
      ...before.steps,
      { step, settledAt: new Date(records.now).toISOString(), outcomeHash: settled.outcomeHash },
    ],
  }
  const { payload, status } = followed(journaled, settled.next)
  const { sealed, change } = agentRuns.next(records, current, {
    status,
    payload,
    evidenceHashes: current.record.evidenceHashes,
    reason: `Step ${step} is finished`,
    event: settled.event,
    eventPayload: {
      step,
      outcomeHash: settled.outcomeHash,
      phase: payload.phase,
      ...settled.eventDetails,
    },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const subject = { id, resourceType, resourceVersion }
  return {
    change: {
      ...change,
      artifacts: settled.artifacts.map((one) => ({
        ...one,
        mediaType: 'application/json',
        producer: subject,
      })),
      jobs: status === 'ACTIVE' ? [jobOfStep(subject, payload, records.now)] : [],
    },
    result: { settled: true, step, outcomeHash: settled.outcomeHash },
  }
}

function usedBy(
  usage: Run['usage'],
  worked: number,
  modelTokens: number | undefined,
): Run['usage'] {
  const more = { steps: usage.steps + 1, milliseconds: usage.milliseconds + worked }
  return modelTokens === undefined
    ? { ...usage, ...more }
    : { ...more, modelTokens: (usage.modelTokens ?? 0) + modelTokens }
}

function followed(payload: Run, next: Settled['next']): { payload: Run; status: string } {
  if ('step' in next) return goOn(payload, next.step, 'SETTLED')
  if ('phase' in next) return { payload: { ...payload, phase: next.phase }, status: 'PAUSED' }
  return { payload: { ...payload, phase: next.state }, status: next.state }
}

/** The job for the next step of a run. */
export function jobOfStep(
  subject: JobInsert['subject'],
  { nextStep }: Pick<Run, 'nextStep'>,
  now: number,
): JobInsert {
  if (nextStep === null) throw new Error(`The run ${subject.id} has no next step.`)
  const kind = trialKeyOf(nextStep) === null ? stepKind : trialKind
  return { id: newId('job', now), kind, subject, input: { step: nextStep } }
}

/** Halts a run after a step failed. */
export async function haltedRun(
  records: TenantRecords,
  id: string,
  halt: { readonly code: string; readonly detail: string },
): Promise<Change | null> {
  const current = await agentRuns.current(records, id)
  if (!current) throw new Error(`Run ${id} does not exist.`)
  const { status, payload, evidenceHashes } = current.record
  if (status !== 'ACTIVE' && status !== 'DRAFT') return null
  const halted = { ...halt, step: textOrEmpty(payload.nextStep) }
  return agentRuns.next(records, current, {
    status: 'PAUSED',
    payload: stopped(payload, halted),
    evidenceHashes,
    reason: 'A step failed',
    event: 'agent_run.phase_changed',
    eventPayload: { phase: payload.phase, halted: halt.code },
  }).change
}

/** Ends all unfinished jobs of a run and deletes their intermediate data. */
export function endJobs({ organizationId, now }: TenantRecords, runId: string): Sql[] {
  const error = JSON.stringify({
    code: 'LIQUIDITY_JOB_CANCELLED',
    message: 'The run was stopped.',
    retryable: false,
  })
  return [
    sql`delete from study_batches where organization_id = ${organizationId} and job_id in
      (select id from jobs where organization_id = ${organizationId} and subject_id = ${runId}
        and status in ('QUEUED', 'RUNNING'))`,
    sql`update jobs set status = 'CANCELLED', preliminary = null, finished_at = ${now}, error = ${error}
      where organization_id = ${organizationId} and subject_id = ${runId}
      and status in ('QUEUED', 'RUNNING')`,
  ]
}
