import { classifyPairSwap, type PairFee } from '@liquidity-os/engine'
import type { Address } from 'viem'
import { ChainError } from './chain-error.ts'
import type { Check } from './check.ts'
import type { ChainClient } from './client.ts'
import type { Header } from './header.ts'
import { decodeLogs, type IndexedEvent } from './logs.ts'
import { readLogs } from './read-logs.ts'

type Reserves = { readonly reserve0: bigint; readonly reserve1: bigint }

const unknown: Reserves | null = null as Reserves | null
const wantedSwaps = 3
const firstWidth = 100
const mostRounds = 16

/** A fee in pips as a pair computes with it. The scale cancels out in both formulas of a pair. */
export function pairFeeOf(feePips: number): PairFee {
  return feePips % 1000 === 0
    ? { numerator: BigInt(feePips / 1000), denominator: 1000n }
    : { numerator: BigInt(feePips), denominator: 1_000_000n }
}

/**
 * Proves the fee of a pair whose code is not known by what it let happen: recent swaps come out to the atom at this fee,
 * and none took more than it allows. At a lower fee they would have got less than they could, at a higher one more
 * than they might.
 *
 * @param pair what its profile claims
 * @throws ChainError as the reads do
 */
export async function checkPairFee(
  client: ChainClient,
  head: Header,
  pair: {
    readonly address: Address
    readonly feePips: number
    readonly logChunkBlocks: number
  },
): Promise<Check> {
  const { fromBlock, events } = await recentEvents(client, head, pair)
  const fee = pairFeeOf(pair.feePips)
  const found = { exact: 0, less: 0, more: 0 }
  // The Sync of a swap precedes it, so what counts is the one before that.
  let [before, after] = [unknown, unknown]
  for (const { event } of events) {
    if (event.type === 'Sync') [before, after] = [after, event]
    if (event.type !== 'Swap' || !('amount0In' in event) || before === null) continue
    const kind = classifyPairSwap(before.reserve0, before.reserve1, event, fee)
    if (kind === 'EXACT_IN' || kind === 'EXACT_OUT') found.exact += 1
    else if (kind === 'OTHER_FEE') found.more += 1
    else found.less += 1
  }
  const { exact, less, more } = found
  return {
    code: 'FEE',
    ok: exact >= wantedSwaps && more === 0,
    expected: `${wantedSwaps} recent swaps to the atom at ${pair.feePips} pips, none above`,
    observed: `${exact} to the atom, ${less} below, ${more} above since block ${fromBlock}`,
  }
}

async function recentEvents(
  client: ChainClient,
  head: Header,
  { address, logChunkBlocks }: { readonly address: Address; readonly logChunkBlocks: number },
): Promise<{ fromBlock: number; events: IndexedEvent[] }> {
  let events: IndexedEvent[] = []
  let width = Math.min(firstWidth, logChunkBlocks)
  let fromBlock = head.number + 1
  for (let round = 0; round < mostRounds && fromBlock > 0; round += 1) {
    const from = Math.max(0, fromBlock - width)
    try {
      const logs = await readLogs(client, address, from, fromBlock - 1)
      events = decodeLogs('UNISWAP_V2', logs, new Map()).concat(events)
    } catch (error) {
      const reason = error instanceof ChainError ? error.facts.reason : null
      if (reason !== 'RANGE_REFUSED' && reason !== 'ANSWER_TOO_LARGE') throw error
      if (width === 1) throw error
      width = Math.max(1, Math.floor(width / 4))
      continue
    }
    fromBlock = from
    // Of the first one in a window the reserves before it may not be known.
    if (events.filter(({ event }) => event.type === 'Swap').length > wantedSwaps) break
    width = Math.min(width * 2, logChunkBlocks)
  }
  return { fromBlock, events }
}
