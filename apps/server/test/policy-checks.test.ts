import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi, multiSendData } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { describe, expect } from 'vitest'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { daySeconds } from '../src/units.ts'
import type { TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { priceTest } from './support/fixtures.ts'
import { candlesOf, type PriceSource } from './support/price-source.ts'
import { swapData } from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'
import {
  execute,
  observed,
  receiptsOf,
  theVault,
  type Vault,
  type Vaulted,
  vaulted,
} from './support/vaults.ts'

type Result = contract.PolicyCheckResult
type Policy = VersionedRecord<contract.AutonomyPolicy>

const it = priceTest
  .extend('scene', { scope: 'file' }, async ({ service, testChain }) => {
    await catchUp(testChain.chain, service)
    return vaulted(testChain, await newOrganization(service))
  })
  .extend('vault', { scope: 'file' }, async ({ service, scene }) => {
    await observed(service, scene)
    return theVault(scene.owner)
  })

const reason = 'For the test'
const never = 4_000_000_000n
const router = (testChain: TestChain) => testChain.chain.contracts.swapRouter
const base = (testChain: TestChain) => testChain.markets.tokens[0]
const quote = (testChain: TestChain) => testChain.markets.tokens[1]
const limits = (
  testChain: TestChain,
  vault: Vault,
  change: object = {},
): contract.AutonomyPolicyInput => ({
  vaultId: vault.id,
  level: 2,
  maximumSlippagePips: 10_000,
  controlEpoch: '1',
  maximumAmountPerTransaction: '1000',
  maximumDailyTurnover: '1500',
  approvedContracts: [router(testChain)],
  approvedAssets: [base(testChain), quote(testChain)],
  approvedAdapterIds: ['erc20-allowance', 'uniswap-v3-swap-router'],
  minimumSecondsBetweenActions: 0,
  oracleMaximumAgeSeconds: 3600,
  expiresAt: '2026-06-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
  ...change,
})
const swap = (testChain: TestChain, scene: Vaulted, change: object = {}): Hex =>
  swapData(testChain, scene.safe, change)
const approve = (spender: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const action = (testChain: TestChain, data: Hex, change: object = {}) => ({
  kind: 'SWAP',
  chainId: 31_337,
  adapterId: 'uniswap-v3-swap-router',
  route: 'PRIVATE',
  calls: [{ to: router(testChain), value: '0', data }],
  ...change,
})
const check = (
  testChain: TestChain,
  scene: Vaulted,
  vault: Vault,
  request: object,
  policy: object = { inline: limits(testChain, vault) },
) =>
  callOperation<Result>(scene.owner, 'checkAutonomyPolicy', {
    body: { payload: { policy, action: request }, reason },
  })
const others = ({ rules }: Result) =>
  rules.flatMap(({ ruleId, outcome }) => (outcome === 'ALLOW' ? [] : [`${ruleId} ${outcome}`]))

async function pullPrices(
  service: TestService,
  testChain: TestChain,
  priceSource: PriceSource,
  scene: Vaulted,
): Promise<void> {
  const now = () => Math.floor(service.clock.read() / 1000)
  priceSource.answer = ({ searchParams }) =>
    candlesOf(searchParams, { grid: 300, now: now(), closeAt: () => '1' })
  const key = (token: string) => `eip155:31337/erc20:${token.toLowerCase()}`
  const feed = {
    feed: 'base-quote',
    kind: 'CANDLE',
    exchange: 'kraken',
    symbol: 'ONE/TWO',
    timeframe: '5m',
    since: new Date((now() - (now() % daySeconds)) * 1000).toISOString(),
    base: key(base(testChain)),
    baseDecimals: 18,
    quote: key(quote(testChain)),
    quoteDecimals: 18,
  }
  const payload = {
    providerId: 'exchange',
    kind: 'MARKET_DATA',
    displayName: 'Exchange',
    endpoint: `${priceSource.url}/v1`,
    configuration: { shape: 'CCXT', feeds: [feed] },
  }
  const { client } = scene.owner
  await client.putOperatingSystemProvider({ body: { payload, reason } as never })
  service.clock.advance(400_000)
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  await until('the feed was read', async () => {
    const { data } = (await client.listOperatingSystemJobs()).body
    return data.some(({ kind, status }) => kind === 'FEED_PULL' && status === 'COMPLETED')
  })
  await workers.stop()
}

describe('a check without a price', () => {
  it('is never allowed, and says which rules it leaves open and why', async ({
    testChain,
    scene,
    vault,
  }) => {
    const { status, data } = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene)),
    )
    expect([status, data.verdict, data.policyRef]).toEqual([200, 'INDETERMINATE', null])
    expect(others(data)).toEqual(['R10 INDETERMINATE', 'R12 INDETERMINATE'])
    expect(data.gaps.map(({ code }) => code)).toEqual(['PRICE_UNAVAILABLE'])
    expect(data).toMatchObject({
      fix: null,
      policyActivated: false,
      executionAuthorityGranted: false,
      block: vault.payload.snapshot,
    })
    expect(data.rules[0]).toMatchObject({ observed: 'HYPOTHETICAL', outcome: 'ALLOW' })
  })

  it('refuses calldata, targets and operations by the path that does not hold', async ({
    testChain,
    scene,
    vault,
  }) => {
    const elsewhere = await check(
      testChain,
      scene,
      vault,
      action(
        testChain,
        swap(testChain, scene, { recipient: testChain.chain.accounts[9]!.address }),
      ),
    )
    expect(others(elsewhere.data)).toContain('R15 DENY')
    expect(elsewhere.data.rules[14]?.observed).toBe(
      'exactInputSingle.params.recipient: EqualToAvatar',
    )
    expect(elsewhere.data.fix).toEqual({ changes: [], reachable: false })
    const late = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene, { deadline: never })),
    )
    expect(late.data.rules[14]?.observed).toBe('exactInputSingle.params.deadline: LessThan')
    const batch = multiSendData([
      { to: quote(testChain), data: approve(router(testChain), 1_000n) },
      { to: router(testChain), data: swap(testChain, scene) },
    ])
    const { multiSendCallOnly: to } = testChain.chain.contracts
    const listed = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene), {
        calls: [{ to, value: '0', data: batch, operation: 1 }],
      }),
    )
    expect(others(listed.data)).toEqual(
      others(
        (await check(testChain, scene, vault, action(testChain, swap(testChain, scene)))).data,
      ),
    )
    const own = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene), {
        calls: [{ to: router(testChain), value: '0', data: swap(testChain, scene), operation: 1 }],
      }),
    )
    expect(others(own.data)).toContain('R16 DENY')
    const foreign = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene), {
        calls: [
          {
            to: quote(testChain),
            value: '7',
            data: approve(testChain.chain.accounts[9]!.address, 1n),
          },
        ],
        kind: 'APPROVE',
        adapterId: 'erc20-allowance',
      }),
    )
    expect(others(foreign.data)).toEqual(expect.arrayContaining(['R06 DENY', 'R15 DENY']))
  })

  it('refuses what says something else than its calls, and limits that contradict themselves', async ({
    testChain,
    scene,
    vault,
  }) => {
    for (const [wrong, field] of [
      [{ amountIn: '999' }, 'amountIn'],
      [{ minimumOut: '1' }, 'minimumOut'],
      [{ assetIn: base(testChain) }, 'assetIn'],
      [{ adapterId: 'uniswap-v2-router' }, 'adapterId'],
      [{ chainId: 1 }, 'chainId'],
    ] as const) {
      const response = await check(
        testChain,
        scene,
        vault,
        action(testChain, swap(testChain, scene), wrong),
      )
      expect([response.status, response.code]).toEqual([422, 'LIQUIDITY_POLICY_CHECK_CONTRADICTS'])
      expect(Object.keys(response.fieldErrors)).toEqual([`payload.action.${field}`])
    }
    const inverted = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene)),
      { inline: limits(testChain, vault, { maximumDailyTurnover: '1' }) },
    )
    expect(inverted.code).toBe('LIQUIDITY_POLICY_CAPS_INVERTED')
    const unknown = {
      ref: { id: `policy_${'0'.repeat(32)}`, resourceVersion: `0x${'1'.repeat(64)}` },
    }
    expect(
      (await check(testChain, scene, vault, action(testChain, swap(testChain, scene)), unknown))
        .code,
    ).toBe('LIQUIDITY_SOURCE_UNAVAILABLE')
  })
})

