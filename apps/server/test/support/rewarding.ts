import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi, startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { encodeFunctionData, getAddress, keccak256 } from 'viem'
import { attestationHash } from '../../src/families/operate/incentive-programs/adapters.ts'
import type { ProgramPayload } from '../../src/families/operate/incentive-programs/read-program.ts'
import { deployMarkets } from '../../src/integrations/chain/testing/markets.ts'
import { startWorkers } from '../../src/service.ts'
import { dayMilliseconds, daySeconds } from '../../src/units.ts'
import { pairBody, poolBody, providerBody, type TestChain } from './chain.ts'
import { callOperation, type TestResponse } from './requests.ts'
import { indexTo, type VenueRef } from './scoring.ts'
import { signInAgain, type TestMember, type TestService } from './service.ts'

export type Program = VersionedRecord<ProgramPayload>
export type Optimized = Static<typeof contract.IncentiveOptimizationResult>

export type RewardChain = TestChain & {
  window: { from: string; to: string }
  /** Mines four blocks per day, each with its events. */
  day: (events?: readonly (() => Promise<void>)[]) => Promise<void>
  settle: () => Promise<void>
  /** Sends the reward from the distributor, the second account. */
  reward: (amount: bigint) => Promise<void>
}

const quarterDay = daySeconds / 4
const baselineDays = 35

/**
 * A pool and a pair with trades for five weeks before the tests' noon, four blocks a day, without
 * rewards.
 */
export async function startRewardChain(): Promise<RewardChain> {
  const timestamp = Date.parse('2025-11-29T00:00:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds: 12 })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  const [, quote] = markets.tokens
  const [deployer, distributor] = chain.accounts
  const transfer = (from: string, to: string, amount: bigint) =>
    chain.send({
      from: from as `0x${string}`,
      to: quote,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [getAddress(to), amount],
      }),
    })
  await transfer(deployer!.address, distributor!.address, 10n ** 24n)
  const { timestamp: from } = await chain.publicClient.getBlock()
  let side = false
  const trade = async () => {
    side = !side
    await markets.swap(side, 10n ** 17n)
  }
  const lived: RewardChain['day'] = async (events = []) => {
    await chain.testClient.setBlockTimestampInterval({ interval: quarterDay })
    for (const event of events) await event()
    for (let block = events.length; block < 4; block += 1) await trade()
  }
  const settle = async () => {
    await chain.testClient.setBlockTimestampInterval({ interval: 1 })
    await chain.mine(70)
  }
  for (let past = 0; past <= baselineDays; past += 1) {
    await lived(past % 5 === 1 ? [() => markets.trade(10n ** 15n, 9n * 10n ** 14n)] : [])
  }
  await settle()
  const time = (seconds: number) => new Date(seconds * 1000).toISOString()
  const begin = Number(from) + 60
  return {
    chain,
    markets,
    day: lived,
    settle,
    window: { from: time(begin), to: time(begin + baselineDays * daySeconds) },
    reward: async (amount) => {
      await transfer(distributor!.address, deployer!.address, amount)
    },
  }
}

export interface RewardedVenues {
  pool: VenueRef
  pair: VenueRef
  observations: VenueRef[]
}

/** The venues of a chain, validated and indexed as far as the chain is final. */
export async function rewardedVenues(
  service: TestService,
  owner: TestMember,
  test: RewardChain,
): Promise<RewardedVenues> {
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const create = async (body: ReturnType<typeof poolBody>) => {
    const made = await owner.client.createVenues({
      body: { ...body, status: 'VALIDATED' } as never,
    })
    return made.body.data
  }
  const made = [await create(poolBody(test)), await create(pairBody(test) as never)]
  await indexAll(
    service,
    owner,
    made.map(({ id }) => id),
  )
  const [pool, pair] = made.map(({ id, resourceVersion }) => ({ id, resourceVersion }))
  return { pool: pool!, pair: pair!, observations: await observationRefs(owner, pool!) }
}

export async function indexAll(
  service: TestService,
  owner: TestMember,
  ids: readonly string[],
): Promise<void> {
  const workers = await startWorkers(service.services)
  for (const id of ids) await indexTo(owner, id)
  await workers.stop()
}

