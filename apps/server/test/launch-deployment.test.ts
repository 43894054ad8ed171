// @module-tag long
// @covers apps/server/src/families/plan/launch-plans
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { artifact, deployVestingWallet, erc20Abi } from '@liquidity-os/localchain'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { poolFee } from '../src/integrations/chain/testing/markets.ts'
import { dayMilliseconds } from '../src/units.ts'
import { hostOf, providerBody, startTestChain, type TestChain } from './support/chain.ts'
import { shownGate } from './support/launch-gates.ts'
import { callOperation } from './support/requests.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Input = contract.LaunchPlanInput
type Deployment = contract.LaunchDeployment

let test: TestChain
let service: TestService
let owner: TestMember
/** A vesting contract and the transaction that created it. */
let wallet: { address: Address; codeHash: Hex; hash: Hex }
let factoryMade: { address: Address; codeHash: Hex; hash: Hex }
beforeAll(async () => {
  test = await startTestChain()
  const url = await countedNode()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(url) })
  owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(url) })
  const terms = { beneficiary: accountOf(5), start: 2_000_000_000, duration: 86_400 }
  wallet = await placed(await deployVestingWallet(test.chain, terms))
  factoryMade = await madeByFactory()
  await test.chain.mine(70)
})
afterAll(async () => {
  await service.stop()
  node.close()
  await test.chain.stop()
})

/** Passes requests on to the chain, and notes their methods. */
const node = createServer(async (request, response) => {
  const body = await text(request)
  calls.push(...[JSON.parse(body)].flat().map(({ method }) => method))
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(test.chain.rpcUrl, { method: 'POST', headers, body })
  response.writeHead(answer.status, headers).end(await answer.text())
})
const calls: string[] = []
async function countedNode(): Promise<string> {
  await once(node.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
}

const reason = 'For the test'
const accountOf = (index: number) => test.chain.accounts[index]!.address
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const supply = 10n ** 30n
const vested = 1_000n

const lastHash = async () => (await test.chain.publicClient.getBlock()).transactions[0] as Hex
async function placed(address: Address) {
  const code = await test.chain.publicClient.getCode({ address })
  return { address, codeHash: keccak256(code!), hash: await lastHash() }
}

/** Anvil has the deterministic deployment proxy, which logs nothing. */
const proxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
async function madeByFactory() {
  const salt = pad('0x01')
  const bytecode = concatHex([
    artifact('VestingWallet').bytecode,
    ...[accountOf(6), 1, 2].map(word),
  ])
  await test.chain.send({ from: accountOf(0), to: proxy, data: concatHex([salt, bytecode]) })
  return placed(getContractAddress({ opcode: 'CREATE2', from: proxy, salt, bytecode }))
}
const word = (value: string | number) =>
  pad((typeof value === 'number' ? `0x0${value}` : value) as Hex)

const deployment = (change: Partial<Deployment> = {}): Deployment => ({
  deployer: accountOf(0),
  vesting: [{ bucket: 'team', address: wallet.address, codeHash: wallet.codeHash }],
  control: { holder: accountOf(0) },
  pool: {
    kind: 'UNISWAP_V3',
    factory: test.chain.contracts.uniswapV3Factory,
    feePips: poolFee,
    tolerancePips: 100_000,
    safe: test.chain.contracts.payer,
    minimumToken: '1000',
    minimumQuote: '1000',
  },
  ...change,
})
type Pool = NonNullable<Deployment['pool']>
const plannedPool = (): Pool => deployment().pool!
const example = contract.createLaunchPlans.example.body.payload as unknown as Input
const requestFor = (change: Partial<Input> = {}): Input => ({
  ...example,
  token: keyOf(test.markets.tokens[0]),
  quote: keyOf(test.markets.tokens[1]),
  launchAt: new Date(service.clock.read() + 60 * dayMilliseconds).toISOString(),
  totalSupply: `${supply}`,
  allocations: [
    { bucket: 'sale', tokens: `${supply - vested - 10n}`, recipientClass: 'SALE' },
    {
      bucket: 'team',
      tokens: `${vested + 10n}`,
      initialTokens: '10',
      recipientClass: 'TEAM',
      vesting: { kind: 'ONE_OFF', at: '2099-06-01T00:00:00Z' },
    },
  ],
  mechanism: { kind: 'FIXED_PRICE', priceX18: `${10n ** 18n}`, tokens: '1000', cap: '1000' },
  alternatives: [],
  ...change,
})
const create = (payload: Input) =>
  callOperation<Plan>(owner, 'createLaunchPlans', { body: { payload, reason } })

/** A plan with one step of the usual ones that asks for transactions. */
const planned = (key: string, change: Partial<Input> = {}) =>
  plannedAs(key, requestFor({ deployment: deployment(), ...change }))
async function plannedAs(key: string, payload: Input) {
  const plan = await create(payload)
  expect([plan.status, plan.fieldErrors]).toEqual([201, {}])
  const params = { id: plan.data.id }
  const timeline = async () =>
    (await callOperation<contract.LaunchTimeline>(owner, 'getLaunchTimeline', { params })).data
  const event = {
    key,
    title: key,
    kind: 'TASK',
    ownerRole: 'OWNER',
    offsetSeconds: -86_400,
    durationSeconds: 3_600,
    dependsOn: [],
    requiredEvidence: [{ kind: 'TRANSACTION', minimum: 1 }],
  }
  const body = { expectedTimelineHead: (await timeline()).head, event, reason }
  const response = await callOperation(owner, 'appendLaunchTimelineEvent', { params, body })
  expect([response.status, response.fieldErrors]).toEqual([201, {}])
  return async (...hashes: readonly Hex[]) => {
    const { head, events } = await timeline()
    return callOperation(owner, 'completeLaunchTimelineEvent', {
      params: { ...params, eventId: events[0]!.eventId },
      ifMatch: head,
      body: {
        evidence: hashes.map((txHash) => ({
          kind: 'TRANSACTION',
          hash: txHash,
          chain: { chainId: 31_337, txHash },
        })),
        reason,
      },
    })
  }
}
type Complete = Awaited<ReturnType<typeof planned>>

async function mismatch(complete: Complete, ...hashes: readonly Hex[]): Promise<string> {
  const { code, fieldErrors } = await complete(...hashes)
  expect(code).toBe('LIQUIDITY_LAUNCH_EVIDENCE_MISMATCH')
  return Object.values(fieldErrors).flat().join(' ')
}
async function passes(complete: Complete, ...hashes: readonly Hex[]): Promise<void> {
  const { status, fieldErrors } = await complete(...hashes)
  expect([status, fieldErrors]).toEqual([200, {}])
}

async function pay(token: Address, to: Address, amount: bigint): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await test.chain.send({ from: accountOf(0), to: token, data })
  return lastHash()
}
const shown = (gate: contract.LaunchGate, more: object = {}) =>
  shownGate(service, owner, { ...requestFor({ deployment: deployment() }), ...more, gate } as never)

