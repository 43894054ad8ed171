import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { Failure } from '../../../failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import {
  beginAttempt,
  endAttempt,
  forgetBatches,
  preparePaths,
  readPathSources,
  requireSoundSpec,
  runTrialPaths,
  type StudySpec,
  StudyThreads,
  seedOf,
  specHashOf,
} from '../../simulate/studies/api.ts'
import { noWorkRemains, runAt, settleStep } from './advance-run.ts'
import { metricsOf } from './receipt.ts'
import type { ReceiptTask } from './receipt-task.ts'
import type { Run, Trial } from './records.ts'
import { stepAfterTrials, trialKeyOf } from './run-course.ts'
import type { SealedJson } from './sealed-json.ts'
import { type SealedProtocol, sealedProtocol } from './sealed-protocol.ts'
import { trialPlans } from './trial-plans.ts'

/** A trial without outcome. The message appears in the report. */
class TrialRefusal extends Error {
  readonly state: 'FAILED' | 'INCOMPATIBLE'

  constructor(state: 'FAILED' | 'INCOMPATIBLE', reason: string) {
    super(reason.slice(0, 600))
    this.state = state
  }
}

/** Runs one trial of a sealed protocol on captured data and seals its receipt. */
export default async function runTrial(run: JobRun): Promise<JobEnd> {
  const current = await runAt(run)
  if (!current) return noWorkRemains(run)
  if ((await beginAttempt(run)) >= limits.jobAttempts) {
    return settled(run, current, new TrialRefusal('FAILED', 'WORKERS_DIED'))
  }
  try {
    return settled(run, current, await receiptOf(run, current.record.payload))
  } catch (error) {
    if (run.signal.aborted || error instanceof JobFailure) throw error
    if (error instanceof TrialRefusal) return settled(run, current, error)
    throw new JobFailure('LIQUIDITY_INTERNAL_ERROR', 'The trial stopped early.', {
      retryable: true,
      cause: error,
      lastWords: async (last) => {
        const found = await runAt(last)
        if (!found) return noWorkRemains(last).change
        return settled(last, found, new TrialRefusal('FAILED', 'LIQUIDITY_INTERNAL_ERROR')).change
      },
    })
  } finally {
    // If the database is unavailable, the marker stays and counts as a worker crash.
    await endAttempt(run).catch(() => undefined)
  }
}

function settled(run: JobRun, current: Current<Run>, came: SealedJson | TrialRefusal): JobEnd {
  const { payload } = current.record
  const trialKey = trialKeyOf(run.input.step as string)
  const isRefused = came instanceof TrialRefusal
  const outcome: Pick<Trial, 'state' | 'reason' | 'receiptHash'> = isRefused
    ? { state: came.state, reason: came.message, receiptHash: null }
    : { state: 'COMPLETED', reason: null, receiptHash: came.contentHash }
  const trials = payload.trials.map((trial) =>
    trial.trialKey === trialKey ? { ...trial, ...outcome } : trial,
  )
  const end = settleStep(run, current, {
    outcomeHash: isRefused ? capturedHash(payload) : came.contentHash,
    patch: { trials },
    next: { step: stepAfterTrials(trials) },
    event: 'agent_run.trial_settled',
    eventDetails: { trialKey, ...outcome },
    artifacts: isRefused ? [] : [came],
  })
  const statements = [...end.change.statements, forgetBatches(run)]
  return { ...end, change: { ...end.change, statements } }
}

async function receiptOf(run: JobRun, payload: Run): Promise<SealedJson> {
  const { records, services } = run
  const sealed = await sealedProtocol(records, payload)
  const key = trialKeyOf(run.input.step as string)
  const plan = trialPlans(sealed.protocol).find(({ trialKey }) => trialKey === key)
  if (!plan) throw new Error(`The protocol has no trial ${key}.`)
  if (!plan.spec) throw new TrialRefusal('INCOMPATIBLE', wordsOf(plan.issues))
  const { study, evidence } = await compiled(run, plan.spec, payload)
  const parts = await runTrialPaths(run, study).catch((error: unknown) => {
    throw error instanceof Failure ? new TrialRefusal('FAILED', refusalWords(error)) : error
  })
  const task: ReceiptTask = {
    parts,
    metrics: metricsOf(sealed.protocol),
    head: {
      ...headOf(sealed, payload, plan.spec),
      trialKey: plan.trialKey,
      inputs: evidence.inputs,
      blocks: evidence.blocks,
      gaps: evidence.gaps,
      assumptions: study.assumptions,
    },
  }
  return services.background.run(new URL('./receipt-task.ts', import.meta.url), task, run.signal)
}

const headOf = ({ protocolHash }: SealedProtocol, payload: Run, spec: StudySpec) => ({
  protocolHash,
  captureHash: capturedHash(payload),
  specHash: specHashOf(spec),
  seed: seedOf(spec),
  engineVersion,
  engineBuildHash: engineBuildHash(),
})

function capturedHash({ captureHash }: Run) {
  if (captureHash === null) throw new Error('The run has no capture.')
  return captureHash
}

/**
 * Compiles the study of a trial from captured data only.
 *
 * @throws TrialRefusal if the study does not compile or refers to data outside the capture
 */
async function compiled({ records, services }: JobRun, spec: StudySpec, { capture }: Run) {
  try {
    requireSoundSpec(spec)
    const { evidence, strategies, observed } = await readPathSources(records, spec)
    const sealed = new Set(capture?.items.map(({ source }) => source.resourceVersion as string))
    const loose = evidence.inputs.find(({ hash }) => !sealed.has(hash))
    if (loose) throw new TrialRefusal('INCOMPATIBLE', `The capture has no ${loose.name}.`)
    const threads = new StudyThreads(services.background)
    const study = await preparePaths(threads, { spec, strategies, observed })
    const { studyMilliseconds } = services.config
    if (study.milliseconds > studyMilliseconds) {
      const words = `The estimate is ${study.milliseconds} ms of one core; the maximum is ${studyMilliseconds} ms.`
      throw new TrialRefusal('INCOMPATIBLE', words)
    }
    return { study, evidence }
  } catch (error) {
    if (error instanceof Failure) throw new TrialRefusal('INCOMPATIBLE', refusalWords(error))
    throw error
  }
}

const refusalWords = ({ code, detail }: Failure): string =>
  `${code}: ${wordsOf(detail.fieldErrors ?? {})}`

const wordsOf = (faults: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(faults)
    .map(([field, messages]) => `${field} ${messages.join(', ')}`)
    .join('; ')