export async function observationRefs(owner: TestMember, venue: VenueRef): Promise<VenueRef[]> {
  const { body } = await owner.client.listVenueObservations()
  return body.data
    .filter(({ payload }) => payload.venue.id === venue.id)
    .map(({ id, resourceVersion }) => ({ id, resourceVersion }))
}

type Attestation = Static<typeof contract.IncentiveAdapterAttestation>

/** A venue of a program with its attestation; `changes` make it another or a wrong one. */
export function rewardedVenue(
  test: TestChain,
  venue: VenueRef,
  changes: Partial<Attestation> = {},
  statement: object = {},
) {
  const { pair, address } = poolBody(test).payload
  const attestation: Attestation = {
    schemaVersion: 'incentive-adapter-attestation-v1',
    adapterId: 'account-transfer-v1',
    chainId: pair.chainId,
    venue: getAddress(address),
    rewardAsset: pair.quote,
    distributor: test.chain.accounts[1]!.address,
    codeHash: keccak256('0x'),
    expiresAt: '2027-01-01T00:00:00.000Z',
    ...changes,
  }
  const { adapterId } = attestation
  return {
    venue,
    adapterId,
    adapterEvidenceHash: attestationHash(attestation),
    attestation,
    ...statement,
  }
}

/** Time a number of days after the baseline began. */
export const startAfter = ({ window }: RewardChain, days: number) =>
  new Date(Date.parse(window.from) + days * daySeconds * 1000).toISOString()

/** Day of the pilot start, counted from the start of the baseline. */
const pilotStart = 38

/** A pilot on the pool of a test chain. */
export function programRequest(
  test: RewardChain,
  { pool, observations }: RewardedVenues,
  change: object = {},
): Record<string, unknown> {
  const { pair } = poolBody(test).payload
  return {
    ...structuredClone(contract.optimizeIncentiveProgram.example.body.payload),
    pair,
    rewardAsset: pair.quote,
    budget: `${10n ** 17n}`,
    start: startAfter(test, pilotStart),
    days: 28,
    venues: [rewardedVenue(test, pool)],
    baseline: { ...test.window, observations },
    ...change,
  }
}

export const optimize = (by: TestMember, payload: object): Promise<TestResponse<Optimized>> =>
  callOperation(by, 'optimizeIncentiveProgram', { body: { payload, reason: 'For the test' } })

/** Share of the theoretical growth if every provider followed the yield. */
export const followed = 0.5

/**
 * Pays a pilot of the pool as planned; liquidity follows halfway each day.
 *
 * @returns runs and finalizes the days up to the given day of the baseline
 */
export function payPilot(
  test: RewardChain,
  { result, baseline }: ProgramPayload,
): (to: number) => Promise<void> {
  const [{ weeksOn, rewardPerDay } = { weeksOn: null, rewardPerDay: '0' }] = result.allocation
  // With volume that does not answer, liquidity would grow by reward over fees.
  const lift = (followed * Number(rewardPerDay)) / Number(baseline.venues[0]!.feesPerDay)
  let level = 1
  return async (to) => {
    for (;;) {
      const { timestamp } = await test.chain.publicClient.getBlock()
      const day = (Number(timestamp) * 1000 - Date.parse(test.window.from)) / dayMilliseconds
      if (day >= to) break
      const on = day >= pilotStart && (weeksOn?.[Math.floor((day - pilotStart) / 7)] ?? false)
      const next = level + 0.5 * ((on ? 1 + lift : 1) - level)
      const change = BigInt(Math.round((next - level) * 1e6)) * 10n ** 14n
      level = next
      const events: (() => Promise<void>)[] = []
      if (change > 0n) events.push(() => test.markets.mint(-6000, 6000, change))
      if (change < 0n) events.push(() => test.markets.burn(-6000, 6000, -change))
      if (on) events.push(() => test.reward(BigInt(rewardPerDay)))
      await test.day(events)
    }
    await test.settle()
  }
}

/**
 * Indexes the pool and advances the service clock to a day after the start of the baseline;
 * sessions expire meanwhile.
 */
export async function reachDay(
  service: TestService,
  owner: TestMember,
  { test, pool }: { test: RewardChain; pool: VenueRef },
  day: number,
): Promise<void> {
  // Workers look after programs as soon as they start, so what they need is sealed before its time comes.
  await indexAll(service, owner, [pool.id])
  service.clock.advance(Date.parse(startAfter(test, day)) - service.clock.read())
  await signInAgain(service, owner)
}
