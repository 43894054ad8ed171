// @module-tag long
// @covers apps/server/src/families/plan/launch-plans

import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import { generatePrivateKey, sign, type VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { describe, expect } from 'vitest'
import { poolFee } from '../src/integrations/chain/testing/markets.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { providerBody, type TestChain } from './support/chain.ts'
import { chainTest as it } from './support/fixtures.ts'
import { observedVenue } from './support/observed-venue.ts'
import { callOperation } from './support/requests.ts'
import { signInAgain, type TestMember, type TestService } from './support/service.ts'

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

it.beforeAll(async ({ testChain, owner }) => {
  await owner.client.putOperatingSystemProvider({ body: providerBody(testChain.chain.rpcUrl) })
})

const reason = 'For the test'
const e18 = 10n ** 18n
const dayMilliseconds = 86_400_000
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const inDays = (service: TestService, days: number) =>
  new Date(service.clock.read() + days * dayMilliseconds).toISOString()
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})
const example = contract.createLaunchPlans.example.body.payload as unknown as Input
const requestFor = (
  service: TestService,
  testChain: TestChain,
  change: Partial<Input> = {},
): Input => ({
  ...example,
  token: keyOf(testChain.markets.tokens[0]),
  quote: keyOf(testChain.markets.tokens[1]),
  launchAt: inDays(service, 60),
  ...change,
})
const create = (owner: TestMember, payload: Input, more: object = {}) =>
  callOperation<Plan>(owner, 'createLaunchPlans', { body: { payload, reason }, ...more })
