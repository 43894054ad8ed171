import type { Hex } from 'viem'
import { limits } from '../../limits.ts'
import { hashOnce, mayContain } from './bloom.ts'
import { ChainError, type ChainErrorReason } from './chain-error.ts'
import { type ChainClient, inconsistent } from './client.ts'
import { inSlices } from './contract-call.ts'
import { bloomOf, type Header, readHeader } from './header.ts'
import { slicesInTurns } from './in-turns.ts'
import { digestOfLogs, type LogDigest, type LogQuery, readMatchingLogs } from './log-digest.ts'
import type { PlacedLog } from './placed-log.ts'
import type { RpcPace } from './rpc-pace.ts'

/** A block that was read, with its hash at that time. */
export type Checkpoint = { readonly number: number; readonly hash: Hex }

/** Resume position. Plain data, so a job can store it and another process can resume. */
export type IndexCursor = {
  readonly nextBlock: number
  /** Ends of the chunks read so far, newest last; the oldest are forgotten. */
  readonly checkpoints: readonly Checkpoint[]
}

export type LogRange = {
  readonly fromBlock: number
  /** Last block to read; the chain of the whole range must lead to its hash. */
  readonly to: Header
  /** Maximum blocks per request, 10..10,000. */
  readonly logChunkBlocks: number
  readonly cursor?: IndexCursor
}

/** Notice that blocks already read are no longer on the chain. */
export type Reorganization = {
  readonly outcome: 'REORGED'
  /** Newest earlier checkpoint still on the chain; null if no stored checkpoint is. */
  readonly fork: Checkpoint | null
  /** Block at the time of detection. */
  readonly noticedAt: number
}

/** One chunk of logs. */
export type LogChunk = {
  readonly outcome: 'LOGS'
  readonly fromBlock: number
  readonly to: Header
  /** In no particular order. */
  readonly logs: readonly PlacedLog[]
  /** For comparison with another provider. */
  readonly digest: LogDigest
  /** Block time in seconds of every block with a log. */
  readonly timestamps: ReadonlyMap<number, number>
  readonly cursor: IndexCursor
}

/**
 * Reads logs over a range of finalized blocks, chunk by chunk.
 *
 * The chunk size is halved when the provider rejects it as too wide, and doubled after success. The
 * provider's limit is learned for all readers of its logs.
 * Headers are read for chunk edges and for every block with a log. A header must match the log's
 * block hash, link to its neighbor by parent hash, and lead to `to`. Any mismatch is a
 * reorganization and ends the run. The bloom of a block must contain its logs. Only the cursor carries over between chunks.
 *
 * @throws ChainError if the provider fails, or rejects even a single block
 */
export async function* indexLogs(
  client: ChainClient,
  query: LogQuery,
  range: LogRange,
): AsyncGenerator<LogChunk | Reorganization, void> {
  const { to, logChunkBlocks } = range
  let cursor = range.cursor ?? { nextBlock: range.fromBlock, checkpoints: [] }
  const newest = cursor.checkpoints.at(-1)
  if (newest && !(await isOnChain(client, newest))) {
    yield await reorganized(client, cursor, newest.number)
    return
  }
  const size = new ChunkSize(logChunkBlocks, client.transport.pace)
  while (cursor.nextBlock <= to.number) {
    const fromBlock = cursor.nextBlock
    const toBlock = Math.min(fromBlock + size.next() - 1, to.number)
    const logs = await size.attempt(toBlock - fromBlock + 1, () =>
      readMatchingLogs(client, query, fromBlock, toBlock),
    )
    if (logs === null) continue
    const headers = await readHeaders(client, logs, fromBlock, toBlock)
    const broken = findBreak(headers, logs, cursor.checkpoints.at(-1), to)
    if (broken !== null) {
      yield await reorganized(client, cursor, broken)
      return
    }
    await requireBlooms(logs, headers)
    const timestamps = new Map([...headers].map(([number, { timestamp }]) => [number, timestamp]))
    // readHeaders always reads both edges.
    const end = headers.get(toBlock)!
    const checkpoints = [...cursor.checkpoints, { number: end.number, hash: end.hash }]
    cursor = { nextBlock: toBlock + 1, checkpoints: checkpoints.slice(-limits.chainCheckpoints) }
    const digest = digestOfLogs(logs)
    yield { outcome: 'LOGS', fromBlock, to: end, logs, digest, timestamps, cursor }
  }
}

/**
 * Reads all logs of a range with the chunk sizes of `indexLogs`, without its checks of the chain.
 *
 * @param read logs from one block to another
 * @throws ChainError if the provider fails, or rejects even a single block
 */
export async function readInChunks(
  client: ChainClient,
  { from, to, logChunkBlocks }: { from: number; to: number; logChunkBlocks: number },
  read: (from: number, to: number) => Promise<PlacedLog[]>,
): Promise<PlacedLog[]> {
  const size = new ChunkSize(logChunkBlocks, client.transport.pace)
  const found: PlacedLog[] = []
  for (let block = from; block <= to; ) {
    const last = Math.min(to, block + size.next() - 1)
    const logs = await size.attempt(last - block + 1, () => read(block, last))
    if (logs === null) continue
    for (const log of logs) found.push(log)
    block = last + 1
  }
  return found
}

/** Failures with other causes than a wide range, most of the time. */
const vagueReasons: ReadonlySet<ChainErrorReason> = new Set(['TIMEOUT', 'HTTP_STATUS'])

/** Failures that a pause ends. */
const rateReasons: ReadonlySet<ChainErrorReason> = new Set(['RATE_LIMITED', 'QUOTA_EXHAUSTED'])

