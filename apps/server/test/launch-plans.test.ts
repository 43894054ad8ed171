// @module-tag long
// @covers apps/server/src/families/plan/launch-plans

import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import { generatePrivateKey, sign, type VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poolFee } from '../src/outside/chain/testing/markets.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { hostOf, providerBody, startTestChain, type TestChain } from './support/chain.ts'
import { observedVenue } from './support/observed-venue.ts'
import { tell } from './support/requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Input = contract.LaunchPlanInput
type Timeline = contract.LaunchTimeline
type Gate = contract.LaunchGate
type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Pack = VersionedRecord<contract.DecisionPack>
type Workspace = {
  decisionPack: Pack
  strategyDraft: VersionedRecord
  studyRequest: VersionedRecord
}

let test: TestChain
let service: TestService
let owner: TestMember
beforeAll(async () => {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
})
afterAll(async () => {
  await service.stop()
  await test.chain.stop()
})

const reason = 'For the test'
const e18 = 10n ** 18n
const dayMilliseconds = 86_400_000
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const inDays = (days: number) =>
  new Date(service.clock.read() + days * dayMilliseconds).toISOString()
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})
const example = contract.createLaunchPlans.example.body.payload as unknown as Input
const asked = (change: Partial<Input> = {}): Input => ({
  ...example,
  token: keyOf(test.markets.tokens[0]),
  quote: keyOf(test.markets.tokens[1]),
  launchAt: inDays(60),
  ...change,
})
const create = (payload: Input, more: object = {}) =>
  tell<Plan>(owner, 'createLaunchPlans', { body: { payload, reason }, ...more })
async function planned(change: Partial<Input> = {}): Promise<Plan> {
  const told = await create(asked(change))
  expect([told.status, told.code, told.fieldErrors]).toEqual([201, '', {}])
  return told.data
}
const timelineOf = async ({ id }: Plan) => {
  const told = await tell<Timeline>(owner, 'getLaunchTimeline', { params: { id } })
  expect(told.status).toBe(200)
  expect(told.headers.get('etag')).toBe(`"${told.data.head}"`)
  return told.data
}
const append = async (plan: Plan, body: object, head?: string) =>
  tell<OperatingSystemEvent>(owner, 'appendLaunchTimelineEvent', {
    params: { id: plan.id },
    body: { expectedTimelineHead: head ?? (await timelineOf(plan)).head, reason, ...body },
  })
const step = (key: string, change: object = {}) => ({
  key,
  title: `Step ${key}`,
  kind: 'TASK',
  ownerRole: 'OWNER',
  offsetSeconds: -86_400,
  durationSeconds: 3_600,
  dependsOn: [],
  requiredEvidence: [],
  ...change,
})
const idOf = ({ events }: Timeline, key: string) => events.find((one) => one.key === key)!.eventId
async function complete(plan: Plan, key: string, evidence: object[] = [], head?: string) {
  const timeline = await timelineOf(plan)
  return tell<OperatingSystemEvent>(owner, 'completeLaunchTimelineEvent', {
    params: { id: plan.id, eventId: idOf(timeline, key) },
    ifMatch: head ?? timeline.head,
    body: { evidence, reason },
  })
}
/** A plan with one step behind a gate. */
async function gated(gate: Gate, change: Partial<Input> = {}): Promise<Plan> {
  const plan = await planned(change)
  expect((await append(plan, { event: step('gate', { kind: 'GATE', gate }) })).status).toBe(201)
  return plan
}
async function computed(change: object = {}): Promise<Study> {
  const { payload } = contract.createCapitalRequirements.example.body
  const { token, quote } = asked()
  const told = await tell<Study>(owner, 'createCapitalRequirements', {
    body: { payload: { ...payload, token, quote, ...change }, reason },
  })
  expect([told.status, told.fieldErrors]).toEqual([201, {}])
  return told.data
}
/** A token with this supply, final. */
async function newToken(supply: bigint): Promise<string> {
  const token = await test.chain.deployToken({ name: 'Own', symbol: 'OWN', supply })
  await test.chain.mine(70)
  return keyOf(token)
}
const document = { kind: 'DOCUMENT', hash: `0x${'3'.repeat(64)}` }

