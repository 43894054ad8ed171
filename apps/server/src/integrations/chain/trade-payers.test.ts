import {
  erc20Abi,
  forwardData,
  type Localchain,
  paymentData,
  startLocalchain,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chainClient } from './client.ts'
import { deployMarkets, type Markets } from './testing/markets.ts'
import { type PaidTrade, readPayers } from './trade-payers.ts'
import { transferTopic } from './transfer-topic.ts'

let chain: Localchain
let markets: Markets
const accounts = () => chain.accounts.map(({ address }) => address)
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
})
afterAll(() => chain.stop())

const send = async (from: Address, to: Address, data: Hex): Promise<Hex> =>
  (await chain.send({ from, to, data })).transactionHash
const limitAtOne = 4295128740n
const swapData = (recipient: Address) =>
  encodeFunctionData({
    abi: v3PoolAbi,
    functionName: 'swap',
    args: [recipient, true, 10n ** 12n, limitAtOne, paymentData(markets.pool)],
  })
const swapBy = async (origin: Address, sender: Address): Promise<PaidTrade> => {
  const data = forwardData(markets.pool.address, swapData(sender))
  return { origin, sender, transactionHash: await send(origin, sender, data) }
}
const payersOf = (trades: readonly PaidTrade[], send: typeof fetch = fetch) => {
  const client = chainClient({ endpoint: chain.rpcUrl, fetch: send, timeoutMs: 5000 })
  const { pool, tokens } = markets
  return readPayers(client, { pool: pool.address, tokens }, trades)
}

interface Answer {
  result?: { logs?: object[]; transactionHash?: Hex }
}

/** A receipt with one transfer of the first token more. */
function received({ result, ...rest }: Answer, topics: readonly Hex[]): Answer {
  const [first] = result?.logs ?? []
  if (!result || !first) return result ? { ...rest, result } : rest
  const log = { ...first, address: markets.tokens[0], topics, logIndex: '0xff' }
  return { ...rest, result: { ...result, logs: [...(result.logs ?? []), log] } }
}

/** A provider whose answers are changed on their way. */
const changed =
  (change: (answer: Answer) => Answer): typeof fetch =>
  async (input, init) => {
    const answer = (await (await fetch(input, init)).json()) as Answer | Answer[]
    return Response.json(Array.isArray(answer) ? answer.map(change) : change(answer))
  }

it('a contract that pays for the trades of several signers is found, whatever the pool pays back to it', async () => {
  const { payer } = chain.contracts
  const [, a, b] = accounts()
  const trades = [await swapBy(a!, payer), await swapBy(b!, payer)]
  expect(await payersOf(trades)).toEqual({
    isComplete: true,
    payers: [{ address: payer, traders: [a, b].sort() }],
  })
})

it('a payer of some trades of a contract is the payer of their signers alone', async () => {
  const { payer } = chain.contracts
  const [, a, b, c] = accounts()
  const trades = [await swapBy(a!, payer), await swapBy(b!, payer), await swapBy(c!, payer)]
  const [, second] = trades
  const topics = [transferTopic, pad(b!), pad(payer)]
  const withTransfer = (answer: Answer) =>
    answer.result?.transactionHash === second!.transactionHash ? received(answer, topics) : answer
  const { payers } = await payersOf(trades, changed(withTransfer))
  expect(payers).toEqual([{ address: payer, traders: [a, c].sort() }])
})

it('a router, which got the tokens in the same transaction, is no payer', async () => {
  const { payer } = chain.contracts
  const [, a] = accounts()
  const trade = await swapBy(a!, payer)
  // The receipt of a router has the transfer from the signer too.
  const topics = [transferTopic, pad(a!), pad(payer)]
  const routed = changed((answer) => received(answer, topics))
  expect((await payersOf([trade])).payers).toHaveLength(1)
  expect(await payersOf([trade], routed)).toEqual({ isComplete: true, payers: [] })
})

it('a signer that pays the pool itself has no payer', async () => {
  const [, a] = accounts()
  const [token0, token1] = markets.tokens
  const pay = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [markets.pair.address, 10n ** 12n],
  })
  const give = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [a!, 10n ** 18n],
  })
  await send(accounts()[0]!, token0, give)
  const transactionHash = await send(a!, token0, pay)
  const client = chainClient({ endpoint: chain.rpcUrl, fetch, timeoutMs: 5000 })
  const trade = { origin: a!, sender: chain.contracts.payer, transactionHash }
  const terms = { pool: markets.pair.address, tokens: [token0, token1] }
  expect(await readPayers(client, terms, [trade])).toEqual({ isComplete: true, payers: [] })
})
