// @module-tag long
// @covers apps/server/src/families/operate/protected-execution apps/server/src/families/prove/vaults
// @covers apps/server/src/families/operate/autonomy-policies apps/server/src/market/plan-legs.ts

import type { contract } from '@liquidity-os/contract'
import { erc20Abi, multiSendData } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, hexToBytes, parseAbi } from 'viem'
import { describe, expect } from 'vitest'
import {
  expireLegs,
  followLegs,
} from '../src/families/operate/protected-execution/legs/follow-legs.ts'
import { preSignGas } from '../src/families/operate/protected-execution/planning/usable-sources.ts'
import { verifyHistory } from '../src/whole-history.ts'
import type { TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import {
  admit,
  ask,
  askBody,
  type ExecutionDesk,
  freeze,
  isoIn,
  made,
  move,
  orderQuote,
  type Plan,
  type Policy,
  plan,
  planState,
  policyInput,
  pullPrices,
  type QuoteRequest,
  type QuoteSet,
  refOf,
  refusal,
  rfqQuote,
  solverOf,
  withMakers,
} from './support/executing.ts'
import { priceTest } from './support/fixtures.ts'
import { approved, type Proposal, packetBody, proposed, startDesk } from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import type { TestService } from './support/service.ts'
import { execute, observed, receiptsOf, signedExecution } from './support/vaults.ts'

let request: QuoteRequest
let set: QuoteSet
const it = priceTest.extend('scene', { scope: 'file' }, async ({ service, testChain }) => {
  await catchUp(testChain.chain, service)
  const desk = await withMakers(testChain, await startDesk(testChain, service))
  const policy = await admitPolicy(testChain, desk, {})
  const { data } = await callOperation<{ id: string; resourceVersion: string; status: string }[]>(
    ...([desk.owner, 'listVenues'] as const),
  )
  const venue = data.find(({ status }) => status === 'VALIDATED') as {
    id: string
    resourceVersion: string
  }
  return { desk, policy, venue }
})

const reason = 'For the test'
const admitPolicy = async (
  testChain: TestChain,
  desk: ExecutionDesk,
  change: object,
  ifMatch?: string,
): Promise<Policy> =>
  made(
    callOperation<Policy>(desk.owner, 'createAutonomyPolicies', {
      body: { payload: policyInput(testChain, desk, change), reason },
      ...(ifMatch ? { ifMatch } : {}),
    }),
  )

/** A request, an order of the Safe maker for 4 of 10 parts, and the pool. */
async function frozen(
  service: TestService,
  testChain: TestChain,
  desk: ExecutionDesk,
  venue: { id: string; resourceVersion: string },
  change: object = {},
  more: object = {},
): Promise<QuoteSet> {
  request = await made(ask(desk, askBody(service, desk, change)))
  const quotes = [
    await orderQuote(testChain, service, desk, request, { by: 'SAFE' }),
    await rfqQuote(testChain, service, desk, request),
  ]
  await made(admit(desk, request, quotes))
  return made(freeze(desk, request, { pools: [refOf(venue)], ...more }))
}

const planned = async (
  service: TestService,
  desk: ExecutionDesk,
  policy: Policy,
  of: QuoteSet,
  change: object = {},
): Promise<Plan> => made(plan(service, desk, of, policy, change))
const legOf = ({ payload }: Plan, kind: 'QUOTE' | 'POOL') => {
  const leg = payload.legs.find((one) => one.kind === kind)
  if (!leg) throw new Error(`The plan has no leg of ${kind}.`)
  return leg
}

describe('a plan', () => {
  it('without a price is stored as information, and arms nothing', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    set = await frozen(service, testChain, desk, venue)
    const response = await planned(service, desk, policy, set)
    expect([response.status, response.payload.isArmable, response.payload.resultState]).toEqual([
      ...['PARTIAL', false, 'PARTIAL'],
    ])
    expect(response.payload.reasons).toEqual([
      'GAS_UNPRICED',
      'NO_REFERENCE',
      'POLICY_INDETERMINATE',
    ])
    const armed = await move(desk, response, 0, 'CANCELLED')
    expect(refusal(armed)).toEqual([409, 'LIQUIDITY_PLAN_TERMINAL'])
  })

  it('splits an order over quotes that can settle and the pool, exactly, within the policy', async ({
    service,
    testChain,
    priceSource,
    scene: { desk, policy, venue },
  }) => {
    await pullPrices(service, desk.owner, testChain, priceSource)
    service.clock.advance(900_000)
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    set = await frozen(service, testChain, desk, venue)
    const gas = { nativePriceX18: `${10n ** 18n}`, baseFeeWei: '1' }
    const { status, payload } = await planned(service, desk, policy, set, { gas })
    expect([status, payload.resultState, payload.reasons]).toEqual(['ACTIVE', 'COMPLETED', []])
    const sum = (of: 'sellAmount' | 'expectedBuy' | 'minimumBuy') =>
      `${payload.legs.reduce((total, leg) => total + BigInt(leg[of]), 0n)}`
    expect(sum('sellAmount')).toBe(set.payload.amount)
    expect(payload.totals).toMatchObject({
      sell: sum('sellAmount'),
      expectedBuy: sum('expectedBuy'),
      minimumBuy: sum('minimumBuy'),
    })
    expect(payload.legs.map(({ kind, route, adapterId }) => [kind, route, adapterId])).toEqual([
      ['QUOTE', 'SIGNED_QUOTE', 'cow-gpv2-order'],
      ['POOL', 'PRIVATE', 'uniswap-v3-swap-router'],
    ])
    const [quoteLeg, poolLeg] = payload.legs
    expect(quoteLeg).toMatchObject({
      sellAmount: `${4n * 10n ** 14n}`,
      sandwichBoundQuote: '0',
      sandwich: null,
      minimumBuy: quoteLeg?.expectedBuy,
    })
    const expected = BigInt(poolLeg?.expectedBuy ?? 0)
    expect(poolLeg?.minimumBuy).toBe(`${(expected * 990_000n + 999_999n) / 1_000_000n}`)
    expect(BigInt(poolLeg?.sandwichBoundQuote ?? 0) > 0n).toBe(true)
    expect(payload.rejected).toMatchObject([{ reason: 'INFORMATIONAL' }])
    expect(payload.allowances.map(({ amount }) => amount)).toEqual(
      payload.legs.map(({ sellAmount }) => sellAmount),
    )
    expect(payload.optimality).toMatchObject({ method: 'EXHAUSTIVE' })
    expect(BigInt(payload.totals.expectedBuy) >= BigInt(payload.bestSingle?.expectedBuy ?? 0)).toBe(
      true,
    )
    expect(payload.legs.map(({ check }) => check.turnoverBeforeQuote)).toEqual([
      ...['0', quoteLeg?.sellAmount],
    ])
    const again = await planned(service, desk, policy, set, { gas })
    expect(again.payload.legs).toEqual(payload.legs)
  })

  it('buys an exact output for the smallest input, and uses information quotes on request', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    const buying = await frozen(service, testChain, desk, venue, {
      side: 'BUY',
      amountKind: 'EXACT_OUT',
    })
    const bought = await planned(service, desk, policy, buying)
    expect(BigInt(bought.payload.totals.expectedBuy) >= 10n ** 15n).toBe(true)
    expect(BigInt(bought.payload.totals.sell) > 10n ** 15n).toBe(true)
    const informed = await planned(service, desk, policy, set, { includeInformational: true })
    expect(informed.payload.legs.some(({ call }) => call === null)).toBe(true)
    expect([informed.status, informed.payload.isArmable]).toEqual(['PARTIAL', false])
    expect(informed.payload.reasons).toContain('LEG_WITHOUT_CALL')
  })

  it('keeps shares, routes and firmness, and drops the public mempool', async ({
    service,
    scene: { desk, policy },
  }) => {
    const share = await planned(service, desk, policy, set, { maximumMakerShare: 300_000 })
    expect(share.payload.legs.map(({ kind }) => kind)).toEqual(['POOL'])
    const only = await planned(service, desk, policy, set, {
      routes: ['PRIVATE', 'PUBLIC_MEMPOOL'],
    })
    expect(only.payload.effective.routes).toEqual(['PRIVATE'])
    expect(only.payload.routeNotes[0]).toMatch(/^PUBLIC_MEMPOOL is removed/)
    expect(only.payload.rejected.map((one) => one.reason)).toContain('ROUTE_NOT_ALLOWED')
    const late = await planned(service, desk, policy, set, { settlementBufferSeconds: 3_600 })
    expect(late.payload.rejected.map((one) => one.reason)).toContain('EXPIRES_TOO_SOON')
    const firm = await planned(service, desk, policy, set, { minimumFirmPips: 400_000 })
    expect(firm.payload.legs[0]?.firm).toBe(true)
  })

  it('is refused for what cannot be filled, a policy that denies, and members that do not fit', async ({
    service,
    testChain,
    scene: { desk, policy },
  }) => {
    const alone = await plan(service, desk, set, policy, { routes: ['SIGNED_QUOTE'] })
    expect(refusal(alone)).toEqual([422, 'LIQUIDITY_PLAN_AMOUNT_UNFILLABLE'])
    expect(alone.fieldErrors['payload.quoteSet']?.[0]).toBe(
      `must fill ${10n ** 15n}, can fill at most ${4n * 10n ** 14n}`,
    )
    const firm = await plan(service, desk, set, policy, { minimumFirmPips: 500_000 })
    expect(firm.fieldErrors['payload.quoteSet']?.[0]).toMatch(/firm minimum$/)
    const late = await plan(service, desk, set, policy, { deadline: isoIn(service, 90_000) })
    expect([late.code, Object.keys(late.fieldErrors)]).toEqual([
      ...['LIQUIDITY_PLAN_INPUT_INVALID', ['payload.constraints.deadline']],
    ])
    const narrow = await admitPolicy(
      testChain,
      desk,
      { maximumAmountPerTransaction: '5' },
      policy.resourceVersion,
    )
    const denied = await plan(service, desk, set, narrow)
    expect(refusal(denied)).toEqual([422, 'LIQUIDITY_PLAN_POLICY_DENIED'])
    expect(denied.fieldErrors['legs.0']?.[0]).toMatch(/^R08 AMOUNT: limit 5, got/)
    const stale = await plan(service, desk, set, policy)
    expect(refusal(stale)).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
    // The tests that follow use the newest version.
    Object.assign(policy, await admitPolicy(testChain, desk, {}, narrow.resourceVersion))
  })
})