describe('with a price', () => {
  it('an action inside every limit is allowed, and one beyond returns the smallest change', async ({
    service,
    testChain,
    priceSource,
    scene,
    vault,
  }) => {
    await pullPrices(service, testChain, priceSource, scene)
    await catchUp(testChain.chain, service)
    await observed(service, scene)
    const inside = await check(testChain, scene, vault, action(testChain, swap(testChain, scene)))
    expect([inside.data.verdict, others(inside.data), inside.data.gaps]).toEqual(['ALLOW', [], []])
    expect(inside.data.rules[9]).toMatchObject({ observed: '10000', margin: '0' })
    expect(inside.data.rules[11]?.evidence).toMatchObject([{ resourceType: 'PriceSeries' }])
    const beyond = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene, { amountIn: 2_000n, amountOutMinimum: 1_000n }), {
        route: 'PUBLIC_MEMPOOL',
      }),
    )
    expect(others(beyond.data)).toEqual([
      ...['R08 DENY', 'R09 DENY', 'R10 DENY', 'R14 DENY', 'R15 DENY'],
    ])
    const alone = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene), { route: 'PUBLIC_MEMPOOL' }),
    )
    expect(alone.data.fix).toEqual({
      changes: [{ pointer: '/payload/action/route', from: 'PUBLIC_MEMPOOL', to: 'PRIVATE' }],
      reachable: true,
    })
    const worse = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene, { amountOutMinimum: 900n }), {
        expectedOut: '1000',
      }),
    )
    expect(worse.data.fix?.changes).toEqual([
      { pointer: '/payload/action/minimumOut', from: '900', to: '990' },
    ])
    const narrow = { inline: limits(testChain, vault, { minimumPriceX18: '1100000000000000000' }) }
    expect(
      others(
        (await check(testChain, scene, vault, action(testChain, swap(testChain, scene)), narrow))
          .data,
      ),
    ).toEqual(['R13 DENY'])
    const staged = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene), { purpose: 'STAGE' }),
    )
    expect(others(staged.data)).toEqual(['R04 DENY'])
  })

  it('a policy is judged in its version, and what its vault executed is judged by it', async ({
    service,
    testChain,
    scene,
    vault,
  }) => {
    const created = await callOperation<Policy>(scene.owner, 'createAutonomyPolicies', {
      body: { payload: limits(testChain, vault), reason },
    })
    expect(created.status).toBe(201)
    const { id, resourceVersion } = created.data
    const ref = { ref: { id, resourceVersion } }
    const response = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene)),
      ref,
    )
    expect([response.data.verdict, response.data.policyRef]).toEqual([
      'ALLOW',
      { id, resourceVersion },
    ])

    service.clock.advance(1_200_000)
    await catchUp(testChain.chain, service)
    const out = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [testChain.chain.accounts[9]!.address, 700n],
    })
    await execute(testChain, scene.safe, { to: quote(testChain), data: out, nonce: 0n })
    await execute(testChain, scene.safe, {
      to: quote(testChain),
      data: approve(router(testChain), 500n),
      nonce: 1n,
    })
    await observed(service, scene)
    const [paid, allowed] = await receiptsOf(scene.owner)
    expect(paid?.payload).toMatchObject({ policyInForce: { id, resourceVersion } })
    // The policy approves neither transfers nor the recipient.
    expect(paid?.payload.verdict).toBe('VIOLATING')
    expect(
      paid?.payload.rules.flatMap(({ ruleId, outcome }) => (outcome === 'DENY' ? [ruleId] : [])),
    ).toEqual(['R07', 'R15'])
    expect(allowed?.payload.calls?.[0]).toMatchObject({
      adapterId: 'erc20-allowance',
      arguments: [
        { name: 'spender', value: router(testChain) },
        { name: 'amount', value: '500' },
      ],
    })
    const after = await check(
      testChain,
      scene,
      vault,
      action(testChain, swap(testChain, scene)),
      ref,
    )
    expect(others(after.data)).toEqual(['R09 DENY'])
    expect(after.data.fix).toEqual({
      changes: [
        { pointer: '/payload/action/amountIn', from: '1000', to: '800' },
        { pointer: '/payload/action/minimumOut', from: '990', to: '792' },
      ],
      reachable: true,
    })
    expect((await theVault(scene.owner)).payload.policy).toEqual({ id, resourceVersion })
  })
})
