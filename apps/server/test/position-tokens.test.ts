import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { positionManagerAbi, startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployMarkets } from '../src/integrations/chain/testing/markets.ts'
import { startWorkers, type Workers } from '../src/service.ts'
import { hostOf, poolBody, providerBody, type TestChain } from './support/chain.ts'
import { approvePositions, mintPosition } from './support/position-token.ts'
import { callOperation } from './support/requests.ts'
import { indexTo } from './support/scoring.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

type Observation = VersionedRecord<contract.VenueObservation>
type MarketMap = Static<typeof contract.MarketMap>
type Venue = VersionedRecord<contract.VenueProfile>

const range = { tickLower: -600, tickUpper: 600 }
const amount = 10n ** 18n
const never = 4_102_444_800n
const everything = 2n ** 128n - 1n
const tokenAbi = parseAbi([
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function burn(uint256 tokenId) payable',
])

let test: TestChain
let service: TestService
let workers: Workers
let owner: TestMember
let issuer: Address
let other: Address
let manager: Address
/** Ours; another's between the same ticks; ours in the pool of another fee. */
let [own, others, elsewhere] = [0n, 0n, 0n]

const onManager = (from: Address, data: Hex) => test.chain.send({ from, to: manager, data })

const mint = (recipient: Address, fee: number, desired: bigint) =>
  mintPosition(test, { recipient, fee, ...range, desired })

beforeAll(async () => {
  const timestamp = Date.parse('2026-01-05T11:40:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds: 4 })
  const markets = await deployMarkets(chain)
  test = { chain, markets }
  manager = chain.contracts.positionManager
  issuer = chain.accounts[1]!.address
  other = chain.accounts[2]!.address
  await approvePositions(test)
  const [tokenA, tokenB] = markets.tokens
  await chain.createV3Pool({ tokenA, tokenB, fee: 500, sqrtPriceX96: 2n ** 96n })
  own = await mint(issuer, 3000, amount)
  others = await mint(other, 3000, 3n * amount)
  elsewhere = await mint(issuer, 500, amount)
  await markets.swap(true, 10n ** 15n)
  await chain.mine(64)
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(chain.rpcUrl) })
  workers = await startWorkers(service.services)
  owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
})
afterAll(async () => {
  await workers.stop()
  await service.stop()
  await test.chain.stop()
})

const create = (ownedPositions: readonly object[]) =>
  callOperation<Venue>(owner, 'createVenues', {
    body: { ...poolBody(test, { ownedPositions }), status: 'VALIDATED' },
  })

const token = (tokenId: bigint, change: object = {}) => ({
  owner: issuer,
  tokenId: `${tokenId}`,
  manager,
  ...change,
})

const observations = async (): Promise<Observation[]> =>
  (await callOperation<Observation[]>(owner, 'listVenueObservations')).data

/** Who provides the depth, in hundredths. */
const shares = ({ payload }: Observation) =>
  payload.metrics.providers?.map(({ address, depthSharePips }) => ({
    address,
    share: Math.round(depthSharePips / 10_000),
  }))

const map = async () =>
  (await callOperation<MarketMap>(owner, 'getUnifiedLiquidityMap')).data.markets[0]!

