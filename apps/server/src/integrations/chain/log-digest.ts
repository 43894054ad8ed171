import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { ChainError } from './chain-error.ts'
import { type ChainClient, inconsistent } from './client.ts'
import { type Header, readHeader } from './header.ts'
import type { PlacedLog } from './placed-log.ts'
import { readLogs, type TopicFilter } from './read-logs.ts'

/** Log selection: all logs of a contract, or logs that match any filter. */
export type LogQuery = { readonly address: Address; readonly filters?: readonly TopicFilter[] }

/** Part of the logs of a range that two providers must agree on. */
export type LogDigest = { readonly count: number; readonly hash: string }

/** Logs that one provider returned for a range, with its last block. */
export type ReportedLogs = {
  readonly fromBlock: number
  readonly to: Header
  readonly digest: LogDigest
}

/**
 * Logs of a range that match a query, without duplicates.
 *
 * @throws ChainError if a read fails, or if two versions of a log differ
 */
export async function readMatchingLogs(
  client: ChainClient,
  { address, filters }: LogQuery,
  fromBlock: number,
  toBlock: number,
): Promise<PlacedLog[]> {
  if (filters === undefined) return readLogs(client, address, fromBlock, toBlock)
  const found = new Map<string, PlacedLog>()
  for (const filter of filters) {
    for (const log of await readLogs(client, address, fromBlock, toBlock, filter)) {
      const place = `${log.blockNumber}:${log.logIndex}`
      const before = found.get(place)
      if (before && digestOfLogs([before]).hash !== digestOfLogs([log]).hash) {
        throw inconsistent('eth_getLogs')
      }
      found.set(place, log)
    }
  }
  return [...found.values()]
}

/** Count and SHA-256 of logs with their positions, in chain order. */
export function digestOfLogs(logs: readonly PlacedLog[]): LogDigest {
  const ordered = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const lines = ordered.map(
    ({ blockNumber, logIndex, blockHash, transactionHash, topics, data }) =>
      `${canonicalize({ blockNumber, logIndex, blockHash, transactionHash, topics, data })}\n`,
  )
  return { count: logs.length, hash: `0x${sha256Hex(Buffer.from(lines.join('')))}` }
}

/**
 * Compares logs of a range with another provider: hash of the last block, and count and hash of the
 * logs. Halves a range that is too wide for that provider.
 *
 * @returns the disagreement, or null
 * @throws ChainError if a read fails
 */
export async function findDisagreement(
  other: ChainClient,
  query: LogQuery,
  { fromBlock, to, digest }: ReportedLogs,
): Promise<string | null> {
  const [header, theirs] = await Promise.all([
    readHeader(other, to.number),
    readHalved(other, query, fromBlock, to.number).then(digestOfLogs),
  ])
  if (header.hash !== to.hash) return `the hash of block ${to.number}`
  if (theirs.hash === digest.hash) return null
  const counts = `${digest.count} and ${theirs.count}`
  return `the logs of blocks ${fromBlock} to ${to.number}: counts ${counts}`
}

async function readHalved(
  client: ChainClient,
  query: LogQuery,
  fromBlock: number,
  toBlock: number,
): Promise<PlacedLog[]> {
  try {
    return await readMatchingLogs(client, query, fromBlock, toBlock)
  } catch (error) {
    const reason = error instanceof ChainError ? error.facts.reason : null
    const isTooWide = reason === 'RANGE_REFUSED' || reason === 'ANSWER_TOO_LARGE'
    if (!isTooWide || fromBlock === toBlock) throw error
  }
  const middle = Math.floor((fromBlock + toBlock) / 2)
  const first = await readHalved(client, query, fromBlock, middle)
  return first.concat(await readHalved(client, query, middle + 1, toBlock))
}