async function planned(
  service: TestService,
  testChain: TestChain,
  owner: TestMember,
  change: Partial<Input> = {},
): Promise<Plan> {
  const response = await create(owner, requestFor(service, testChain, change))
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}
const timelineOf = async (owner: TestMember, { id }: Plan) => {
  const response = await callOperation<Timeline>(owner, 'getLaunchTimeline', { params: { id } })
  expect(response.status).toBe(200)
  expect(response.headers.get('etag')).toBe(`"${response.data.head}"`)
  return response.data
}
const append = async (owner: TestMember, plan: Plan, body: object, head?: string) =>
  callOperation<OperatingSystemEvent>(owner, 'appendLaunchTimelineEvent', {
    params: { id: plan.id },
    body: { expectedTimelineHead: head ?? (await timelineOf(owner, plan)).head, reason, ...body },
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
async function complete(
  owner: TestMember,
  plan: Plan,
  key: string,
  evidence: object[] = [],
  head?: string,
) {
  const timeline = await timelineOf(owner, plan)
  return callOperation<OperatingSystemEvent>(owner, 'completeLaunchTimelineEvent', {
    params: { id: plan.id, eventId: idOf(timeline, key) },
    ifMatch: head ?? timeline.head,
    body: { evidence, reason },
  })
}
/** A plan with one step behind a gate. */
async function gated(
  service: TestService,
  testChain: TestChain,
  owner: TestMember,
  gate: Gate,
  change: Partial<Input> = {},
): Promise<Plan> {
  const plan = await planned(service, testChain, owner, change)
  expect((await append(owner, plan, { event: step('gate', { kind: 'GATE', gate }) })).status).toBe(
    201,
  )
  return plan
}
async function computed(
  service: TestService,
  testChain: TestChain,
  owner: TestMember,
  change: object = {},
): Promise<Study> {
  const { payload } = contract.createCapitalRequirements.example.body
  const { token, quote } = requestFor(service, testChain)
  const response = await callOperation<Study>(owner, 'createCapitalRequirements', {
    body: { payload: { ...payload, token, quote, ...change }, reason },
  })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return response.data
}
/** A token with this supply, final. */
async function newToken(testChain: TestChain, supply: bigint): Promise<string> {
  const token = await testChain.chain.deployToken({ name: 'Own', symbol: 'OWN', supply })
  await testChain.chain.mine(70)
  return keyOf(token)
}
const document = { kind: 'DOCUMENT', hash: `0x${'3'.repeat(64)}` }

describe('a launch plan', () => {
  it('derives results from the supply, and tests every mechanism on the same demand', async ({
    service,
    testChain,
    owner,
  }) => {
    const token = await newToken(testChain, 1_000_000n * e18)
    const plan = await planned(service, testChain, owner, { token })
    const { computed: result } = plan.payload
    expect(plan.status).toBe('VALIDATED')
    expect(result.circulatingAtLaunch).toBe(`${200_000n * e18}`)
    expect([result.fdvQuote, result.referenceSource]).toEqual([`${2_000_000n * e18}`, 'MECHANISM'])
    const [fixed, dutch] = result.mechanisms.map(({ outcome }) => outcome!)
    expect([fixed!.bids, dutch!.bids]).toEqual([50, 50])
    expect(fixed!.averagePriceX36).toBe(`${2n * 10n ** 36n}`)
    expect(result.seed).toBe(`0x${'7'.repeat(64)}`)
    expect(result.limitations).toEqual(['DEMAND_DRAWN', 'NOBODY_SELLS_DURING_THE_SALE'])
    const again = await planned(service, testChain, owner, {
      token,
      launchAt: plan.payload.request.launchAt,
    })
    expect(again.payload).toEqual(plan.payload)
  })

  it('seeds a pool from a study, on ranges and on the full range, or names the gap', async ({
    service,
    testChain,
    owner,
  }) => {
    const empty = await planned(service, testChain, owner, {
      mechanism: { kind: 'V2_SEED' },
      alternatives: [],
    })
    expect([empty.status, empty.payload.computed.mechanisms[0]!.missing]).toEqual([
      'PARTIAL',
      'No capital study with a price is named.',
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
    const token = await newToken(testChain, 40_000_000n * e18)
    const study = await computed(service, testChain, owner, { shapes, token })
    const capitalRequirement = refOf(study) as never
    const response = await planned(service, testChain, owner, {
      token,
      capitalRequirement,
      mechanism: { kind: 'V3_SEED' },
      alternatives: [{ kind: 'V2_SEED' }],
      totalSupply: `${40_000_000n * e18}`,
      allocations: [
        { bucket: 'pool', tokens: `${40_000_000n * e18}`, recipientClass: 'LIQUIDITY' },
      ],
    })
    expect(response.status).toBe('VALIDATED')
    const [ranged, curve] = response.payload.computed.mechanisms
    expect(ranged!.seed).toMatchObject({
      quote: study.payload.perShape[1]!.quote,
      bands: study.payload.perShape[1]!.bands,
    })
    // The same depth in a range moves as the curve does while the price is in it.
    expect(curve!.outcome!.raised.length).toBe(ranged!.outcome!.raised.length)
    expect(response.payload.computed.referenceSource).toBe('STUDY')
    expect(response.payload.computed.liquidityToFloatPips).toBeGreaterThan(0)
  })

  it('is refused where its allocations are not its supply, or it contradicts itself', async ({
    service,
    testChain,
    owner,
  }) => {
    const short = await create(owner, requestFor(service, testChain, { totalSupply: `${e18}` }))
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
      startAt: inDays(service, 1),
      endAt: inDays(service, 2),
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
      [{ ...lbp, endAt: inDays(service, 1) }, 'endAt'],
      [{ ...lbp, quoteStart: '0' }, 'quoteStart'],
      [{ kind: 'FIXED_PRICE', priceX18: '0', tokens: '1', cap: '1' }, 'priceX18'],
    ] as const) {
      const response = await create(
        owner,
        requestFor(service, testChain, { mechanism: mechanism as never }),
      )
      expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
        'LIQUIDITY_LAUNCH_PLAN_INVALID',
        [`payload.mechanism.${field}`],
      ])
    }
    const both = await planned(service, testChain, owner, {
      mechanism: cca as never,
      alternatives: [dutch, lbp] as never,
    })
    expect(both.payload.computed.mechanisms.map(({ kind }) => kind)).toEqual([
      'CCA',
      'DUTCH_DYNAMIC',
      'LBP',
    ])
  })

  it('replaces another plan, which is then closed', async ({ service, testChain, owner }) => {
    const first = await planned(service, testChain, owner)
    const supersedes = refOf(first) as never
    const second = await create(owner, requestFor(service, testChain, { supersedes }))
    expect(second.status).toBe(201)
    const response = await append(owner, first, { template: 'STANDARD_90_DAY' })
    expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_LAUNCH_PLAN_RETIRED'])
    expect((await create(owner, requestFor(service, testChain, { supersedes }))).code).toBe(
      'LIQUIDITY_SOURCE_VERSION_CHANGED',
    )
  })
})

