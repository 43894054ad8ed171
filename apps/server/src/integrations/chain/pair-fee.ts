import type { Address } from 'viem'
import { limits } from '../../limits.ts'
import { ChainError } from './chain-error.ts'
import type { Check } from './check.ts'
import type { ChainClient } from './client.ts'
import type { Header } from './header.ts'
import { decodeLogs, type IndexedEvent } from './logs.ts'
import { readLogs } from './read-logs.ts'
import { type FeeEvidence, swapFeeEvidence } from './swap-fee-evidence.ts'

type Reserves = { readonly reserve0: bigint; readonly reserve1: bigint }

const unknown: Reserves | null = null as Reserves | null
const wantedSwaps = 3
/** Maximum number of conclusive swaps to examine. */
const lookedAtSwaps = 10
const firstWidthBlocks = 100

type ClaimedPair = {
  readonly address: Address
  readonly feePips: number
  readonly logChunkBlocks: number
}

/**
 * Proves the fee of a pair with unknown code from recent swaps. At least half of the conclusive
 * swaps must match this fee exactly, and none may exceed it. With a lower true fee, swaps would
 * have received less than possible; with a higher one, more than allowed. Amounts too small to
 * distinguish fees are inconclusive.
 *
 * @param pair claims of its profile
 * @throws ChainError if a read fails
 */
export async function checkPairFee(
  client: ChainClient,
  head: Header,
  pair: ClaimedPair,
): Promise<Check> {
  const { fromBlock, evidence: reported } = await recentEvidence(client, head, pair)
  const count = (kind: FeeEvidence) => reported.filter((one) => one === kind).length
  const [exact, less, more] = [count('EXACT'), count('BELOW'), count('ABOVE')]
  const seen = `${exact} exact, ${less} below, ${more} above, ${count('SILENT')} inconclusive`
  return {
    code: 'FEE',
    ok: exact >= wantedSwaps && exact >= less && more === 0,
    expected: `at least ${wantedSwaps} recent swaps that match exactly at ${pair.feePips} pips, at least half of them, none above`,
    observed: `${seen} since block ${fromBlock}`,
  }
}

function evidenceOf(events: readonly IndexedEvent[], feePips: number): FeeEvidence[] {
  // A Sync event precedes its Swap, so the Sync before that one applies.
  let [before, after] = [unknown, unknown]
  return events.flatMap(({ event }): FeeEvidence[] => {
    if (event.type === 'Sync') [before, after] = [after, event]
    if (event.type !== 'Swap' || !('amount0In' in event) || before === null) return []
    return [swapFeeEvidence(before, event, feePips)]
  })
}

async function recentEvidence(
  client: ChainClient,
  head: Header,
  { address, feePips, logChunkBlocks }: ClaimedPair,
): Promise<{ fromBlock: number; evidence: FeeEvidence[] }> {
  let events: IndexedEvent[] = []
  let evidence: FeeEvidence[] = []
  let width = Math.min(firstWidthBlocks, logChunkBlocks)
  let fromBlock = head.number + 1
  for (let round = 0; round < limits.chainSearchRounds && fromBlock > 0; round += 1) {
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
    evidence = evidenceOf(events, feePips)
    if (evidence.filter((one) => one !== 'SILENT').length >= lookedAtSwaps) break
    width = Math.min(width * 2, logChunkBlocks)
  }
  return { fromBlock, evidence }
}