/** Compares an own position with what its genuine manager pays for it at the current block. */
async function expectOwnPosition(
  id: string,
  { observation, liquidity }: { observation: Observation; liquidity: bigint },
): Promise<void> {
  const { publicClient } = test.chain
  const terms = { address: manager, abi: positionManagerAbi, account: issuer } as const
  const amounts = { amount0Min: 0n, amount1Min: 0n, deadline: never }
  const { result: principal } = await publicClient.simulateContract({
    ...terms,
    functionName: 'decreaseLiquidity',
    args: [{ tokenId: own, liquidity, ...amounts }],
  })
  const { result: fees } = await publicClient.simulateContract({
    ...terms,
    functionName: 'collect',
    args: [{ tokenId: own, recipient: issuer, amount0Max: everything, amount1Max: everything }],
  })
  expect(fees[0]).toBeGreaterThan(0n)
  const params = { id }
  const { data } = await callOperation<contract.VenuePositions>(owner, 'listOwnPositions', {
    params,
  })
  const { at } = observation.payload.state
  expect(data).toMatchObject({
    venueId: id,
    observation: { id: observation.id },
    block: at,
    // No index can provide the results of a token, so their absence leaves the list complete.
    state: 'COMPLETED',
  })
  const [position] = data.positions
  const inOrder = (pair: readonly [bigint, bigint]) => {
    const isBaseFirst = observedBase() === test.markets.pool.token0.toLowerCase()
    const [base, quote] = isBaseFirst ? pair : [pair[1], pair[0]]
    return { base: `${base}`, quote: `${quote}` }
  }
  expect(data.positions).toHaveLength(1)
  expect(position).toMatchObject({
    owner: issuer,
    manager,
    tokenId: `${own}`,
    state: 'IN_RANGE',
    liquidity: `${liquidity}`,
    amounts: inOrder([principal[0], principal[1]]),
    uncollected: inOrder([fees[0], fees[1]]),
    feesQuote: null,
    netVsHodlQuote: null,
    reasons: ['RESULTS_NEED_WALLET_POSITION'],
  })
  expect(position!.depthSharePips! / 10_000).toBeCloseTo(25, 1)
  expect(data.total).toEqual({ amounts: position!.amounts, uncollected: position!.uncollected })

  const read = await callOperation<contract.VenueLiquidity>(owner, 'readVenueLiquidity', {
    params,
    query: { withinPips: 100_000, bins: 20 },
  })
  expect(read.data).toMatchObject({
    state: 'PARTIAL',
    // The other position of the manager may belong to many.
    reasons: ['POSITION_MANAGER_AS_ONE_PROVIDER'],
    withinPips: 100_000,
    block: at,
  })
  expect(read.data.bins).toHaveLength(20)
  expect(read.data.providers.map(({ address, isOwn }) => [address, isOwn])).toEqual([
    [manager, false],
    [issuer, true],
  ])
  const sum = (read.data.bins as contract.VenueLiquidity['bins']).reduce(
    (total, bin) => ({
      all: total.all + BigInt(bin.valueQuote),
      own: total.own + BigInt(bin.ownValueQuote!),
    }),
    { all: 0n, own: 0n },
  )
  expect(Number((sum.own * 1_000_000n) / sum.all) / 10_000).toBeCloseTo(25, 1)
  // The range of ±6 % lies within the bins, so they hold the whole position.
  expect(BigInt(position!.amounts!.valueQuote) - sum.own).toBeLessThan(100n)
  expect(BigInt(position!.amounts!.valueQuote) - sum.own).toBeGreaterThanOrEqual(0n)
}

const observedBase = () => poolBody(test).payload.pair.base.toLowerCase()