describe('a launch plan', () => {
  it('tells what follows from the supply, and tries every mechanism on the same demand', async () => {
    const token = await newToken(1_000_000n * e18)
    const plan = await planned({ token })
    const { computed: told } = plan.payload
    expect(plan.status).toBe('VALIDATED')
    expect(told.circulatingAtLaunch).toBe(`${200_000n * e18}`)
    expect([told.fdvQuote, told.referenceSource]).toEqual([`${2_000_000n * e18}`, 'MECHANISM'])
    const [fixed, dutch] = told.mechanisms.map(({ outcome }) => outcome!)
    expect([fixed!.bids, dutch!.bids]).toEqual([50, 50])
    expect(fixed!.averagePriceX36).toBe(`${2n * 10n ** 36n}`)
    expect(told.seed).toBe(`0x${'7'.repeat(64)}`)
    expect(told.limitations).toEqual(['DEMAND_DRAWN', 'NOBODY_SELLS_DURING_THE_SALE'])
    const again = await planned({ token, launchAt: plan.payload.request.launchAt })
    expect(again.payload).toEqual(plan.payload)
  })

  it('seeds a pool as a study says, on ranges and on the whole curve, or says what is missing', async () => {
    const empty = await planned({ mechanism: { kind: 'V2_SEED' }, alternatives: [] })
    expect([empty.status, empty.payload.computed.mechanisms[0]!.missing]).toEqual([
      'PARTIAL',
      'A study of capital with a price is not named.',
    ])
    const range = {
      kind: 'V3_RANGE',
      lowerMovePips: 200_000,
      upperMovePips: 250_000,
      tickSpacing: 60,
    }
    const shapes = [
      { shapeId: 'curve', sharePips: 500_000, feePips: 3_000, shape: { kind: 'V2' } },
      { shapeId: 'range', sharePips: 500_000, feePips: 3_000, shape: range },
    ]
    const token = await newToken(40_000_000n * e18)
    const study = await computed({ shapes, token })
    const capitalRequirement = refOf(study) as never
    const told = await planned({
      token,
      capitalRequirement,
      mechanism: { kind: 'V3_SEED' },
      alternatives: [{ kind: 'V2_SEED' }],
      totalSupply: `${40_000_000n * e18}`,
      allocations: [
        { bucket: 'pool', tokens: `${40_000_000n * e18}`, recipientClass: 'LIQUIDITY' },
      ],
    })
    expect(told.status).toBe('VALIDATED')
    const [ranged, curve] = told.payload.computed.mechanisms
    expect(ranged!.seed).toMatchObject({
      quote: study.payload.perShape[1]!.quote,
      bands: study.payload.perShape[1]!.bands,
    })
    // The same depth in a range moves as the curve does while the price is in it.
    expect(curve!.outcome!.raised.length).toBe(ranged!.outcome!.raised.length)
    expect(told.payload.computed.referenceSource).toBe('STUDY')
    expect(told.payload.computed.liquidityToFloatPips).toBeGreaterThan(0)
  })

  it('is refused where its allocations are not its supply, or it contradicts itself', async () => {
    const short = await create(asked({ totalSupply: `${e18}` }))
    expect([short.status, short.code]).toEqual([422, 'LIQUIDITY_LAUNCH_ALLOCATION_SUM'])
    const cca = {
      kind: 'CCA',
      tokens: '1000',
      startBlock: 10,
      endBlock: 110,
      claimBlock: 110,
      floorPriceX96: '1',
      tickSpacing: '1',
      requiredCurrencyRaised: '0',
      steps: [{ mps: 100_000, blocks: 100 }],
      liquiditySharePips: 0,
    } as const
    const dutch = {
      kind: 'DUTCH_DYNAMIC',
      startPriceX18: `${2n * e18}`,
      endPriceX18: `${e18}`,
      epochSeconds: 10,
      durationSeconds: 100,
      tokens: '1000',
      minimumProceeds: '1',
      maximumProceeds: '2000',
    } as const
    const lbp = {
      kind: 'LBP',
      startAt: inDays(1),
      endAt: inDays(2),
      tokenStart: '1',
      quoteStart: '1',
      startWeightPips: 900_000,
      endWeightPips: 100_000,
      feePips: 0,
    } as const
    for (const [mechanism, field] of [
      [{ ...cca, steps: [{ mps: 100_000, blocks: 99 }] }, 'steps'],
      [{ ...cca, steps: [{ mps: 100_001, blocks: 100 }] }, 'steps'],
      [{ ...cca, claimBlock: 109 }, 'claimBlock'],
      [{ ...cca, tickSpacing: '0' }, 'tickSpacing'],
      [{ ...dutch, endPriceX18: `${3n * e18}` }, 'endPriceX18'],
      [{ ...dutch, maximumProceeds: '2001' }, 'maximumProceeds'],
      [{ ...dutch, minimumProceeds: '2001' }, 'minimumProceeds'],
      [{ ...dutch, epochSeconds: 100 }, 'epochSeconds'],
      [{ ...lbp, endAt: inDays(1) }, 'endAt'],
      [{ ...lbp, quoteStart: '0' }, 'quoteStart'],
      [{ kind: 'FIXED_PRICE', priceX18: '0', tokens: '1', cap: '1' }, 'priceX18'],
    ] as const) {
      const told = await create(asked({ mechanism: mechanism as never }))
      expect([told.code, Object.keys(told.fieldErrors)]).toEqual([
        'LIQUIDITY_LAUNCH_PLAN_INVALID',
        [`payload.mechanism.${field}`],
      ])
    }
    const both = await planned({ mechanism: cca as never, alternatives: [dutch, lbp] as never })
    expect(both.payload.computed.mechanisms.map(({ kind }) => kind)).toEqual([
      'CCA',
      'DUTCH_DYNAMIC',
      'LBP',
    ])
  })

  it('takes the place of another, which nobody works on any more', async () => {
    const first = await planned()
    const supersedes = refOf(first) as never
    const second = await create(asked({ supersedes }))
    expect(second.status).toBe(201)
    const told = await append(first, { template: 'STANDARD_90_DAY' })
    expect([told.status, told.code]).toEqual([409, 'LIQUIDITY_LAUNCH_PLAN_RETIRED'])
    expect((await create(asked({ supersedes }))).code).toBe('LIQUIDITY_SOURCE_VERSION_CHANGED')
  })
})

