import { contract } from '@liquidity-os/contract'
import { canonicalize, type VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { type Address, getAddress, type Hex } from 'viem'
import { Failure } from '../../../failure.ts'

type Input = contract.ProposalWorkspaceInput
type MigrationPlan = Static<typeof contract.MigrationPlan>

/** A call of the Safe in a packet. */
export interface PlainCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}
type SerializedCall = { readonly to: string; readonly value: string; readonly data: string }

const plain = ({ to, value, data }: SerializedCall): PlainCall => ({
  to: getAddress(to),
  value: BigInt(value),
  data: data.toLowerCase() as Hex,
})

/** Record format of calls. */
export const serializeCalls = (calls: readonly PlainCall[]) =>
  calls.map(({ to, value, data }) => ({ to, value: `${value}`, data }))

export interface CallSources {
  readonly plan: VersionedRecord | null
  readonly draft: VersionedRecord<contract.PolicyIntentDraft> | null
}

/**
 * Calls per packet. Calls of a migration are the plan's steps; calls of a policy admission are its
 * commitment. If the request contains calls, they must match byte for byte.
 *
 * @throws Failure 422 for different calls, or for calls without a source
 */
export function packetsOf(input: Input, { plan, draft }: CallSources): PlainCall[][] {
  const { action, series = [] } = input
  const given = action.calls ? [action.calls, ...series.map(({ calls }) => calls)] : null
  if (given === null && series.length > 0) throw missing('is required if series is set')
  const made = madeCalls(input, { plan, draft })
  if (made === null) {
    if (given === null) throw missing('is required if no other source defines the calls, got none')
    return given.map((calls) => calls.map(plain))
  }
  const { packets, code, of } = made
  const givenCalls = given?.map((calls) => calls.map(plain))
  if (givenCalls && textOf(givenCalls) !== textOf(packets)) {
    throw new Failure(code, {
      fieldErrors: {
        'payload.action.calls': [`must equal the calls of ${of} byte for byte, or be omitted`],
      },
    })
  }
  return packets
}

const textOf = (packets: readonly (readonly PlainCall[])[]) =>
  canonicalize(packets.map((calls) => serializeCalls(calls)))

const missing = (message: string) =>
  new Failure('LIQUIDITY_PROPOSAL_CALLS_MISSING', {
    fieldErrors: { 'payload.action.calls': [message] },
  })

interface Made {
  readonly packets: PlainCall[][]
  readonly code: 'LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH' | 'LIQUIDITY_PROPOSAL_PLAN_MISMATCH'
  readonly of: string
}

function madeCalls({ action }: Input, { plan, draft }: CallSources): Made | null {
  const { actionType } = action
  if (actionType === 'ADMIT_POLICY' || actionType === 'ROLES_APPLY') {
    return compiledCalls(actionType, draft)
  }
  return plan?.resourceType === 'MigrationPlan'
    ? migrationCalls(plan as VersionedRecord<MigrationPlan>)
    : null
}

function compiledCalls(
  actionType: 'ADMIT_POLICY' | 'ROLES_APPLY',
  draft: CallSources['draft'],
): Made {
  const code = 'LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH'
  const compilation = draft?.payload.compilation ?? null
  const refused = (message: string) =>
    new Failure(code, { fieldErrors: { 'payload.policyDraft': [message] } })
  if (draft === null || compilation === null) {
    const came = draft ? `${draft.id}, which is not compiled` : 'none'
    throw refused(`must be a compiled draft of the policy, got ${came}`)
  }
  const { calls, commitment } = compilation
  if (actionType === 'ADMIT_POLICY') {
    // The commitment is the last call, after the calls of a role if the policy has an on-chain
    // role.
    const packets = [[...(calls ?? []), commitment].map(plain)]
    return { packets, code, of: `the compilation of ${draft.id}` }
  }
  if (calls === null) {
    throw refused(
      'must compile to calls of a role, got a draft for a vault without a known modifier',
    )
  }
  return { packets: [calls.map(plain)], code, of: `the role of ${draft.id}` }
}

function migrationCalls({ id, payload }: VersionedRecord<MigrationPlan>): Made {
  const packets = payload.steps
    .filter(({ calls }) => calls.length > 0)
    .map(({ calls }) => calls.map(plain))
  if (packets.length === 0 || packets.length > contract.mostPackets) {
    throw new Failure('LIQUIDITY_PROPOSAL_PLAN_MISMATCH', {
      fieldErrors: {
        'payload.plan': [
          `must have 1 to ${contract.mostPackets} steps with calls, got ${packets.length}; use fewer and larger tranches`,
        ],
      },
    })
  }
  return { packets, code: 'LIQUIDITY_PROPOSAL_PLAN_MISMATCH', of: id }
}
