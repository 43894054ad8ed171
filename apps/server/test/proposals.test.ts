// @module-tag long
// @covers apps/server/src/families/operate/proposals apps/server/src/families/plan/strategies

import { generateKeyPairSync } from 'node:crypto'
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi, safeTransactionHash } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { describe, expect } from 'vitest'
import {
  expireProposals,
  notifyMovedSources,
} from '../src/families/operate/proposals/proposal-sweep.ts'
import { admissionName, admittedKind } from '../src/families/plan/strategies/api.ts'
import { dueName } from '../src/jobs/overdue.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import type { TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { chainTest } from './support/fixtures.ts'
import {
  approved,
  comment,
  current,
  type Desk,
  decide,
  packetBody,
  propose,
  proposed,
  reviewed,
  safeTransactionOf,
  startDesk,
  transferData,
} from './support/proposing.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import {
  anotherNode,
  newMember,
  newOrganization,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { observed, theVault, vaulted } from './support/vaults.ts'

const it = chainTest.extend('desk', { scope: 'file' }, async ({ service, testChain }) => {
  await catchUp(testChain.chain, service)
  return startDesk(testChain, service)
})

const base = (testChain: TestChain) => testChain.markets.tokens[0]
const someone = (testChain: TestChain) => testChain.chain.accounts[9]!.address
const pays = (testChain: TestChain, amount: bigint, to: Address = someone(testChain)) => [
  { to: base(testChain) as string, data: transferData(to, amount) as string },
]
const body = (
  service: TestService,
  desk: Desk,
  calls: Parameters<typeof packetBody>[2],
  change: Record<string, unknown> = {},
) => packetBody(service, desk, calls, change)
const refusal = ({ status, code }: TestResponse<unknown>) => [status, code]
const codesOf = ({ payload }: { payload: { flags: readonly { code: string }[] } }) => [
  ...new Set(payload.flags.map(({ code }) => code)),
]
const moduleAbi = parseAbi(['function enableModule(address module)'])

