import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type LegState, tellerOf } from '@liquidity-os/engine/execution'
import { getAddress, type Hex, hexToNumber } from 'viem'
import { Failure } from '../../../../failure.ts'
import { ChainError } from '../../../../integrations/chain/chain-error.ts'
import { ask } from '../../../../integrations/chain/client.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { policyHeldBy, stateOf } from '../../autonomy-policies/api.ts'
import { approvedProposal, makesCall, type Proposal } from '../../proposals/api.ts'
import type { CurrentPlan, DecidedMove } from './append-transitions.ts'
import {
  deadlineOf,
  isOverdue,
  type LegEvidence,
  type LegHistory,
  noEvidence,
} from './leg-chain.ts'
import { observeLeg, openLegChain } from './observe-leg.ts'

export interface RequestedMove {
  readonly records: TenantRecords
  readonly services: ProviderAccess
  readonly current: CurrentPlan
  readonly legs: readonly LegHistory[]
  readonly transition: contract.LegTransition
}

/**
 * Checks a transition and finds its evidence.
 *
 * @throws Failure 409 if the leg cannot take this state, lacks approval, or the chain does not
 * confirm it; 422 for unexpected fields
 */
export async function decideMove(requested: RequestedMove): Promise<DecidedMove> {
  const { transition } = requested
  const leg = legOf(requested)
  const reporter = tellerOf(leg.state, transition.to)
  requireMembers(requested, leg)
  if (reporter === null) throw refused(leg.state, transition.to)
  const evidence = await evidenceOf(requested, leg, reporter)
  return { legIndex: leg.legIndex, to: transition.to, evidence, reason: transition.reason }
}

function legOf({ legs, transition: reported }: RequestedMove): LegHistory {
  const leg = legs.find(({ legIndex }) => legIndex === reported.legIndex)
  if (leg) return leg
  throw new Failure('LIQUIDITY_PLAN_INPUT_INVALID', {
    fieldErrors: { legIndex: [`must be below ${legs.length}, got ${reported.legIndex}`] },
  })
}

const refused = (from: LegState, to: LegState, why = '') =>
  new Failure('LIQUIDITY_LEG_TRANSITION', {
    fieldErrors: { to: [`a leg cannot change from ${from} to ${to}${why}`] },
  })

/** A transition has evidence exactly if it requires evidence. */
function requireMembers({ transition: response }: RequestedMove, leg: LegHistory): void {
  const faults: FieldErrors = {}
  const needs = (member: 'proposal' | 'transactionHash', isNeeded: boolean) => {
    const isGiven = response[member] !== undefined
    if (isNeeded && !isGiven) faults[member] = [`is required for ${response.to}`]
    if (!isNeeded && isGiven) faults[member] = [`must be omitted for ${response.to}`]
  }
  needs('proposal', response.to === 'ARMED')
  const isNamed = response.to === 'SUBMITTED' && leg.state !== 'INCLUDED'
  needs('transactionHash', isNamed)
  if (isNamed && response.transactionHash === leg.transactionHash && leg.state === 'SUBMITTED') {
    faults.transactionHash = [`must differ from the current hash, got ${leg.transactionHash}`]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PLAN_INPUT_INVALID', { fieldErrors: faults })
  }
}

async function evidenceOf(
  requestedValue: RequestedMove,
  leg: LegHistory,
  reporter: NonNullable<ReturnType<typeof tellerOf>>,
): Promise<LegEvidence> {
  const { records, transition: reportedValue, current } = requestedValue
  const deadline = deadlineOf(current.record.payload, leg.legIndex)
  const isOver = isOverdue(leg, deadline, records.now)
  if (reporter === 'CLOCK') {
    if (isOver) return { ...noEvidence, note: `The deadline was ${deadline}.` }
    throw refused(leg.state, reportedValue.to, ` before its deadline, ${deadline}`)
  }
  if (reporter === 'CHAIN') return confirmed(requestedValue, leg)
  if (isOver && reportedValue.to !== 'CANCELLED') {
    throw refused(leg.state, reportedValue.to, `: its deadline was ${deadline}`)
  }
  switch (reportedValue.to) {
    case 'ARMED':
      return armed(requestedValue, leg)
    case 'SUBMITTED':
      return submitted(requestedValue)
    default:
      return noEvidence
  }
}

