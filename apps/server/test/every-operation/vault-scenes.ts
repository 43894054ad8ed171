import { parseAbi, zeroHash } from 'viem'
import { refOf } from '../support/executing.ts'
import type { Submitted } from '../support/preparing.ts'
import type { PriceSource } from '../support/price-source.ts'
import {
  comment,
  decide,
  packetBody,
  proposed,
  reviewed,
  safeTransactionOf,
  swapData,
  transferData,
} from '../support/proposing.ts'
import { callOperation } from '../support/requests.ts'
import type { TestMember } from '../support/service.ts'
import { execute } from '../support/vaults.ts'
import { executionScenes, legScenes } from './execution-scenes.ts'
import { agreed, preparationBody } from './partner-scenes.ts'
import type { Scene } from './scene.ts'
import { ofVault, type Vaulted } from './vaulted.ts'

const reason = 'For the walk'
const hash = `0x${'ab'.repeat(32)}`
const zeros = '0'.repeat(32)
/** A version that does not exist; requests that name it are rejected. */
const nowhere = (kind: string) => ({ id: `${kind}_${zeros}`, resourceVersion: zeroHash })

async function made<Data>(by: TestMember, id: string, body: object, more: object = {}) {
  const response = await callOperation<Data>(by, id, { ...more, body })
  if (response.status >= 300)
    throw new Error(`${id}: ${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

// Policies

export const limits = ({ vault, test }: Vaulted, change: object = {}) => ({
  vaultId: vault.id,
  level: 1,
  maximumSlippagePips: 5000,
  controlEpoch: '1',
  maximumAmountPerTransaction: '1000000',
  maximumDailyTurnover: '5000000',
  approvedContracts: [test.chain.contracts.swapRouter, test.chain.contracts.uniswapV2Router],
  approvedAssets: [...test.markets.tokens],
  approvedAdapterIds: ['uniswap-v3-swap-router'],
  minimumSecondsBetweenActions: 3600,
  oracleMaximumAgeSeconds: 300,
  expiresAt: '2026-06-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
  minimumPriceX18: `${10n ** 17n}`,
  maximumPriceX18: `${10n ** 19n}`,
  ...change,
})

interface Recorded {
  readonly id: string
  readonly resourceVersion: string
}

export const aPolicy = (vaulted: Vaulted, change: object = {}) =>
  made<Recorded>(vaulted.owner, 'createAutonomyPolicies', {
    payload: limits(vaulted, change),
    reason,
  })

const words = [
  ...['level advise', 'slippage at most 0.5 %', 'wait at least 1 hour between actions'],
  'no contracts; no assets; no adapters',
].join('\n')
const draftBody = ({ vault }: Vaulted) => ({
  payload: { vaultId: vault.id, text: words, baseline: 'NONE', extractor: 'GRAMMAR' },
  reason,
})
const structuredBody = (vaulted: Vaulted) => {
  const { vaultId, controlEpoch: _, ...policy } = limits(vaulted)
  return { payload: { vaultId, policy, baseline: 'NONE' }, reason }
}
const aDraft = async (vaulted: Vaulted) =>
  (
    await made<{ draft: Recorded }>(
      ...([vaulted.owner, 'createStructuredPolicyIntentDraft', structuredBody(vaulted)] as const),
    )
  ).draft

/** Policy members that the service derives; requests must not contain them. */
const foundOut = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'for the walk']))
const derivedOfPolicy = foundOut([
  ...['policyHash', 'approvedAt', 'approvedBy', 'approval', 'admission', 'comparison'],
  ...['compilation', 'safeAuthority', 'safeAuthorityEvidence', 'safeEnvelope', 'safeTxHash'],
  ...['proof', 'proofs', 'envelope', 'releaseHash', 'release', 'onChain'],
])

const actionOf = ({ test, safe }: Vaulted) => ({
  kind: 'SWAP',
  purpose: 'PREPARE',
  chainId: 31_337,
  adapterId: 'uniswap-v3-swap-router',
  calls: [
    {
      to: test.chain.contracts.swapRouter,
      value: '0',
      data: swapData(test, safe),
      operation: 0,
    },
  ],
  amountIn: '1000',
  expectedOut: '995',
  minimumOut: '990',
  assetIn: test.markets.tokens[1],
  route: 'PRIVATE',
})

const policyScenes: Readonly<Record<string, Scene>> = {
  createAutonomyPolicies: ofVault((vaulted) => ({
    bodies: [
      { payload: limits(vaulted), status: 'ACTIVE', evidenceHashes: [hash], reason },
      { payload: { ...limits(vaulted), ...derivedOfPolicy }, reason },
    ],
  })),
  supersedeAutonomyPolicies: ofVault(async (vaulted) => {
    const { id, resourceVersion } = await aPolicy(vaulted)
    const narrower = limits(vaulted, { maximumSlippagePips: 4000 })
    return {
      request: { params: { id }, ifMatch: resourceVersion },
      bodies: [
        { payload: narrower, evidenceHashes: [hash], reason },
        { status: 'PAUSED', reason },
        { payload: { ...narrower, ...derivedOfPolicy }, reason },
      ],
    }
  }),
  createPolicyIntentDrafts: ofVault((vaulted) => ({ bodies: [draftBody(vaulted)] })),
  createStructuredPolicyIntentDraft: ofVault((vaulted) => ({ bodies: [structuredBody(vaulted)] })),
  compilePolicyIntent: ofVault(async (vaulted) => {
    const { id, resourceVersion } = await aDraft(vaulted)
    return { request: { params: { id }, ifMatch: resourceVersion }, bodies: [{ reason }] }
  }),
  checkAutonomyPolicy: ofVault(async (vaulted) => {
    const policy = refOf(await aPolicy(vaulted))
    const draft = refOf(await aDraft(vaulted))
    const action = actionOf(vaulted)
    return {
      bodies: [
        { payload: { policy: { inline: limits(vaulted) }, action }, reason },
        { payload: { policy: { ref: policy }, action }, reason },
        { payload: { policy: { draft }, action }, reason },
      ],
    }
  }),
}

// Proposals

const paid = ({ test, safe }: Vaulted) => ({
  to: test.markets.tokens[0] as string,
  value: '0',
  data: transferData(safe, 5n) as string,
})
const packetOf = (vaulted: Vaulted, change: Record<string, unknown> = {}) => {
  const call = paid(vaulted)
  const review = { required: 1, ...(change.review as object) }
  const payload = packetBody(vaulted.service, vaulted, [call], { ...change, review })
  return { ...payload, action: { ...payload.action, calls: [call] } }
}
export const aProposal = (vaulted: Vaulted, change: Record<string, unknown> = {}) =>
  proposed(vaulted.analyst, packetOf(vaulted, change))

const derivedOfProposal = foundOut([
  ...['phase', 'status', 'packetHash', 'seriesId', 'packets', 'safeTx', 'safeTxHash', 'hashes'],
  ...['decodedCalls', 'flags', 'simulation', 'policyCheck', 'checks', 'sourceStates'],
  ...['approvals', 'approvalCount', 'baselineControl', 'safeEvidence', 'evidence', 'receipt'],
  ...['preparedBy', 'reconciliation', 'controlEpoch', 'block', 'releaseHash', 'importedFrom'],
])

const proposalScenes: Readonly<Record<string, Scene>> = {
  createProposals: ofVault(async (vaulted) => {
    const { owner, test, venue } = vaulted
    const payload = packetOf(vaulted)
    const earlier = await proposed(owner, payload)
    const whole = {
      ...payload,
      action: { ...payload.action, nonce: '3', route: 'PRIVATE' },
      series: [{ calls: [{ ...paid(vaulted), value: '1' }] }],
      sources: [{ resourceType: 'VenueProfile', ...refOf(venue) }],
      review: { ...payload.review, reviewers: [owner.userId], required: 1 },
      expectedEffects: [{ asset: test.markets.tokens[0], minimumDelta: '-9', maximumDelta: '-1' }],
    }
    return {
      bodies: [
        { payload: whole, evidenceHashes: [hash], reason },
        { payload: { ...payload, supersedes: refOf(earlier) }, status: 'VALIDATED', reason },
        { payload: { ...payload, plan: nowhere('execution_plan') }, reason },
        { payload: { ...payload, policyDraft: nowhere('policy_draft') }, reason },
        {
          payload: {
            ...payload,
            strategyAdmission: { strategy: nowhere('strategy'), admissionEvidenceHash: hash },
          },
          reason,
        },
        { payload: { ...payload, ...derivedOfProposal }, reason },
      ],
    }
  }),
  appendProposalComment: ofVault(async (vaulted) => {
    const { id } = await aProposal(vaulted)
    const question = await comment(vaulted.analyst, id, { kind: 'BLOCKER' })
    const blocker = question.data
    const bodies = [
      { body: 'Is it the new account?', kind: 'QUESTION', anchor: '/payload/title', reason },
      { body: 'It is', kind: 'RESOLUTION', resolves: blocker.id, reason },
      {
        body: 'Why so little?',
        kind: 'QUESTION',
        reason,
        supersedes: { eventId: blocker.id, evidenceHash: blocker.evidenceHash },
      },
    ]
    const ifMatch = (
      await callOperation<Recorded>(vaulted.owner, 'getProposals', { params: { id } })
    ).data.resourceVersion
    return { by: vaulted.analyst, request: { params: { id }, ifMatch }, bodies }
  }),
  decideProposal: ofVault(async (vaulted) => {
    const { id, resourceVersion } = await aProposal(vaulted)
    const { reviewEvidenceHash, acknowledge } = await reviewed(vaulted.owner, id)
    const body = { reviewEvidenceHash, note: 'As it was agreed', reason }
    return {
      request: { params: { id }, ifMatch: resourceVersion },
      bodies: [{ ...body, decision: 'APPROVE', acknowledgedFlags: acknowledge }],
    }
  }),
  compareProposals: ofVault(async (vaulted) => {
    const proposals = [
      refOf(await aProposal(vaulted)),
      refOf(await aProposal(vaulted, { title: 'Pay half' })),
    ]
    return { bodies: [{ payload: { proposals }, reason }] }
  }),
  registerProposalSafeSubmission: ofVault(async (vaulted) => {
    const { id } = await aProposal(vaulted)
    const { data } = await decide(vaulted.owner, id, 'APPROVE')
    const { safe, test } = vaulted
    const abi = parseAbi(['function nonce() view returns (uint256)'])
    const request = { address: safe, abi, functionName: 'nonce' } as const
    const nonce = await test.chain.publicClient.readContract(request)
    const { transactionHash } = await execute(
      ...([test, safe, safeTransactionOf(data.proposal, 0, nonce)] as const),
    )
    return {
      request: { params: { id }, ifMatch: data.proposal.resourceVersion },
      bodies: [{ transactionHash, reason }],
    }
  }),
  declareVaultControl: ofVault(({ vault, test }) => ({
    request: { params: { id: vault.id }, ifMatch: vault.resourceVersion },
    bodies: [
      {
        payload: {
          declared: [
            { role: 'MODULE', address: test.chain.contracts.payer, codeHash: hash, note: 'Known' },
          ],
        },
        reason,
      },
    ],
  })),
}

const importScenes: Readonly<Record<string, Scene>> = {
  importPartnerPreparation: ofVault(async (vaulted) => {
    const { owner, service, vault, safe } = vaulted
    const staged = await agreed(owner, service, vault)
    const body = await preparationBody(owner, staged)
    const call = paid(vaulted)
    const { payload } = body
    const action = { actionType: 'TREASURY_TRANSFER', chainId: 31_337, safeAddress: safe }
    const packet = {
      title: 'Pay the auditor',
      summary: 'As agreed.',
      vaultId: vault.id,
      action: { ...action, calls: [call] },
    }
    const { eventId, receipt } = await made<Submitted>(
      ...([owner, 'preparePartnerProposal'] as const),
      { ...body, payload: { ...payload, packet } },
      { params: { partnerId: staged.partnerId } },
    )
    const review = { required: 1, reviewers: [owner.userId], expiresAt: '2026-01-12T00:00:00Z' }
    return {
      request: { params: { eventId } },
      bodies: [{ review, expectedPacketHash: receipt.packetHash, reason }],
    }
  }),
}

/** @param source publishes the base price */
export const vaultScenes = (source: () => PriceSource): Readonly<Record<string, Scene>> => ({
  ...policyScenes,
  ...proposalScenes,
  ...importScenes,
  ...executionScenes,
  ...legScenes(source),
})