describe('a packet', () => {
  it('is decoded, simulated by the code of the Safe, flagged and frozen with its hashes', async ({
    service,
    testChain,
    desk,
  }) => {
    const proposal = await proposed(desk.analyst, body(service, desk, pays(testChain, 7n)))
    const { payload } = proposal
    const [packet] = payload.packets
    expect([proposal.status, payload.phase, payload.approvals]).toEqual(['VALIDATED', 'OPEN', []])
    expect(packet?.decodedCalls).toMatchObject([
      {
        readBy: 'RELEASE',
        functionName: 'transfer',
        selector: '0xa9059cbb',
        words: `Transfer 7 of the base ${base(testChain)} to ${someone(testChain)}.`,
      },
    ])
    expect(payload.simulation).toMatchObject({
      state: 'COMPLETE',
      method: 'eth_simulateV1',
      gaps: [],
      packets: [{ outcome: 'SUCCESS', changesControl: false }],
      effects: [{ asset: base(testChain), delta: '-7', expected: null, isWithin: null }],
    })
    expect(codesOf(proposal)).toEqual(['NEW_COUNTERPARTY', 'NO_POLICY'])
    expect(packet?.hashes).toMatchObject({
      isNonceFixed: false,
      safeTxHash: safeTransactionHash(31_337, desk.safe, safeTransactionOf(proposal)),
    })
    const request = await testChain.chain.publicClient.readContract({
      address: desk.safe,
      abi: parseAbi([
        'function getTransactionHash(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256) view returns (bytes32)',
        'function domainSeparator() view returns (bytes32)',
      ]),
      functionName: 'domainSeparator',
    })
    expect(packet?.hashes.domainHash).toBe(request)
    // The same calls again: the same packet, whoever prepares it.
    const again = await proposed(desk.owner, body(service, desk, pays(testChain, 7n)))
    expect(again.payload.packetHash).toBe(payload.packetHash)
    expect(again.id).not.toBe(proposal.id)
  })

  it('of several calls is one delegate call of the batch that can only call, and what moves is summed', async ({
    service,
    testChain,
    desk,
  }) => {
    const calls = [
      ...pays(testChain, 5n),
      ...pays(testChain, 6n),
      { to: someone(testChain) as string, value: '0' },
    ]
    const proposal = await proposed(
      desk.analyst,
      body(service, desk, calls, {
        expectedEffects: [{ asset: base(testChain), minimumDelta: '-11', maximumDelta: '-11' }],
      }),
    )
    expect(proposal.payload.packets[0]?.safeTx).toMatchObject({
      to: testChain.chain.contracts.multiSendCallOnly,
      operation: 1,
      nonce: null,
    })
    expect(proposal.payload.simulation.effects).toMatchObject([{ delta: '-11', isWithin: true }])
    expect(codesOf(proposal)).not.toContain('DELEGATECALL')
  })

  it('is flagged for everything that reviewers must see, and some of it keeps it from being approved', async ({
    service,
    testChain,
    desk,
  }) => {
    const spender = testChain.chain.contracts.payer
    const approve = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
    const cases: readonly (readonly [string, object[] | undefined, Record<string, unknown>])[] = [
      ['UNKNOWN_SELECTOR', [{ to: base(testChain), data: '0x12345678' }], {}],
      [
        'TARGET_WITHOUT_CODE',
        [{ to: someone(testChain), data: transferData(someone(testChain), 1n) }],
        {},
      ],
      ['SIMULATION_REVERTS', pays(testChain, 10n ** 30n), {}],
      [
        'CONTROL_CHANGE',
        [
          {
            to: desk.safe,
            data: encodeFunctionData({
              abi: moduleAbi,
              functionName: 'enableModule',
              args: [spender],
            }),
          },
        ],
        {},
      ],
      [
        'EFFECT_OUTSIDE_EXPECTED',
        pays(testChain, 7n),
        { expectedEffects: [{ asset: base(testChain), minimumDelta: '-6', maximumDelta: '0' }] },
      ],
      ['UNLIMITED_APPROVAL', [{ to: base(testChain), data: approve(maxUint256) }], {}],
      ['RECIPIENT_NOT_SAFE', pays(testChain, 1n), { action: { actionType: 'VENUE_CALLS' } }],
    ]
    for (const [code, calls, change] of cases) {
      const response = await propose(desk.analyst, body(service, desk, calls as never, change))
      expect([response.code, response.fieldErrors]).toEqual(['', {}])
      expect(codesOf(response.data)).toContain(code)
      const isBlocked = response.data.payload.flags.some(({ severity }) => severity === 'BLOCK')
      expect(response.data.status).toBe(isBlocked ? 'DRAFT' : 'VALIDATED')
    }
    const small = await proposed(
      desk.analyst,
      body(service, desk, [{ to: base(testChain), data: approve(1n) }]),
    )
    expect(codesOf(small)).not.toContain('UNLIMITED_APPROVAL')
    const reverting = await proposed(desk.analyst, body(service, desk, pays(testChain, 10n ** 30n)))
    expect(reverting.payload.simulation.packets[0]?.revert).toMatch(/ERC20|0xe450d38c/)
    const blocked = await decide(desk.reviewers[0], reverting.id, 'APPROVE')
    expect(refusal(blocked)).toEqual([409, 'LIQUIDITY_PROPOSAL_FLAG_BLOCKS'])
    const refused = await propose(desk.analyst, body(service, desk, pays(testChain, 10n ** 30n)), {
      status: 'VALIDATED',
    })
    expect(refusal(refused)).toEqual([422, 'LIQUIDITY_PROPOSAL_NOT_VALIDATED'])
    const kept = await proposed(desk.analyst, body(service, desk, pays(testChain, 1n)), {
      status: 'DRAFT',
    })
    expect(kept.status).toBe('DRAFT')
  })

  it('that changes owners is flagged for it nowhere, where it says so', async ({
    service,
    testChain,
    desk,
  }) => {
    const abi = parseAbi(['function addOwnerWithThreshold(address owner, uint256 threshold)'])
    const data = encodeFunctionData({
      abi,
      functionName: 'addOwnerWithThreshold',
      args: [someone(testChain), 2n],
    })
    const change = { action: { actionType: 'OWNER_CHANGE' } }
    const proposal = await proposed(
      desk.analyst,
      body(service, desk, [{ to: desk.safe, data }], change),
    )
    expect([proposal.status, codesOf(proposal)]).toEqual(['VALIDATED', []])
    expect(proposal.payload.simulation.packets[0]?.changesControl).toBe(true)
    const stale = await newMember(service, desk.owner.organizationId, 'REVIEWER')
    service.clock.advance(11 * 60_000)
    const old = await decide(stale, proposal.id, 'APPROVE')
    expect(refusal(old)).toEqual([401, 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'])
  })

  it('of a series has consecutive nonces, simulated one after another', async ({
    service,
    testChain,
    desk,
  }) => {
    const series = [{ calls: pays(testChain, 3n).map((call) => ({ value: '0', ...call })) }]
    const proposal = await proposed(
      desk.analyst,
      body(service, desk, pays(testChain, 2n), { series, action: { nonce: '5' } }),
    )
    const { packets, seriesId, packetHash, simulation } = proposal.payload
    expect(packets.map(({ safeTx }) => safeTx.nonce)).toEqual(['5', '6'])
    expect([seriesId, simulation.state]).toEqual([packetHash, 'COMPLETE'])
    expect(simulation.effects).toMatchObject([{ delta: '-5' }])
  })

  it('is rejected with the contradicting member', async ({ service, testChain, desk }) => {
    const { owner, reviewers, analyst } = desk
    const later = (days: number) =>
      new Date(service.clock.read() + days * dayMilliseconds).toISOString()
    const P = 'LIQUIDITY_PROPOSAL_'
    const cases: readonly (readonly [number, string, object, string])[] = [
      [400, `${P}DERIVED_FIELD_SUPPLIED`, { phase: 'APPROVED' }, 'payload.phase'],
      [400, `${P}DERIVED_FIELD_SUPPLIED`, { approvals: [] }, 'payload.approvals'],
      [422, `${P}EXPIRY`, { review: { expiresAt: later(31) } }, 'payload.review.expiresAt'],
      [422, `${P}EXPIRY`, { review: { expiresAt: later(-1) } }, 'payload.review.expiresAt'],
      [
        422,
        `${P}SAFE_MISMATCH`,
        { action: { safeAddress: someone(testChain) } },
        'payload.action.safeAddress',
      ],
      [422, `${P}SAFE_MISMATCH`, { action: { chainId: 1 } }, 'payload.action.chainId'],
      [
        ...([422, `${P}REVIEWER_INELIGIBLE`] as const),
        { review: { reviewers: [analyst.userId, reviewers[0].userId] } },
        'payload.review.reviewers',
      ],
      [
        ...([422, `${P}QUORUM_IMPOSSIBLE`] as const),
        { review: { reviewers: [reviewers[0].userId] } },
        'payload.review.required',
      ],
      [422, `${P}QUORUM_IMPOSSIBLE`, { review: { required: 20 } }, 'payload.review.required'],
      [
        ...([422, `${P}EFFECTS_INVERTED`] as const),
        { expectedEffects: [{ asset: base(testChain), minimumDelta: '1', maximumDelta: '0' }] },
        'payload.expectedEffects.0.minimumDelta',
      ],
      [422, `${P}CALLS_MISSING`, { action: { calls: undefined } }, 'payload.action.calls'],
      [
        ...([422, `${P}POLICY_HASH_MISMATCH`] as const),
        { action: { actionType: 'ADMIT_POLICY' } },
        'payload.policyDraft',
      ],
      [
        ...([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'] as const),
        {
          plan: { id: `migration_plan_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` },
        },
        'payload.plan',
      ],
      [
        ...([409, 'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE'] as const),
        {
          strategyAdmission: {
            strategy: { id: `strategy_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` },
            admissionEvidenceHash: `0x${'2'.repeat(64)}`,
          },
        },
        'payload.strategyAdmission',
      ],
      [
        ...([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'] as const),
        {
          sources: [
            {
              resourceType: 'VenueProfile',
              id: `venue_${'0'.repeat(32)}`,
              resourceVersion: `0x${'1'.repeat(64)}`,
            },
          ],
        },
        'payload.sources',
      ],
      [
        404,
        'LIQUIDITY_SOURCE_UNAVAILABLE',
        { vaultId: `vault_${'0'.repeat(32)}` },
        'payload.vaultId',
      ],
    ]
    for (const [status, code, wrong, field] of cases) {
      const response = await propose(
        analyst,
        body(service, desk, pays(testChain, 1n), wrong as never),
      )
      expect([response.status, response.code, code]).toEqual([status, code, code])
      expect(Object.keys(response.fieldErrors)).toContain(field)
    }
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await propose(viewer, body(service, desk, pays(testChain, 1n)))).status).toBe(403)
    const foreign = await newOrganization(service)
    expect((await propose(foreign, body(service, desk, pays(testChain, 1n)))).status).toBe(404)
    const completed = await propose(analyst, body(service, desk, pays(testChain, 1n)), {
      status: 'COMPLETED',
    })
    expect(refusal(completed)).toEqual([400, `${P}DERIVED_FIELD_SUPPLIED`])
  })

  it('is for a qualified vault, or for its owners', async ({ service, testChain, desk }) => {
    const other = await vaulted(testChain, await newOrganization(service))
    await observed(service, other)
    const vault = await theVault(other.owner)
    const scene = { ...desk, ...other, vault }
    const response = await propose(
      other.owner,
      packetBody(service, scene, pays(testChain, 1n), { review: { required: 1 } }),
    )
    expect(refusal(response)).toEqual([422, 'LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED'])
    const abi = parseAbi(['function changeThreshold(uint256 threshold)'])
    const data = encodeFunctionData({ abi, functionName: 'changeThreshold', args: [3n] })
    const mending = packetBody(service, scene, [{ to: other.safe, data }], {
      action: { actionType: 'OWNER_CHANGE' },
      review: { required: 1 },
    })
    expect((await propose(other.owner, mending)).status).toBe(201)
  })
})

describe('a decision', () => {
  it('counts the required people, each once, and never the preparer alone', async ({
    service,
    testChain,
    desk,
  }) => {
    const { owner, analyst, reviewers } = desk
    const proposal = await proposed(owner, body(service, desk, pays(testChain, 21n)))
    const first = await decide(reviewers[0], proposal.id, 'APPROVE')
    expect(first.data.approvals).toEqual({ count: 1, required: 2, remaining: null })
    const twice = await decide(reviewers[0], proposal.id, 'APPROVE')
    expect(refusal(twice)).toEqual([409, 'LIQUIDITY_PROPOSAL_ALREADY_DECIDED'])
    const self = await decide(owner, proposal.id, 'APPROVE')
    expect(self.data.approvals.count).toBe(1)
    expect(self.data.proposal.payload.approvals.map((one) => one.self)).toEqual([false, true])
    const role = await decide(analyst, proposal.id, 'APPROVE')
    expect(refusal(role)).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    const second = await decide(reviewers[1], proposal.id, 'APPROVE')
    expect([second.data.proposal.status, second.data.proposal.payload.phase]).toEqual([
      ...['ACTIVE', 'APPROVED'],
    ])
    expect(second.data.decisionEvent.kind).toBe('proposal.approved')
    expect(second.data).toMatchObject({ terminal: false, executionAuthorityGranted: false })
    const late = await decide(reviewers[0], proposal.id, 'REJECT')
    expect(refusal(late)).toEqual([409, 'LIQUIDITY_PROPOSAL_TERMINAL'])
  })

  it('of one is enough if one is required, and only the named reviewers count', async ({
    service,
    testChain,
    desk,
  }) => {
    const { owner, reviewers } = desk
    const alone = await proposed(
      owner,
      body(service, desk, pays(testChain, 22n), { review: { required: 1 } }),
    )
    const response = await decide(owner, alone.id, 'APPROVE')
    expect(response.data.proposal.payload.phase).toBe('APPROVED')
    const named = { review: { required: 1, reviewers: [reviewers[0].userId] } }
    const request = await proposed(owner, body(service, desk, pays(testChain, 23n), named))
    const other = await decide(reviewers[1], request.id, 'APPROVE')
    expect(refusal(other)).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    const { data } = await decide(reviewers[0], request.id, 'APPROVE')
    expect(data.approvals).toEqual({ count: 1, required: 1, remaining: [] })
  })

  it('binds exactly the shown content: comments, flags and blockers', async ({
    service,
    testChain,
    desk,
  }) => {
    const { analyst, reviewers } = desk
    const { id } = await proposed(analyst, body(service, desk, pays(testChain, 24n)))
    const seen = await reviewed(reviewers[0], id)
    const blocker = await comment(reviewers[1], id, { kind: 'BLOCKER', body: 'To whom?' })
    expect(blocker.status).toBe(201)
    const stale = await decide(reviewers[0], id, 'APPROVE', {
      reviewEvidenceHash: seen.reviewEvidenceHash,
    })
    expect(refusal(stale)).toEqual([409, 'LIQUIDITY_PROPOSAL_REVIEW_STALE'])
    const open = await decide(reviewers[0], id, 'APPROVE')
    expect(refusal(open)).toEqual([409, 'LIQUIDITY_PROPOSAL_BLOCKER_OPEN'])
    const resolution = { kind: 'RESOLUTION', body: 'The auditor.', resolves: blocker.data.id }
    // Whoever prepared it cannot wave away what a reviewer raised.
    const own = await comment(analyst, id, resolution)
    expect(refusal(own)).toEqual([403, 'LIQUIDITY_PROPOSAL_COMMENT_NOT_OWN'])
    expect((await comment(reviewers[0], id, resolution)).status).toBe(201)
    expect((await reviewed(reviewers[0], id)).openBlockers).toEqual([])
    const blind = await decide(reviewers[0], id, 'APPROVE', { acknowledgedFlags: [] })
    expect(refusal(blind)).toEqual([422, 'LIQUIDITY_PROPOSAL_FLAG_UNACKNOWLEDGED'])
    const more = await decide(reviewers[0], id, 'APPROVE', {
      acknowledgedFlags: ['NESTED_BATCH', 'NEW_COUNTERPARTY', 'NO_POLICY'],
    })
    expect(refusal(more)).toEqual([422, 'LIQUIDITY_PROPOSAL_FLAG_UNACKNOWLEDGED'])
    expect((await decide(reviewers[0], id, 'APPROVE')).status).toBe(200)
    const changes = await decide(reviewers[1], id, 'REQUEST_CHANGES')
    expect(changes.data.proposal.payload).toMatchObject({
      phase: 'CHANGES_REQUESTED',
      approvals: [],
      approvalCount: 0,
    })
    expect((await decide(reviewers[0], id, 'APPROVE')).data.approvals.count).toBe(1)
    const rejected = await decide(reviewers[1], id, 'REJECT')
    expect([rejected.data.terminal, rejected.data.proposal.status]).toEqual([true, 'REVOKED'])
    expect(rejected.data.proposal.payload.packets[0]?.state).toBe('REVOKED')
    const closed = await comment(reviewers[1], id, {})
    expect(refusal(closed)).toEqual([409, 'LIQUIDITY_PROPOSAL_TERMINAL'])
    const viewed = await callOperation(reviewers[0], 'getProposalWorkspaceReview', {
      params: { id },
      query: { resourceVersion: seen.proposal.resourceVersion },
    })
    expect(refusal(viewed)).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
  })

  it('is withdrawn by its preparer, and a packet is replaced by its author only', async ({
    service,
    testChain,
    desk,
  }) => {
    const { analyst, owner, reviewers } = desk
    const { id } = await proposed(analyst, body(service, desk, pays(testChain, 25n)))
    const other = await decide(reviewers[0], id, 'WITHDRAW')
    expect(refusal(other)).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    expect((await decide(analyst, id, 'WITHDRAW')).data.proposal.payload.phase).toBe('WITHDRAWN')
    const first = await approved(
      desk,
      (await proposed(analyst, body(service, desk, pays(testChain, 26n)))).id,
    )
    const supersedes = { id: first.id, resourceVersion: first.resourceVersion }
    const foreign = await propose(owner, body(service, desk, pays(testChain, 27n), { supersedes }))
    expect(refusal(foreign)).toEqual([409, 'LIQUIDITY_PROPOSAL_SUPERSESSION'])
    const next = await proposed(analyst, body(service, desk, pays(testChain, 27n), { supersedes }))
    const before = await current(owner, first.id)
    expect([before.status, before.payload.phase, before.payload.packets[0]?.state]).toEqual([
      ...['RETIRED', 'RETIRED', 'REVOKED'],
    ])
    expect(next.payload.supersedes).toEqual(supersedes)
    const again = await propose(analyst, body(service, desk, pays(testChain, 28n), { supersedes }))
    expect(refusal(again)).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
  })

  it('is rejected if the sources of the packet changed', async ({ service, testChain, desk }) => {
    const { owner, analyst, reviewers } = desk
    const venues = await owner.client.listVenues()
    const { id, resourceVersion } = venues.body.data[0]!
    const source = { resourceType: 'VenueProfile', id, resourceVersion }
    const proposal = await proposed(
      analyst,
      body(service, desk, pays(testChain, 29n), { sources: [source] }),
    )
    expect(proposal.payload.sourceStates).toEqual([{ role: 'NAMED', source, state: 'CURRENT' }])
    const renamed = await callOperation(owner, 'supersedeVenues', {
      params: { id },
      ifMatch: resourceVersion,
      body: { payload: { name: 'Another name' }, reason: 'It is called so' },
    })
    expect([renamed.status, renamed.fieldErrors]).toEqual([200, {}])
    const moved = await decide(reviewers[0], proposal.id, 'APPROVE')
    expect(refusal(moved)).toEqual([409, 'LIQUIDITY_PROPOSAL_SOURCE_SUPERSEDED'])
    // What was named although it had moved on already is shown, and can be acknowledged.
    const listMovedEvents = async () =>
      (
        await callOperation<{ events: { subject: { id: string }; payload: unknown }[] }>(
          owner,
          'listEvents',
          {
            query: { kind: 'proposal.source_superseded' },
          },
        )
      ).data.events.filter(({ subject }) => subject.id === proposal.id)
    for (const _ of [1, 2]) await notifyMovedSources(service.services)
    expect((await listMovedEvents()).map(({ payload }) => payload)).toEqual([
      { source, role: 'NAMED' },
    ])
    const knowing = await proposed(
      analyst,
      body(service, desk, pays(testChain, 29n), { sources: [source] }),
    )
    expect(codesOf(knowing)).toContain('SOURCE_SUPERSEDED')
    expect((await decide(reviewers[0], knowing.id, 'APPROVE')).status).toBe(200)
  })
})

describe('sources of a packet', () => {
  it('is a strategy only while its admission holds', async ({ service, testChain, desk }) => {
    const { owner, analyst, reviewers, vault } = desk
    const { id, resourceVersion } = (await owner.client.listVenues()).body.data[0]!
    const created = await callOperation<{ strategy: { id: string; resourceVersion: string } }>(
      owner,
      'createStrategies',
      {
        body: {
          payload: {
            ...structuredClone(contract.createStrategies.example.body.payload),
            pair: vault.payload.pair,
            venue: { id, resourceVersion },
          },
          reason: 'For the test',
        },
      },
    )
    const { strategy } = created.data
    const source = {
      resourceType: 'StrategyDefinitionV2',
      id: strategy.id,
      resourceVersion: strategy.resourceVersion,
    }
    const bare = await propose(
      analyst,
      body(service, desk, pays(testChain, 1n), { sources: [source] }),
    )
    expect(refusal(bare)).toEqual([409, 'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE'])
    // An admission as admitStrategyProposal writes it; its gates are measured in strategies-admission.test.ts.
    const records = recordsOf(service, owner)
    const current = await records.current('StrategyDefinitionV2', strategy.id)
    const expiresAt = new Date(service.clock.read() + 3_600_000).toISOString()
    const terms = {
      irHash: strategy.resourceVersion,
      studies: [],
      limits: {},
      gates: [],
      expiresAt,
    }
    const change = records.note(current!, admittedKind, terms)
    const name = dueName(expiresAt, change.events[0]!.event.id)
    const claims = [{ kind: admissionName, name, recordId: strategy.id }]
    await service.services.committer.commit({ ...change, claims })
    const strategyAdmission = {
      strategy: { id: strategy.id, resourceVersion: strategy.resourceVersion },
      admissionEvidenceHash: change.events[0]!.event.evidenceHash,
    }
    const wrong = { ...strategyAdmission, admissionEvidenceHash: `0x${'3'.repeat(64)}` }
    const other = await propose(
      analyst,
      body(service, desk, pays(testChain, 1n), { strategyAdmission: wrong }),
    )
    expect(refusal(other)).toEqual([409, 'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE'])
    const proposal = await proposed(
      analyst,
      body(service, desk, pays(testChain, 1n), {
        strategyAdmission,
        sources: [source],
        review: { required: 1 },
      }),
    )
    expect(proposal.payload.sourceStates.map(({ role }) => role)).toEqual(['STRATEGY', 'NAMED'])
    service.clock.advance(3_600_001)
    const expired = await decide(reviewers[0], proposal.id, 'APPROVE')
    expect(refusal(expired)).toEqual([409, 'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE'])
    const late = await propose(
      analyst,
      body(service, desk, pays(testChain, 1n), { strategyAdmission }),
    )
    // By then the vault has not been read for an hour either, which is asked first.
    expect(refusal(late)).toEqual([422, 'LIQUIDITY_PROPOSAL_VAULT_UNQUALIFIED'])
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    const again = await propose(
      analyst,
      body(service, desk, pays(testChain, 1n), { strategyAdmission }),
    )
    expect(refusal(again)).toEqual([409, 'LIQUIDITY_STRATEGY_ADMISSION_UNAVAILABLE'])
  })
})

describe('without a trusted release', () => {
  it('one call is read by published interfaces, and several have no batch', async ({
    service,
    testChain,
    desk,
  }) => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    const other = await anotherNode(service, { releasePublicKey: raw.toString('base64') })
    const through = {
      ...desk.analyst,
      options: { ...desk.analyst.options, baseUrl: other.baseUrl },
    }
    const one = await proposed(through, body(service, desk, pays(testChain, 7n)))
    expect([one.payload.releaseHash, one.payload.packets[0]?.decodedCalls[0]?.readBy]).toEqual([
      ...[null, 'STANDARD'],
    ])
    const several = await propose(
      through,
      body(service, desk, [...pays(testChain, 7n), ...pays(testChain, 8n)]),
    )
    expect(refusal(several)).toEqual([409, 'LIQUIDITY_PROPOSAL_BATCH_UNAVAILABLE'])
  })
})

describe('a comparison', () => {
  const compare = (by: TestMember, proposals: object[]) =>
    callOperation<VersionedRecord<contract.ProposalComparison>>(by, 'compareProposals', {
      body: { payload: { proposals }, reason: 'For the test' },
    })
  const refOf = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
    id,
    resourceVersion,
  })

  it('reports domination for each pair, over the figures known for both', async ({
    service,
    testChain,
    desk,
  }) => {
    const { analyst, owner } = desk
    const quote = () => [
      { to: testChain.markets.tokens[1] as string, data: transferData(someone(testChain), 5n) },
    ]
    const cheap = await proposed(analyst, body(service, desk, quote(), { title: 'The cheap one' }))
    const dear = await proposed(
      analyst,
      body(service, desk, [...quote(), ...quote()], { title: 'The dear one' }),
    )
    const response = await compare(analyst, [refOf(cheap), refOf(dear)])
    expect([response.status, response.data.payload.state]).toEqual([201, 'COMPLETED'])
    const [first, second] = response.data.payload.proposals
    const figureOf = (one: typeof first, metricId: string) =>
      one?.metrics.find((metric) => metric.metricId === metricId)?.value
    expect([figureOf(first, 'costQuote'), figureOf(second, 'costQuote')]).toEqual(['5', '10'])
    expect(figureOf(first, 'irreversibleCalls')).toBe('1')
    expect(first?.metrics.find(({ metricId }) => metricId === 'turnoverPips')?.reason).toBe(
      'No policy of the vault applies.',
    )
    expect(response.data.payload.relations).toMatchObject([
      { first: cheap.id, second: dear.id, relation: 'DOMINATES', worseIn: [], notCompared: [] },
    ])
    const base = await proposed(analyst, body(service, desk, pays(testChain, 5n)))
    const open = await compare(analyst, [refOf(cheap), refOf(base)])
    // Nobody tells a price of the base.
    expect(open.data.payload).toMatchObject({
      state: 'PARTIAL',
      relations: [{ relation: 'TRADE_OFF', notCompared: ['costQuote'] }],
    })
    const listed = await callOperation<unknown[]>(owner, 'listProposalComparisons')
    expect(listed.data).toHaveLength(2)
    const twice = await compare(analyst, [refOf(cheap), refOf(cheap)])
    expect(refusal(twice)).toEqual([422, 'LIQUIDITY_PROPOSAL_COMPARISON_INCOMPATIBLE'])
    const stale = await compare(analyst, [
      ...[refOf(cheap), { id: dear.id, resourceVersion: `0x${'1'.repeat(64)}` }],
    ])
    expect(refusal(stale)).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
  })
})

describe('comments', () => {
  it('are kept in order, superseded only by their authors, and anchored to existing values', async ({
    service,
    testChain,
    desk,
  }) => {
    const { analyst, reviewers } = desk
    const { id } = await proposed(analyst, body(service, desk, pays(testChain, 31n)))
    const first = await comment(analyst, id, { anchor: '/payload/packets/0/decodedCalls/0' })
    const { id: eventId, evidenceHash } = first.data
    const supersedes = { eventId, evidenceHash }
    const foreign = await comment(reviewers[0], id, { supersedes })
    expect(refusal(foreign)).toEqual([403, 'LIQUIDITY_PROPOSAL_COMMENT_NOT_OWN'])
    const wrong = await comment(analyst, id, {
      supersedes: { eventId, evidenceHash: `0x${'1'.repeat(64)}` },
    })
    expect(refusal(wrong)).toEqual([409, 'LIQUIDITY_PROPOSAL_COMMENT_NOT_HEAD'])
    expect((await comment(analyst, id, { supersedes, body: 'Why?' })).status).toBe(201)
    const old = await comment(analyst, id, { supersedes, body: 'Why, then?' })
    expect(refusal(old)).toEqual([409, 'LIQUIDITY_PROPOSAL_COMMENT_NOT_HEAD'])
    const nowhere = await comment(analyst, id, { anchor: '/payload/packets/9' })
    expect(refusal(nowhere)).toEqual([422, 'LIQUIDITY_PROPOSAL_COMMENT_UNFIT'])
    const unasked = await comment(analyst, id, { resolves: eventId })
    expect(refusal(unasked)).toEqual([422, 'LIQUIDITY_PROPOSAL_COMMENT_UNFIT'])
    const viewer = await newMember(service, desk.owner.organizationId, 'VIEWER')
    expect((await comment(viewer, id, {})).status).toBe(403)
    const pages = await callOperation<{ id: string }[]>(viewer, 'listProposalComments', {
      params: { id },
      query: { limit: 1 },
    })
    expect(pages.data.map((one) => one.id)).toEqual([eventId])
  })
})

describe('time', () => {
  it('ends without execution, swept or not', async ({ service, testChain, desk }) => {
    const { analyst, reviewers } = desk
    const until = new Date(service.clock.read() + 60_000).toISOString()
    const soon = { review: { expiresAt: until } }
    const first = await proposed(analyst, body(service, desk, pays(testChain, 41n), soon))
    const second = await approved(
      desk,
      (await proposed(analyst, body(service, desk, pays(testChain, 42n), soon))).id,
    )
    service.clock.advance(61_000)
    const late = await decide(reviewers[0], first.id, 'APPROVE')
    expect(refusal(late)).toEqual([409, 'LIQUIDITY_PROPOSAL_EXPIRED'])
    expect(refusal(await comment(analyst, first.id, {}))).toEqual([
      ...[409, 'LIQUIDITY_PROPOSAL_EXPIRED'],
    ])
    expect((await reviewed(analyst, first.id)).phase).toBe('EXPIRED')
    await expireProposals(service.services)
    const swept = await current(analyst, second.id)
    expect([swept.status, swept.payload.phase, swept.payload.packets[0]?.state]).toEqual([
      ...['EXPIRED', 'EXPIRED', 'REVOKED'],
    ])
    const { database, artifacts } = service.services
    const { organizationId } = desk.owner
    expect((await verifyHistory(database, organizationId, artifacts)).faults).toEqual([])
  })
})
