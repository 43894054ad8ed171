import { type Address, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { erc20Abi, weth9Abi } from './abis.ts'
import type { Localchain } from './localchain.ts'
import { forwardData } from './payer.ts'
import { type Cast, isReproduced, possibleCalls } from './recorded-call.ts'
import type { RecordedEvent, RecordedToken, Recording } from './recording.ts'
import { type SimulatedCall, type SimulatedLog, simulateBlocks } from './simulation.ts'
import { tokenInitCode } from './token.ts'

export type LoadProgress = { readonly eventsDone: number; readonly eventsTotal: number }

export type LoadedRecording = {
  readonly pool: Address
  readonly token0: Address
  readonly token1: Address
  /** Block of the initialisation and of the last recorded block, both on the local chain. */
  readonly fromBlock: bigint
  readonly toBlock: bigint
  readonly events: number
  /** Events whose amounts, price, liquidity and tick equal the recorded ones. */
  readonly equalEvents: number
  /** Index of the first event that differs. */
  readonly firstDifference: number | null
  /** Payer contract for each recorded caller of the pool. */
  readonly payers: Readonly<Record<Address, Address>>
}

/**
 * Executes a recording again, block by block, on an original pool of the local chain.
 *
 * The pool has the recorded fee and price, and its tokens have the recorded order; a recorded WETH
 * is the chain's own WETH9. Every recorded caller gets a payer; recipients are unchanged. Blocks
 * without events are mined too, so distances in blocks and seconds match the recording. On a chain
 * whose clock is before the recording, the times match as well.
 *
 * @param onProgress called after each block with events
 */
export async function loadRecording(
  chain: Localchain,
  recording: Recording,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<LoadedRecording> {
  const { pool: terms, events } = recording
  const [token0, token1] = await createTokens(chain, terms.token0, terms.token1)
  const payers = await createPayers(chain, events, [token0, token1])
  await waitFor(chain, events[0])
  const { address: pool, blockNumber: fromBlock } = await chain.createV3Pool({
    tokenA: token0,
    tokenB: token1,
    fee: terms.fee,
    sqrtPriceX96: terms.initialSqrtPriceX96,
  })
  const start = await chain.publicClient.getBlock({ blockNumber: fromBlock })
  const cast = { token0, token1, payerOf: payers }
  const clock = Number(start.timestamp) + 1 - (events[0]?.timestamp ?? 0)
  const equal: boolean[] = []
  let previous = { blockNumber: terms.initializationBlock - 1, timestamp: Number(start.timestamp) }
  await chain.testClient.setAutomine(false)
  try {
    for (const block of groupByBlock(events)) {
      const { blockNumber } = block[0]!
      const timestamp = block[0]!.timestamp + clock
      await mineGap(chain, blockNumber - previous.blockNumber - 1, previous.timestamp, timestamp)
      equal.push(...(await performBlock(chain, pool, cast, block, timestamp)))
      previous = { blockNumber, timestamp }
      onProgress({ eventsDone: equal.length, eventsTotal: events.length })
    }
  } finally {
    await chain.testClient.setAutomine(true)
  }
  const difference = equal.indexOf(false)
  return {
    pool,
    token0,
    token1,
    fromBlock,
    toBlock: await chain.publicClient.getBlockNumber(),
    events: events.length,
    equalEvents: equal.filter(Boolean).length,
    firstDifference: difference < 0 ? null : difference,
    payers: Object.fromEntries(payers),
  }
}

/** Moves a clock that is before the recording so that the pool gets its price a second before the first event. */
async function waitFor(chain: Localchain, first: RecordedEvent | undefined): Promise<void> {
  if (first === undefined) return
  const { timestamp } = await chain.publicClient.getBlock()
  // The pool is created in one block and gets its price in the next.
  const creation = first.timestamp - 1 - chain.blockSeconds
  if (Number(timestamp) >= creation) return
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(creation) })
}

function groupByBlock(events: readonly RecordedEvent[]): RecordedEvent[][] {
  const blocks = new Map<number, RecordedEvent[]>()
  for (const event of events) {
    const block = blocks.get(event.blockNumber) ?? []
    blocks.set(event.blockNumber, [...block, event])
  }
  return [...blocks.values()]
}

