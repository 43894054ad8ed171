// @module-tag long
// @covers apps/server/src/families/intelligence/scores apps/server/src/families/intelligence/venues

import {
  erc20Abi,
  forwardData,
  type Localchain,
  paymentData,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { expect } from 'vitest'
import type { ObservationRecord } from '../src/market/completed-observations.ts'
import type { TestChain } from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import {
  activate,
  observedVenues,
  score,
  scoreRequest,
  startTradedChain,
} from './support/scoring.ts'

const openLimits = [4295128740n, 1461446703485210103287273052203988822378723970341n] as const
const funder = 4
const washers = [5, 6, 7]

/**
 * Of 205 swaps, an independent signer makes every fifth. Three signers make the others, each from a
 * contract of its own. One account funded the three contracts.
 */
async function tradeAsOneOwner(chain: Localchain, { pool }: TestChain['markets']): Promise<void> {
  const addressOf = (account: number) => chain.accounts[account]!.address
  const pay = async (from: Address, token: Address, to: Address, amount: bigint) => {
    const args = [to, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await chain.send({ from, to: token, data })
  }
  const payers = new Map<number, Address>([[9, chain.contracts.payer]])
  for (const washer of washers) {
    const payer = await chain.deployPayer()
    payers.set(washer, payer)
    for (const token of [pool.token0, pool.token1]) {
      await pay(addressOf(0), token, addressOf(funder), 10n ** 18n)
      await pay(addressOf(funder), token, payer, 10n ** 18n)
    }
  }
  for (let swap = 0; swap < 205; swap += 1) {
    const signer = swap % 5 === 0 ? 9 : washers[swap % 3]!
    const payer = payers.get(signer)!
    const isOneWay = swap % 5 < 3
    const amount = isOneWay ? 10n ** 15n : 37n * 10n ** 13n
    const args = [payer, isOneWay, amount, openLimits[isOneWay ? 0 : 1], paymentData(pool)] as const
    const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'swap', args })
    await chain.send({ from: addressOf(signer), to: payer, data: forwardData(pool.address, data) })
  }
}

const it = chainTest.extend(
  'testChain',
  { scope: 'file' },
  started(() => startTradedChain({ trade: tradeAsOneOwner })),
)

it('traders whose contracts one account funds are own flow, and carry no active score', async ({
  service,
  testChain,
  owner,
}) => {
  const { pool } = await observedVenues(service, owner, testChain)
  const { data: observations } = await callOperation<ObservationRecord[]>(
    owner,
    'listVenueObservations',
  )
  const { accounts } = testChain.chain
  const signers = washers.map((washer) => accounts[washer]!.address).sort()
  const linked = observations.flatMap(({ payload }) => payload.funding?.sources ?? [])
  expect(linked).toContainEqual({ address: accounts[funder]!.address, traders: signers })

  const { data } = await score(owner, scoreRequest(testChain, [pool], { window: testChain.window }))
  // Independent count from the chain: quote volume by signer of each swap in the window.
  const { publicClient } = testChain.chain
  const logs = await publicClient.getContractEvents({
    address: testChain.markets.pool.address,
    abi: v3PoolAbi,
    eventName: 'Swap',
    fromBlock: 0n,
    strict: true,
  })
  const [from, to] = [testChain.window.from, testChain.window.to].map((at) => Date.parse(at) / 1000)
  const isQuote0 =
    data.payload.request.pair.quote.toLowerCase() === testChain.markets.pool.token0.toLowerCase()
  const volumes = { own: 0n, all: 0n, trades: 0 }
  for (const { args, transactionHash, blockNumber } of logs) {
    const { timestamp } = await publicClient.getBlock({ blockNumber })
    if (Number(timestamp) < from! || Number(timestamp) >= to!) continue
    const { from: signer } = await publicClient.getTransaction({ hash: transactionHash })
    const amount = isQuote0 ? args.amount0 : args.amount1
    const volume = amount < 0n ? -amount : amount
    const isOwn = signers.some((one) => one.toLowerCase() === signer.toLowerCase())
    volumes.all += volume
    if (isOwn) volumes.own += volume
    if (isOwn) volumes.trades += 1
  }
  expect(data.payload.ownFlow).toEqual({
    trades: volumes.trades,
    volumeQuote: `${volumes.own}`,
    sharePips: Number((volumes.own * 1_000_000n) / volumes.all),
    issuerSharePips: 0,
    assertedSharePips: 0,
  })
  expect(data.payload.ownFlow!.sharePips).toBeGreaterThan(700_000)
  // The 41 independent trades are too few for the confidence of an active score.
  const refused = await activate(owner, data)
  expect([refused.status, refused.code]).toEqual([409, 'LIQUIDITY_SCORE_NOT_ACTIVATABLE'])
})
