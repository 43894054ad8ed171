import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  forwardData,
  inOneBlock,
  paymentData,
  startLocalchain,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { encodeFunctionData, type Hex } from 'viem'
import { deployMarkets } from '../../src/integrations/chain/testing/markets.ts'
import { pairBody, poolBody, providerBody, type TestChain } from './chain.ts'
import { callOperation, type TestResponse } from './requests.ts'
import { indexTo } from './scoring.ts'
import { newOrganization, type TestMember, type TestService } from './service.ts'

export type AnomalyPayload = Static<typeof contract.LiquidityAnomaly>
export type Anomaly = VersionedRecord<AnomalyPayload>

export const ownRange = { tickLower: -600, tickUpper: 600 }
const ethereumFinality = 64
const openLimits = [4295128740n, 1461446703485210103287273052203988822378723970341n] as const

/** A chain whose past can begin again. */
export type QuietMonth = TestChain & { again: () => Promise<void> }

/** A day and a half of quiet trading, ten minutes a block; every story begins where it ends. */
export async function startQuietMonth(): Promise<QuietMonth> {
  const timestamp = Date.parse('2026-01-02T12:00:00Z') / 1000
  const chain = await startLocalchain({ timestamp, blockSeconds: 600 })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.mint(ownRange.tickLower, ownRange.tickUpper, 10n ** 19n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  for (let swap = 0; swap < 204; swap += 1) await markets.swap(swap % 2 === 0, 10n ** 15n)
  let snapshot = await chain.testClient.snapshot()
  return {
    chain,
    markets,
    again: async () => {
      await chain.testClient.revert({ id: snapshot })
      snapshot = await chain.testClient.snapshot()
      await chain.testClient.setBlockTimestampInterval({ interval: 600 })
    },
  }
}

/** Swaps of exact input signed by one of the chain's accounts. */
export async function swapAs(
  { chain, markets }: TestChain,
  account: number,
  zeroForOne: boolean,
  amount: bigint,
): Promise<void> {
  const { payer } = chain.contracts
  const limit = openLimits[zeroForOne ? 0 : 1]
  const args = [payer, zeroForOne, amount, limit, paymentData(markets.pool)] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'swap', args })
  const from = chain.accounts[account]!.address
  await chain.send({ from, to: payer, data: forwardData(markets.pool.address, data) })
}

export interface Watched {
  owner: TestMember
  pool: { id: string; resourceVersion: string }
  pair: { id: string; resourceVersion: string }
  /** Makes all that happened final, and reads both venues up to there and no further. */
  read: () => Promise<void>
  subject: (change?: object) => Record<string, unknown>
}

/** A new organization that watches both markets of a chain; workers run. */
export async function watchedMarkets(service: TestService, test: TestChain): Promise<Watched> {
  const owner = await newOrganization(service)
  await owner.client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const ownedPositions = [{ owner: test.chain.contracts.payer, ...ownRange }]
  const create = async (body: object) => {
    const made = await owner.client.createVenues({
      body: { ...body, status: 'VALIDATED' } as never,
    })
    return made.body.data
  }
  await test.chain.mine(ethereumFinality)
  let happened = Number(await test.chain.publicClient.getBlockNumber()) - ethereumFinality
  const pool = await create(poolBody(test, { ownedPositions }))
  const pair = await create(pairBody(test))
  const read = async () => {
    const head = Number(await test.chain.publicClient.getBlockNumber())
    if (head > happened + ethereumFinality) {
      happened = head
      await test.chain.mine(ethereumFinality)
    }
    for (const { id } of [pool, pair]) await indexTo(owner, id, happened)
  }
  const subject = (change = {}) => ({
    pair: poolBody(test).payload.pair,
    venueId: pool.id,
    ...change,
  })
  return { owner, pool, pair, read, subject }
}

export const evaluate = (
  by: TestMember,
  kind: string,
  subject: object,
  change: object = {},
): Promise<TestResponse<Anomaly>> =>
  callOperation(by, 'createAnomalies', {
    body: {
      payload: {
        schemaVersion: 'anomaly-evaluation-v1',
        kind,
        subject,
        cadenceSeconds: 300,
        baselineSeconds: 30_000,
        ...change,
      },
      reason: 'For the test',
    },
  })

/** A swap that is sandwiched by the account before it: three transactions of one block. */
export async function sandwich({ chain, markets }: TestChain, amount: bigint): Promise<void> {
  const { payer } = chain.contracts
  const swap = (zeroForOne: boolean, size: bigint) => {
    const limit = openLimits[zeroForOne ? 0 : 1]
    const args = [payer, zeroForOne, size, limit, paymentData(markets.pool)] as const
    const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'swap', args })
    return forwardData(markets.pool.address, data)
  }
  const send = (account: number, data: Hex) => ({
    from: chain.accounts[account]!.address,
    to: payer,
    data,
    gas: 1_000_000n,
  })
  await inOneBlock(chain, [
    send(4, swap(true, amount)),
    send(5, swap(true, amount)),
    // Sells the bought amount back, minus two fees.
    send(4, swap(false, (amount * 9_970n) / 10_000n)),
  ])
}