/** Chunk size in blocks, within the learned limit of the provider. */
class ChunkSize {
  /** Smaller than the learned limit after a chunk with too many logs. */
  #own: number
  readonly #maximum: number
  readonly #pace: RpcPace
  readonly #initialLimit: number | null
  readonly #named = new Set<number>()
  #vagueFailures = 0
  #isTrial = false

  constructor(maximum: number, pace: RpcPace) {
    this.#maximum = Math.max(1, maximum)
    this.#own = this.#maximum
    this.#pace = pace
    this.#initialLimit = pace.learnedLogBlocks
  }

  /** Blocks of the next request; `attempt` follows. */
  next(): number {
    const { blocks, isTrial } = this.#pace.nextLogBlocks(this.#own)
    this.#isTrial = isTrial
    return Math.min(this.#own, blocks ?? this.#maximum)
  }

  /**
   * Runs one request over a number of blocks. Null means: retry with the smaller chunk size now
   * set.
   *
   * @throws ChainError for other errors, or if a single block is rejected
   */
  async attempt(
    requested: number,
    read: () => Promise<PlacedLog[]>,
  ): Promise<readonly PlacedLog[] | null> {
    try {
      return await this.#attempt(requested, read)
    } finally {
      if (this.#isTrial) this.#pace.releaseLogBlocks()
      this.#isTrial = false
    }
  }

  async #attempt(
    requested: number,
    read: () => Promise<PlacedLog[]>,
  ): Promise<readonly PlacedLog[] | null> {
    const half = Math.max(1, Math.floor(requested / 2))
    try {
      const logs = await read()
      if (logs.length > limits.chainChunkLogs && requested > 1) {
        this.#own = half
        return null
      }
      this.#vagueFailures = 0
      this.#own = Math.min(this.#maximum, Math.max(this.#own, requested * 2))
      this.#pace.passLogBlocks(requested)
      return logs
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const { reason, namedBlocks = null } = error.facts
      if (requested === 1) {
        // The block itself is unreadable, so the refusals before were no limit of the range.
        if (!rateReasons.has(reason)) this.#pace.resetLogBlocks(this.#initialLimit)
        throw error
      }
      if (!this.#isTooWide(reason)) throw error
      // Only a refusal of the range is a limit of the provider.
      if (reason === 'RANGE_REFUSED') this.#pace.refuseLogBlocks(requested, this.#once(namedBlocks))
      else this.#own = half
      return null
    }
  }

  /** A number that a refusal names, the first time. */
  #once(named: number | null): number | null {
    if (named === null || this.#named.has(named)) return null
    this.#named.add(named)
    return named
  }

  #isTooWide(reason: ChainErrorReason): boolean {
    if (vagueReasons.has(reason)) return ++this.#vagueFailures < limits.chainTimeoutsInARow
    return reason === 'RANGE_REFUSED' || reason === 'ANSWER_TOO_LARGE' || reason === 'UNKNOWN_BLOCK'
  }
}

/** Headers of both edges and of every block with a log, ascending. */
async function readHeaders(
  client: ChainClient,
  logs: readonly PlacedLog[],
  fromBlock: number,
  toBlock: number,
): Promise<ReadonlyMap<number, Header>> {
  const numbers = new Set([fromBlock, toBlock, ...logs.map(({ blockNumber }) => blockNumber)])
  const ascending = [...numbers].sort((a, b) => a - b)
  const headers = await inSlices(ascending, limits.chainHeadersAtOnce, (number) =>
    readHeader(client, number),
  )
  return new Map(headers.map((header) => [header.number, header]))
}

/** The first block that does not match its neighbors, its logs or the end of the range. */
function findBreak(
  headers: ReadonlyMap<number, Header>,
  logs: readonly PlacedLog[],
  before: Checkpoint | undefined,
  to: Header,
): number | null {
  let previous = before
  for (const header of headers.values()) {
    const isNeighbour = previous?.number === header.number - 1
    if (isNeighbour && previous?.hash !== header.parentHash) return header.number
    if (header.number === to.number && header.hash !== to.hash) return header.number
    previous = header
  }
  const stray = logs.find((log) => headers.get(log.blockNumber)?.hash !== log.blockHash)
  return stray?.blockNumber ?? null
}

/** @throws ChainError INCONSISTENT_ANSWER for a log that its block does not contain */
async function requireBlooms(
  logs: readonly PlacedLog[],
  headers: ReadonlyMap<number, Header>,
): Promise<void> {
  const hashOf = hashOnce()
  for await (const slice of slicesInTurns(logs)) {
    for (const { blockNumber, address, topics } of slice) {
      const header = headers.get(blockNumber)
      const bloom = header ? bloomOf(header) : null
      if (bloom === null) continue
      const values = [address.toLowerCase() as Hex, ...topics]
      if (!values.every((value) => mayContain(bloom, hashOf(value)))) {
        throw inconsistent('eth_getLogs')
      }
    }
  }
}

async function isOnChain(client: ChainClient, { number, hash }: Checkpoint): Promise<boolean> {
  try {
    return (await readHeader(client, number)).hash === hash
  } catch (error) {
    // The new chain can be shorter than the old one.
    if (error instanceof ChainError && error.facts.reason === 'UNKNOWN_BLOCK') return false
    throw error
  }
}

async function reorganized(
  client: ChainClient,
  { checkpoints }: IndexCursor,
  noticedAt: number,
): Promise<Reorganization> {
  for (const checkpoint of [...checkpoints].reverse()) {
    if (await isOnChain(client, checkpoint)) {
      return { outcome: 'REORGED', fork: checkpoint, noticedAt }
    }
  }
  return { outcome: 'REORGED', fork: null, noticedAt }
}
