import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { requireVault, type Vault } from '../autonomy-policies/api.ts'
import type { Deriving } from './derive-payload.ts'
import { type Named, readNamed } from './named-sources.ts'
import { packetsOf } from './packet-calls.ts'
import { requireFit } from './read-context.ts'
import { requireReviewers } from './reviewers.ts'
import { requireSoundInput } from './validate-input.ts'

type Payload = contract.ProposalWorkspace

/**
 * Inputs of a packet except chain data, from records of the caller's organization only.
 *
 * @throws Failure for any reason the packet is invalid for the vault
 */
export async function admittedPacket(
  records: TenantRecords,
  input: contract.ProposalWorkspaceInput,
  preparedBy: string,
): Promise<Deriving> {
  requireSoundInput(input, records.now)
  const vault = await requireVault(records, input.vaultId)
  requireOwnSafe(input, vault)
  requireFit(vault, input.action.actionType, records.now)
  const named = await readNamed(records, input)
  requireOfVault(input, named, vault)
  await requireReviewers(records, input.review, preparedBy)
  return { input, vault, named, packets: packetsOf(input, named), preparedBy }
}

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

/** @throws Failure 422 if the draft or the plan belongs to another vault */
function requireOfVault(
  { action }: contract.ProposalWorkspaceInput,
  { plan, draft }: Named,
  vault: Vault,
): void {
  const isAdmitted = action.actionType === 'ADMIT_POLICY' || action.actionType === 'ROLES_APPLY'
  if (isAdmitted && draft && draft.payload.vaultId !== vault.id) {
    throw new Failure('LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH', {
      fieldErrors: {
        'payload.policyDraft': [
          `must be for ${vault.id}, got a draft for ${draft.payload.vaultId}`,
        ],
      },
    })
  }
  const epoch = draft?.payload.compilation?.policy.controlEpoch
  if (isAdmitted && epoch !== undefined && epoch !== vault.payload.controlEpoch) {
    throw new Failure('LIQUIDITY_PROPOSAL_POLICY_HASH_MISMATCH', {
      fieldErrors: {
        'payload.policyDraft': [
          `must be for control epoch ${vault.payload.controlEpoch}, got ${epoch}`,
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
    ? `must be VALIDATED and proposed as VENUE_CALLS, got ${plan.status} as ${action.actionType}`
    : `must be a plan of the Safe ${vault.payload.safeAddress}, got one of ${from.wallet}`
  throw new Failure('LIQUIDITY_PROPOSAL_PLAN_MISMATCH', {
    fieldErrors: { 'payload.plan': [message] },
  })
}

/** Reasons a packet cannot be validated; empty if valid. */
export function unvalidated({ flags, simulation, packets }: Payload): string[] {
  const blocks = flags.filter(({ severity }) => severity === 'BLOCK').map(({ code }) => code)
  const verdicts = packets.flatMap(({ packetIndex, policyCheck }) =>
    policyCheck && policyCheck.verdict !== 'ALLOW'
      ? [`the policy verdict is ${policyCheck.verdict} for packet ${packetIndex}`]
      : [],
  )
  return [
    ...[...new Set(blocks)].map((code) => `the flag ${code}`),
    ...verdicts,
    ...(simulation.state === 'COMPLETE' ? [] : [`the simulation is ${simulation.state}`]),
  ]
}

/** Event payload of a new packet. */
export const buildEventPayload = ({
  vaultId,
  action,
  packetHash,
  packets,
  simulation,
  flags,
}: Payload) => ({
  vaultId,
  actionType: action.actionType,
  packetHash,
  packets: packets.length,
  simulationHash: simulation.simulationHash,
  flags: [...new Set(flags.map(({ code }) => code))],
})
