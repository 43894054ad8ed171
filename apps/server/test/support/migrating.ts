import type { contract } from '@liquidity-os/contract'
import type { OperatingSystemEvent, VersionedRecord } from '@liquidity-os/evidence'
import {
  createSafe,
  erc20Abi,
  type Localchain,
  multiSendData,
  positionManagerAbi,
  type SafeTransaction,
  safeAbi,
  safeExecutionData,
  safeTransactionHash,
  signSafeTransaction,
  sortTokens,
  startLocalchain,
  swapRouterAbi,
  v2RouterAbi,
} from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { type Address, encodeFunctionData, type Hex, maxUint256, parseEventLogs } from 'viem'
import { proposals } from '../../src/families/operate/proposals/records.ts'
import { emptyChange } from '../../src/store/records/change.ts'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import { verifyHistory } from '../../src/whole-history.ts'
import { hostOf, providerBody } from './chain.ts'
import { callOperation, type TestResponse } from './requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  TestClock,
  type TestMember,
  type TestService,
} from './service.ts'

export type Plan = VersionedRecord<Static<typeof contract.MigrationPlan>>
export type State = Static<typeof contract.MigrationPlanState>
export type Step = Plan['payload']['steps'][number]
export type Event = Omit<OperatingSystemEvent, 'payload'> & { payload: Record<string, unknown> }
export type VenueRef = { id: string; resourceVersion: string }

export const one = 10n ** 18n
const whole = { tickLower: -887_220, tickUpper: 887_220 } as const
const range = { tickLower: -6000, tickUpper: 6000 } as const
const never = 4_102_444_800n

/**
 * A market maker setup: a Safe with a position in a pool, two other pools, a pair, and a service.
 */
export interface Desk {
  chain: Localchain
  service: TestService
  owner: TestMember
  operator: TestMember
  foreignOwner: TestMember
  safe: Address
  base: Address
  quote: Address
  tokenId: string
  venues: { wide: VenueRef; tight: VenueRef; pair: VenueRef; fresh: VenueRef }
}

export async function faultsOf({ service, owner }: Desk) {
  const { database, artifacts } = service.services
  return (await verifyHistory(database, owner.organizationId, artifacts)).faults
}

/** Starts everything; the Safe has a position in the pool of 0.3 % and liquidity of the pair. */
export async function startDesk(): Promise<Desk> {
  // The chain is a little behind the clock of the service, as a real one is.
  const timestamp = Math.floor(new TestClock().read() / 1000) - 1200
  const chain = await startLocalchain({ timestamp, blockSeconds: 1 })
  const service = await startTestService({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) })
  const owner = await newOrganization(service)
  const operator = await newMember(service, owner.organizationId, 'OPERATOR')
  const foreignOwner = await newOrganization(service)
  const safe = await createSafe(chain, {
    owners: chain.accounts.slice(1, 4).map(({ address }) => address),
    threshold: 2,
  })
  const tokens = [await token(chain, 'ONE'), await token(chain, 'TWO')] as const
  const [base, quote] = sortTokens(...tokens)
  for (const one of tokens) await transfer(chain, one, safe, 10n ** 24n)
  const { contracts } = chain
  for (const spender of [
    contracts.positionManager,
    contracts.swapRouter,
    contracts.uniswapV2Router,
  ]) {
    for (const one of tokens) await approve(chain, one, spender)
  }
  const pools = { wide: 3000, tight: 500 } as const
  const addresses: Record<string, Address> = {}
  for (const [name, fee] of Object.entries(pools)) {
    const terms = { tokenA: base, tokenB: quote, fee, sqrtPriceX96: 2n ** 96n }
    addresses[name] = (await chain.createV3Pool(terms)).address
    await provide(chain, chain.accounts[0]!.address, { base, quote, fee })
  }
  addresses.pair = (await chain.createV2Pair(base, quote)).address
  await addToPair(chain, { base, quote, to: chain.accounts[0]!.address })
  await addToPair(chain, { base, quote, to: safe })
  const tokenId = await mintForSafe(chain, safe, { base, quote })
  const desk = { chain, service, owner, operator, foreignOwner, safe, base, quote, tokenId }
  await chain.mine(4)
  await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
  const venue = (name: string, change: object, status = 'VALIDATED') =>
    createVenue(desk, { name, ...change }, status)
  const v3 = { kind: 'UNISWAP_V3', factory: contracts.uniswapV3Factory }
  return {
    ...desk,
    venues: {
      wide: await venue('Wide', { ...v3, address: addresses.wide, feePips: 3000, tickSpacing: 60 }),
      tight: await venue('Tight', {
        ...v3,
        address: addresses.tight,
        feePips: 500,
        tickSpacing: 10,
      }),
      pair: await venue('Pair', {
        kind: 'UNISWAP_V2',
        address: addresses.pair,
        factory: contracts.uniswapV2Factory,
        feePips: 3000,
      }),
      fresh: await venue(
        'Fresh',
        {
          ...v3,
          feePips: 10_000,
          tickSpacing: 200,
          address: await freshAddress(chain, base, quote),
        },
        'DRAFT',
      ),
    },
  }
}

