import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import type { PlacedLog } from './logs.ts'
import { readLogs } from './read-logs.ts'

/** What two providers compare of the logs of a range. */
export type LogDigest = { readonly count: number; readonly hash: string }

/** Count and SHA-256 of logs with their places in the chain, in chain order. */
export function digestOfLogs(logs: readonly PlacedLog[]): LogDigest {
  const ordered = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const lines = ordered.map(
    ({ blockNumber, logIndex, blockHash, transactionHash, topics, data }) =>
      `${canonicalize({ blockNumber, logIndex, blockHash, transactionHash, topics, data })}\n`,
  )
  return { count: logs.length, hash: `0x${sha256Hex(Buffer.from(lines.join('')))}` }
}

/**
 * The digest of what another provider says of a range, asked in halves where that one finds it too wide.
 *
 * @throws ChainError as the reads do
 */
export async function readLogDigest(
  client: ChainClient,
  address: Address,
  fromBlock: number,
  toBlock: number,
): Promise<LogDigest> {
  return digestOfLogs(await readHalved(client, address, fromBlock, toBlock))
}

async function readHalved(
  client: ChainClient,
  address: Address,
  fromBlock: number,
  toBlock: number,
): Promise<PlacedLog[]> {
  try {
    return await readLogs(client, address, fromBlock, toBlock)
  } catch (error) {
    const reason = error instanceof ChainError ? error.facts.reason : null
    const isTooWide = reason === 'RANGE_REFUSED' || reason === 'ANSWER_TOO_LARGE'
    if (!isTooWide || fromBlock === toBlock) throw error
  }
  const middle = Math.floor((fromBlock + toBlock) / 2)
  const first = await readHalved(client, address, fromBlock, middle)
  return first.concat(await readHalved(client, address, middle + 1, toBlock))
}