it('accepts as a deployment only contracts of the deployer, with the code of the plan', async () => {
  const complete = await planned('vesting-deployed')
  const unrelated = await pay(test.markets.tokens[0], accountOf(2), 1n)
  await test.chain.mine(70)
  expect(await mismatch(complete, unrelated)).toContain(`must create one of ${wallet.address}`)
  const byOther = await planned('vesting-deployed', {
    deployment: deployment({ deployer: accountOf(7) }),
  })
  expect(await mismatch(byOther, wallet.hash)).toContain(`must be sent by ${accountOf(7)}`)
  const otherCode = [{ ...deployment().vesting[0]!, codeHash: factoryMade.codeHash }]
  const changed = await planned('vesting-deployed', {
    deployment: deployment({ vesting: otherCode }),
  })
  expect(await mismatch(changed, wallet.hash)).toContain(`code hash ${factoryMade.codeHash}`)
  await passes(complete, wallet.hash)
})

it('accepts contracts of a factory, and requires every contract of the plan', async () => {
  const [team] = requestFor().allocations.slice(1)
  const allocations = [
    { bucket: 'sale', tokens: `${supply - 2n * (vested + 10n)}`, recipientClass: 'SALE' },
    team,
    { ...team, bucket: 'fund' },
  ] as Input['allocations']
  const { hash: _, ...made } = factoryMade
  const both = [...deployment().vesting, { bucket: 'fund', ...made }]
  // The proxy is called by the deployer, or is the deployer itself.
  for (const deployer of [accountOf(0), proxy] as const) {
    const vesting = deployer === proxy ? [...both].map((one) => ({ ...one, ...made })) : both
    const complete = await planned('vesting-deployed', {
      allocations,
      deployment: deployment({ deployer, vesting }),
    })
    if (deployer === proxy) await passes(complete, factoryMade.hash)
    else {
      expect(await mismatch(complete, factoryMade.hash)).toContain(
        `the transaction that creates ${wallet.address}`,
      )
      calls.length = 0
      await passes(complete, factoryMade.hash, wallet.hash)
      const count = (method: string) => calls.filter((one) => one === method).length
      // One snapshot of the chain; then the block before, that of the transaction, and the last final one for both contracts.
      expect([count('eth_chainId'), count('eth_getTransactionReceipt')]).toEqual([1, 2])
      expect([count('eth_getBalance'), count('eth_getCode')]).toEqual([4, 6])
    }
  }
})