/** On-chain facts are read from the chain, never from the request. */
async function confirmed(
  { records, services, current, transition }: RequestedMove,
  leg: LegHistory,
): Promise<LegEvidence> {
  const { payload } = current.record
  const chain = await openLegChain(records, services, payload.chainId)
  const observed = await observeLeg(chain, payload, leg)
  if (observed.to === transition.to) return observed.evidence
  const shown = observed.to === null ? observed.because : `the chain shows ${observed.to}`
  throw new Failure('LIQUIDITY_LEG_EVIDENCE_UNAVAILABLE', {
    fieldErrors: { to: [`${transition.to} is not confirmed: ${shown}`] },
  })
}

async function armed(
  { records, current, transition }: RequestedMove,
  leg: LegHistory,
): Promise<LegEvidence> {
  const { payload } = current.record
  const not = (why: string) =>
    new Failure('LIQUIDITY_LEG_NOT_APPROVED', { fieldErrors: { proposal: [why] } })
  const call = payload.legs[leg.legIndex]?.call ?? null
  if (call === null) throw not('the leg has no call: no adapter contract executes it')
  const held = await policyHeldBy(records, payload.vaultId)
  const stands =
    held !== null &&
    held.record.id === payload.policy.id &&
    held.record.resourceVersion === payload.policy.resourceVersion &&
    stateOf(held.record, records.now) === 'ACTIVE'
  if (!stands) throw not('the policy of the plan is no longer in force; prepare the plan again')
  const ref = transition.proposal
  if (ref === undefined) throw new Error('The proposal is required.')
  const proposal = await approvedProposal(records, ref)
  if (proposal === null) throw not(`${ref.id} is not approved in this version`)
  if (proposal.payload.vaultId !== payload.vaultId) throw not(`${ref.id} is for another vault`)
  if (!makesCall(proposal, call))
    throw not(`no open packet of ${ref.id} makes exactly the call of the leg`)
  if (payload.policyLevel < 3) requireOwnPacket(proposal, payload, leg, not)
  return { ...noEvidence, proposal: { id: ref.id, resourceVersion: ref.resourceVersion } }
}

/** Below level 3 every leg needs a separate decision. */
function requireOwnPacket(
  proposal: Proposal,
  { legs }: contract.ProtectedExecutionPlan,
  leg: LegHistory,
  not: (why: string) => Failure,
): void {
  const other = legs.find(
    ({ legIndex, call }) => legIndex !== leg.legIndex && call !== null && makesCall(proposal, call),
  )
  if (other) {
    throw not(
      `it also makes the call of leg ${other.legIndex}; below level 3, each leg requires its own packet`,
    )
  }
}

interface KnownTransaction {
  readonly from: Hex
  readonly nonce: Hex
}

/**
 * Sender and nonce of the transaction, if a node knows it. They reveal a replacement transaction
 * later.
 */
async function submitted({
  records,
  services,
  current,
  transition,
}: RequestedMove): Promise<LegEvidence> {
  const transactionHash = transition.transactionHash ?? null
  const { clients } = await openLegChain(records, services, current.record.payload.chainId)
  try {
    const found = await ask<KnownTransaction | null>(clients[0], 'eth_getTransactionByHash', [
      transactionHash,
    ])
    const sender = found && {
      address: getAddress(found.from),
      nonce: hexToNumber(found.nonce),
    }
    return { ...noEvidence, transactionHash, sender }
  } catch (error) {
    // A node that does not know a transaction may return an error.
    if (error instanceof ChainError) return { ...noEvidence, transactionHash }
    throw error
  }
}
