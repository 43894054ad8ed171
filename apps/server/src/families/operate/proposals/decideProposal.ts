import { contract, type FieldErrors, isFinal } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { type Proposal, phaseOf } from '../../../market/proposals/agreed-packets.ts'
import { admissionFault } from './named-sources.ts'
import { countedApprovals, ended } from './phases.ts'
import { proposals } from './records.ts'
import { movedSources, type ReviewState, reviewOf } from './review.ts'

const operation = contract.decideProposal
type Request = HandlerRequest<typeof operation>
type Payload = contract.ProposalWorkspace

/** Actions that change rights. Their approval requires a recent sign-in. */
const guarded: readonly contract.ProposalActionType[] = [
  ...(['ADMIT_POLICY', 'ROLES_APPLY', 'OWNER_CHANGE'] as const),
]

/** Records one person's decision on exactly what the review shows. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, actor } = request
  const current = await records.reviewed<Payload>('ProposalWorkspace', params.id, precondition)
  const { record } = current
  requireOpen(record, records.now)
  requireEntitled(request, record)
  const review = await reviewOf(records, record)
  if (body.decision === 'APPROVE') requireFirst(request, record.payload)
  requireShown(body, review)
  if (body.decision === 'APPROVE') {
    await requireApprovable(request, review)
    await requireSameControl(request, record)
  }
  const after = decided(record.payload, body, { userId: actor.userId, now: records.now })
  const { sealed, change } = proposals.next(records, current, {
    status: after.status ?? record.status,
    payload: after.payload,
    reason: body.reason,
    evidenceHashes: record.evidenceHashes,
    event: after.payload.phase === 'APPROVED' ? 'proposal.approved' : 'proposal.decided',
    eventPayload: {
      decision: body.decision,
      note: body.note ?? null,
      reviewEvidenceHash: body.reviewEvidenceHash,
      packetHash: record.payload.packetHash,
      acknowledgedFlags: body.acknowledgedFlags.toSorted(),
      approvalCount: after.payload.approvalCount,
    },
  })
  return {
    data: {
      proposal: sealed.record,
      decisionEvent: change.events[0]?.event,
      approvals: approvalsOf(after.payload),
      terminal: isFinal(proposals.declared, sealed.record.status),
      executionAuthorityGranted: false,
      executionPerformed: false,
    },
    change,
  }
})

/** @throws Failure 409 if the packet does not accept decisions */
function requireOpen(record: Proposal, now: number): void {
  const { status, payload } = record
  if (status !== 'DRAFT' && status !== 'VALIDATED') {
    throw new Failure('LIQUIDITY_PROPOSAL_TERMINAL', {
      fieldErrors: { id: [`must be open for decisions, got ${payload.phase}`] },
    })
  }
  if (phaseOf(record, now) !== 'EXPIRED') return
  throw new Failure('LIQUIDITY_PROPOSAL_EXPIRED', {
    fieldErrors: { id: [`must not have expired; expired at ${payload.review.expiresAt}`] },
  })
}

/** @throws Failure 403 if the caller may not decide, 401 if a new sign-in is required */
function requireEntitled(request: Request, { payload }: Proposal): void {
  const { actor, body, fail } = request
  const { preparedBy, review, action } = payload
  if (body.decision === 'WITHDRAW') {
    if (preparedBy.userId === actor.userId || actor.role === 'OWNER') return
    const roleProblem = [`requires the preparer or an OWNER, got ${actor.role}`]
    throw fail('LIQUIDITY_ROLE_REQUIRED', { fieldErrors: { decision: roleProblem } })
  }
  if (!actor.permissions.has('review')) {
    const permissionProblem = [
      `${body.decision} requires a role that can review, got ${actor.role}`,
    ]
    throw fail('LIQUIDITY_ROLE_REQUIRED', { fieldErrors: { decision: permissionProblem } })
  }
  if (review.reviewers && !review.reviewers.includes(actor.userId)) {
    const reviewerProblem = [`requires a named reviewer, got ${actor.userId}`]
    throw fail('LIQUIDITY_ROLE_REQUIRED', { fieldErrors: { decision: reviewerProblem } })
  }
  if (body.decision === 'APPROVE' && guarded.includes(action.actionType)) {
    request.requireRecentAuthentication()
  }
}

function requireFirst({ actor, fail }: Request, { approvals }: Payload): void {
  const before = approvals.find(({ userId }) => userId === actor.userId)
  if (!before) return
  throw fail('LIQUIDITY_PROPOSAL_ALREADY_DECIDED', {
    fieldErrors: { decision: [`must be given only once; you decided at ${before.at}`] },
  })
}

/**
 * @throws Failure 409 if another version was reviewed, 422 if the caller acknowledged flags that do
 * not exist
 */
