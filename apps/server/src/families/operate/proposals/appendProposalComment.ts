import { contract, isFinal } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { phaseOf } from '../../../market/proposals/agreed-packets.ts'
import { valueAt } from '../../json-pointer.ts'
import { commentedKind, commentOf, requireFitting } from './comments.ts'
import { proposals } from './records.ts'

const operation = contract.appendProposalComment

/** Appends a comment to the version that its author has seen; the version does not change. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, actor, now, fail } = request
  const current = await records.reviewed<contract.ProposalWorkspace>(
    ...(['ProposalWorkspace', params.id, precondition] as const),
  )
  const { record } = current
  const { status, payload } = record
  if (isFinal(proposals.declared, status)) {
    const phaseProblem = [`must be open, got ${payload.phase}`]
    throw fail('LIQUIDITY_PROPOSAL_TERMINAL', { fieldErrors: { id: phaseProblem } })
  }
  if (phaseOf(record, now) === 'EXPIRED') {
    const expiryProblem = [`must not have expired; expired at ${payload.review.expiresAt}`]
    throw fail('LIQUIDITY_PROPOSAL_EXPIRED', { fieldErrors: { id: expiryProblem } })
  }
  const before = await records.events(params.id, { kinds: [commentedKind] })
  requireFitting(body, before.map(commentOf), {
    userId: actor.userId,
    mayReview: actor.permissions.has('review'),
    isPreparer: payload.preparedBy.userId === actor.userId,
  })
  const { anchor = null } = body
  if (anchor !== null && valueAt(record, anchor) === undefined) {
    throw fail('LIQUIDITY_PROPOSAL_COMMENT_UNFIT', {
      fieldErrors: { anchor: [`must point to a value of the record, got ${anchor}`] },
    })
  }
  const { kind, body: text, resolves = null, supersedes = null, reason } = body
  const change = records.note(current, commentedKind, {
    kind,
    body: text,
    anchor,
    resolves,
    supersedes,
    reason,
  })
  return { status: 201, data: change.events[0]?.event, change }
})