it('takes for a funding what reaches the vesting contracts, all of it', async () => {
  const [token, quote] = test.markets.tokens
  const gate = { kind: 'VESTING_FUNDED_AS_PLANNED' } as const
  expect(await shown(gate)).toMatchObject({
    result: 'OPEN',
    detail: `${wallet.address} holds 0 of the required ${vested}.`,
    sources: [{ resourceType: 'LaunchPlan' }],
  })
  const complete = await planned('vesting-funded')
  const elsewhere = await pay(token, accountOf(2), vested)
  const otherToken = await pay(quote, wallet.address, vested)
  const [part, rest] = [
    await pay(token, wallet.address, 400n),
    await pay(token, wallet.address, vested - 400n),
  ]
  await test.chain.mine(70)
  for (const hash of [elsewhere, otherToken]) {
    expect(await mismatch(complete, hash)).toContain(`to one of ${wallet.address}`)
  }
  expect(await mismatch(complete, part)).toContain(`must pay ${vested} to ${wallet.address}`)
  await passes(complete, part, rest)
  expect(await shown(gate)).toMatchObject({ result: 'SATISFIED' })
  const more = { totalSupply: `${supply + 1n}`, allocations: withOneMore() }
  expect((await shown(gate, more)).detail).toContain(`The supply is ${supply}; the plan has`)
})

/** A supply of one atom more than the token has. */
function withOneMore(): Input['allocations'] {
  const [sale, team] = requestFor().allocations
  return [{ ...sale!, tokens: `${BigInt(sale!.tokens) + 1n}` }, team!]
}

it('takes for a seed the liquidity of the planned pool that the Safe pays and owns', async () => {
  const { markets, chain } = test
  await markets.mint(-600, 600, 10n ** 9n)
  const minted = await lastHash()
  await markets.provide(5_000n, 5_000n)
  const provided = await lastHash()
  const given = await pay(markets.tokens[0], markets.pool.address, 5_000n)
  await chain.mine(70)
  const complete = await planned('seed')
  expect(await mismatch(complete, given)).toContain(
    `must mint liquidity of ${markets.pool.address}`,
  )
  const pool = plannedPool()
  const withPool = (change: Partial<Pool>) =>
    planned('seed', { deployment: deployment({ pool: { ...pool, ...change } }) })
  expect(await mismatch(await withPool({ safe: accountOf(0) }), minted)).toContain(
    `must be paid by ${accountOf(0)}`,
  )
  const dear = await withPool({ minimumQuote: `${10n ** 9n}` })
  expect(await mismatch(dear, minted)).toMatch(/must add 1000 of the token and 1000000000 of/)
  await passes(complete, minted)

  // The Safe pays through the manager or the router, and owns the position or the tokens of the pair.
  const { feePips: _, ...ofPair } = pool
  const pair = { ...ofPair, kind: 'UNISWAP_V2', factory: chain.contracts.uniswapV2Factory } as const
  const onPair = (safe: Address) =>
    planned('seed', { deployment: deployment({ pool: { ...pair, safe } }) })
  // Here the payment came in an earlier transaction.
  expect(await mismatch(await onPair(accountOf(0)), provided)).toContain('but it transfers no')
  const [byRouter, byManager] = [await addedByRouter(), await mintedByManager()]
  await chain.mine(70)
  await passes(await onPair(accountOf(0)), byRouter)
  await passes(await withPool({ safe: accountOf(0) }), byManager)
  expect(await mismatch(await onPair(accountOf(0)), byManager)).toContain('must mint liquidity')
  const toOther = await mintedByManager(accountOf(3))
  await chain.mine(70)
  const bySafe = await withPool({ safe: accountOf(0) })
  const toSafe = `must give the liquidity to ${accountOf(0)}`
  expect(await mismatch(bySafe, toOther)).toContain(toSafe)

  // One position of the Safe does not cover the other mints of the manager in its transaction.
  const halves = await mintedTogether([accountOf(0), accountOf(3)])
  const both = await mintedTogether([accountOf(0), accountOf(0)])
  const elsewhere = await paidElsewhere()
  await chain.mine(70)
  expect(await mismatch(bySafe, elsewhere)).toContain(
    `transfers no ${keyOf(markets.tokens[0])} to ${markets.pool.address}`,
  )
  expect(await mismatch(bySafe, halves)).toContain(toSafe)
  await passes(bySafe, both)
})