describe('a timeline', () => {
  it('has the standard steps, with a critical path to the launch', async ({
    service,
    testChain,
    owner,
  }) => {
    const plan = await planned(service, testChain, owner, { launchAt: inDays(service, 100) })
    expect((await timelineOf(owner, plan)).phase).toBe('PREPARING')
    const response = await append(owner, plan, { template: 'STANDARD_90_DAY' })
    expect([response.status, response.data.kind]).toEqual([201, 'launch.timeline.appended'])
    const timeline = await timelineOf(owner, plan)
    expect(timeline.events).toHaveLength(19)
    expect(timeline.criticalPath.at(-1)).toBe('seed')
    expect(timeline.forecastLaunchAt.slice(0, 19)).toBe(plan.payload.request.launchAt.slice(0, 19))
    service.clock.advance(80 * dayMilliseconds)
    await renewed(service, owner)
    const late = await timelineOf(owner, plan)
    expect(late.events.find(({ key }) => key === 'legal-opinion')!.state).toBe('LATE')
    expect(Date.parse(late.forecastLaunchAt)).toBeGreaterThan(Date.parse(late.launchAt))
    expect(late.phase).toBe('SLIPPED')
  })

  it('continues only from the reviewed head, with steps in a valid order', async ({
    service,
    testChain,
    owner,
  }) => {
    const plan = await planned(service, testChain, owner)
    const { head } = await timelineOf(owner, plan)
    expect((await append(owner, plan, { event: step('one') })).status).toBe(201)
    expect((await append(owner, plan, { event: step('two') }, head)).status).toBe(412)
    const blind = await callOperation(owner, 'appendLaunchTimelineEvent', {
      params: { id: plan.id },
      body: { event: step('two'), reason },
    })
    expect(blind.status).toBe(428)
    const both = await append(owner, plan, { event: step('two'), template: 'STANDARD_90_DAY' })
    expect([both.code, Object.keys(both.fieldErrors)]).toEqual([
      ...['LIQUIDITY_LAUNCH_STEP_INVALID', ['event']],
    ])
    for (const [event, code] of [
      [step('two', { dependsOn: ['three'] }), 'LIQUIDITY_LAUNCH_DEPENDENCY_UNKNOWN'],
      [step('two', { dependsOn: ['two'] }), 'LIQUIDITY_LAUNCH_TIMELINE_CYCLE'],
      [step('two', { plannedAt: inDays(service, 1) }), 'LIQUIDITY_LAUNCH_STEP_INVALID'],
    ] as const) {
      const response = await append(owner, plan, { event })
      expect([response.status, response.code]).toEqual([422, code])
    }
    await append(owner, plan, { event: step('two', { dependsOn: ['one'] }) })
    const ring = await append(owner, plan, { event: step('one', { dependsOn: ['two'] }) })
    expect(ring.fieldErrors['event.dependsOn']?.[0]).toContain('one → two → one')
    await append(owner, plan, { event: step('one', { offsetSeconds: -172_800 }) })
    const amended = (await timelineOf(owner, plan)).events.find(({ key }) => key === 'one')!
    expect(amended.amendments).toHaveLength(1)
  })

  it('completes a step once, with its required evidence, after its dependencies', async ({
    service,
    testChain,
    owner,
  }) => {
    const plan = await planned(service, testChain, owner)
    const requiredEvidence = [{ kind: 'DOCUMENT', minimum: 2 }]
    await append(owner, plan, { event: step('first', { requiredEvidence }) })
    await append(owner, plan, { event: step('second', { dependsOn: ['first'] }) })
    const early = await complete(owner, plan, 'second')
    expect([early.status, early.code]).toEqual([409, 'LIQUIDITY_LAUNCH_DEPENDENCY_OPEN'])
    const missing = await complete(owner, plan, 'first', [document])
    expect([missing.status, missing.code]).toEqual([422, 'LIQUIDITY_LAUNCH_EVIDENCE_MISSING'])
    const { head } = await timelineOf(owner, plan)
    const done = await complete(owner, plan, 'first', [
      document,
      { ...document, hash: `0x${'4'.repeat(64)}` },
    ])
    expect([done.status, done.data.kind]).toEqual([200, 'launch.timeline.completed'])
    expect((await complete(owner, plan, 'first', [], undefined)).code).toBe(
      'LIQUIDITY_LAUNCH_STEP_DONE',
    )
    expect((await complete(owner, plan, 'second', [], head)).status).toBe(412)
    const amended = await append(owner, plan, { event: step('first') })
    expect(amended.code).toBe('LIQUIDITY_LAUNCH_STEP_DONE')
    expect((await complete(owner, plan, 'second')).status).toBe(200)
    expect((await timelineOf(owner, plan)).phase).toBe('DONE')
  })

  it('takes records in their version, and transactions that succeeded in a final block', async ({
    service,
    testChain,
    owner,
  }) => {
    const plan = await planned(service, testChain, owner)
    await append(owner, plan, { event: step('one') })
    const study = await computed(service, testChain, owner)
    const record = { kind: 'RECORD', hash: study.artifactHash, ref: refOf(study) }
    const send = (amount: bigint) =>
      testChain.chain.send({
        from: testChain.chain.accounts[0]!.address,
        to: testChain.markets.tokens[0],
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [testChain.chain.accounts[1]!.address, amount],
        }),
      })
    const [old] = await testChain.chain.publicClient
      .getBlock({ blockNumber: 3n })
      .then(({ transactions }) => transactions as Hex[])
    const paid = (txHash: string, hash = txHash) => ({
      kind: 'TRANSACTION',
      hash,
      chain: { chainId: 31_337, txHash },
    })
    await send(1n)
    const newest = await testChain.chain.publicClient.getBlock()
    for (const [evidence, field] of [
      [{ ...record, hash: document.hash }, 'hash'],
      [{ ...document, ref: refOf(study) }, 'ref'],
      [{ kind: 'RECORD', hash: study.artifactHash }, 'ref'],
      [paid(`0x${'5'.repeat(64)}`), 'chain.txHash'],
      [paid(old!, document.hash), 'hash'],
      [paid(newest.transactions[0]!), 'chain.txHash'],
      [{ kind: 'SIGNATURE', hash: document.hash, signature: `${'A'.repeat(86)}==` }, 'kind'],
    ] as const) {
      const response = await complete(owner, plan, 'one', [evidence])
      expect([response.code, Object.keys(response.fieldErrors)]).toEqual([
        'LIQUIDITY_LAUNCH_EVIDENCE_MISSING',
        [`evidence.0.${field}`],
      ])
    }
    expect((await complete(owner, plan, 'one', [record, paid(old!)])).status).toBe(200)

    // What closed one step closes no other.
    await append(owner, plan, { event: step('two') })
    for (const [evidence, field] of [
      [record, 'ref'],
      [paid(old!), 'hash'],
    ] as const) {
      const { status, code, fieldErrors } = await complete(owner, plan, 'two', [evidence])
      expect([status, code, Object.keys(fieldErrors)]).toEqual([
        ...[422, 'LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH', [`evidence.0.${field}`]],
      ])
    }
    expect((await complete(owner, plan, 'two', [document])).status).toBe(200)
  })

  it('takes for a usual step what that step is about', async ({ service, testChain, owner }) => {
    const plan = await planned(service, testChain, owner)
    for (const key of ['capital-study', 'depth-review', 'vesting-funded', 'roles-handed-over']) {
      await append(owner, plan, { event: step(key) })
    }
    const [old] = await testChain.chain.publicClient
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
    const { token, quote } = requestFor(service, testChain)
    const study = await computed(service, testChain, owner)
    const turned = await computed(service, testChain, owner, { token: quote, quote: token })
    for (const [key, evidence, field] of [
      ['capital-study', recorded(turned), 'ref'],
      ['depth-review', recorded(study), 'ref'],
      ['vesting-funded', paid(old!), 'chain.txHash'],
      ['roles-handed-over', paid(old!), 'chain.txHash'],
    ] as const) {
      const { status, code, fieldErrors } = await complete(owner, plan, key, [evidence])
      expect([key, status, code, Object.keys(fieldErrors)]).toEqual([
        ...[key, 422, 'LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH', [`evidence.0.${field}`]],
      ])
    }
    expect((await complete(owner, plan, 'capital-study', [recorded(study)])).status).toBe(200)
  })

  it.for(['WINDOW', 'MILESTONE'])(
    'completes no %s before it begins',
    async (kind, { service, testChain, owner }) => {
      const plan = await planned(service, testChain, owner)
      await append(owner, plan, { event: step('later', { kind, offsetSeconds: 0 }) })
      const response = await complete(owner, plan, 'later')
      expect([response.status, response.code, response.fieldErrors.eventId?.[0]]).toEqual([
        ...[
          409,
          'LIQUIDITY_LAUNCH_STEP_NOT_STARTED',
          expect.stringContaining('must not be complete before its start at'),
        ],
      ])
    },
  )
})

