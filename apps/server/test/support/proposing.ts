import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi, type SafeTransaction, swapRouterAbi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { TestChain } from './chain.ts'
import { callOperation, type TestResponse } from './requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './service.ts'
import {
  execute,
  observed,
  proveControl,
  type Receipt,
  theVault,
  type Vault,
  type Vaulted,
  vaulted,
} from './vaults.ts'

export type Proposal = VersionedRecord<contract.ProposalWorkspace>
export type Review = contract.ProposalWorkspaceReview
export interface Decided {
  proposal: Proposal
  decisionEvent: OperatingSystemEvent
  approvals: { count: number; required: number; remaining: string[] | null }
  terminal: boolean
}
export interface Submitted {
  proposal: Proposal
  safeEvidence: OperatingSystemEvent
  receipt: Receipt
}

const reason = 'For the test'

/** A qualified vault, and three people: who prepares, and two who review. */
export interface Desk extends Vaulted {
  readonly vault: Vault
  readonly analyst: TestMember
  readonly reviewers: readonly [TestMember, TestMember]
}

export async function startDesk(
  test: TestChain,
  service: TestService,
  terms: Parameters<typeof vaulted>[2] = {},
): Promise<Desk> {
  const owner = await newOrganization(service)
  const scene = await vaulted(test, owner, terms)
  await proveControl(test, scene)
  await observed(service, scene)
  const member = (role: 'ANALYST' | 'REVIEWER') => newMember(service, owner.organizationId, role)
  return {
    ...scene,
    vault: await theVault(owner),
    analyst: await member('ANALYST'),
    reviewers: [await member('REVIEWER'), await member('REVIEWER')],
  }
}

export const transferData = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

/** A swap of a thousand atoms of the quote in the pool of the test, to the Safe. */
export const swapData = ({ markets }: TestChain, safe: Address, change: object = {}): Hex =>
  encodeFunctionData({
    abi: swapRouterAbi,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: markets.tokens[1],
        tokenOut: markets.tokens[0],
        fee: 3000,
        recipient: safe,
        deadline: 1_780_000_000n,
        amountIn: 1_000n,
        amountOutMinimum: 990n,
        sqrtPriceLimitX96: 0n,
        ...change,
      },
    ],
  })

export function packetBody(
  service: TestService,
  { vault, safe }: Pick<Desk, 'vault' | 'safe'>,
  calls: readonly { to: string; value?: string; data?: string }[] | undefined,
  change: Record<string, unknown> = {},
) {
  const { action, review, ...more } = change as { action?: object; review?: object }
  return {
    title: 'Pay the auditor',
    summary: 'As agreed.',
    vaultId: vault.id,
    action: {
      actionType: 'TREASURY_TRANSFER',
      chainId: vault.payload.chainId,
      safeAddress: safe,
      ...(calls ? { calls: calls.map((call) => ({ value: '0', data: '0x', ...call })) } : {}),
      ...action,
    },
    review: {
      required: 2,
      expiresAt: new Date(service.clock.read() + 3 * 86_400_000).toISOString(),
      ...review,
    },
    ...more,
  }
}

export const propose = (by: TestMember, payload: object, more: object = {}) =>
  callOperation<Proposal>(by, 'createProposals', { body: { payload, reason, ...more } })

export async function proposed(by: TestMember, payload: object, more: object = {}) {
  const response = await propose(by, payload, more)
  if (response.status !== 201)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

export const current = async (by: TestMember, id: string): Promise<Proposal> =>
  (await callOperation<Proposal>(by, 'getProposals', { params: { id } })).data

export async function reviewed(by: TestMember, id: string): Promise<Review> {
  const { resourceVersion } = await current(by, id)
  const response = await callOperation<Review>(by, 'getProposalWorkspaceReview', {
    params: { id },
    query: { resourceVersion },
  })
  if (response.status !== 200) throw new Error(response.code)
  return response.data
}

/** Decides on the review as currently shown; `change` modifies the decision. */
export async function decide(
  by: TestMember,
  id: string,
  decision: string,
  change: Record<string, unknown> = {},
): Promise<TestResponse<Decided>> {
  const review = await reviewed(by, id)
  const { ifMatch = review.proposal.resourceVersion, ...body } = change as { ifMatch?: string }
  return callOperation<Decided>(by, 'decideProposal', {
    params: { id },
    ifMatch,
    body: {
      decision,
      reviewEvidenceHash: review.reviewEvidenceHash,
      reason,
      acknowledgedFlags: decision === 'APPROVE' ? review.acknowledge : [],
      ...body,
    },
  })
}

/** Both reviewers approve. */
export async function approved({ reviewers }: Desk, id: string): Promise<Proposal> {
  for (const reviewer of reviewers) {
    const response = await decide(reviewer, id, 'APPROVE')
    if (response.status !== 200)
      throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  }
  return current(reviewers[0], id)
}

/** What owners sign of a packet. */
export function safeTransactionOf(
  { payload }: Proposal,
  packetIndex = 0,
  nonce?: bigint,
): SafeTransaction {
  const { safeTx, hashes } = payload.packets[packetIndex]!
  return {
    to: safeTx.to as Address,
    value: BigInt(safeTx.value),
    data: safeTx.data as Hex,
    operation: safeTx.operation as 0 | 1,
    nonce: nonce ?? BigInt(hashes.nonce),
  }
}

/** Two owners sign a packet and it is sent; three more blocks finalize it. */
export const carriedOut = (test: TestChain, proposal: Proposal, packetIndex = 0) =>
  execute(
    test,
    proposal.payload.action.safeAddress as Address,
    safeTransactionOf(proposal, packetIndex),
  )

export async function submit(
  by: TestMember,
  id: string,
  transactionHash: string,
): Promise<TestResponse<Submitted>> {
  const { resourceVersion } = await current(by, id)
  return callOperation<Submitted>(by, 'registerProposalSafeSubmission', {
    params: { id },
    ifMatch: resourceVersion,
    body: { transactionHash, reason },
  })
}

export const comment = async (by: TestMember, id: string, body: object) => {
  const { resourceVersion } = await current(by, id)
  return callOperation<OperatingSystemEvent>(by, 'appendProposalComment', {
    params: { id },
    ifMatch: resourceVersion,
    body: { kind: 'COMMENT', body: 'Why so much?', reason, ...body },
  })
}
