import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { isFinalLeg, type LegState, tellerOf } from '@liquidity-os/engine/execution'
import { H } from '@liquidity-os/evidence'
import { required } from '../../../../required.ts'

type Plan = contract.ProtectedExecutionPlan

export const transitionKinds = ['plan.leg_transitioned', 'plan.closed'] as const

/** Evidence of a transition; null fields are not needed. */
export interface LegEvidence {
  readonly proposal: { readonly id: string; readonly resourceVersion: string } | null
  readonly transactionHash: string | null
  /** Sender and nonce, if a node knew the transaction at submission. */
  readonly sender: { readonly address: string; readonly nonce: number } | null
  readonly block: { readonly number: number; readonly hash: string } | null
  readonly realised: { readonly sell: string; readonly buy: string } | null
  readonly note: string | null
}

export const noEvidence: LegEvidence = {
  proposal: null,
  transactionHash: null,
  sender: null,
  block: null,
  realised: null,
  note: null,
}

export interface TransitionPayload {
  readonly legIndex: number
  readonly sequence: number
  readonly from: LegState
  readonly to: LegState
  readonly previousTransitionHash: string
  readonly evidence: LegEvidence
  readonly evidenceHash: string
  readonly occurredAt: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly reason: string
  readonly transitionHash: string
}

export interface LegHistory extends LegEvidence {
  readonly legIndex: number
  readonly state: LegState
  readonly sequence: number
  /** Hash of the last transition; null before the first. */
  readonly head: string | null
}

export const evidenceHashOf = (evidence: LegEvidence): string => H('leg-evidence/v1', evidence)

/**
 * The hash of a transition. It includes the previous hash, so the transitions of each leg form a
 * chain.
 */
export const transitionHashOf = (
  planId: string,
  transition: Omit<TransitionPayload, 'transitionHash' | 'evidence' | 'reason'>,
): string => {
  const { legIndex, sequence, from, to, previousTransitionHash } = transition
  const { evidenceHash, occurredAt, actor } = transition
  return H('leg-transition/v1', {
    planId,
    legIndex,
    sequence,
    from,
    to,
    previousTransitionHash,
    evidenceHash,
    occurredAt,
    actor: { kind: actor.kind, id: actor.id },
  })
}

export const plannedLegs = ({ legs }: Pick<Plan, 'legs'>): LegHistory[] =>
  legs.map(({ legIndex }) => ({
    legIndex,
    state: 'PLANNED' as const,
    sequence: 0,
    head: null,
    ...noEvidence,
  }))

export const transitionsOf = (events: readonly OperatingSystemEvent[]): TransitionPayload[] =>
  events
    .filter(({ kind }) => (transitionKinds as readonly string[]).includes(kind))
    // This family writes and seals both kinds.
    .map(({ payload }) => payload as unknown as TransitionPayload)

/** The legs of a plan after its transitions, in their order. */
export function foldLegs(plan: Plan, events: readonly OperatingSystemEvent[]): LegHistory[] {
  return transitionsOf(events).reduce(
    (legs, transition) =>
      legs.map((leg) => (leg.legIndex === transition.legIndex ? moved(leg, transition) : leg)),
    plannedLegs(plan),
  )
}

/** Fields absent in a transition retain their value. A reorg removes the block. */
export function moved(leg: LegHistory, transition: TransitionPayload): LegHistory {
  const { evidence, to, sequence, transitionHash } = transition
  const isBack = leg.state === 'INCLUDED' && to === 'SUBMITTED'
  return {
    legIndex: leg.legIndex,
    state: to,
    sequence,
    head: transitionHash,
    proposal: evidence.proposal ?? leg.proposal,
    transactionHash: evidence.transactionHash ?? leg.transactionHash,
    sender: evidence.transactionHash === null ? leg.sender : evidence.sender,
    block: isBack ? null : (evidence.block ?? leg.block),
    realised: evidence.realised ?? leg.realised,
    note: evidence.note,
  }
}

/**
 * Verifies the transition chain: hashes match, each follows the previous one of its leg, the first
 * follows the plan, and all moves are legal. A third party can repeat this check.
 */
export function isChainValid(
  planId: string,
  artifactHash: string,
  plan: Pick<Plan, 'legs'>,
  transitions: readonly TransitionPayload[],
): boolean {
  const heads = new Map(
    plan.legs.map(({ legIndex }) => [
      legIndex,
      { hash: artifactHash, sequence: 0, state: 'PLANNED' as LegState },
    ]),
  )
  for (const transition of transitions) {
    const head = heads.get(transition.legIndex)
    const follows =
      head !== undefined &&
      transition.previousTransitionHash === head.hash &&
      transition.sequence === head.sequence + 1 &&
      transition.from === head.state &&
      !isFinalLeg(transition.from) &&
      tellerOf(transition.from, transition.to) !== null
    const isWhole =
      transition.evidenceHash === evidenceHashOf(transition.evidence) &&
      transition.transitionHash === transitionHashOf(planId, transition)
    if (!follows || !isWhole) return false
    heads.set(transition.legIndex, {
      hash: transition.transitionHash,
      sequence: transition.sequence,
      state: transition.to,
    })
  }
  return true
}

/** True if an unsent leg is past its deadline. */
export const isOverdue = (
  { state }: Pick<LegHistory, 'state'>,
  deadline: string,
  now: number,
): boolean => (state === 'PLANNED' || state === 'ARMED') && Date.parse(deadline) <= now

/** The deadline for sending a leg of a plan. */
export const deadlineOf = ({ legs }: Pick<Plan, 'legs'>, legIndex: number): string =>
  required(legs[legIndex], `leg ${legIndex} of the plan`).deadline