/** The session again, after a long time. */
async function renewed(service: TestService, owner: TestMember): Promise<void> {
  await signInAgain(service, owner)
}

const refused = async (owner: TestMember, plan: Plan, evidence: object[] = []) => {
  const response = await complete(owner, plan, 'gate', evidence)
  expect([response.status, response.code]).toEqual([409, 'LIQUIDITY_LAUNCH_GATE_UNSATISFIED'])
  return response.fieldErrors.eventId!
}

describe('a gate', () => {
  it('of a pool initialized at another price is unsatisfied, and names the price', async ({
    service,
    testChain,
    owner,
  }) => {
    const gate = {
      kind: 'POOL_UNINITIALISED_OR_PRICE_WITHIN' as const,
      factory: testChain.chain.contracts.uniswapV3Factory,
      feePips: poolFee,
      tolerancePips: 10_000,
    }
    const slot = await testChain.markets.pool.address
    const plan = await gated(service, testChain, owner, { ...gate, priceX18: `${2n * e18}` })
    const messages = await refused(owner, plan)
    expect(messages[0]).toContain(`The price of the pool ${slot} is`)
    expect(messages.find((one) => one.startsWith('sqrtPriceX96'))).toMatch(
      /^sqrtPriceX96 is \d{28,}$/,
    )
    const near = await gated(service, testChain, owner, { ...gate, priceX18: `${e18}` })
    const { gateResult } = (await timelineOf(owner, near)).events[0]!
    expect([gateResult!.result, gateResult!.block!.chainId]).toEqual(['SATISFIED', 31_337])
    expect((await complete(owner, near, 'gate')).status).toBe(200)
    const untouched = await gated(service, testChain, owner, { ...gate, feePips: 500 })
    expect((await complete(owner, untouched, 'gate')).status).toBe(200)
    const { tokens } = testChain.markets
    await testChain.chain.createV3Pool({
      tokenA: tokens[0],
      tokenB: tokens[1],
      fee: 10_000,
      sqrtPriceX96: 2n ** 100n,
    })
    await testChain.chain.mine(70)
    expect(
      (
        await refused(owner, await gated(service, testChain, owner, { ...gate, feePips: 10_000 }))
      )[0],
    ).toContain('The price of the pool')
  })

  it('of a chain reads code, supply, owners and balances at the last final block', async ({
    service,
    testChain,
    owner,
  }) => {
    const [token] = testChain.markets.tokens
    const { publicClient, accounts } = testChain.chain
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
    const opened = await gated(service, testChain, owner, {
      kind: 'CONTRACT_CODE_HASH',
      ...at,
      codeHash,
    })
    expect((await complete(owner, opened, 'gate')).status).toBe(200)
    const other = { kind: 'CONTRACT_CODE_HASH', ...at, codeHash: document.hash } as Gate
    expect(await refused(owner, await gated(service, testChain, owner, other))).toContain(
      `codeHash is ${codeHash}`,
    )
    expect(
      (
        await complete(
          owner,
          await gated(service, testChain, owner, { kind: 'SUPPLY_EQUALS' }, whole),
          'gate',
        )
      ).status,
    ).toBe(200)
    expect(
      (await refused(owner, await gated(service, testChain, owner, { kind: 'SUPPLY_EQUALS' })))[1],
    ).toBe(`supply is ${supply}`)
    const funded = (tokens: string) =>
      gated(service, testChain, owner, {
        kind: 'VESTING_FUNDED',
        address: testChain.chain.contracts.payer,
        tokens,
      })
    expect((await complete(owner, await funded('1'), 'gate')).status).toBe(200)
    await refused(owner, await funded(`${supply + 1n}`))
    const holder = accounts[0]!.address
    const role = await refused(
      owner,
      await gated(service, testChain, owner, { kind: 'ROLE_HELD_BY', ...at, holder }),
    )
    expect(role[0]).toContain('reports no owner')
    const owned = { ...at, address: testChain.chain.contracts.uniswapV3Factory, holder }
    expect(
      (
        await complete(
          owner,
          await gated(service, testChain, owner, { kind: 'ROLE_HELD_BY', ...owned }),
          'gate',
        )
      ).status,
    ).toBe(200)
    const lp = {
      kind: 'LP_CUSTODY_AT',
      chainId: 31_337,
      manager: token,
      tokenId: '1',
      holder,
    } as const
    expect((await refused(owner, await gated(service, testChain, owner, lp)))[0]).toContain(
      'has no position',
    )
  })

  it('that cannot be read is UNKNOWN to who reads, and a refusal to who completes', async ({
    service,
    testChain,
    owner,
  }) => {
    const gate = {
      kind: 'CONTRACT_CODE_HASH',
      chainId: 4_242,
      address: testChain.markets.tokens[0],
      codeHash: document.hash,
    } as Gate
    const plan = await gated(service, testChain, owner, gate)
    const [one] = (await timelineOf(owner, plan)).events
    expect(one!.gateResult).toMatchObject({ result: 'UNKNOWN' })
    const response = await complete(owner, plan, 'gate')
    expect([response.status, response.code]).toEqual([404, 'LIQUIDITY_PROVIDER_UNKNOWN'])
  })

  it.for([
    ['CAPITAL_RESERVED', {}, 'has no capital study'],
    ['RECONCILIATION_AGREED', {}, 'No active holdings to reconcile'],
    ['CUSTODY_CURRENT', {}, 'has no reservations yet'],
    ['PROJECT_CONTROL_PROVEN', {}, 'none is active'],
    ['STRESS_WITHIN_LIMITS', {}, 'No stress study'],
    ['RUNWAY_AT_LEAST', { months: 6 }, 'No projection covers'],
    ['STRATEGY_VALIDATED', { strategyId: `strategy_${'0'.repeat(32)}` }, 'does not exist'],
    ['POLICY_ACTIVE', { policyId: `policy_${'0'.repeat(32)}` }, 'does not exist'],
    ['HUMAN_APPROVAL', {}, 'No approved decision packet'],
    [
      'DOCUMENT_ATTESTED',
      { documentHash: document.hash, publicKey: `${'A'.repeat(43)}=` },
      'signature',
    ],
  ] as const)(
    '%s is shut while nothing opens it',
    async ([kind, terms, words], { service, testChain, owner }) => {
      expect(
        (
          await refused(owner, await gated(service, testChain, owner, { kind, ...terms } as Gate))
        )[0],
      ).toContain(words)
    },
  )

  it('of a document opens by the signature of its key, and by no other', async ({
    service,
    testChain,
    owner,
  }) => {
    const key = generatePrivateKey()
    const gate = {
      kind: 'DOCUMENT_ATTESTED',
      documentHash: document.hash,
      publicKey: key.publicKey.raw,
    } as never
    const plan = await gated(service, testChain, owner, gate)
    const by = (signer: typeof key) => ({
      kind: 'SIGNATURE',
      hash: document.hash,
      signature: sign(signer, 'artifact-statement/v1', { contentHash: document.hash }),
    })
    const forged = await complete(owner, plan, 'gate', [by(generatePrivateKey())])
    expect(Object.keys(forged.fieldErrors)).toEqual(['evidence.0.signature'])
    expect((await complete(owner, plan, 'gate', [by(key)])).status).toBe(200)
  })

  it('of people opens when a pack that rests on this plan is approved', async ({
    service,
    testChain,
    owner,
  }) => {
    const plan = await gated(service, testChain, owner, { kind: 'HUMAN_APPROVAL' })
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
      decisionBy: inDays(service, 3),
    }
    const approved = async (optionId: string) => {
      const pack = await callOperation<Pack>(owner, 'createDecisionPack', {
        body: { payload, reason },
      })
      const command = async (of: Pack, body: object) =>
        (
          await callOperation<{ pack: Pack }>(owner, 'applyDecisionPackCommand', {
            params: { packId: of.id },
            ifMatch: of.resourceVersion,
            body: { reason, ...body },
          })
        ).data.pack
      const open = await command(pack.data, { command: 'SUBMIT' })
      expect((await command(open, { command: 'APPROVE', optionId })).status).toBe('COMPLETED')
    }
    await approved('wait')
    expect((await refused(owner, plan))[0]).toContain('approves no action')
    service.clock.advance(1000)
    await approved('go')
    expect((await complete(owner, plan, 'gate')).status).toBe(200)
  })
})

