import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { type Change, joinChanges } from '../../../store/records/change.ts'
import { recordReply } from '../../record-reply.ts'
import { requireVault, type Vault } from '../autonomy-policies/face.ts'
import { derivedPayload } from './derive-payload.ts'
import { requireNothingDerived, requireSoundInput } from './input-faults.ts'
import { type Named, readNamed } from './named-sources.ts'
import { packetsOf } from './packet-calls.ts'
import { requireFit } from './read-ground.ts'
import { proposals } from './records.ts'
import { requireReviewers } from './reviewers.ts'
import { type Superseded, supersededBy } from './supersession.ts'

const operation = contract.createProposals
type Request = HandlerRequest<typeof operation>
type Payload = contract.ProposalWorkspace

/** Derives a packet from what is asked, at the final block, and freezes it under its hash. */
export default proposals.create(operation, async (request) => {
  const { body, records, services, now, actor } = request
  requireNothingDerived(body.payload, body.status)
  // What was refused above is not in it any more.
  const input = body.payload as contract.ProposalWorkspaceInput
  requireSoundInput(input, now)
  const vault = await requireVault(records, input.vaultId)
  requireOwnSafe(input, vault)
  requireFit(vault, input.action.actionType, now)
  const named = await readNamed(records, input)
  requireOfVault(input, named, vault)
  await requireReviewers(records, input.review, actor.userId)
  const superseded = input.supersedes ? await supersededBy(request, input.supersedes, vault) : null
  const packets = packetsOf(input, named)
  const payload = await derivedPayload(records, services, {
    ...{ input, vault, named, packets, preparedBy: actor.userId },
  })
  const status = statusOf(request, payload)
  return {
    ...{ payload, status, event: 'proposal.created' },
    eventPayload: told(payload),
    complete: async (sealed, change) =>
      recordReply(sealed, withSuperseded(request, change, superseded, sealed.record.id), 201),
  }
})

function requireOwnSafe({ action }: contract.ProposalWorkspaceInput, { payload }: Vault): void {
  const faults: Record<string, string[]> = {}
  if (action.chainId !== payload.chainId) {
    faults['payload.action.chainId'] = [`must be ${payload.chainId}, got ${action.chainId}`]
  }
  if (action.safeAddress.toLowerCase() !== payload.safeAddress.toLowerCase()) {
    faults['payload.action.safeAddress'] = [
      `must be ${payload.safeAddress}, got ${action.safeAddress}`,
    ]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PROPOSAL_SAFE_MISMATCH', { fieldErrors: faults })
  }
}

/** @throws Failure 422 where the draft or the plan is of another vault */
function requireOfVault(
  { action }: contract.ProposalWorkspaceInput,
  { plan, draft }: Named,
  vault: Vault,
): void {
  const isAdmitted = action.actionType === 'ADMIT_POLICY' || action.actionType === 'ROLES_APPLY'
  if (isAdmitted && draft && draft.payload.vaultId !== vault.id) {
    throw new Failure('LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH', {
      fieldErrors: {
        'payload.policyDraft': [`must be of ${vault.id}, got one of ${draft.payload.vaultId}`],
      },
    })
  }
  const epoch = draft?.payload.compilation?.policy.controlEpoch
  if (isAdmitted && epoch !== undefined && epoch !== vault.payload.controlEpoch) {
    throw new Failure('LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH', {
      fieldErrors: {
        'payload.policyDraft': [
          `must be of the control epoch ${vault.payload.controlEpoch}, got ${epoch}`,
        ],
      },
    })
  }
  if (plan?.resourceType !== 'MigrationPlan') return
  const { from, pair } = (plan.payload as contract.MigrationPlan).request
  const isOwn =
    from.wallet.toLowerCase() === vault.payload.safeAddress.toLowerCase() &&
    pair.chainId === vault.payload.chainId
  if (isOwn && plan.status === 'VALIDATED' && action.actionType === 'VENUE_CALLS') return
  const message = isOwn
    ? `must be VALIDATED and proposed as VENUE_CALLS, got one that is ${plan.status} as ${action.actionType}`
    : `must be of the Safe ${vault.payload.safeAddress}, got one of ${from.wallet}`
  throw new Failure('LIQUIDITY_PROPOSAL_PLAN_MISMATCH', {
    fieldErrors: { 'payload.plan': [message] },
  })
}

/** What keeps a packet from being validated, in words; empty where nothing does. */
function unvalidated({ flags, simulation, packets }: Payload): string[] {
  const blocks = flags.filter(({ severity }) => severity === 'BLOCK').map(({ code }) => code)
  const verdicts = packets.flatMap(({ packetIndex, policyCheck }) =>
    policyCheck && policyCheck.verdict !== 'ALLOW'
      ? [`the policy says ${policyCheck.verdict} of packet ${packetIndex}`]
      : [],
  )
  return [
    ...[...new Set(blocks)].map((code) => `the flag ${code}`),
    ...verdicts,
    ...(simulation.state === 'COMPLETE' ? [] : [`the simulation is ${simulation.state}`]),
  ]
}

function statusOf({ body }: Request, payload: Payload): 'DRAFT' | 'VALIDATED' {
  const faults = unvalidated(payload)
  if (faults.length > 0 && body.status === 'VALIDATED') {
    throw new Failure('LIQUIDITY_PROPOSAL_NOT_VALIDATED', {
      fieldErrors: { status: faults.map((fault) => `cannot be VALIDATED: ${fault}`.slice(0, 500)) },
    })
  }
  return faults.length > 0 || body.status === 'DRAFT' ? 'DRAFT' : 'VALIDATED'
}

const told = ({ vaultId, action, packetHash, packets, simulation, flags }: Payload) => ({
  ...{ vaultId, actionType: action.actionType, packetHash, packets: packets.length },
  simulationHash: simulation.simulationHash,
  flags: [...new Set(flags.map(({ code }) => code))],
})

function withSuperseded(
  { records, body }: Request,
  change: Change,
  superseded: Superseded | null,
  byId: string,
): Change {
  if (superseded === null) return change
  const { current, payload } = superseded
  const { change: own } = proposals.next(records, current, {
    ...{ status: 'RETIRED', payload, reason: body.reason },
    evidenceHashes: current.record.evidenceHashes,
    event: 'proposal.superseded',
    eventPayload: { supersededBy: byId },
  })
  return joinChanges(change, own)
}