describe('positions behind a position manager', () => {
  it('are rejected by name if they differ from the profile', async () => {
    const response = await create([
      ...[token(elsewhere), token(99n), token(others), token(own, { manager: issuer })],
      { owner: manager, ...range },
    ])
    const [token0, token1] = test.markets.tokens
    expect([response.status, response.code]).toEqual([422, 'LIQUIDITY_VENUE_VALIDATION_FAILED'])
    expect(response.fieldErrors).toEqual({
      'payload.ownedPositions.0.tokenId': [
        `${elsewhere} is a position in ${token0} and ${token1} at 500 pips`,
      ],
      'payload.ownedPositions.1.tokenId': ['99 is burned or was never minted'],
      'payload.ownedPositions.2.owner': [
        `must be ${other}, the owner of token ${others}; got ${issuer}`,
      ],
      'payload.ownedPositions.3.manager': [`${issuer} has no code`],
      'payload.ownedPositions.4.owner': [
        `must not hold positions for others, got ${manager}; name each position by tokenId`,
      ],
    })
    const { manager: _, ...unmanaged } = token(own)
    const unsaid = await create([unmanaged, token(own), token(own)])
    expect([unsaid.code, unsaid.fieldErrors]).toEqual([
      'LIQUIDITY_VENUE_PROFILE_INVALID',
      {
        'payload.ownedPositions.0.manager': ['is required: chain 31337 has no well-known manager'],
        'payload.ownedPositions.2.tokenId': [`must be unique, got ${own} twice`],
      },
    ])
  })

  it('are ours as long as we hold the token, and what others have between the same ticks is theirs', async () => {
    const made = await create([token(own)])
    expect([made.status, made.fieldErrors]).toEqual([201, {}])
    await indexTo(owner, made.data.id)
    const [before] = await observations()
    const [mine] = before!.payload.positionTokens!
    const behind = await test.chain.publicClient.readContract({
      address: manager,
      abi: positionManagerAbi,
      functionName: 'positions',
      args: [own],
    })
    const common = { manager, tokenId: `${own}`, owner: issuer }
    const fees = {
      feeGrowthInside0LastX128: `${behind[8]}`,
      feeGrowthInside1LastX128: `${behind[9]}`,
      tokensOwed0: `${behind[10]}`,
      tokensOwed1: `${behind[11]}`,
    }
    const position = { ...common, ...range, liquidity: `${behind[7]}`, fees }
    expect(mine).toEqual({ ...position, state: 'OWNED', heldBy: issuer })
    expect(shares(before!)).toEqual([
      { address: manager, share: 75 },
      { address: issuer, share: 25 },
    ])
    // A quarter of what the pool keeps for the manager between these ticks.
    expect((await map()).venues[0]!.ownDepthSharePips).toBeCloseTo(250_000, -2)

    await expectOwnPosition(made.data.id, { observation: before!, liquidity: behind[7] })

    const args = [issuer, other, own] as const
    const give = encodeFunctionData({ abi: tokenAbi, functionName: 'transferFrom', args })
    await onManager(issuer, give)
    await test.chain.mine(64)
    await indexTo(owner, made.data.id)
    const [after, first] = await observations()
    expect(first!.payload.positionTokens).toEqual([mine])
    expect(after!.payload.positionTokens).toEqual([
      { ...position, state: 'OTHER_OWNER', heldBy: other },
    ])
    expect(shares(after!)).toEqual([
      { address: manager, share: 75 },
      { address: other, share: 25 },
    ])
    // It goes on from the first, and nothing of the pool changed.
    expect([after!.status, after!.payload.range.from.number]).toEqual([
      ...['COMPLETED', first!.payload.range.to.number + 1],
    ])
    const sold = await map()
    expect(sold.venues[0]!.ownDepthSharePips).toBe(0)
    expect(sold.reasons).toContain('OWN_POSITION_OTHER_OWNER')

    const take = { tokenId: own, liquidity: behind[7], amount0Min: 0n, amount1Min: 0n }
    const collect = {
      tokenId: own,
      recipient: other,
      amount0Max: everything,
      amount1Max: everything,
    }
    const abi = positionManagerAbi
    for (const data of [
      encodeFunctionData({
        abi,
        functionName: 'decreaseLiquidity',
        args: [{ ...take, deadline: never }],
      }),
      encodeFunctionData({ abi, functionName: 'collect', args: [collect] }),
      encodeFunctionData({ abi: tokenAbi, functionName: 'burn', args: [own] }),
    ]) {
      await onManager(other, data)
    }
    await test.chain.mine(64)
    await indexTo(owner, made.data.id)
    const [last] = await observations()
    const { data } = await callOperation<contract.VenuePositions>(owner, 'listOwnPositions', {
      params: { id: made.data.id },
    })
    expect([data.state, data.total!.amounts.valueQuote]).toEqual(['COMPLETED', '0'])
    expect(data.positions).toMatchObject([{ state: 'CLOSED', reasons: ['POSITION_BURNT'] }])
    const nothing = { heldBy: null, tickLower: null, tickUpper: null, liquidity: '0' }
    expect(last!.payload.positionTokens).toEqual([{ ...common, state: 'BURNT', ...nothing }])

    const { id, resourceVersion } = made.data
    const changed = await callOperation(owner, 'supersedeVenues', {
      params: { id },
      ifMatch: resourceVersion,
      body: { payload: { ownedPositions: [token(elsewhere)] }, reason: 'Moved' },
    })
    expect([changed.code, Object.keys(changed.fieldErrors)]).toEqual([
      ...['LIQUIDITY_VENUE_VALIDATION_FAILED', ['payload.ownedPositions.0.tokenId']],
    ])
  })
})