describe('a plan from a study', () => {
  it('comes with the usual steps, and is partial while the supply is not known', async ({
    service,
    testChain,
    owner,
  }) => {
    const study = await computed(service, testChain, owner)
    const seed = (body: object = {}, ifMatch: string | undefined = study.resourceVersion) =>
      callOperation<Plan>(owner, 'seedLaunchPlanFromCapitalStudy', {
        params: { id: study.id },
        ...(ifMatch ? { ifMatch } : {}),
        body: {
          launchAt: inDays(service, 60),
          mechanism: { kind: 'V2_SEED' },
          label: 'Seeded',
          template: 'STANDARD_90_DAY',
          reason,
          ...body,
        },
      })
    const response = await seed()
    expect([response.status, response.data.status]).toEqual([201, 'PARTIAL'])
    expect(response.data.payload.request.capitalRequirement).toEqual(refOf(study))
    expect((await timelineOf(owner, response.data)).events).toHaveLength(19)
    expect((await seed({}, '')).status).toBe(428)
    const half = await seed({ totalSupply: '1' })
    expect(half.code).toBe('LIQUIDITY_LAUNCH_PLAN_INVALID')
    const empty = await computed(service, testChain, owner, {
      reference: { kind: 'ORACLE', providerId: 'nobody' },
    })
    const unusable = await callOperation(owner, 'seedLaunchPlanFromCapitalStudy', {
      params: { id: empty.id },
      ifMatch: empty.resourceVersion,
      body: {
        launchAt: inDays(service, 60),
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
  const seed = (owner: TestMember, plan: Plan) =>
    callOperation<Workspace>(owner, 'seedLaunchWorkspace', {
      params: { id: plan.id },
      body: { launchPlanResourceVersion: plan.resourceVersion, reason },
    })
  const counted = async (owner: TestMember) => {
    const [packs, strategies, studies] = await Promise.all(
      ['listDecisionPacks', 'listStrategies', 'listStudies'].map(
        async (id) =>
          (await callOperation<unknown[]>(owner, id, { query: { limit: 100 } })).data.length,
      ),
    )
    return [packs, strategies, studies]
  }

  it('is seeded whole and once, or not at all', async ({ service, testChain, stranger }) => {
    const bare = await planned(service, testChain, stranger)
    const before = await counted(stranger)
    const response = await seed(stranger, bare)
    expect([response.status, response.code]).toEqual([422, 'LIQUIDITY_LAUNCH_WORKSPACE_INCOMPLETE'])
    expect(Object.keys(response.fieldErrors).sort()).toEqual([
      'capitalRequirement',
      'observation',
      'venueId',
    ])
    expect(await counted(stranger)).toEqual(before)
    const { venue } = await observedVenue(service, stranger, testChain)
    const study = await computed(service, testChain, stranger, {
      targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${e18 / 100n}` }],
      reference: { kind: 'DECLARED', priceX18: `${e18}` },
    })
    const plan = await planned(service, testChain, stranger, {
      capitalRequirement: refOf(study) as never,
      venueId: venue.id,
    })
    const seeded = await seed(stranger, plan)
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
    expect(await counted(stranger)).toEqual(before.map((count) => count! + 1))
    const again = await seed(stranger, plan)
    expect([again.status, again.code]).toEqual([409, 'LIQUIDITY_LAUNCH_WORKSPACE_EXISTS'])
    expect(again.fieldErrors.id![0]).toContain(decisionPack.id)
  })
  it('leaves a history that verifies', async ({ service, stranger }) => {
    const { database, services } = service
    const report = await verifyHistory(database, stranger.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
