import type { contract, Ref, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Address, Hex } from 'viem'
import { type SafeCall, safeTransactionHash } from '../../integrations/chain/safe-executions.ts'
import { type Sql, sql } from '../../store/database/sql.ts'
import { member } from '../../store/records/find.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'

/** Packets that need decisions, with the fields that plans, vaults and policies use. */

export type Proposal = VersionedRecord<contract.ProposalWorkspace>
export type Packet = contract.ProposalPacket

/** The phase of a proposal at a time. An expired proposal is expired even before the sweep. */
export function phaseOf(
  { status, payload }: Pick<Proposal, 'status' | 'payload'>,
  now: number,
): contract.ProposalPhase {
  const isOver = Date.parse(payload.review.expiresAt) <= now
  const mayEnd = status === 'DRAFT' || status === 'VALIDATED' || status === 'ACTIVE'
  return isOver && mayEnd ? 'EXPIRED' : payload.phase
}

/**
 * The named proposal if this version is current, approved and not fully executed. Approval is no
 * signing authority: owners sign elsewhere.
 *
 * @returns null for any other proposal
 */
export async function approvedProposal(
  records: TenantRecords,
  { id, resourceVersion }: Ref,
): Promise<Proposal | null> {
  const found = await records.version<contract.ProposalWorkspace>(
    'ProposalWorkspace',
    id,
    resourceVersion,
  )
  if (!found?.isCurrent) return null
  return phaseOf(found.record, records.now) === 'APPROVED' ? found.record : null
}

/** True if a call equals a call of an approved, unexecuted packet byte for byte. */
export const makesCall = (
  { payload }: Proposal,
  call: { readonly to: string; readonly value: string; readonly data: string },
): boolean =>
  payload.packets.some(
    ({ state, decodedCalls }) =>
      state === 'OPEN' &&
      decodedCalls.some(
        (one) =>
          one.operation === 'CALL' &&
          one.to.toLowerCase() === call.to.toLowerCase() &&
          one.value === call.value &&
          one.data === call.data.toLowerCase(),
      ),
  )

/** The signed content of a packet, without the nonce. */
export const safeCallOf = ({ safeTx }: Pick<Packet, 'safeTx'>): SafeCall => ({
  to: safeTx.to as Address,
  value: BigInt(safeTx.value),
  data: safeTx.data as Hex,
  operation: safeTx.operation === 1 ? 1 : 0,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: safeTx.gasToken as Address,
  refundReceiver: safeTx.refundReceiver as Address,
})

/**
 * True if a packet has this hash with a nonce of its Safe. A packet with a fixed nonce matches with
 * that nonce only.
 */
export function hasHash(
  { payload: { action } }: Pick<Proposal, 'payload'>,
  packet: Pick<Packet, 'safeTx'>,
  nonce: bigint,
  safeTxHash: string,
): boolean {
  const { nonce: fixed } = packet.safeTx
  if (fixed !== null && fixed !== `${nonce}`) return false
  const { chainId, safeAddress } = action
  return (
    safeTransactionHash(chainId, safeAddress as Address, safeCallOf(packet), nonce) === safeTxHash
  )
}

/** Job that records the execution of an approved packet. Its input names the transaction. */
export const executionTask = 'PROPOSAL_EXECUTION'

export const executionKind = 'proposal-execution'

/** Unique name of a Safe execution: it belongs to one packet permanently. */
export const executionName = ({
  chainId,
  safeAddress,
  safeTxHash,
}: {
  readonly chainId: number
  readonly safeAddress: string
  readonly safeTxHash: string
}) => ({ kind: executionKind, name: [chainId, safeAddress, safeTxHash].join('|').toLowerCase() })

/** The part of a Safe execution that identifies its packet. */
export interface Executed {
  readonly vaultId: string
  readonly safeTxHash: string | null
  readonly nonce: string | null
  /** Milliseconds since 1970 of its block. */
  readonly at: number
}

/** The packet of an execution. */
export interface Bound {
  readonly proposal: Proposal
  readonly packet: Packet
}

const wereApproved: Sql = sql`${member('payload.phase')} in ('APPROVED', 'EXECUTED')
  or (${member('payload.phase')} in ('EXPIRED', 'RETIRED')
    and ${member('payload.approvalCount')}::integer >= ${member('payload.review.required')}::integer)`

/**
 * Approved packet with the hash of an execution, mined before the packet expired. Null otherwise,
 * even for a similar packet.
 */
export async function packetOf(
  records: TenantRecords,
  { vaultId, safeTxHash, nonce, at }: Executed,
): Promise<Bound | null> {
  if (safeTxHash === null || nonce === null) return null
  const bound = (await everApproved(records, vaultId))
    .filter(({ payload }) => Date.parse(payload.review.expiresAt) > at)
    .flatMap((proposal) =>
      proposal.payload.packets
        .filter((packet) => hasHash(proposal, packet, BigInt(nonce), safeTxHash))
        .map((packet) => ({ proposal, packet })),
    )
  // If several packets are identical, the registered one matches; otherwise the one prepared first.
  return (
    bound.find(
      ({ packet }) => packet.hashes.safeTxHash === safeTxHash && packet.state === 'EXECUTED',
    ) ??
    bound[0] ??
    null
  )
}

const everApproved = (records: TenantRecords, vaultId: string): Promise<Proposal[]> =>
  records.find<contract.ProposalWorkspace>('ProposalWorkspace', {
    order: 'OLDEST',
    where: sql`${member('payload.vaultId')} = ${vaultId} and (${wereApproved})`,
  })

/** Proposals of a vault that are approved and not ended by a record. */
export const agreedProposals = (records: TenantRecords, vaultId: string): Promise<Proposal[]> =>
  records.find<contract.ProposalWorkspace>('ProposalWorkspace', {
    order: 'OLDEST',
    status: ['ACTIVE'],
    where: sql`${member('payload.vaultId')} = ${vaultId} and ${member('payload.phase')} = 'APPROVED'`,
  })

/** Calls that the approved packets of a vault would execute. */
export async function approvedCalls(records: TenantRecords, vaultId: string): Promise<SafeCall[]> {
  const found = await everApproved(records, vaultId)
  return found.flatMap(({ payload }) => payload.packets.map(safeCallOf))
}

export const sourceOf = ({ resourceType, id, resourceVersion }: VersionedRecord): SourceRef => ({
  resourceType,
  id,
  resourceVersion,
})

type Net = contract.ExecutionReceipt['effects']['net']

/**
 * True if the asset changes match the expected effects of a proposal: each named asset within its
 * bounds, no other asset. Without expected effects, only the calls were approved, and the hash
 * proves them.
 *
 * @param isKnown true if `net` contains every change
 */
export function isExpected(
  expected: readonly contract.ExpectedEffect[],
  net: Net,
  isKnown: boolean,
): boolean {
  if (expected.length === 0) return true
  if (!isKnown) return false
  const deltaOf = (asset: string) =>
    net.reduce((sum, one) => (isSame(one.asset, asset) ? sum + BigInt(one.delta) : sum), 0n)
  const isForeign = net.some(
    ({ asset, delta }) => delta !== '0' && !expected.some((one) => isSame(one.asset, asset)),
  )
  return (
    !isForeign &&
    expected.every(({ asset, minimumDelta, maximumDelta }) => {
      const delta = deltaOf(asset)
      return delta >= BigInt(minimumDelta) && delta <= BigInt(maximumDelta)
    })
  )
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