export async function stopDesk(desk: Desk): Promise<void> {
  await desk.service.stop()
  await desk.chain.stop()
}

async function createVenue(
  { owner, base, quote }: Pick<Desk, 'owner' | 'base' | 'quote'>,
  change: object,
  status: string,
): Promise<VenueRef> {
  const { data, code, fieldErrors } = await callOperation<VenueRef>(owner, 'createVenues', {
    body: {
      status,
      payload: {
        schemaVersion: 'venue-profile-v1',
        pair: { chainId: 31337, base, quote, baseDecimals: 18, quoteDecimals: 18 },
        read: {
          providerId: 'local-chain',
          startBlock: 0,
          finality: 'finalized',
          logChunkBlocks: 2000,
          cadenceSeconds: 300,
        },
        tags: [],
        ...change,
      },
      reason: 'For the test',
    },
  })
  if (code) throw new Error(`${code} ${JSON.stringify(fieldErrors)}`)
  return { id: data.id, resourceVersion: data.resourceVersion }
}

const token = (chain: Localchain, symbol: string) => chain.deployToken({ name: symbol, symbol })

const fromDeployer = (chain: Localchain, to: Address, data: Hex) =>
  chain.send({ from: chain.accounts[0]!.address, to, data })

const transfer = (chain: Localchain, asset: Address, to: Address, amount: bigint) =>
  fromDeployer(
    chain,
    asset,
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  )

const approveData = (spender: Address, amount = maxUint256) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

const approve = (chain: Localchain, asset: Address, spender: Address) =>
  fromDeployer(chain, asset, approveData(spender))

interface Pool {
  base: Address
  quote: Address
  fee: number
}

const mintData = ({ base, quote, fee }: Pool, recipient: Address, ticks: typeof range | object) =>
  encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        token0: base,
        token1: quote,
        fee,
        ...(ticks as typeof range),
        amount0Desired: 1000n * one,
        amount1Desired: 1000n * one,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient,
        deadline: never,
      },
    ],
  })

async function provide(chain: Localchain, recipient: Address, pool: Pool): Promise<void> {
  await fromDeployer(chain, chain.contracts.positionManager, mintData(pool, recipient, whole))
}

async function addToPair(
  chain: Localchain,
  { base, quote, to }: { base: Address; quote: Address; to: Address },
): Promise<void> {
  const amounts = [500n * one, 500n * one, 0n, 0n] as const
  const data = encodeFunctionData({
    abi: v2RouterAbi,
    functionName: 'addLiquidity',
    args: [base, quote, ...amounts, to, never],
  })
  await fromDeployer(chain, chain.contracts.uniswapV2Router, data)
}

/** The Safe itself mints: approvals and deposit in one batch, without remaining allowances. */
async function mintForSafe(
  chain: Localchain,
  safe: Address,
  tokens: { base: Address; quote: Address },
): Promise<string> {
  const manager = chain.contracts.positionManager
  const amount = 1000n * one
  const { logs } = await executeSafe(chain, safe, [
    ...Object.values(tokens).map((to) => ({ to, data: approveData(manager, amount) })),
    { to: manager, data: mintData({ ...tokens, fee: 3000 }, safe, range) },
    ...Object.values(tokens).map((to) => ({ to, data: approveData(manager, 0n) })),
  ])
  const [minted] = parseEventLogs({
    abi: positionManagerAbi,
    logs: [...logs],
    eventName: 'IncreaseLiquidity',
  })
  return `${minted!.args.tokenId}`
}

