import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type Address, zeroAddress } from 'viem'
import { Failure } from '../../../failure.ts'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import {
  batchData,
  type SafeCall,
  safeTransactionHashes,
} from '../../../integrations/chain/safe-executions.ts'
import { limits } from '../../../limits.ts'
import type { Release } from '../../../market/adapters/release.ts'
import { readFromChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess, Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { checkPackets, currentPolicy, releaseOrNull, type Vault } from '../autonomy-policies/api.ts'
import { decodePacketCall } from './decode-packets.ts'
import { type Named, sortedSources } from './named-sources.ts'
import { type PlainCall, serializeCalls } from './packet-calls.ts'
import { raiseFlags } from './raise-flags.ts'
import { factoriesOf, knownParties, type ProposalContext, readContext } from './read-context.ts'
import { simulatePackets } from './simulate-packets.ts'

type Payload = contract.ProposalWorkspace
type Packet = contract.ProposalPacket

export interface Deriving {
  readonly input: contract.ProposalWorkspaceInput
  readonly vault: Vault
  readonly named: Named
  readonly packets: readonly (readonly PlainCall[])[]
  readonly preparedBy: string
}

/** Policies apply only to these actions. The owners alone decide on their Safe and its policies. */
const policyCheckedTypes: readonly contract.ProposalActionType[] = [
  'VENUE_CALLS',
  'TREASURY_TRANSFER',
]

/** Derives the complete payload of a proposal at one finalized block. */
export async function derivedPayload(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'config'>,
  deriving: Deriving,
): Promise<Payload> {
  const { input, vault, named, packets } = deriving
  const { actionType } = input.action
  const release = releaseOrNull(services, records.now)
  const proposalContext = await readContext(records, services, {
    vault,
    calls: packets.flat(),
    release,
  })
  const { chain, control } = proposalContext
  const firstNonce = firstNonceOf(input, control)
  const calls = packets.map((some) => templateOf(some, proposalContext))
  const safe = safeOf(vault, control)
  const decoded = await decodedPackets(records, deriving, proposalContext, release)
  const simulation = await readFromChain(() =>
    simulatePackets(chain, {
      safe,
      firstNonce,
      calls,
      balances: proposalContext.balances,
      expected: input.expectedEffects ?? [],
    }),
  )
  const policy = policyCheckedTypes.includes(actionType)
    ? await currentPolicy(records, vault.id)
    : null
  const checks = policy
    ? await readFromChain(() =>
        checkPackets(records, {
          policy,
          vault,
          release,
          chain,
          packets,
          controlEpoch: BigInt(vault.payload.controlEpoch),
          route: input.action.route ?? null,
        }),
      )
    : packets.map(() => null)
  const states = [...named.states, ...(policy ? [policyState(policy)] : [])]
  const flags = raiseFlags({
    actionType,
    safe: safe.address,
    packets: decoded,
    simulation,
    checks,
    states,
    hasCode: (address) => (proposalContext.codes.get(address) ?? '0x') !== '0x',
    known: await knownParties(records, vault),
    supplies: proposalContext.supplies,
    requiresPolicy: policyCheckedTypes.includes(actionType),
  })
  const isFixed = input.action.nonce !== undefined || packets.length > 1
  const derivedPackets = packets.map(
    (_, packetIndex): Packet => ({
      packetIndex,
      ...signedOf(
        vault.payload,
        calls[packetIndex] as SafeCall,
        firstNonce + BigInt(packetIndex),
        isFixed,
      ),
      decodedCalls: decoded[packetIndex]?.map(({ decoded: one }) => one) ?? [],
      policyCheck: checks[packetIndex] ?? null,
      state: 'OPEN',
      safeEvidence: null,
      executedNonce: null,
    }),
  )
  return assembled(deriving, {
    packets: derivedPackets,
    proposalContext,
    simulation,
    flags,
    states,
    release,
  })
}

const policyState = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  role: 'POLICY' as const,
  source: { resourceType: 'AutonomyPolicy', id, resourceVersion },
  state: 'CURRENT' as const,
})

const safeOf = ({ payload }: Vault, { owners, threshold }: contract.SafeControl) => ({
  address: payload.safeAddress as Address,
  owners: owners as Address[],
  threshold,
})

/** @throws Failure 422 LIQUIDITY_PROPOSAL_NONCE_USED */
function firstNonceOf(
  { action }: contract.ProposalWorkspaceInput,
  control: contract.SafeControl,
): bigint {
  const next = BigInt(control.nonce)
  if (action.nonce === undefined) return next
  const asks = BigInt(action.nonce)
  const max = next + BigInt(limits.proposalNoncesAhead)
  if (asks >= next && asks <= max) return asks
  throw new Failure('LIQUIDITY_PROPOSAL_NONCE_USED', {
    fieldErrors: { 'payload.action.nonce': [`must be ${next} to ${max}, got ${asks}`] },
  })
}

const refund = {
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
} as const

