import { contract, type Evidence } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import type { HandlerRequest } from '../../../http/handler.ts'
import { secondMilliseconds } from '../../../units.ts'
import { findObservation, type ObservationRecord } from '../projects/api.ts'
import { runsOfDay } from './day.ts'
import { exitScale } from './exit-scale.ts'
import { liquidityComparison } from './liquidity-comparison.ts'
import { projectHealth } from './project-health.ts'
import { runs } from './records.ts'
import { type Analysis, type Conclusion, type Run, workflows } from './workflow.ts'

type Request = HandlerRequest<typeof contract.runWorkflowResearch>

export default runs.create(contract.runWorkflowResearch, async (request) => {
  const { workflow, parameters = {} } = request.body.payload
  refuseForm(request)
  await refuseDay(request)
  const observed = await observationsOf(request)
  const conclusion = concludeFrom(
    request,
    observed.map(({ payload }) => payload.analysis),
  )
  const { state, reasons, sections, limitations } = conclusion
  const subjects = observed.map(({ id, resourceVersion, payload }) => ({
    id,
    resourceVersion,
    version: payload.version,
    analysisHash: payload.analysis.analysisHash,
  })) as Run['subjects']
  const result = { workflow, subjects, parameters, state, reasons, sections, limitations }
  const resultHash = H('workflow-result/v1', result) as Run['resultHash']
  const payload: Run = {
    ...result,
    resultHash,
    evidence: evidenceOf(result, observed),
    executionAuthorityGranted: false,
  }
  return {
    payload,
    status: state,
    event: 'workflow_run.recorded',
    eventPayload: { workflow, resultHash },
  }
})

const invalidParameters = 'LIQUIDITY_WORKFLOW_PARAMETERS_INVALID'

/** Rejects an invalid request before quota checks and reads. */
function refuseForm({ body, fail }: Request): void {
  const { workflow, subjects, parameters } = body.payload
  const needed = workflows[workflow]
  const baseAmount = parameters?.baseAmount
  const refuse = (field: string, message: string) =>
    fail(invalidParameters, { fieldErrors: { [`payload.${field}`]: [message] } })
  if (subjects.length !== needed.subjects) {
    const message = `must have ${needed.subjects} items for ${workflow}, got ${subjects.length}`
    throw refuse('subjects', message)
  }
  const field = 'parameters.baseAmount'
  if (needed.needsBaseAmount && (baseAmount === undefined || baseAmount === '0')) {
    throw refuse(field, `must be above zero for ${workflow}, got ${baseAmount ?? 'nothing'}`)
  }
  if (!needed.needsBaseAmount && baseAmount !== undefined) {
    throw refuse(field, `must be omitted for ${workflow}, got ${baseAmount}`)
  }
  const [first, second] = subjects
  if (second && first?.projectId === second.projectId && first.version === second.version) {
    throw refuse('subjects.1', 'must differ from the first observation, got the same')
  }
}

async function refuseDay({ records, fail, now }: Request): Promise<void> {
  const { used, limit, resetsAt } = await runsOfDay(records)
  if (used < limit) return
  throw fail('LIQUIDITY_WORKFLOW_LIMIT', {
    retryAfterSeconds: Math.ceil((resetsAt - now) / secondMilliseconds),
  })
}

async function observationsOf({ body, records, fail }: Request): Promise<ObservationRecord[]> {
  return Promise.all(
    body.payload.subjects.map(async ({ projectId, version }, index) => {
      const found = await findObservation(records, projectId, version)
      if (found) return found
      const message = `must name an observation of a saved project, got ${projectId}, ${version}`
      throw fail('LIQUIDITY_WORKFLOW_SUBJECT_INVALID', {
        fieldErrors: { [`payload.subjects.${index}`]: [message] },
      })
    }),
  )
}

function concludeFrom({ body }: Request, analyses: readonly Analysis[]): Conclusion {
  const { workflow, parameters } = body.payload
  // The schema ensured the number of subjects for the workflow.
  const [first, second] = analyses as [Analysis, Analysis]
  if (workflow === 'PROJECT_HEALTH') return projectHealth(first)
  if (workflow === 'LIQUIDITY_COMPARISON') return liquidityComparison(first, second)
  return exitScale(first, BigInt(parameters?.baseAmount ?? '0'))
}

function evidenceOf(
  { workflow, parameters }: Pick<Run, 'workflow' | 'parameters'>,
  observed: readonly ObservationRecord[],
): Evidence {
  const gaps = observed.flatMap(({ payload }) => payload.analysis.gaps)
  return {
    engineVersion,
    engineBuildHash: engineBuildHash() as Evidence['engineBuildHash'],
    specHash: H('workflow-spec/v1', { workflow, parameters }) as Evidence['specHash'],
    inputs: observed.map(({ id, payload }) => ({ name: id, hash: payload.analysis.analysisHash })),
    blocks: observed.flatMap(({ payload }) => payload.analysis.blocks),
    seed: null,
    assumptions: [],
    gaps: gaps.slice(0, 256).map(({ code, pointer, detail }) => ({
      code,
      detail: `${pointer}: ${detail}`.slice(0, 500),
    })),
  }
}