type Call = contract.ExecutionCall

/** A packet with the calls, approved by both reviewers. */
async function packet(
  service: TestService,
  desk: ExecutionDesk,
  calls: readonly Call[],
): Promise<Proposal> {
  const action = { actionType: 'VENUE_CALLS' }
  const proposal = await proposed(
    desk.analyst,
    packetBody(
      service,
      desk,
      calls.map((call) => ({ ...call })),
      { action },
    ),
  )
  return approved(desk, proposal.id)
}

let safeNonce = 0n
async function carryOut(testChain: TestChain, desk: ExecutionDesk, calls: readonly Call[]) {
  const data = multiSendData(
    calls.map(({ to, data: one }) => ({ to: to as Address, data: one as Hex })),
  )
  const { multiSendCallOnly: to } = testChain.chain.contracts
  const mined = await execute(testChain, desk.safe, { to, data, operation: 1, nonce: safeNonce })
  safeNonce += 1n
  return mined
}

const hashOf = (mined: { readonly transactionHash: Hex }) => mined.transactionHash
const states = async (desk: ExecutionDesk, of: Plan) =>
  (await planState(desk, of)).legs.map(({ state }) => state)
const allowanceFor = ({ payload }: Plan, spender: string | undefined) =>
  payload.allowances.flatMap((one) => (one.spender === spender ? [one.call] : []))