/** Creates both tokens so that the first has the lower address. */
async function createTokens(
  chain: Localchain,
  recorded0: RecordedToken,
  recorded1: RecordedToken,
): Promise<[Address, Address]> {
  const { weth9 } = chain.contracts
  if (recorded1.symbol === 'WETH') {
    return [await createToken(chain, recorded0, (address) => address < BigInt(weth9)), weth9]
  }
  const first = await createToken(chain, recorded0, () => true)
  return [first, await createToken(chain, recorded1, (address) => address > BigInt(first))]
}

/** Deploys from the first account whose next contract address fits. */
async function createToken(
  chain: Localchain,
  token: RecordedToken,
  fits: (address: bigint) => boolean,
): Promise<Address> {
  if (token.symbol === 'WETH') return chain.contracts.weth9
  for (const { address: from } of chain.accounts) {
    const nonce = BigInt(await chain.publicClient.getTransactionCount({ address: from }))
    const address = getContractAddress({ from, nonce })
    if (!fits(BigInt(address))) continue
    const { symbol, decimals } = token
    const holder = chain.accounts[0]!.address
    const data = tokenInitCode({ name: `${symbol} (recorded)`, symbol, decimals }, holder)
    await chain.send({ from, data })
    return address
  }
  throw new Error('no account of the chain creates a token at a fitting address')
}

/** One payer for each recorded caller, with more of both tokens than any recorded event moved. */
async function createPayers(
  chain: Localchain,
  events: readonly RecordedEvent[],
  tokens: readonly [Address, Address],
): Promise<Map<Address, Address>> {
  const from = chain.accounts[0]!.address
  const needed = [0n, 0n]
  for (const { amount0, amount1 } of events) {
    needed[0]! += amount0 > 0n ? amount0 : 0n
    needed[1]! += amount1 > 0n ? amount1 : 0n
  }
  const payers = new Map<Address, Address>()
  for (const sender of new Set(events.map((event) => event.sender))) {
    const payer = await chain.deployPayer()
    payers.set(sender, payer)
    for (const [index, token] of tokens.entries()) {
      const amount = needed[index]!
      if (token === chain.contracts.weth9) {
        const data = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
        await chain.send({ from, to: token, data, value: amount })
      }
      const args = [payer, amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      await chain.send({ from, to: token, data })
    }
  }
  return payers
}

/** Mines the recorded blocks without events, their times evenly between their neighbours'. */
async function mineGap(
  chain: Localchain,
  blocks: number,
  after: number,
  before: number,
): Promise<void> {
  for (let block = 1; block <= blocks; block++) {
    const timestamp = after + Math.floor(((before - after) * block) / (blocks + 1))
    await mineAt(chain, timestamp)
  }
}

async function mineAt(chain: Localchain, timestamp: number): Promise<void> {
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
  await chain.testClient.mine({ blocks: 1 })
}

/**
 * Executes the events of one recorded block in one block. Reports per event whether it was
 * reproduced.
 */
async function performBlock(
  chain: Localchain,
  pool: Address,
  cast: Cast,
  block: readonly RecordedEvent[],
  timestamp: number,
): Promise<boolean[]> {
  const from = chain.accounts[0]!.address
  const calls: SimulatedCall[] = []
  for (const event of block) {
    const to = cast.payerOf.get(event.sender)!
    const candidates = possibleCalls(event, cast).map((data) => ({
      from,
      to,
      data: forwardData(pool, data),
    }))
    calls.push(await chooseCall(chain, calls, candidates, event, timestamp))
  }
  const hashes: Hex[] = []
  for (const { to, data } of calls) {
    const account = chain.accounts[0]!
    hashes.push(await chain.walletClient.sendTransaction({ account, to, data, gas: 3_000_000n }))
  }
  await mineAt(chain, timestamp)
  const receipts = await Promise.all(
    hashes.map((hash) => chain.publicClient.getTransactionReceipt({ hash })),
  )
  return block.map((event, index) => {
    const logs = receipts[index]!.logs as unknown as SimulatedLog[]
    return isReproduced(event, logs)
  })
}

/** The first candidate that reproduces the event after the calls before it in the same block. */
async function chooseCall(
  chain: Localchain,
  before: readonly SimulatedCall[],
  candidates: readonly SimulatedCall[],
  event: RecordedEvent,
  timestamp: number,
): Promise<SimulatedCall> {
  for (const candidate of candidates) {
    const calls = [...before, candidate]
    const [results] = await simulateBlocks(chain.publicClient, [{ timestamp, calls }])
    if (isReproduced(event, results?.at(-1)?.logs ?? [])) return candidate
  }
  // No candidate fits: the best guess is executed and counted as a difference.
  return candidates[0]!
}
