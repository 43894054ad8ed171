import { contract, type FieldErrors, isFinal, type Ref } from '@liquidity-os/contract'
import type { HandlerRequest } from '../../../http/handler.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { hourSeconds } from '../../../units.ts'
import { recordReply } from '../../record-reply.ts'
import { findObservation } from '../projects/api.ts'
import { jobOfStep } from './advance-run.ts'
import { studyFault } from './draft-of-study.ts'
import { agentRuns, type Run } from './records.ts'
import { type SealedJson, sealJson } from './sealed-json.ts'
import { validateProtocol } from './validate-protocol.ts'

const operation = contract.startHealthAgentRun
type Request = HandlerRequest<typeof operation>

const usualBudget: Run['budget'] = { maximumSteps: 40, maximumSeconds: hourSeconds }

/**
 * Starts a run. An assessment proceeds automatically. Research is planned by a worker and then
 * needs approval.
 */
export default agentRuns.create(operation, async (request) => {
  const { body, now } = request
  const { mode = 'AUTO', budget = usualBudget } = body.payload
  const { kind, question, subject, artifacts } = await subjectOf(request)
  const payload: Run = {
    kind,
    question,
    subject,
    mode,
    budget,
    phase: 'QUEUED',
    nextStep: 'PLAN',
    halted: null,
    usage: { steps: 0, milliseconds: 0 },
    steps: [],
    plan: null,
    protocolHash: null,
    captureHash: null,
    capture: null,
    trials: [],
    draftHash: null,
    report: null,
    resultHash: null,
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
  return {
    payload,
    event: 'agent_run.started',
    eventPayload: { phase: 'QUEUED' },
    complete: async (sealed, change) => {
      const { id, resourceType, resourceVersion } = sealed.record
      const producer = { id, resourceType, resourceVersion }
      return recordReply(
        sealed,
        {
          ...change,
          artifacts: artifacts.map((one) => ({ ...one, mediaType: 'application/json', producer })),
          jobs: [jobOfStep(producer, payload, now)],
        },
        201,
      )
    },
  }
})

async function subjectOf({
  body,
  records,
  fail,
}: Request): Promise<
  Pick<Run, 'kind' | 'question' | 'subject'> & { readonly artifacts: readonly SealedJson[] }
> {
  const { subject, question = null } = body.payload
  const refuse = (field: string, message: string) =>
    fail('LIQUIDITY_AGENT_RUN_SUBJECT_INVALID', { fieldErrors: { [field]: [message] } })
  if ('pair' in subject) return { kind: 'HEALTH', question, subject, artifacts: [] }
  if ('vaultId' in subject) {
    const vault = await records.current('QualifiedVault', subject.vaultId)
    if (vault) return { kind: 'HEALTH', question, subject, artifacts: [] }
    throw refuse(
      'payload.subject.vaultId',
      `must name a vault of this organization, got ${subject.vaultId}`,
    )
  }
  if ('proposal' in subject) {
    const fault = await proposalFault(records, subject.proposal)
    if (fault) throw refuse('payload.subject.proposal', fault)
    return { kind: 'PROPOSAL_REVIEW', question, subject, artifacts: [] }
  }
  if ('projectId' in subject) {
    const faults = await validateProject(records, subject)
    if (faults) throw fail('LIQUIDITY_AGENT_RUN_SUBJECT_INVALID', { fieldErrors: faults })
    return { kind: 'PUBLIC_PROJECT', question, subject, artifacts: [] }
  }
  const kind = 'RESEARCH'
  if ('protocol' in subject) {
    if (question !== null) {
      throw refuse('payload.question', 'must be omitted: the protocol has its own question')
    }
    const faults = validateProtocol(subject.protocol, 'payload.subject.protocol')
    if (Object.keys(faults).length > 0) {
      throw fail('LIQUIDITY_AGENT_RUN_SUBJECT_INVALID', { fieldErrors: faults })
    }
    const sealed = sealJson(subject.protocol)
    return {
      kind,
      question: subject.protocol.question,
      subject: { protocolArtifact: sealed.contentHash },
      artifacts: [sealed],
    }
  }
  if (question === null) throw refuse('payload.question', 'is required for a study')
  const { id, resourceVersion } = subject.study
  const found = await records.version<contract.SimulationStudy>(
    ...(['SimulationStudy', id, resourceVersion] as const),
  )
  if (!found) {
    const detail = `must name a version of a study of this organization, got ${id} ${resourceVersion}`
    throw refuse('payload.subject.study', detail)
  }
  const fault = studyFault(found.record)
  if (fault) throw refuse('payload.subject.study', fault)
  return { kind, question, subject: { study: subject.study }, artifacts: [] }
}

/** Reason a proposal cannot be reviewed, or null. */
async function proposalFault(
  records: TenantRecords,
  { id, resourceVersion }: Ref,
): Promise<string | null> {
  const current = await records.current<contract.ProposalWorkspace>('ProposalWorkspace', id)
  if (!current) return `must name a proposal of this organization, got ${id}`
  const { record } = current
  if (record.resourceVersion !== resourceVersion) {
    return `must name the current version ${record.resourceVersion}, got ${resourceVersion}`
  }
  return isFinal(contract.proposalFamily, record.status)
    ? `must be open or approved, got ${record.payload.phase}`
    : null
}

/** Reason no report about a project is possible, or null. */
async function validateProject(
  records: TenantRecords,
  { projectId, observations }: contract.ProjectSubject,
): Promise<FieldErrors | null> {
  const at = 'payload.subject.observations'
  const { mostObservations } = contract
  if (observations.length > mostObservations) {
    return { [at]: [`must be at most ${mostObservations}, got ${observations.length}`] }
  }
  const again = observations.findIndex((version, index) => observations.indexOf(version) < index)
  if (again > 0) {
    return { [`${at}.${again}`]: [`must be unique, got ${observations[again]} twice`] }
  }
  if (!(await records.current('SavedProject', projectId))) {
    const message = `must name a saved project of this organization, got ${projectId}`
    return { 'payload.subject.projectId': [message] }
  }
  for (const [itemIndex, version] of observations.entries()) {
    if (await findObservation(records, projectId, version)) continue
    return { [`${at}.${itemIndex}`]: [`must name an observation of the project, got ${version}`] }
  }
  return null
}