describe('a timeline', () => {
  it('has the usual steps, whose critical path leads to the launch', async () => {
    const plan = await planned({ launchAt: inDays(100) })
    expect((await timelineOf(plan)).phase).toBe('PREPARING')
    const told = await append(plan, { template: 'STANDARD_90_DAY' })
    expect([told.status, told.data.kind]).toEqual([201, 'launch.timeline.appended'])
    const timeline = await timelineOf(plan)
    expect(timeline.events).toHaveLength(19)
    expect(timeline.criticalPath.at(-1)).toBe('seed')
    expect(timeline.forecastLaunchAt.slice(0, 19)).toBe(plan.payload.request.launchAt.slice(0, 19))
    service.clock.advance(80 * dayMilliseconds)
    await renewed()
    const late = await timelineOf(plan)
    expect(late.events.find(({ key }) => key === 'legal-opinion')!.state).toBe('LATE')
    expect(Date.parse(late.forecastLaunchAt)).toBeGreaterThan(Date.parse(late.launchAt))
    expect(late.phase).toBe('SLIPPED')
  })

  it('goes on only from the head that was reviewed, with steps that can be ordered', async () => {
    const plan = await planned()
    const { head } = await timelineOf(plan)
    expect((await append(plan, { event: step('one') })).status).toBe(201)
    expect((await append(plan, { event: step('two') }, head)).status).toBe(412)
    const blind = await tell(owner, 'appendLaunchTimelineEvent', {
      params: { id: plan.id },
      body: { event: step('two'), reason },
    })
    expect(blind.status).toBe(428)
    const both = await append(plan, { event: step('two'), template: 'STANDARD_90_DAY' })
    expect([both.code, Object.keys(both.fieldErrors)]).toEqual([
      ...['LIQUIDITY_LAUNCH_STEP_INVALID', ['event']],
    ])
    for (const [event, code] of [
      [step('two', { dependsOn: ['three'] }), 'LIQUIDITY_LAUNCH_DEPENDENCY_UNKNOWN'],
      [step('two', { dependsOn: ['two'] }), 'LIQUIDITY_LAUNCH_TIMELINE_CYCLE'],
      [step('two', { plannedAt: inDays(1) }), 'LIQUIDITY_LAUNCH_STEP_INVALID'],
    ] as const) {
      const told = await append(plan, { event })
      expect([told.status, told.code]).toEqual([422, code])
    }
    await append(plan, { event: step('two', { dependsOn: ['one'] }) })
    const ring = await append(plan, { event: step('one', { dependsOn: ['two'] }) })
    expect(ring.fieldErrors['event.dependsOn']?.[0]).toContain('one → two → one')
    await append(plan, { event: step('one', { offsetSeconds: -172_800 }) })
    const amended = (await timelineOf(plan)).events.find(({ key }) => key === 'one')!
    expect(amended.amendments).toHaveLength(1)
  })

  it('completes a step with what it asks for, once, after what it waits for', async () => {
    const plan = await planned()
    const requiredEvidence = [{ kind: 'DOCUMENT', minimum: 2 }]
    await append(plan, { event: step('first', { requiredEvidence }) })
    await append(plan, { event: step('second', { dependsOn: ['first'] }) })
    const early = await complete(plan, 'second')
    expect([early.status, early.code]).toEqual([409, 'LIQUIDITY_LAUNCH_DEPENDENCY_OPEN'])
    const missing = await complete(plan, 'first', [document])
    expect([missing.status, missing.code]).toEqual([422, 'LIQUIDITY_LAUNCH_EVIDENCE_MISSING'])
    const { head } = await timelineOf(plan)
    const done = await complete(plan, 'first', [
      document,
      { ...document, hash: `0x${'4'.repeat(64)}` },
    ])
    expect([done.status, done.data.kind]).toEqual([200, 'launch.timeline.completed'])
    expect((await complete(plan, 'first', [], undefined)).code).toBe('LIQUIDITY_LAUNCH_STEP_DONE')
    expect((await complete(plan, 'second', [], head)).status).toBe(412)
    const amended = await append(plan, { event: step('first') })
    expect(amended.code).toBe('LIQUIDITY_LAUNCH_STEP_DONE')
    expect((await complete(plan, 'second')).status).toBe(200)
    expect((await timelineOf(plan)).phase).toBe('DONE')
  })

  it('takes records in their version, and transactions that succeeded in a final block', async () => {
    const plan = await planned()
    await append(plan, { event: step('one') })
    const study = await computed()
    const record = { kind: 'RECORD', hash: study.artifactHash, ref: refOf(study) }
    const send = (amount: bigint) =>
      test.chain.send({
        from: test.chain.accounts[0]!.address,
        to: test.markets.tokens[0],
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [test.chain.accounts[1]!.address, amount],
        }),
      })
    const [old] = await test.chain.publicClient
      .getBlock({ blockNumber: 3n })
      .then(({ transactions }) => transactions as Hex[])
    const paid = (txHash: string, hash = txHash) => ({
      kind: 'TRANSACTION',
      hash,
      chain: { chainId: 31_337, txHash },
    })
    await send(1n)
    const newest = await test.chain.publicClient.getBlock()
    for (const [evidence, field] of [
      [{ ...record, hash: document.hash }, 'hash'],
      [{ ...document, ref: refOf(study) }, 'ref'],
      [{ kind: 'RECORD', hash: study.artifactHash }, 'ref'],
      [paid(`0x${'5'.repeat(64)}`), 'chain.txHash'],
      [paid(old!, document.hash), 'hash'],
      [paid(newest.transactions[0]!), 'chain.txHash'],
      [{ kind: 'SIGNATURE', hash: document.hash, signature: `${'A'.repeat(86)}==` }, 'kind'],
    ] as const) {
      const told = await complete(plan, 'one', [evidence])
      expect([told.code, Object.keys(told.fieldErrors)]).toEqual([
        'LIQUIDITY_LAUNCH_EVIDENCE_MISSING',
        [`evidence.0.${field}`],
      ])
    }
    expect((await complete(plan, 'one', [record, paid(old!)])).status).toBe(200)

    // What closed one step closes no other.
    await append(plan, { event: step('two') })
    for (const [evidence, field] of [
      [record, 'ref'],
      [paid(old!), 'hash'],
    ] as const) {
      const { status, code, fieldErrors } = await complete(plan, 'two', [evidence])
      expect([status, code, Object.keys(fieldErrors)]).toEqual([
        ...[422, 'LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH', [`evidence.0.${field}`]],
      ])
    }
    expect((await complete(plan, 'two', [document])).status).toBe(200)
  })

  it('takes for a usual step what that step is about', async () => {
    const plan = await planned()
    for (const key of ['capital-study', 'depth-review', 'vesting-funded', 'roles-handed-over']) {
      await append(plan, { event: step(key) })
    }
    const [old] = await test.chain.publicClient
      .getBlock({ blockNumber: 3n })
      .then(({ transactions }) => transactions as Hex[])
    const paid = (txHash: string) => ({
      kind: 'TRANSACTION',
      hash: txHash,
      chain: { chainId: 31_337, txHash },
    })
    const recorded = ({ artifactHash, ...one }: Study) => ({
      kind: 'RECORD',
      hash: artifactHash,
      ref: refOf(one as Study),
    })
    const { token, quote } = asked()
    const study = await computed()
    const turned = await computed({ token: quote, quote: token })
    for (const [key, evidence, field] of [
      ['capital-study', recorded(turned), 'ref'],
      ['depth-review', recorded(study), 'ref'],
      ['vesting-funded', paid(old!), 'chain.txHash'],
      ['roles-handed-over', paid(old!), 'chain.txHash'],
    ] as const) {
      const { status, code, fieldErrors } = await complete(plan, key, [evidence])
      expect([key, status, code, Object.keys(fieldErrors)]).toEqual([
        ...[key, 422, 'LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH', [`evidence.0.${field}`]],
      ])
    }
    expect((await complete(plan, 'capital-study', [recorded(study)])).status).toBe(200)
  })

  it.each(['WINDOW', 'MILESTONE'])('completes no %s before it begins', async (kind) => {
    const plan = await planned()
    await append(plan, { event: step('later', { kind, offsetSeconds: 0 }) })
    const told = await complete(plan, 'later')
    expect([told.status, told.code, told.fieldErrors.eventId?.[0]]).toEqual([
      ...[409, 'LIQUIDITY_LAUNCH_STEP_NOT_STARTED', expect.stringContaining('begins at')],
    ])
  })
})