/**
 * A single call stays direct. Several calls use the call-only batch contract, which the Safe
 * delegate-calls.
 */
function templateOf(calls: readonly PlainCall[], { batch, chain }: ProposalContext): SafeCall {
  const [only, ...others] = calls
  if (!only) throw new Error('A packet must have a call.')
  if (others.length === 0) return { ...only, operation: 0, ...refund }
  if (batch === null) {
    throw new Failure('LIQUIDITY_PROPOSAL_BATCH_UNAVAILABLE', {
      fieldErrors: {
        'payload.action.calls': [
          `must have one item for each packet on chain ${chain.chainId}, got ${calls.length}`,
        ],
      },
    })
  }
  return { to: batch, value: 0n, data: batchData(calls), operation: 1, ...refund }
}

async function decodedPackets(
  records: TenantRecords,
  { vault, packets }: Deriving,
  { codes }: ProposalContext,
  release: Release | null,
) {
  const { chainId, safeAddress, pair } = vault.payload
  const factories = await factoriesOf(records, vault)
  const context = { chainId, safe: safeAddress as Address, pair, release, codes, factories }
  return packets.map((calls) => calls.map((call) => decodePacketCall(context, call)))
}

/** A template with its hashes for a nonce. */
export function signedOf(
  { chainId, safeAddress }: Pick<Vault['payload'], 'chainId' | 'safeAddress'>,
  call: SafeCall,
  nonce: bigint,
  isNonceFixed: boolean,
): Pick<Packet, 'safeTx' | 'hashes'> {
  const { to, value, data, operation, gasToken, refundReceiver } = call
  const zero = '0' as const
  return {
    safeTx: {
      to,
      value: `${value}`,
      data,
      operation,
      safeTxGas: zero,
      baseGas: zero,
      gasPrice: zero,
      gasToken,
      refundReceiver,
      nonce: isNonceFixed ? `${nonce}` : null,
    },
    hashes: {
      nonce: `${nonce}`,
      isNonceFixed,
      ...safeTransactionHashes(chainId, safeAddress as Address, call, nonce),
    },
  }
}

interface Derived {
  readonly packets: Packet[]
  readonly proposalContext: ProposalContext
  readonly simulation: Payload['simulation']
  readonly flags: Payload['flags']
  readonly states: Payload['sourceStates']
  readonly release: Release | null
}

function assembled({ input, vault, packets, preparedBy }: Deriving, derived: Derived): Payload {
  const [first = [], ...rest] = packets
  const action = { ...input.action, calls: serializeCalls(first) }
  const series = rest.map((calls) => ({ calls: serializeCalls(calls) }))
  const sources = sortedSources(input.sources ?? [])
  const expectedEffects = input.expectedEffects ?? []
  const review = normalReview(input.review)
  const packetHash = packetHashOf({
    action,
    series,
    review,
    sources,
    expectedEffects,
    packets: derived.packets,
  })
  const { title, summary, vaultId, strategyAdmission, plan, policyDraft, supersedes } = input
  const { chain, control } = derived.proposalContext
  return {
    title,
    summary,
    vaultId,
    action,
    series,
    ...(strategyAdmission ? { strategyAdmission } : {}),
    ...(plan ? { plan } : {}),
    ...(policyDraft ? { policyDraft } : {}),
    ...(supersedes ? { supersedes } : {}),
    sources,
    review,
    expectedEffects,
    phase: 'OPEN',
    packetHash,
    seriesId: derived.packets.length > 1 ? packetHash : null,
    packets: derived.packets,
    flags: derived.flags,
    simulation: derived.simulation,
    sourceStates: derived.states,
    preparedBy: { userId: preparedBy },
    approvals: [],
    approvalCount: 0,
    baselineControl: control,
    controlEpoch: vault.payload.controlEpoch,
    block: blockOf(chain.chainId, chain.block),
    releaseHash: derived.release?.releaseHash ?? null,
    reconciliation: null,
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
}

const normalReview = ({ required, reviewers, expiresAt }: Payload['review']) => ({
  required,
  expiresAt,
  ...(reviewers ? { reviewers: reviewers.toSorted() } : {}),
})

/**
 * Hash that reviewers approve. For one packet: H("proposal-packet/v1", { action, safeTx, review,
 * sources, expectedEffects }). A series adds `series`, and `safeTx` is the ordered list of all
 * templates.
 */
export function packetHashOf({
  action,
  series,
  review,
  sources,
  expectedEffects,
  packets,
}: Pick<Payload, 'action' | 'series' | 'review' | 'sources' | 'expectedEffects'> & {
  packets: readonly Pick<Packet, 'safeTx'>[]
}): Payload['packetHash'] {
  const [first, ...rest] = packets.map(({ safeTx }) => safeTx)
  const common = { action, review, sources, expectedEffects }
  return rest.length === 0
    ? H('proposal-packet/v1', { ...common, safeTx: first })
    : H('proposal-packet/v1', { ...common, series, safeTx: [first, ...rest] })
}
