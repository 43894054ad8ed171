import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import { recordReply } from '../../record-reply.ts'
import { admittedPacket, buildEventPayload, unvalidated } from './admit-packet.ts'
import { derivedPayload } from './derive-payload.ts'
import { proposals } from './records.ts'
import { type Superseded, supersededBy } from './supersession.ts'
import { requireNothingDerived } from './validate-input.ts'

const operation = contract.createProposals
type Request = HandlerRequest<typeof operation>
type Payload = contract.ProposalWorkspace

/** Derives a packet from the request at the finalized block and freezes it under its hash. */
export default proposals.create(operation, async (request) => {
  const { body, records, services, actor } = request
  requireNothingDerived(body.payload, body.status)
  // The cast is safe after the rejections above.
  const input = body.payload as contract.ProposalWorkspaceInput
  const deriving = await admittedPacket(records, input, actor.userId)
  const superseded = input.supersedes
    ? await supersededBy(request, input.supersedes, deriving.vault)
    : null
  const payload = await derivedPayload(records, services, deriving)
  const status = statusOf(request, payload)
  return {
    payload,
    status,
    event: 'proposal.created',
    eventPayload: buildEventPayload(payload),
    complete: async (sealed, change) =>
      recordReply(sealed, withSuperseded(request, change, superseded, sealed.record.id), 201),
  }
})

function statusOf({ body }: Request, payload: Payload): 'DRAFT' | 'VALIDATED' {
  const faults = unvalidated(payload)
  if (faults.length > 0 && body.status === 'VALIDATED') {
    throw new Failure('LIQUIDITY_PROPOSAL_NOT_VALIDATED', {
      fieldErrors: { status: faults.map((fault) => `cannot be VALIDATED: ${fault}`.slice(0, 500)) },
    })
  }
  return faults.length > 0 || body.status === 'DRAFT' ? 'DRAFT' : 'VALIDATED'
}

function withSuperseded(
  { records, body }: Request,
  change: Change,
  superseded: Superseded | null,
  byId: string,
): Change {
  if (superseded === null) return change
  const { current, payload } = superseded
  const { change: own } = proposals.next(records, current, {
    status: 'RETIRED',
    payload,
    reason: body.reason,
    evidenceHashes: current.record.evidenceHashes,
    event: 'proposal.superseded',
    eventPayload: { supersededBy: byId },
  })
  return joinChanges(change, own)
}
