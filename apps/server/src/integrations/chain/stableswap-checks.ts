import { PoolRevertError, type StableState, viewVirtualPrice } from '@liquidity-os/engine/amm'
import { type MarketEvent, startReplay, type Verdict } from '@liquidity-os/engine/replay'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { limits } from '../../limits.ts'
import { CallRevertedError, ChainError } from './chain-error.ts'
import { type Check, checkEqual } from './check.ts'
import { ask, type ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin, readAtBlock } from './finalized.ts'
import { type Header, readHeader } from './header.ts'
import { decodeLogs, type IndexedEvent } from './logs.ts'
import type { PlacedLog } from './placed-log.ts'
import { readLogs } from './read-logs.ts'
import { stableSwapAbi } from './stableswap-abi.ts'
import {
  maxDecimals,
  plainRates,
  readCoin,
  readDecimals,
  readStableSwapState,
  type StableTerms,
} from './stableswap-state.ts'

export type StableIdentity = StableTerms & {
  readonly kind: 'STABLESWAP'
  readonly chainId: number
  readonly base: Address
  readonly quote: Address
  readonly baseDecimals: number
  readonly quoteDecimals: number
  /** Fee at the peg, hundredths of a basis point, rounded up to a whole one. */
  readonly feePips: number
  /** Maximum blocks per log query. */
  readonly logChunkBlocks: number
}

/** One millionth, in the pool's fee units (10^10 = 100 %). */
const pip = 10_000n
const noAnswer = 'NO_ANSWER'
/** Number of exchanges that must match exactly. */
const wantedExchanges = 3

/**
 * Verifies at a block that a StableSwap pool matches its profile.
 *
 * Each pool is compiled for its coins, so no list of known code can cover them. Computation proves
 * the build instead: the virtual price from the storage, and a replay of the last exchanges. The
 * provider must have the state before them.
 *
 * @throws ChainError if a read fails
 */
export async function checkStableSwap(
  client: ChainClient,
  block: Header,
  venue: StableIdentity,
): Promise<Check[]> {
  const { identity, isPool } = await readAtBlock(client, block, (pin) =>
    checkIdentity(client, pin, venue),
  )
  // Further checks are meaningless if the contract is no pool.
  if (!isPool) return identity
  const state = await stateOrNull(client, block, venue)
  if (state === null) {
    return [...identity, failed('STATE', `storage of a ${venue.variant} pool`, noAnswer)]
  }
  const terms = await readAtBlock(client, block, (pin) => checkTerms(client, pin, venue, state))
  return [...identity, ...terms, await checkExchanges(client, block, venue)]
}

async function checkIdentity(
  client: ChainClient,
  pin: Pin,
  venue: StableIdentity,
): Promise<{ identity: Check[]; isPool: boolean }> {
  const { address, coins, base, quote } = venue
  const [code, held, behind, baseDecimals, quoteDecimals, decimals] = await Promise.all([
    ask<Hex>(client, 'eth_getCode', [address, blockArgument(pin)]),
    Promise.all(coins.map((_, coin) => readCoin(client, pin, address, coin))),
    readCoin(client, pin, address, coins.length),
    decimalsOf(client, pin, base),
    decimalsOf(client, pin, quote),
    Promise.all(coins.map((coin) => decimalsOf(client, pin, coin))),
  ])
  const present: Check = {
    code: 'CODE_PRESENT',
    ok: code !== '0x',
    expected: 'code',
    observed: `${(code.length - 2) / 2} bytes`,
  }
  // One coin index beyond the profile is read, to detect an omitted coin.
  const found = [...held, behind].filter((coin) => coin !== zeroAddress)
  const coinList = (list: readonly Address[]) =>
    list.length === 0 ? 'none' : list.map((coin) => getAddress(coin)).join(' ')
  const listed = checkEqual('COINS', coinList(coins), coinList(found))
  // The profile does not describe coins outside the pair. A coin without decimals, or with more,
  // has no rate.
  const bounded: Check = {
    code: 'COIN_DECIMALS',
    ok: decimals.every((text) => text !== noAnswer && Number(text) <= maxDecimals),
    expected: `0 to ${maxDecimals} for every coin`,
    observed: decimals.join(' '),
  }
  return {
    identity: [
      ...[present, listed, checkEqual('BASE_DECIMALS', venue.baseDecimals, baseDecimals)],
      ...[checkEqual('QUOTE_DECIMALS', venue.quoteDecimals, quoteDecimals), bounded],
    ],
    isPool: present.ok && listed.ok && bounded.ok,
  }
}