const x128 = 2n ** 128n - 1n
const periphery = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountA, uint256 amountB, uint256 minA, uint256 minB, address to, uint256 deadline)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0; uint256 amount1; uint256 min0; uint256 min1; address recipient; uint256 deadline; }',
  'function mint(Mint params)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 root)',
])
/** Sends a call of a contract of the periphery, which may take both tokens of the sender. */
async function called(to: Address, data: Hex): Promise<Hex> {
  for (const token of test.markets.tokens) {
    const approve = { abi: erc20Abi, functionName: 'approve', args: [to, x128] } as const
    await test.chain.send({ from: accountOf(0), to: token, data: encodeFunctionData(approve) })
  }
  await test.chain.send({ from: accountOf(0), to, data })
  return lastHash()
}

function addedByRouter(): Promise<Hex> {
  const [first, second] = test.markets.tokens
  const amount = 10n ** 15n
  const args = [first, second, amount, amount, 0n, 0n, accountOf(0), x128] as const
  const data = encodeFunctionData({ abi: periphery, functionName: 'addLiquidity', args })
  return called(test.chain.contracts.uniswapV2Router, data)
}

/** Positions that the manager mints in one transaction. */
function mintedTogether(recipients: readonly Address[]): Promise<Hex> {
  return manager(recipients.map((recipient) => mintData(recipient)))
}

/** Mints quote alone in the planned pool, beside the token in a pool of another fee. */
function paidElsewhere(): Promise<Hex> {
  const fee = 500
  const data = encodeFunctionData({
    abi: periphery,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [...test.markets.tokens, fee, 2n ** 96n],
  })
  const below = { tickLower: -12_000, tickUpper: -6_000 }
  return manager([data, mintData(accountOf(0), { fee }), mintData(accountOf(0), below)])
}

function manager(calls: readonly Hex[]): Promise<Hex> {
  const abi = parseAbi(['function multicall(bytes[] data)'])
  const data = encodeFunctionData({ abi, functionName: 'multicall', args: [calls] })
  return called(test.chain.contracts.positionManager, data)
}

const mintedByManager = (recipient = accountOf(0)): Promise<Hex> =>
  called(test.chain.contracts.positionManager, mintData(recipient))

function mintData(
  recipient: Address,
  change: { fee?: number; tickLower?: number; tickUpper?: number } = {},
): Hex {
  const [token0, token1] = test.markets.tokens
  const params = {
    token0,
    token1,
    fee: poolFee,
    tickLower: -6_000,
    tickUpper: 6_000,
    amount0: 10n ** 12n,
    amount1: 10n ** 12n,
    min0: 0n,
    min1: 0n,
    recipient,
    deadline: x128,
    ...change,
  }
  return encodeFunctionData({ abi: periphery, functionName: 'mint', args: [params] })
}