/** Future address of the factory's 1 % pool, computed without a transaction. */
async function freshAddress(chain: Localchain, base: Address, quote: Address): Promise<Address> {
  const { v3PoolAddress } = await import('../../src/integrations/chain/pool-address.ts')
  return v3PoolAddress(chain.contracts.uniswapV3Factory, base, quote, 10_000)
}

/** What two owners of the Safe would sign for these calls. */
export async function safeTransaction(
  chain: Localchain,
  safe: Address,
  calls: readonly { to: Address; data: Hex }[],
): Promise<SafeTransaction> {
  const nonce = await chain.publicClient.readContract({
    address: safe,
    abi: safeAbi,
    functionName: 'nonce',
  })
  const [only, ...others] = calls
  if (only && others.length === 0) return { ...only, value: 0n, operation: 0, nonce }
  const data = multiSendData(calls)
  return { to: chain.contracts.multiSendCallOnly, value: 0n, data, operation: 1, nonce }
}

export async function executeSafe(
  chain: Localchain,
  safe: Address,
  calls: readonly { to: Address; data: Hex }[],
) {
  const transaction = await safeTransaction(chain, safe, calls)
  const owners = chain.accounts.slice(1, 3)
  const signatures = await signSafeTransaction(chain.chainId, safe, transaction, owners)
  const data = safeExecutionData(transaction, signatures)
  return chain.send({ from: chain.accounts[8]!.address, to: safe, data })
}

export const safeHash = safeTransactionHash

/** Lets time pass on the chain, and makes it final. */
export async function pass({ chain }: Pick<Desk, 'chain'>, seconds: number): Promise<void> {
  const { timestamp } = await chain.publicClient.getBlock()
  await chain.testClient.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
  await chain.mine(4)
}

export async function swapOnWide({ chain, base, quote }: Desk, amountIn: bigint): Promise<void> {
  const to = chain.accounts[0]!.address
  const terms = { tokenIn: base, tokenOut: quote, fee: 3000, recipient: to, deadline: never }
  const data = encodeFunctionData({
    abi: swapRouterAbi,
    functionName: 'exactInputSingle',
    args: [{ ...terms, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }],
  })
  await fromDeployer(chain, chain.contracts.swapRouter, data)
  await chain.mine(3)
}

export const constraints = {
  minDepth: [{ bandPips: 20_000, side: 'SELL', quote: `${one}` }],
  maxStepQuote: `${10n ** 24n}`,
  maxSlippagePips: 10_000,
  priceBandX18: [`${one / 2n}`, `${2n * one}`],
  minSecondsBetweenSteps: 0,
  maxOutOfMarketSeconds: 3600,
  deadline: '2026-02-01T00:00:00.000Z',
}

/** A request that moves the position to the pool of 0.05 %. */
export function planRequest(desk: Desk, change: Record<string, unknown> = {}) {
  const { safe, base, quote, tokenId, venues, chain } = desk
  const { positionManager, swapRouter, uniswapV2Router: v2Router } = chain.contracts
  return {
    schemaVersion: 'migration-plan-v1',
    pair: { chainId: 31337, base, quote, baseDecimals: 18, quoteDecimals: 18 },
    from: { wallet: safe, positions: [{ venue: venues.wide, owner: safe, tokenId, ...range }] },
    to: { positions: [{ venue: venues.tight, ...range, sharePips: 1_000_000 }] },
    constraints,
    pilot: null,
    withoutPilot: 'A test moves nothing that matters',
    contracts: { positionManager, swapRouter, v2Router },
    ...change,
  }
}

export const fromPair = ({ safe, venues }: Desk) => ({
  wallet: safe,
  positions: [{ venue: venues.pair, owner: safe }],
})

export const create = (desk: Desk, payload: object = planRequest(desk), by = desk.owner) =>
  callOperation<Plan>(by, 'createMigrationPlans', { body: { payload, reason: 'For the test' } })

export const stateOf = async (desk: Desk, id: string) =>
  (await callOperation<State>(desk.owner, 'getMigrationPlanState', { params: { id } })).data