async function checkTerms(
  client: ChainClient,
  pin: Pin,
  venue: StableIdentity,
  state: StableState,
): Promise<Check[]> {
  const { address, coins, feePips } = venue
  const call = { address, abi: stableSwapAbi, functionName: 'get_virtual_price' } as const
  const [plain, virtualPrice] = await Promise.all([
    orNoAnswer(async () => (await plainRates(client, pin, coins)).join(' ')),
    orNoAnswer(async () => String(await readContract(client, pin, call))),
  ])
  const { balances, totalSupply, feeX10, rates } = state
  const isFilled = totalSupply > 0n && balances.every((held) => held > 0n)
  const liquidity = {
    expected: 'a positive balance of every coin, and positive liquidity',
    ok: isFilled,
  }
  return [
    checkEqual('FEE', feePips, Number((feeX10 + pip - 1n) / pip)),
    { code: 'LIQUIDITY', ...liquidity, observed: `${totalSupply}: ${balances.join(' ')}` },
    // A variable rate emits no event, so such a pool could not be verified.
    checkEqual('RATES', plain, rates.join(' ')),
    checkEqual('VIRTUAL_PRICE', priceOf(state), virtualPrice),
  ]
}

function priceOf(state: StableState): string {
  try {
    return `${viewVirtualPrice(state)}`
  } catch (error) {
    if (error instanceof PoolRevertError) return noAnswer
    throw error
  }
}

/** Replays the last exchanges, block by block, each from the state at the end of the block before. */
async function checkExchanges(
  client: ChainClient,
  head: Header,
  venue: StableIdentity,
): Promise<Check> {
  const expected = `${wantedExchanges} recent exchanges that match exactly`
  const blocks = await recentExchanges(client, head, venue)
  let exact = 0
  for (const events of blocks) {
    // Each block is replayed for its exchanges.
    const { block } = events[0]!.event
    const [before, now] = await Promise.all([
      readHeader(client, block - 1).then((header) => stateOrNull(client, header, venue)),
      readHeader(client, block),
    ])
    const at = `in block ${block}`
    if (before === null) return failed('EXCHANGES', expected, `no pool before the exchange ${at}`)
    const replay = startReplay(before)
    for (const { event } of events) {
      const verdict = replay.apply({ ...event, timestamp: now.timestamp })
      if (verdict.status !== 'EXACT') {
        return failed('EXCHANGES', expected, `${event.type} ${at}: ${whyNot(verdict)}`)
      }
      if (event.type === 'TokenExchange') exact += 1
    }
  }
  const ok = exact >= wantedExchanges
  const oldest = blocks.at(-1)?.[0]?.event.block
  const observed = oldest === undefined ? 'none' : `${exact} since block ${oldest}`
  return { code: 'EXCHANGES', ok, expected, observed }
}

/** Events of the newest blocks that together contain enough exchanges, newest first. */
async function recentExchanges(
  client: ChainClient,
  head: Header,
  { address, logChunkBlocks }: StableIdentity,
): Promise<IndexedEvent<MarketEvent>[][]> {
  const found: IndexedEvent<MarketEvent>[][] = []
  let exchanges = 0
  let width = logChunkBlocks
  let to = head.number
  for (let query = 0; query < limits.chainSearchChunks && to > 0; query += 1) {
    const from = Math.max(1, to - width + 1)
    const logs = await logsOrNull(client, address, from, to)
    if (logs === null) {
      width = Math.max(1, Math.floor((to - from + 1) / 2))
      continue
    }
    const events = decodeLogs('STABLESWAP', logs, new Map())
    const blocks = Map.groupBy(events, ({ event }) => event.block)
    for (const inBlock of [...blocks.values()].reverse()) {
      const count = inBlock.filter(({ event }) => event.type === 'TokenExchange').length
      if (count === 0) continue
      found.push(inBlock)
      exchanges += count
      if (exchanges >= wantedExchanges) return found
    }
    to = from - 1
  }
  return found
}

function whyNot(verdict: Exclude<Verdict, { status: 'EXACT' }>): string {
  if (verdict.status === 'REFUSED') return verdict.reason
  const [first] = verdict.mismatches
  return first
    ? `${first.field}: recorded ${first.recorded}, computed ${first.computed}`
    : verdict.status
}

/** Logs of a range; null if too wide for the provider. */
async function logsOrNull(
  client: ChainClient,
  address: Address,
  from: number,
  to: number,
): Promise<PlacedLog[] | null> {
  try {
    return await readLogs(client, address, from, to)
  } catch (error) {
    const reason = error instanceof ChainError ? error.facts.reason : null
    const isTooWide = reason === 'RANGE_REFUSED' || reason === 'ANSWER_TOO_LARGE'
    if (isTooWide && to > from) return null
    throw error
  }
}

async function stateOrNull(
  client: ChainClient,
  block: Header,
  venue: StableTerms,
): Promise<StableState | null> {
  try {
    return await readStableSwapState(client, block, venue)
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    throw error
  }
}

const decimalsOf = (client: ChainClient, pin: Pin, coin: Address) =>
  orNoAnswer(async () => String(await readDecimals(client, pin, coin)))

async function orNoAnswer(read: () => Promise<string>): Promise<string> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CallRevertedError) return noAnswer
    throw error
  }
}

const failed = (code: string, expected: string, observed: string): Check => ({
  code,
  ok: false,
  expected,
  observed,
})