/** The session again, after a long time. */
async function renewed(): Promise<void> {
  owner = await newMember(service, owner.organizationId, 'OWNER')
}

const refused = async (plan: Plan, evidence: object[] = []) => {
  const told = await complete(plan, 'gate', evidence)
  expect([told.status, told.code]).toEqual([409, 'LIQUIDITY_LAUNCH_GATE_UNSATISFIED'])
  return told.fieldErrors.eventId!
}

describe('a gate', () => {
  it('of a pool that somebody initialised at another price is shut, and says which', async () => {
    const gate = {
      kind: 'POOL_UNINITIALISED_OR_PRICE_WITHIN' as const,
      factory: test.chain.contracts.uniswapV3Factory,
      feePips: poolFee,
      tolerancePips: 10_000,
    }
    const slot = await test.markets.pool.address
    const plan = await gated({ ...gate, priceX18: `${2n * e18}` })
    const told = await refused(plan)
    expect(told[0]).toContain(`The pool ${slot} stands at`)
    expect(told.find((one) => one.startsWith('sqrtPriceX96'))).toMatch(/^sqrtPriceX96 is \d{28,}$/)
    const near = await gated({ ...gate, priceX18: `${e18}` })
    const { gateResult } = (await timelineOf(near)).events[0]!
    expect([gateResult!.result, gateResult!.block!.chainId]).toEqual(['SATISFIED', 31_337])
    expect((await complete(near, 'gate')).status).toBe(200)
    const untouched = await gated({ ...gate, feePips: 500 })
    expect((await complete(untouched, 'gate')).status).toBe(200)
    const { tokens } = test.markets
    await test.chain.createV3Pool({
      tokenA: tokens[0],
      tokenB: tokens[1],
      fee: 10_000,
      sqrtPriceX96: 2n ** 100n,
    })
    await test.chain.mine(70)
    expect((await refused(await gated({ ...gate, feePips: 10_000 })))[0]).toContain('stands at')
  })

  it('of a chain reads code, supply, owners and balances at the last final block', async () => {
    const [token] = test.markets.tokens
    const { publicClient, accounts } = test.chain
    const codeHash = keccak256((await publicClient.getCode({ address: token }))!)
    const at = { chainId: 31_337, address: token }
    const supply = await publicClient.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'totalSupply',
    })
    const whole = {
      totalSupply: `${supply}`,
      allocations: [{ bucket: 'all', tokens: `${supply}`, recipientClass: 'SALE' as const }],
    }
    const opened = await gated({ kind: 'CONTRACT_CODE_HASH', ...at, codeHash })
    expect((await complete(opened, 'gate')).status).toBe(200)
    const other = { kind: 'CONTRACT_CODE_HASH', ...at, codeHash: document.hash } as Gate
    expect(await refused(await gated(other))).toContain(`codeHash is ${codeHash}`)
    expect((await complete(await gated({ kind: 'SUPPLY_EQUALS' }, whole), 'gate')).status).toBe(200)
    expect((await refused(await gated({ kind: 'SUPPLY_EQUALS' })))[1]).toBe(`supply is ${supply}`)
    const funded = (tokens: string) =>
      gated({ kind: 'VESTING_FUNDED', address: test.chain.contracts.payer, tokens })
    expect((await complete(await funded('1'), 'gate')).status).toBe(200)
    await refused(await funded(`${supply + 1n}`))
    const holder = accounts[0]!.address
    const role = await refused(await gated({ kind: 'ROLE_HELD_BY', ...at, holder }))
    expect(role[0]).toContain('tells no owner')
    const owned = { ...at, address: test.chain.contracts.uniswapV3Factory, holder }
    expect((await complete(await gated({ kind: 'ROLE_HELD_BY', ...owned }), 'gate')).status).toBe(
      200,
    )
    const lp = {
      kind: 'LP_CUSTODY_AT',
      chainId: 31_337,
      manager: token,
      tokenId: '1',
      holder,
    } as const
    expect((await refused(await gated(lp)))[0]).toContain('knows no position')
  })

  it('that cannot be read is UNKNOWN to who reads, and a refusal to who completes', async () => {
    const gate = {
      kind: 'CONTRACT_CODE_HASH',
      chainId: 4_242,
      address: test.markets.tokens[0],
      codeHash: document.hash,
    } as Gate
    const plan = await gated(gate)
    const [one] = (await timelineOf(plan)).events
    expect(one!.gateResult).toMatchObject({ result: 'UNKNOWN' })
    const told = await complete(plan, 'gate')
    expect([told.status, told.code]).toEqual([404, 'LIQUIDITY_PROVIDER_UNKNOWN'])
  })

  it.each([
    ['CAPITAL_RESERVED', {}, 'names no study'],
    ['RECONCILIATION_AGREED', {}, 'No holding is active'],
    ['CUSTODY_CURRENT', {}, 'has reserved nothing'],
    ['PROJECT_CONTROL_PROVEN', {}, 'none stands'],
    ['STRESS_WITHIN_LIMITS', {}, 'No stress study'],
    ['RUNWAY_AT_LEAST', { months: 6 }, 'No projection covers'],
    ['STRATEGY_VALIDATED', { strategyId: `strategy_${'0'.repeat(32)}` }, 'There is no'],
    ['POLICY_ACTIVE', { policyId: `policy_${'0'.repeat(32)}` }, 'There is no'],
    ['HUMAN_APPROVAL', {}, 'No approved pack'],
    [
      'DOCUMENT_ATTESTED',
      { documentHash: document.hash, publicKey: `${'A'.repeat(43)}=` },
      'signature',
    ],
  ])('%s is shut while nothing opens it', async (kind, terms, words) => {
    expect((await refused(await gated({ kind, ...terms } as Gate)))[0]).toContain(words)
  })

  it('of a document opens by the signature of its key, and by no other', async () => {
    const key = generatePrivateKey()
    const gate = {
      kind: 'DOCUMENT_ATTESTED',
      documentHash: document.hash,
      publicKey: key.publicKey.raw,
    } as never
    const plan = await gated(gate)
    const by = (signer: typeof key) => ({
      kind: 'SIGNATURE',
      hash: document.hash,
      signature: sign(signer, 'artifact-statement/v1', { contentHash: document.hash }),
    })
    const forged = await complete(plan, 'gate', [by(generatePrivateKey())])
    expect(Object.keys(forged.fieldErrors)).toEqual(['evidence.0.signature'])
    expect((await complete(plan, 'gate', [by(key)])).status).toBe(200)
  })

  it('of people opens when a pack that rests on this plan is approved', async () => {
    const plan = await gated({ kind: 'HUMAN_APPROVAL' })
    const option = (optionId: string, statusQuo: boolean) => ({
      optionId,
      label: optionId,
      statusQuo,
      summary: '',
      metrics: [],
      risks: [],
      reversibility: 'COSTLY',
      requires: [],
    })
    const payload = {
      question: 'Do we launch as planned?',
      options: [option('wait', true), option('go', false)],
      evidence: [{ source: refOf(plan) }],
      quorum: { approvals: 1, roles: ['OWNER'] },
      decisionBy: inDays(3),
    }
    const approved = async (optionId: string) => {
      const pack = await tell<Pack>(owner, 'createDecisionPack', { body: { payload, reason } })
      const command = async (of: Pack, body: object) =>
        (
          await tell<{ pack: Pack }>(owner, 'applyDecisionPackCommand', {
            params: { packId: of.id },
            ifMatch: of.resourceVersion,
            body: { reason, ...body },
          })
        ).data.pack
      const open = await command(pack.data, { command: 'SUBMIT' })
      expect((await command(open, { command: 'APPROVE', optionId })).status).toBe('COMPLETED')
    }
    await approved('wait')
    expect((await refused(plan))[0]).toContain('nothing is done')
    service.clock.advance(1000)
    await approved('go')
    expect((await complete(plan, 'gate')).status).toBe(200)
  })
})

