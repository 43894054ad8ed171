import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { secondMilliseconds } from '../../../units.ts'
import { readyStudy, requireSoundSpec } from '../../simulate/studies/api.ts'
import { settleStep } from './advance-run.ts'
import type { AssessmentKind } from './assessed/report-kind.ts'
import { draftOfStudy } from './draft-of-study.ts'
import { agentRuns, type Draft, type Run } from './records.ts'
import { isWhole, openJson, protocolHashOf, sealJson } from './sealed-json.ts'
import { type TrialPlan, trialPlans } from './trial-plans.ts'

/** Drafts the protocol if missing, and checks feasibility and cost of every trial. */
export async function planRun(run: JobRun, found: Current<Run>): Promise<JobEnd> {
  const current = found.record.status === 'DRAFT' ? await begun(run, found) : found
  const { payload } = current.record
  const draft = payload.plan
    ? openJson<Draft>(await run.records.artifact(payload.plan.draftArtifact))
    : await firstDraft(run.records, payload)
  const sealed = sealJson(draft)
  const plans = trialPlans(draft)
  const feasibility: contract.ResearchFeasibility[] = []
  for (const plan of plans) feasibility.push(await assessFeasibility(run, plan))
  const protocolHash = isWhole(draft) ? protocolHashOf(draft) : null
  return settleStep(run, current, {
    outcomeHash: sealed.contentHash,
    patch: {
      plan: {
        draftArtifact: sealed.contentHash,
        protocolHash,
        feasibility,
        clarifications: payload.plan?.clarifications ?? findClarifications(draft),
        revisions: payload.plan?.revisions ?? [],
      },
      trials: plans.map(({ trialKey, label }) => ({
        trialKey,
        label,
        state: 'PENDING' as const,
        attempts: 0,
        receiptHash: null,
        reason: null,
      })),
    },
    next: { phase: 'AWAITING_APPROVAL' },
    event: 'agent_run.phase_changed',
    eventDetails: { protocolHash },
    artifacts: [sealed],
  })
}

/** Plans an assessment. It needs no approval, because its inputs and rules are published. */
export async function planAssessment(
  { tag }: AssessmentKind,
  run: JobRun,
  found: Current<Run>,
): Promise<JobEnd> {
  const current = found.record.status === 'DRAFT' ? await begun(run, found) : found
  const { subject } = current.record.payload
  return settleStep(run, current, {
    outcomeHash: H(`${tag}-subject/v1`, subject),
    patch: {},
    next: { step: 'CAPTURE' },
    event: 'agent_run.step_settled',
    eventDetails: {},
    artifacts: [],
  })
}

async function begun({ records, keep, subject }: JobRun, { record, ...rest }: Current<Run>) {
  const { change } = agentRuns.next(
    records,
    { record, ...rest },
    {
      status: 'ACTIVE',
      payload: { ...record.payload, phase: 'PLANNING' },
      evidenceHashes: record.evidenceHashes,
      reason: 'A worker started the run',
      event: 'agent_run.phase_changed',
      eventPayload: { phase: 'PLANNING' },
    },
  )
  await keep(change)
  const current = await agentRuns.current(records, subject.id)
  if (!current) throw new Error(`Run ${subject.id} does not exist.`)
  return current
}

async function firstDraft(records: TenantRecords, { subject, question }: Run): Promise<Draft> {
  if ('protocolArtifact' in subject)
    return openJson(await records.artifact(subject.protocolArtifact))
  if (!('study' in subject) || question === null)
    throw new Error('The research run has no study or no question.')
  const { id, resourceVersion } = subject.study
  const study = await records.version<contract.SimulationStudy>(
    ...(['SimulationStudy', id, resourceVersion] as const),
  )
  if (!study) throw new Error(`The study ${id} of this run no longer exists.`)
  return draftOfStudy(study.record, question)
}

const findClarifications = (draft: Draft): NonNullable<Run['plan']>['clarifications'] =>
  isWhole(draft)
    ? []
    : [
        {
          clarificationId: 'minimum-effect',
          question: `What is the smallest difference in ${draft.primary.metric} that matters, in quote atoms?`,
          answer: null,
        },
      ]

async function assessFeasibility(
  { records, services }: JobRun,
  { trialKey, spec, issues }: TrialPlan,
): Promise<contract.ResearchFeasibility> {
  const refused = (faults: Readonly<Record<string, readonly string[]>>) => ({
    trialKey,
    ok: false,
    estimateSeconds: null,
    issues: Object.entries(faults)
      .flatMap(([field, messages]) => messages.map((message) => ({ field, message })))
      .slice(0, limits.fieldErrors),
  })
  if (!spec) return refused(issues)
  try {
    requireSoundSpec(spec)
    const { background: threads, config } = services
    const { milliseconds } = await readyStudy(records, { threads, config }, spec)
    return {
      trialKey,
      ok: true,
      issues: [],
      estimateSeconds: Math.ceil(milliseconds / secondMilliseconds),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return refused(error.detail.fieldErrors ?? { payload: [error.message] })
  }
}