const armed = async (
  service: TestService,
  desk: ExecutionDesk,
  of: Plan,
  legIndex: number,
  calls: readonly Call[],
) =>
  made(move(desk, of, legIndex, 'ARMED', { proposal: refOf(await packet(service, desk, calls)) }))

/** Bytes of zero in the order that `setPreSignature(bytes,bool)` names, which begins behind three words. */
const zerosInOrderId = (data: Hex): number =>
  hexToBytes(data)
    .subarray(4 + 3 * 32, 4 + 3 * 32 + 56)
    .filter((byte) => byte === 0).length

/** The verdict of a receipt, and the rules that do not allow it. */
function verdictOf(receipt: Awaited<ReturnType<typeof receiptsOf>>[number] | undefined) {
  const rules = receipt?.payload.rules ?? []
  const open = rules.filter(({ outcome }) => outcome !== 'ALLOW').map(({ ruleId }) => ruleId)
  return [receipt?.payload.verdict, open]
}

describe('a leg', () => {
  it('is armed by an approved packet with exactly its call, and by no other', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    set = await frozen(service, testChain, desk, venue)
    const of = await planned(service, desk, policy, set)
    const [quoteLeg, poolLeg] = [legOf(of, 'QUOTE'), legOf(of, 'POOL')]
    const calls = [...allowanceFor(of, poolLeg.call?.to), poolLeg.call as Call]
    const request = await proposed(
      desk.analyst,
      packetBody(service, desk, calls, { action: { actionType: 'VENUE_CALLS' } }),
    )
    const early = await move(desk, of, poolLeg.legIndex, 'ARMED', { proposal: refOf(request) })
    expect(refusal(early)).toEqual([409, 'LIQUIDITY_LEG_NOT_APPROVED'])
    const proposal = refOf(await approved(desk, request.id))
    const other = await move(desk, of, quoteLeg.legIndex, 'ARMED', { proposal })
    expect(other.fieldErrors.proposal?.[0]).toMatch(/makes exactly the call of the leg/)
    const own = allowanceFor(of, quoteLeg.settlement?.relayer)
    const both = refOf(await packet(service, desk, [...calls, ...own, quoteLeg.call as Call]))
    const shared = await move(desk, of, poolLeg.legIndex, 'ARMED', { proposal: both })
    expect(shared.fieldErrors.proposal?.[0]).toMatch(/below level 3/)
    await made(move(desk, of, poolLeg.legIndex, 'ARMED', { proposal }))
    expect(await states(desk, of)).toEqual(['PLANNED', 'ARMED'])
    const stale = await move(desk, of, poolLeg.legIndex, 'CANCELLED', {
      previousTransitionHash: of.artifactHash,
    })
    expect(refusal(stale)).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
    const wrong = await move(desk, of, poolLeg.legIndex, 'ARMED', { proposal })
    expect(refusal(wrong)).toEqual([409, 'LIQUIDITY_LEG_TRANSITION'])
    const members = await move(desk, of, poolLeg.legIndex, 'SUBMITTED', { proposal })
    expect(Object.keys(members.fieldErrors)).toEqual(['proposal', 'transactionHash'])
    const claimed = await move(desk, of, poolLeg.legIndex, 'INCLUDED')
    expect(refusal(claimed)).toEqual([409, 'LIQUIDITY_LEG_TRANSITION'])
    const version = await move(desk, of, 0, 'CANCELLED', { ifMatch: `0x${'1'.repeat(64)}` })
    expect(refusal(version)).toEqual([412, 'LIQUIDITY_PRECONDITION_FAILED'])
    const expired = await move(desk, of, 0, 'EXPIRED')
    expect(expired.fieldErrors.to?.[0]).toMatch(/before its deadline/)
    for (const legIndex of [0, 1]) await made(move(desk, of, legIndex, 'CANCELLED'))
    const state = await planState(desk, of)
    expect([state.status, state.chainValid]).toEqual(['REVOKED', true])
    expect(refusal(await move(desk, of, 0, 'CANCELLED'))).toEqual([409, 'LIQUIDITY_PLAN_TERMINAL'])
  })

  it('is settled at its price by GPv2, or swapped in the pool, and reconciled with the chain', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    set = await frozen(service, testChain, desk, venue)
    const of = await planned(service, desk, policy, set)
    const [quoteLeg, poolLeg] = [legOf(of, 'QUOTE'), legOf(of, 'POOL')]
    const settlement = quoteLeg.settlement
    if (!settlement || !poolLeg.call || !quoteLeg.call) throw new Error('Both have calls.')
    const agreed = [...allowanceFor(of, settlement.relayer), quoteLeg.call]
    const gas = await testChain.chain.publicClient.estimateGas({
      account: desk.safe,
      to: quoteLeg.call.to as Address,
      data: quoteLeg.call.data as Hex,
    })
    // Calldata costs 16 gas a byte and 4 where it is zero; the order's id is of bytes that are drawn.
    expect(Number(gas)).toBe(preSignGas - 12 * zerosInOrderId(quoteLeg.call.data as Hex))
    await armed(service, desk, of, quoteLeg.legIndex, agreed)
    const presigning = await carryOut(testChain, desk, agreed)
    const settled = await testChain.chain.send({
      from: solverOf(testChain),
      to: settlement.contract as Address,
      data: settlement.settle.data as Hex,
    })
    await testChain.chain.mine(3)
    await made(move(desk, of, quoteLeg.legIndex, 'SUBMITTED', { transactionHash: hashOf(settled) }))
    await followLegs(service.services)
    const half = await planState(desk, of)
    expect(half.legs[quoteLeg.legIndex]).toMatchObject({
      state: 'RECONCILED',
      realisedVersusExpectedPips: 0,
      realised: { sell: quoteLeg.sellAmount, buy: quoteLeg.expectedBuy },
    })

    const calls = [...allowanceFor(of, poolLeg.call.to), poolLeg.call]
    await armed(service, desk, of, poolLeg.legIndex, calls)
    const swapped = await carryOut(testChain, desk, calls)
    await made(move(desk, of, poolLeg.legIndex, 'SUBMITTED', { transactionHash: hashOf(swapped) }))
    const included = await move(desk, of, poolLeg.legIndex, 'FINALIZED')
    expect(refusal(included)).toEqual([409, 'LIQUIDITY_LEG_TRANSITION'])
    for (const to of ['INCLUDED', 'FINALIZED', 'RECONCILED']) {
      await made(move(desk, of, poolLeg.legIndex, to))
    }
    await observed(service, desk)
    const receipt = (await receiptsOf(desk.owner)).find(
      ({ payload }) => payload.transactionHash === hashOf(swapped),
    )
    expect(receipt?.payload.leg).toEqual({ planId: of.id, legIndex: poolLeg.legIndex })
    // The code was read at its block, and the leg says by which route it was sent.
    expect(verdictOf(receipt)).toEqual(['COMPLIANT', []])
    // The packet that agrees to the order for the solver is judged by the terms of the leg that it arms.
    const presigned = (await receiptsOf(desk.owner)).find(
      ({ payload }) => payload.transactionHash === hashOf(presigning),
    )
    expect(verdictOf(presigned)).toEqual(['COMPLIANT', []])
    expect(presigned?.payload.leg).toEqual({ planId: of.id, legIndex: quoteLeg.legIndex })
    const done = await planState(desk, of)
    expect([done.status, done.chainValid]).toEqual(['COMPLETED', true])
    expect(
      BigInt(done.legs[poolLeg.legIndex]?.realised?.buy ?? 0) >= BigInt(poolLeg.minimumBuy),
    ).toBe(true)
  })

  it('with a reverted transaction fails once that is finalized; a wrong hash can be corrected', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    set = await frozen(service, testChain, desk, venue)
    const of = await planned(service, desk, policy, set, { routes: ['PRIVATE'] })
    const poolLeg = legOf(of, 'POOL')
    // What was swapped has a receipt; what a solver settled has none of this Safe, and counts by its leg.
    expect(poolLeg.check.turnoverBeforeQuote).toBe(`${10n ** 15n}`)
    if (!poolLeg.call) throw new Error('It has a call.')
    await armed(service, desk, of, 0, [...allowanceFor(of, poolLeg.call.to), poolLeg.call])
    const other = await testChain.chain.send({
      from: testChain.chain.accounts[0]!.address,
      to: testChain.markets.tokens[0],
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [desk.safe, 1n],
      }),
    })
    await made(move(desk, of, 0, 'SUBMITTED', { transactionHash: hashOf(other) }))
    const foreign = await move(desk, of, 0, 'INCLUDED')
    expect(foreign.fieldErrors.to?.[0]).toMatch(/does not execute the leg/)
    const same = await move(desk, of, 0, 'SUBMITTED', { transactionHash: hashOf(other) })
    expect(refusal(same)).toEqual([422, 'LIQUIDITY_PLAN_INPUT_INVALID'])
    // Without its allowance the swap fails, and the Safe with it.
    const failed = await failing(testChain, desk, poolLeg.call)
    await made(move(desk, of, 0, 'SUBMITTED', { transactionHash: failed }))
    await testChain.chain.mine(4)
    await followLegs(service.services)
    const state = await planState(desk, of)
    expect([state.legs[0]?.state, state.status]).toEqual(['REVERTED', 'FAILED'])
  })

  it('that is orphaned, replaced or expired is reported by chain and clock', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    set = await frozen(service, testChain, desk, venue)
    const of = await planned(service, desk, policy, set)
    const poolLeg = legOf(of, 'POOL')
    if (!poolLeg.call) throw new Error('It has a call.')
    const calls = [...allowanceFor(of, poolLeg.call.to), poolLeg.call]
    await armed(service, desk, of, poolLeg.legIndex, calls)
    const snapshot = await testChain.chain.testClient.snapshot()
    const first = await carryOut(testChain, desk, calls)
    await made(move(desk, of, poolLeg.legIndex, 'SUBMITTED', { transactionHash: hashOf(first) }))
    await made(move(desk, of, poolLeg.legIndex, 'INCLUDED'))
    // The block goes, and others come in its place.
    await testChain.chain.testClient.revert({ id: snapshot })
    safeNonce -= 1n
    await testChain.chain.mine(6)
    await made(move(desk, of, poolLeg.legIndex, 'SUBMITTED'))
    const back = await planState(desk, of)
    expect(back.legs[poolLeg.legIndex]?.note).toMatch(/^REORGED/)
    const unseen = await move(desk, of, poolLeg.legIndex, 'INCLUDED')
    expect(refusal(unseen)).toEqual([409, 'LIQUIDITY_LEG_EVIDENCE_UNAVAILABLE'])
    // The sender uses its nonce for something else.
    await testChain.chain.send({
      from: testChain.chain.accounts[8]!.address,
      to: desk.safe,
      data: '0x',
    })
    await testChain.chain.mine(4)
    await followLegs(service.services)
    expect((await states(desk, of))[poolLeg.legIndex]).toBe('REPLACED')
    service.clock.advance(3_100_000)
    const seen = await planState(desk, of)
    expect(seen.legs.map(({ state }) => state)).toEqual(['EXPIRED', 'REPLACED'])
    await expireLegs(service.services)
    const ended = await planState(desk, of)
    expect([ended.status, ended.chainValid]).toEqual(['FAILED', true])
  })

  it('that was sent and is in no block runs out once a final block is past its deadline', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    await observed(service, desk)
    set = await frozen(service, testChain, desk, venue)
    const of = await planned(service, desk, policy, set, { routes: ['PRIVATE'] })
    const { legIndex, call } = legOf(of, 'POOL')
    await armed(service, desk, of, legIndex, [...allowanceFor(of, call?.to), call as Call])
    const transactionHash = `0x${'22'.repeat(32)}`
    await made(move(desk, of, legIndex, 'SUBMITTED', { transactionHash }))
    const unseen = await move(desk, of, legIndex, 'INCLUDED')
    expect(refusal(unseen)).toEqual([409, 'LIQUIDITY_LEG_EVIDENCE_UNAVAILABLE'])
    service.clock.advance(9_000_000)
    await expireLegs(service.services)
    expect(await states(desk, of)).toEqual(['SUBMITTED'])
    await catchUp(testChain.chain, service)
    await followLegs(service.services)
    const state = await planState(desk, of)
    expect([state.status, state.legs[0]?.state]).toEqual(['EXPIRED', 'EXPIRED'])
  })

  it('names its transaction after the receipt was read, and the receipt is judged again', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    await observed(service, desk)
    set = await frozen(service, testChain, desk, venue)
    const of = await planned(service, desk, policy, set, { routes: ['PRIVATE'] })
    const { legIndex, call } = legOf(of, 'POOL')
    if (!call) throw new Error('It has a call.')
    const takenBack = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [call.to as Address, 0n],
    })
    const calls = [
      ...allowanceFor(of, call.to),
      call,
      { to: of.payload.sellToken, value: '0', data: takenBack },
    ]
    await armed(service, desk, of, legIndex, calls)
    const swapped = await carryOut(testChain, desk, calls)
    const receipt = async () => {
      await observed(service, desk)
      const all = await receiptsOf(desk.owner)
      return all.find(({ payload }) => payload.transactionHash === hashOf(swapped))
    }
    // A packet that does more than the leg is not taken for it by its calls.
    const before = await receipt()
    expect([before?.payload.leg, ...verdictOf(before)]).toEqual([null, 'INDETERMINATE', ['R14']])
    // A transaction that does not make its call is not the leg's, whoever names it.
    const other = await carryOut(testChain, desk, [calls.at(-1)!])
    await made(move(desk, of, legIndex, 'SUBMITTED', { transactionHash: hashOf(other) }))
    await observed(service, desk)
    const named = (await receiptsOf(desk.owner)).find(
      ({ payload }) => payload.transactionHash === hashOf(other),
    )
    expect(named?.payload.leg).toBeNull()
    await made(move(desk, of, legIndex, 'SUBMITTED', { transactionHash: hashOf(swapped) }))
    const after = await receipt()
    expect([after?.payload.leg, ...verdictOf(after)]).toEqual([
      { planId: of.id, legIndex },
      'COMPLIANT',
      [],
    ])
    expect([after?.id, after?.sequence]).toEqual([before?.id, 2])
    expect((await receipt())?.sequence).toBe(2)
  })

  it('plans under another control epoch are refused, and the whole history holds', async ({
    service,
    testChain,
    scene: { desk, policy, venue },
  }) => {
    const owners = parseAbi(['function addOwnerWithThreshold(address owner, uint256 threshold)'])
    const data = encodeFunctionData({
      abi: owners,
      args: [testChain.chain.accounts[9]!.address, 2n],
    })
    await execute(testChain, desk.safe, { to: desk.safe, data, nonce: safeNonce })
    await observed(service, desk)
    set = await frozen(service, testChain, desk, venue)
    expect(refusal(await plan(service, desk, set, policy))).toEqual([
      ...[422, 'LIQUIDITY_PLAN_POLICY_EPOCH'],
    ])
    const { database, artifacts } = service.services
    const report = await verifyHistory(database, desk.owner.organizationId, artifacts)
    expect(report.faults).toEqual([])
  })
})

/** Sends a transaction of the Safe that reverts, as nobody who estimates gas would. */
async function failing(testChain: TestChain, desk: ExecutionDesk, call: Call): Promise<Hex> {
  const data = await signedExecution(testChain, desk.safe, {
    to: call.to as Address,
    data: call.data as Hex,
    nonce: safeNonce,
  })
  const request = testChain.chain.testClient.request as (requested: {
    method: string
    params: unknown[]
  }) => Promise<Hex>
  const hash = await request({
    method: 'eth_sendTransaction',
    params: [{ from: testChain.chain.accounts[8]!.address, to: desk.safe, data, gas: '0x1e8480' }],
  })
  await testChain.chain.mine(1)
  return hash
}