describe('a plan from a study', () => {
  it('comes with the usual steps, and is partial while the supply is not known', async () => {
    const study = await computed()
    const seed = (body: object = {}, ifMatch: string | undefined = study.resourceVersion) =>
      tell<Plan>(owner, 'seedLaunchPlanFromCapitalStudy', {
        params: { id: study.id },
        ...(ifMatch ? { ifMatch } : {}),
        body: {
          launchAt: inDays(60),
          mechanism: { kind: 'V2_SEED' },
          label: 'Seeded',
          template: 'STANDARD_90_DAY',
          reason,
          ...body,
        },
      })
    const told = await seed()
    expect([told.status, told.data.status]).toEqual([201, 'PARTIAL'])
    expect(told.data.payload.request.capitalRequirement).toEqual(refOf(study))
    expect((await timelineOf(told.data)).events).toHaveLength(19)
    expect((await seed({}, '')).status).toBe(428)
    const half = await seed({ totalSupply: '1' })
    expect(half.code).toBe('LIQUIDITY_LAUNCH_PLAN_INVALID')
    const empty = await computed({ reference: { kind: 'ORACLE', providerId: 'nobody' } })
    const unusable = await tell(owner, 'seedLaunchPlanFromCapitalStudy', {
      params: { id: empty.id },
      ifMatch: empty.resourceVersion,
      body: {
        launchAt: inDays(60),
        mechanism: { kind: 'V2_SEED' },
        label: 'Seeded',
        template: 'STANDARD_90_DAY',
        reason,
      },
    })
    expect([unusable.status, unusable.code]).toEqual([409, 'LIQUIDITY_CAPITAL_STUDY_UNUSABLE'])
  })
})

