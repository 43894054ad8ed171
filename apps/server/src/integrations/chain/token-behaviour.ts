import type { MarketEvent } from '@liquidity-os/engine/replay'
import { type Address, getAddress, type Hex, isAddressEqual, pad } from 'viem'
import { limits } from '../../limits.ts'
import { tokenAbi } from './abis.ts'
import { CallRevertedError, ChainError } from './chain-error.ts'
import type { Check } from './check.ts'
import type { ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { readAtBlock } from './finalized.ts'
import { type Header, readHeader } from './header.ts'
import { readInChunks } from './index-logs.ts'
import { decodeLogs, type IndexedEvent, type MarketKind } from './logs.ts'
import type { PlacedLog } from './placed-log.ts'
import { readLogs } from './read-logs.ts'
import { transferTopic } from './transfer-topic.ts'

/** A pool, and the tokens whose transfers are examined. */
export type WatchedPool = {
  readonly kind: MarketKind
  readonly address: Address
  /** token0 and token1. */
  readonly tokens: readonly [Address, Address]
} & LogRange

/** A pool whose indexed blocks are checked. Tokens are those of the pool, in its order. */
export type IndexedPool = {
  readonly address: Address
  readonly tokens: readonly Address[]
} & LogRange

type LogRange = {
  /** Maximum blocks per log query. */
  readonly logChunkBlocks: number
}

/** One transfer that a token logged. */
type Transfer = {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
  readonly transactionHash: Hex
}

/** Logs of a pool and its two tokens from a block to the head. */
type Window = {
  readonly fromBlock: number
  readonly transfers: readonly Transfer[]
  readonly events: readonly IndexedEvent<MarketEvent>[]
}

const code = 'TOKEN_BEHAVIOUR'
const expected = 'every transfer arrives in full'
/** Number of transfers per token, to or from the pool, to examine. */
const wantedTransfers = 200
const firstWidthBlocks = 100

/**
 * Examines the last transfers of both tokens around a pool. If the recipient of a swap gets less
 * than the pool paid, the token takes a fee. The pool's balance must also change by exactly the
 * transfers. Otherwise it changes without transfers: the token rebases, or logs more than it
 * credits. If earlier state is unavailable, balances are skipped and `observed` states so.
 *
 * @returns a single check
 * @throws ChainError if a read fails
 */
export async function checkTokenBehaviour(
  client: ChainClient,
  head: Header,
  pool: WatchedPool,
): Promise<Check> {
  const window = await recentTransfers(client, head, pool)
  const counts = pool.tokens.map((token) => `${of(token, window).length}`)
  const seen = `${counts.join(' and ')} transfers since block ${window.fromBlock}`
  const short = firstShortfall(pool, window)
  if (short !== null) return { code, ok: false, expected, observed: short }
  for (const token of pool.tokens) {
    const drift = await driftOf(client, head, pool.address, token, window)
    if (drift === 'UNKNOWN') {
      return { code, ok: true, expected, observed: `${seen}; earlier balances are not available` }
    }
    if (drift !== 0n) {
      const observed = `the balance of ${token} changed by ${drift} in addition to ${seen}`
      return { code, ok: false, expected, observed }
    }
  }
  // Deposits and withdrawals prove nothing about a fee on swaps.
  const isProven = window.events.some(({ event }) => event.type === 'Swap')
  const observed = isProven ? `${seen}, all in full` : `NOT_PROVEN: no swap among ${seen}`
  return { code, ok: true, expected, observed }
}

/** Result of the token check over indexed blocks. */
export type TokenReading =
  | { readonly state: 'EXACT' | 'NOT_READ' }
  | { readonly state: 'NOT_EXACT'; readonly detail: string }

/** Blocks to check, with the swaps of the pool. */
type CheckedRange = {
  readonly from: Header
  readonly to: Header
  readonly events: readonly IndexedEvent<MarketEvent>[]
}

/**
 * Checks the tokens of a pool over indexed blocks: each swap must deliver its amount, and the
 * balances of the pool must change by the transfers. A token can switch on a fee at any time, so
 * every index run checks its blocks. A second reading must confirm NOT_EXACT: one of another
 * provider, or of the same in smaller ranges if no other can read the blocks.
 *
 * @param clients providers of the chain
 * @returns NOT_READ if the first provider cannot read the blocks, or two readings differ
 * @throws ChainError if a read fails that can succeed later
 */
export async function checkTransfers(
  [client, ...others]: readonly [ChainClient, ...ChainClient[]],
  pool: IndexedPool,
  range: CheckedRange,
): Promise<TokenReading> {
  const first = await readTokens(client, pool, range)
  if (first.state !== 'NOT_EXACT') return first
  const second = await secondReading(client, others, pool, range)
  const isConfirmed = second.state === 'NOT_EXACT' && second.detail === first.detail
  return isConfirmed ? first : { state: 'NOT_READ' }
}

async function secondReading(
  client: ChainClient,
  others: readonly ChainClient[],
  pool: IndexedPool,
  range: CheckedRange,
): Promise<TokenReading> {
  for (const other of others) {
    const reading = await readTokens(other, pool, range)
    if (reading.state !== 'NOT_READ') return reading
  }
  const blocks = range.to.number - range.from.number + 1
  const logChunkBlocks = Math.ceil(Math.min(blocks, pool.logChunkBlocks) / 2)
  return readTokens(client, { ...pool, logChunkBlocks }, range)
}

async function readTokens(
  client: ChainClient,
  pool: IndexedPool,
  { from, to, events }: CheckedRange,
): Promise<TokenReading> {
  try {
    const { logChunkBlocks } = pool
    const blocks = { from: from.number, to: to.number, logChunkBlocks }
    const logs = await readInChunks(client, blocks, (first, last) =>
      readTransferLogs(client, pool, first, last),
    )
    const window = { fromBlock: from.number, transfers: logs.flatMap(transferOf), events }
    const short = firstShortfall(pool, window)
    if (short !== null) return { state: 'NOT_EXACT', detail: `A swap was not delivered: ${short}.` }
    for (const token of pool.tokens) {
      const drift = await driftOf(client, to, pool.address, token, window)
      if (drift === 'UNKNOWN') return { state: 'NOT_READ' }
      if (drift !== 0n) {
        const detail = `The balance of ${token} changed by ${drift} in addition to its transfers.`
        return { state: 'NOT_EXACT', detail }
      }
    }
    return { state: 'EXACT' }
  } catch (error) {
    if (error instanceof ChainError && isIncapable(error)) return { state: 'NOT_READ' }
    throw error
  }
}

/** True if the provider will not serve the read later either. */
const isIncapable = ({ code, facts }: ChainError) =>
  code === 'LIQUIDITY_CHAIN_REQUEST_REFUSED' ||
  facts.reason === 'STATE_PRUNED' ||
  facts.reason === 'ANSWER_TOO_LARGE'

const of = (token: Address, { transfers }: Pick<Window, 'transfers'>) =>
  transfers.filter((transfer) => isAddressEqual(transfer.token, token))

/** Reads backwards, wider and wider, until each token has transfers enough. */
async function recentTransfers(
  client: ChainClient,
  head: Header,
  pool: WatchedPool,
): Promise<Window> {
  const transfers: Transfer[] = []
  const events: IndexedEvent<MarketEvent>[] = []
  let width = Math.min(firstWidthBlocks, pool.logChunkBlocks)
  let fromBlock = head.number + 1
  for (let round = 0; round < limits.chainSearchRounds && fromBlock > 0; round += 1) {
    const [from, to] = [Math.max(0, fromBlock - width), fromBlock - 1]
    const found = await logsOrNull(client, pool, from, to)
    if (found === null) {
      width = Math.max(1, Math.floor(width / 4))
      continue
    }
    transfers.push(...found.transfers)
    events.push(...found.events)
    fromBlock = from
    if (pool.tokens.every((token) => of(token, { transfers }).length >= wantedTransfers)) break
    width = Math.min(width * 2, pool.logChunkBlocks)
  }
  return { fromBlock, transfers, events }
}

/** Logs of a range; null if too wide for the provider. */
async function logsOrNull(
  client: ChainClient,
  { kind, address, tokens }: WatchedPool,
  from: number,
  to: number,
): Promise<Pick<Window, 'transfers' | 'events'> | null> {
  try {
    const [own, transfers] = await Promise.all([
      readLogs(client, address, from, to),
      readTransferLogs(client, { address, tokens }, from, to),
    ])
    return { transfers: transfers.flatMap(transferOf), events: decodeLogs(kind, own, new Map()) }
  } catch (error) {
    const reason = error instanceof ChainError ? error.facts.reason : null
    const isTooWide = reason === 'RANGE_REFUSED' || reason === 'ANSWER_TOO_LARGE'
    if (isTooWide && to > from) return null
    throw error
  }
}

/** Transfer logs of the tokens from and to a pool. */
async function readTransferLogs(
  client: ChainClient,
  { address, tokens }: Pick<IndexedPool, 'address' | 'tokens'>,
  from: number,
  to: number,
): Promise<PlacedLog[]> {
  const held = pad(address)
  const logged = await Promise.all(
    [
      [transferTopic, held],
      [transferTopic, null, held],
    ].map((topics) => readLogs(client, tokens, from, to, topics)),
  )
  const logs = new Map(
    logged.flat().map((log) => [`${log.address}|${log.blockNumber}|${log.logIndex}`, log]),
  )
  // A transfer of the pool to itself is found twice and counted once.
  return [...logs.values()]
}

function transferOf({ address, topics, data, transactionHash }: PlacedLog): Transfer[] {
  const [, from, to] = topics
  if (topics.length !== 3 || !from || !to || data === '0x') return []
  const party = (topic: Hex) => getAddress(`0x${topic.slice(26)}`)
  const parties = { from: party(from), to: party(to) }
  return [{ token: address, ...parties, amount: BigInt(data), transactionHash }]
}

/** First swap whose recipient got less than the pool reports as paid. */
function firstShortfall(pool: IndexedPool, window: Window): string | null {
  return firstUniswapShortfall(pool, window) ?? firstExchangeShortfall(pool, window)
}

/**
 * First exchange of a StableSwap pool without a transfer of exactly its output. Its event does not
 * name the receiver, so any transfer of the transaction can be the output, each of one exchange.
 */
function firstExchangeShortfall(
  { address, tokens }: IndexedPool,
  { events, transfers }: Window,
): string | null {
  const place = (transactionHash: Hex, token: Address) =>
    `${transactionHash}|${token}`.toLowerCase()
  const sent = new Map<string, bigint[]>()
  for (const { token, from, amount, transactionHash } of transfers) {
    if (!isAddressEqual(from, address)) continue
    const key = place(transactionHash, token)
    sent.set(key, [...(sent.get(key) ?? []), amount])
  }
  for (const { event, transactionHash } of events) {
    if (event.type !== 'TokenExchange' || event.tokensBought === 0n) continue
    const token = tokens[event.boughtId]
    if (token === undefined) continue
    const amounts = sent.get(place(transactionHash, token)) ?? []
    const found = amounts.indexOf(event.tokensBought)
    if (found === -1) {
      const most = amounts.reduce((max, amount) => (amount > max ? amount : max), 0n)
      return `${most} of ${event.tokensBought} of ${token} in block ${event.block} arrived`
    }
    amounts.splice(found, 1)
  }
  return null
}

function firstUniswapShortfall({ address, tokens }: IndexedPool, window: Window): string | null {
  const arrived = new Map<string, bigint>()
  const key = (transactionHash: Hex, token: Address, to: string) =>
    `${transactionHash}|${token}|${to}`.toLowerCase()
  for (const { token, from, to, amount, transactionHash } of window.transfers) {
    if (!isAddressEqual(from, address)) continue
    const place = key(transactionHash, token, to)
    arrived.set(place, (arrived.get(place) ?? 0n) + amount)
  }
  // Several swaps of one transaction may pay the same receiver.
  const paid = new Map<string, { amount: bigint; description: string }>()
  for (const { event, transactionHash, parties } of window.events) {
    if (event.type !== 'Swap' || parties.recipient === undefined) continue
    const out = paidBy(event)
    for (const [index, token] of tokens.entries()) {
      const name = key(transactionHash, token, parties.recipient)
      const amount = (paid.get(name)?.amount ?? 0n) + out[index]!
      if (amount > 0n)
        paid.set(name, { amount, description: `of ${token} in block ${event.block}` })
    }
  }
  for (const [place, { amount, description: stated }] of paid) {
    const came = arrived.get(place) ?? 0n
    if (came < amount) return `${came} of ${amount} ${stated} arrived`
  }
  return null
}

function paidBy(event: Extract<MarketEvent, { type: 'Swap' }>): [bigint, bigint] {
  if ('amount0Out' in event) return [event.amount0Out, event.amount1Out]
  const outflow = (amount: bigint) => (amount < 0n ? -amount : 0n)
  return [outflow(event.amount0), outflow(event.amount1)]
}

/** Balance change over the window beyond its transfers; UNKNOWN if earlier state is unavailable. */
async function driftOf(
  client: ChainClient,
  head: Header,
  pool: Address,
  token: Address,
  window: Window,
): Promise<bigint | 'UNKNOWN'> {
  const moved = of(token, window).reduce(
    (sum, { from, to, amount }) =>
      sum + (isAddressEqual(to, pool) ? amount : 0n) - (isAddressEqual(from, pool) ? amount : 0n),
    0n,
  )
  try {
    const before =
      window.fromBlock === 0
        ? 0n
        : await heldAt(client, await readHeader(client, window.fromBlock - 1), pool, token)
    return (await heldAt(client, head, pool, token)) - before - moved
  } catch (error) {
    if (error instanceof ChainError && error.facts.reason === 'STATE_PRUNED') return 'UNKNOWN'
    throw error
  }
}

async function heldAt(
  client: ChainClient,
  block: Header,
  pool: Address,
  token: Address,
): Promise<bigint> {
  const call = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [pool] } as const
  try {
    return await readAtBlock(client, block, (pin) => readContract(client, pin, call))
  } catch (error) {
    // The token did not exist yet.
    if (error instanceof CallRevertedError) return 0n
    throw error
  }
}