export const planOf = async (desk: Desk, id: string) =>
  (await callOperation<Plan>(desk.owner, 'getMigrationPlans', { params: { id } })).data

/** A transition on the version that is current. */
export async function move(
  desk: Desk,
  id: string,
  transition: string,
  more: Record<string, unknown> = {},
  by = desk.operator,
): Promise<TestResponse<Event>> {
  const { resourceVersion } = await planOf(desk, id)
  return callOperation<Event>(by, 'appendMigrationPlanTransition', {
    params: { id },
    body: { payload: { transition, resourceVersion, ...more }, reason: 'For the test' },
  })
}

/** As `move`, and fails where it is refused. */
export async function must(
  ...[desk, id, transition, more, by]: Parameters<typeof move>
): Promise<Event> {
  const response = await move(desk, id, transition, more, by)
  if (response.code)
    throw new Error(`${transition}: ${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

/** Writes a packet, approved, that names a generation of the plan: as much of one as a migration reads, in any state. */
export async function decisionFor(
  { service, owner }: Desk,
  plan: { id: string; resourceVersion: string },
  change: { status?: string; payload?: object } = {},
): Promise<VenueRef> {
  const { database, verified, committer, clock, artifacts } = service.services
  const now = clock()
  const { organizationId, userId } = owner
  const actor = { kind: 'SESSION', id: userId } as const
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
  const { sealed, change: made } = proposals.first(records, {
    status: change.status ?? 'ACTIVE',
    payload: {
      phase: 'APPROVED',
      plan: { id: plan.id, resourceVersion: plan.resourceVersion },
      review: { required: 1, expiresAt: new Date(now + 86_400_000).toISOString() },
      packets: [],
      ...change.payload,
      // As much of a proposal as a migration reads; migrations-agreed.test.ts makes a whole one by the API.
    } as never,
    reason: 'For the test',
    event: 'proposal.approved',
  })
  await committer.commit({ ...emptyChange(organizationId, now), ...made })
  return { id: sealed.record.id, resourceVersion: sealed.record.resourceVersion }
}

/** Validated, decided and started. */
export async function started(desk: Desk, payload?: object): Promise<Plan> {
  const { data, code, fieldErrors } = await create(desk, payload)
  if (code) throw new Error(`${code} ${JSON.stringify(fieldErrors)}`)
  await must(desk, data.id, 'VALIDATE')
  const validated = await planOf(desk, data.id)
  const decision = await decisionFor(desk, validated)
  const acknowledgedNoReturn = validated.payload.steps
    .filter(({ pointOfNoReturn }) => pointOfNoReturn)
    .map(({ step }) => step)
  await must(desk, data.id, 'START', { decision, acknowledgedNoReturn })
  return planOf(desk, data.id)
}

/** Sends a step from the Safe exactly as the plan lists it, and has it confirmed and verified. */
export async function carryOut(desk: Desk, id: string, step: Step): Promise<Event> {
  if (step.calls.length > 0) {
    const sent = await submit(desk, id, step)
    const { transactionHash: txHash } = await execute(desk, step)
    await must(desk, id, 'STEP_CONFIRMED', { step: step.step, txHash })
    if (sent.kind !== 'migration_plan.transitioned') throw new Error(sent.kind)
  }
  return must(desk, id, 'STEP_VERIFIED', { step: step.step })
}

/** Reports a step as submitted, under the hash that the Safe owners sign. */
export async function submit(desk: Desk, id: string, step: Step): Promise<Event> {
  const transaction = await safeTransaction(desk.chain, desk.safe, callsOf(step))
  const safeTxHash = safeHash(desk.chain.chainId, desk.safe, transaction)
  return must(desk, id, 'STEP_SUBMITTED', {
    step: step.step,
    safeTxHash,
    nonce: `${transaction.nonce}`,
  })
}

/** Two owners sign, the transaction is sent, and its block is finalized. */
export async function execute(desk: Desk, step: Pick<Step, 'calls'>) {
  const mined = await executeSafe(desk.chain, desk.safe, callsOf(step))
  await desk.chain.mine(3)
  return mined
}

const callsOf = ({ calls }: Pick<Step, 'calls'>) =>
  calls.map(({ to, data }) => ({ to: to as Address, data: data as Hex }))