describe('a workspace', () => {
  const seed = (plan: Plan) =>
    tell<Workspace>(owner, 'seedLaunchWorkspace', {
      params: { id: plan.id },
      body: { launchPlanResourceVersion: plan.resourceVersion, reason },
    })
  const counted = async () => {
    const [packs, strategies, studies] = await Promise.all(
      ['listDecisionPacks', 'listStrategies', 'listStudies'].map(
        async (id) => (await tell<unknown[]>(owner, id, { query: { limit: 100 } })).data.length,
      ),
    )
    return [packs, strategies, studies]
  }

  it('is seeded whole and once, or not at all', async () => {
    owner = await newOrganization(service)
    const bare = await planned()
    const before = await counted()
    const told = await seed(bare)
    expect([told.status, told.code]).toEqual([422, 'LIQUIDITY_LAUNCH_WORKSPACE_INCOMPLETE'])
    expect(Object.keys(told.fieldErrors).sort()).toEqual([
      'capitalRequirement',
      'observation',
      'venueId',
    ])
    expect(await counted()).toEqual(before)
    const { venue } = await observedVenue(service, owner, test)
    const study = await computed({
      targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${e18 / 100n}` }],
      reference: { kind: 'DECLARED', priceX18: `${e18}` },
    })
    const plan = await planned({ capitalRequirement: refOf(study) as never, venueId: venue.id })
    const seeded = await seed(plan)
    expect([seeded.status, seeded.fieldErrors]).toEqual([201, {}])
    const { decisionPack, strategyDraft, studyRequest } = seeded.data
    expect([decisionPack.status, strategyDraft.status, studyRequest.status]).toEqual([
      ...['DRAFT', 'DRAFT', 'VALIDATED'],
    ])
    expect(decisionPack.payload.evidence.map(({ source }) => source.id)).toEqual(
      expect.arrayContaining([plan.id, study.id]),
    )
    expect(seeded.data).toMatchObject({
      executionAuthorityGranted: false,
      executionPerformed: false,
    })
    expect(await counted()).toEqual(before.map((count) => count! + 1))
    const again = await seed(plan)
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_LAUNCH_WORKSPACE_EXISTS'])
    expect(again.fieldErrors.id![0]).toContain(decisionPack.id)
  })
  it('leaves a history that verifies', async () => {
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