it('checks pool and control against the plan, and names the gaps of a plan without deployment', async () => {
  const pool = { kind: 'POOL_CLEAR_AS_PLANNED' } as const
  expect(await shown(pool)).toMatchObject({
    result: 'SATISFIED',
    sources: [{ resourceType: 'LaunchPlan' }],
  })
  const dear = { kind: 'FIXED_PRICE', priceX18: `${2n * 10n ** 18n}`, tokens: '1', cap: '1' }
  expect((await shown(pool, { mechanism: dear })).detail).toContain(
    `The price of the pool ${test.markets.pool.address} is`,
  )
  const { pool: __, ...poolless } = deployment()
  expect((await shown(pool, { deployment: poolless })).detail).toContain('no `deployment.pool`')
  const ofCoin = { quote: 'eip155:31337/slip44:60', deployment: poolless }
  await passes(await planned('vesting-deployed', ofCoin), wallet.hash)
  expect(await mismatch(await planned('seed', ofCoin), wallet.hash)).toContain(
    'has no `deployment.pool`',
  )
  const { feePips: _, ...pair } = plannedPool()
  const factory = test.chain.contracts.uniswapV2Factory
  const onPair = deployment({ pool: { ...pair, kind: 'UNISWAP_V2', factory } })
  expect(await shown(pool, { deployment: onPair })).toMatchObject({
    result: 'SATISFIED',
    read: expect.arrayContaining([expect.objectContaining({ name: 'reserve0' })]),
  })
  const control = { kind: 'TOKEN_CONTROLLED_AS_PLANNED' } as const
  expect((await shown(control)).detail).toContain('reports no owner')
  for (const gate of [pool, control, { kind: 'VESTING_FUNDED_AS_PLANNED' } as const]) {
    expect((await shown(gate, { deployment: undefined })).detail).toContain('has no `deployment`')
  }
  const complete = await plannedAs('seed', requestFor())
  expect(await mismatch(complete, wallet.hash)).toContain('has no `deployment`')
})

it('is open while a pair has one reserve alone, which blocks its router', async () => {
  const { markets, chain } = test
  const [token] = markets.tokens
  const { weth9, uniswapV2Factory: factory } = chain.contracts
  const send = (to: Address, signature: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi: parseAbi([signature]), args } as never)
    return chain.send({ from: accountOf(0), to, data })
  }
  await send(factory, 'function createPair(address first, address second)', [token, weth9])
  const pair = await chain.publicClient.readContract({
    address: factory,
    abi: parseAbi(['function getPair(address first, address second) view returns (address)']),
    functionName: 'getPair',
    args: [token, weth9],
  })
  const { feePips: _, ...terms } = plannedPool()
  const pool = { ...terms, kind: 'UNISWAP_V2' as const, factory }
  const more = { quote: keyOf(weth9), deployment: deployment({ pool }) }
  const gate = { kind: 'POOL_CLEAR_AS_PLANNED' } as const
  const shownPair = async () => {
    await chain.mine(70)
    return shown(gate, more)
  }
  expect(await shownPair()).toMatchObject({ result: 'SATISFIED' })
  await pay(token, pair, 1n)
  expect(await shownPair()).toMatchObject({ result: 'SATISFIED' })
  await send(pair, 'function sync()', [])
  expect(await shownPair()).toMatchObject({
    result: 'OPEN',
    detail: `The pair ${pair} holds only one token, so its router cannot add liquidity. Send it the other token and call sync().`,
  })
})

it('is partial while the supply on chain differs, and open if unread', async () => {
  const checkOf = async (change: Partial<Input>) => {
    const { data } = await create(requestFor(change))
    const { checks } = data.payload.computed
    return [data.status, checks.find(({ check }) => check === 'SUPPLY_ON_CHAIN')?.result]
  }
  expect(await checkOf({})).toEqual(['VALIDATED', 'PASS'])
  const more = { totalSupply: `${supply + 1n}`, allocations: withOneMore() }
  expect(await checkOf(more)).toEqual(['PARTIAL', 'FAIL'])
  expect(await checkOf({ token: keyOf(accountOf(9)) })).toEqual(['VALIDATED', 'INDETERMINATE'])
  const unread = `eip155:10/erc20:${accountOf(9).toLowerCase()}`
  expect(await checkOf({ token: unread })).toEqual(['VALIDATED', 'INDETERMINATE'])
})