function requireShown(
  { reviewEvidenceHash: named, acknowledgedFlags }: Request['body'],
  { reviewEvidenceHash, acknowledge }: ReviewState,
): void {
  if (named !== reviewEvidenceHash) {
    throw new Failure('LIQUIDITY_PROPOSAL_REVIEW_STALE', {
      fieldErrors: { reviewEvidenceHash: [`must be ${reviewEvidenceHash}, got ${named}`] },
    })
  }
  const absent = acknowledgedFlags.filter((code) => !acknowledge.includes(code))
  if (absent.length > 0) throw unacknowledged(acknowledge, acknowledgedFlags)
}

const unacknowledged = (requested: readonly string[], given: readonly string[]) =>
  new Failure('LIQUIDITY_PROPOSAL_FLAG_UNACKNOWLEDGED', {
    fieldErrors: {
      acknowledgedFlags: [
        `must be [${requested.join(', ')}], got [${given.toSorted().join(', ')}]`,
      ],
    },
  })

/** Rejects the approval of a packet with its first obstacle. */
async function requireApprovable(
  { body, records, fail }: Request,
  { openBlockers, flags, acknowledge, sourceStates, proposal }: ReviewState,
): Promise<void> {
  if (openBlockers.length > 0) {
    throw fail('LIQUIDITY_PROPOSAL_BLOCKER_OPEN', {
      fieldErrors: { decision: openBlockers.map((id) => `requires an answer to ${id}`) },
    })
  }
  const blocking = flags.filter(({ severity }) => severity === 'BLOCK')
  if (blocking.length > 0) {
    const flagProblems = blocking.map(({ code, detail }) => `${code}: ${detail}`.slice(0, 500))
    throw fail('LIQUIDITY_PROPOSAL_FLAG_BLOCKS', { fieldErrors: { decision: flagProblems } })
  }
  const faults: FieldErrors = {}
  for (const { source } of movedSources(proposal.payload.sourceStates, sourceStates)) {
    const message = `must be the current version, got ${source.resourceVersion} of ${source.id}`
    faults['payload.sourceStates'] = [...(faults['payload.sourceStates'] ?? []), message]
  }
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_PROPOSAL_SOURCE_SUPERSEDED', { fieldErrors: faults })
  }
  const { strategyAdmission } = proposal.payload
  const admissionProblem = strategyAdmission
    ? await admissionFault(records, strategyAdmission)
    : null
  if (admissionProblem) {
    throw fail('LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE', {
      fieldErrors: { 'payload.strategyAdmission': [admissionProblem] },
    })
  }
  const isWhole = acknowledge.every((code) => body.acknowledgedFlags.some((one) => one === code))
  if (!isWhole) throw unacknowledged(acknowledge, body.acknowledgedFlags)
}

/** @throws Failure 409 where others control the vault now than when the packet was prepared */
async function requireSameControl({ records, fail }: Request, { payload }: Proposal) {
  const vault = await records.current<contract.QualifiedVault>('QualifiedVault', payload.vaultId)
  const epoch = vault?.record.payload.controlEpoch ?? 'none'
  if (epoch === payload.controlEpoch) return
  throw fail('LIQUIDITY_PROPOSAL_SOURCE_SUPERSEDED', {
    fieldErrors: {
      'payload.controlEpoch': [
        `must be ${epoch}, the current epoch of the vault, got ${payload.controlEpoch}`,
      ],
    },
  })
}

/** The proposal after a decision, with its new state if that changes. */
export function decided(
  payload: Payload,
  {
    decision,
    reviewEvidenceHash,
  }: Pick<contract.ProposalDecisionRequest, 'decision' | 'reviewEvidenceHash'>,
  { userId, now }: { readonly userId: string; readonly now: number },
): { readonly payload: Payload; readonly status?: 'ACTIVE' | 'REVOKED' } {
  switch (decision) {
    case 'REJECT':
      return { payload: ended(payload, 'REJECTED'), status: 'REVOKED' }
    case 'WITHDRAW':
      return { payload: ended(payload, 'WITHDRAWN'), status: 'REVOKED' }
    case 'REQUEST_CHANGES':
      return {
        payload: { ...payload, phase: 'CHANGES_REQUESTED', approvals: [], approvalCount: 0 },
      }
    default: {
      const approval = {
        userId,
        at: new Date(now).toISOString(),
        reviewEvidenceHash,
        self: payload.preparedBy.userId === userId,
      }
      const approvals = [...payload.approvals, approval]
      const approvalCount = countedApprovals({ ...payload, approvals })
      const isAgreed = approvalCount >= payload.review.required
      return {
        payload: {
          ...payload,
          approvals,
          approvalCount,
          ...(isAgreed ? { phase: 'APPROVED' } : {}),
        },
        ...(isAgreed ? { status: 'ACTIVE' } : {}),
      }
    }
  }
}

function approvalsOf({ approvals, approvalCount, review, preparedBy }: Payload) {
  const { required, reviewers } = review
  const remaining = reviewers?.filter(
    (userId) =>
      !approvals.some((approval) => approval.userId === userId) &&
      (required === 1 || userId !== preparedBy.userId),
  )
  return { count: approvalCount, required, remaining: remaining ?? null }
}
