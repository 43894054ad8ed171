import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import type { Address, Hex } from 'viem'
import { CallRevertedError, ChainError } from '../../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { agreeOnAnswer } from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { decodeLogs, type IndexedEvent } from '../../../integrations/chain/logs.ts'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import { readReserves, readSqrtPrice } from '../../../integrations/chain/pool-state.ts'
import { readLogs } from '../../../integrations/chain/read-logs.ts'
import { type Receipt, readReceipt } from '../../../integrations/chain/receipts.ts'
import { type PoolTerms, verifyPool } from '../../../integrations/chain/verify-pool.ts'
import { limits } from '../../../limits.ts'

type Clients = readonly [ChainClient, ...ChainClient[]]

/**
 * Reads chain data for an attribution and caches it. All providers must agree on receipts, headers
 * and logs. The first provider with the historical state supplies it, and replaying its block's
 * logs proves it.
 */
export class ChainView {
  readonly chainId: number
  readonly clients: Clients
  readonly head: Header
  readonly #headers = new Map<number, Promise<Header>>()
  readonly #receipts = new Map<string, Promise<Receipt | null>>()
  readonly #pools = new Map<string, Promise<PoolTerms | null>>()
  readonly #blockLogs = new Map<string, Promise<PlacedLog[]>>()
  readonly #prices = new Map<string, Promise<Rat | null>>()

  /** @param head the finalized block agreed by the providers */
  constructor(chainId: number, clients: Clients, head: Header) {
    this.chainId = chainId
    this.clients = clients
    this.head = head
  }

  header(number: number): Promise<Header> {
    return once(this.#headers, number, () =>
      agreeOnAnswer(this.clients, (client) => readHeader(client, number)),
    )
  }

  receipt(hash: Hex): Promise<Receipt | null> {
    return once(this.#receipts, hash, () =>
      agreeOnAnswer(this.clients, (client) => readReceipt(client, hash)),
    )
  }

  /** Terms of a pool, or null if the address is not a pool with verified code. */
  pool(address: Address): Promise<PoolTerms | null> {
    return once(this.#pools, address, () => verifyPool(this.clients[0], this.head, address))
  }

  /** The raw logs of a pool in one block, in order. */
  blockLogs(pool: Address, block: Header): Promise<PlacedLog[]> {
    return once(this.#blockLogs, `${pool}|${block.number}`, async () => {
      const logs = await this.#logs(pool, block.number, block.number)
      if (logs.some(({ blockHash }) => blockHash !== block.hash)) throw reorganized(block)
      return logs
    })
  }

  /** The events of a pool in one block, in order. */
  async blockEvents(terms: PoolTerms, block: Header): Promise<IndexedEvent[]> {
    const logs = await this.blockLogs(terms.address, block)
    return decodeLogs(terms.kind, logs, new Map([[block.number, block.timestamp]]))
  }

  /** The events of a pool over a range of blocks, without their times. */
  async events(terms: PoolTerms, from: number, to: number): Promise<PoolEvent[]> {
    const logs = await this.#logs(terms.address, from, to)
    return decodeLogs(terms.kind, logs, new Map()).map(({ event }) => event)
  }

  /**
   * Events of a pool since the last one that contains its price, up to the end of a block.
   *
   * @returns null if the look-back finds no such event
   */
  async eventsSinceLastPrice(terms: PoolTerms, to: number): Promise<PoolEvent[] | null> {
    let later: PoolEvent[] = []
    let end = to
    for (let width = 200; end >= 0 && to - end < limits.attributionLookBackBlocks; width *= 2) {
      const from = Math.max(0, end - Math.min(width, limits.attributionLogChunkBlocks) + 1)
      const events = await this.events(terms, from, end)
      later = [...events, ...later]
      const last = later.findLastIndex(namesPrice)
      if (last >= 0) return later.slice(last)
      end = from - 1
    }
    return null
  }

  /**
   * Price of a pool at the end of a block, token1 per token0. Read from its state, else from its
   * last event.
   *
   * @returns null if the price is unknown or undefined
   */
  priceAt(terms: PoolTerms, block: Header): Promise<Rat | null> {
    return once(this.#prices, `${terms.address}|${block.number}`, async () => {
      const read = await this.withState((client) => readPrice(client, block, terms))
      if (read !== null) return read === 'NOTHING_THERE' ? null : read
      const [event] = (await this.eventsSinceLastPrice(terms, block.number)) ?? []
      return event ? priceOf(event) : null
    })
  }

  /**
   * Tries the providers in order for a read that needs historical state.
   *
   * @returns null if no provider has the state
   */
  async withState<Answer>(
    read: (client: ChainClient) => Promise<Answer>,
  ): Promise<Answer | 'NOTHING_THERE' | null> {
    for (const client of this.clients) {
      try {
        return await read(client)
      } catch (error) {
        if (error instanceof CallRevertedError) return 'NOTHING_THERE'
        if (!isMissingState(error)) throw error
      }
    }
    return null
  }

  /** The last block at or before a time, searched from a nearby block; null before the first. */
  async blockAt(near: Header, timestamp: number): Promise<Header | null> {
    if (this.head.timestamp <= timestamp) return this.head
    let [low, high] = [near.number, near.number]
    const isEarlier = async (number: number) => (await this.header(number)).timestamp <= timestamp
    for (let step = 1; high < this.head.number && (await isEarlier(high)); step *= 2) {
      low = high
      high = Math.min(this.head.number, high + step)
    }
    for (let step = 1; !(await isEarlier(low)); step *= 2) {
      if (low === 0) return null
      high = low
      low = Math.max(0, low - step)
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (await isEarlier(middle)) low = middle
      else high = middle
    }
    return this.header(low)
  }

  /** All receipts and block logs read so far, sorted by hash, and by pool and block. */
  async readings(): Promise<{ receipts: Receipt[]; logs: PlacedLog[] }> {
    const receipts = await Promise.all(this.#receipts.values())
    const logs = await Promise.all(this.#blockLogs.values())
    return {
      receipts: receipts.filter((receipt) => receipt !== null).sort(byPlace),
      logs: logs.flat().sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex),
    }
  }

  /** Logs over a range that is halved until the providers accept it. */
  async #logs(pool: Address, from: number, to: number): Promise<PlacedLog[]> {
    const width = limits.attributionLogChunkBlocks
    if (to - from >= width) {
      return [
        ...(await this.#logs(pool, from, from + width - 1)),
        ...(await this.#logs(pool, from + width, to)),
      ]
    }
    try {
      return await agreeOnAnswer(this.clients, async (client) =>
        (await readLogs(client, pool, from, to)).sort(
          (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
        ),
      )
    } catch (error) {
      const isTooWide = error instanceof ChainError && error.facts.reason === 'RANGE_REFUSED'
      if (!isTooWide || from === to) throw error
      const middle = Math.floor((from + to) / 2)
      return [
        ...(await this.#logs(pool, from, middle)),
        ...(await this.#logs(pool, middle + 1, to)),
      ]
    }
  }
}

/** Price after an event, token1 per token0; null if the event contains no price. */
export function priceOf(event: PoolEvent): Rat | null {
  if (event.type === 'Sync') return ratio(event.reserve1, event.reserve0)
  if ('sqrtPriceX96' in event) return ratio(event.sqrtPriceX96 ** 2n, 1n << 192n)
  return null
}

const namesPrice = (event: PoolEvent) => event.type === 'Sync' || 'sqrtPriceX96' in event

const ratio = (num: bigint, den: bigint): Rat | null => (num > 0n && den > 0n ? { num, den } : null)

async function readPrice(client: ChainClient, block: Header, { kind, address }: PoolTerms) {
  if (kind === 'UNISWAP_V3') {
    const sqrtPriceX96 = await readSqrtPrice(client, block, address)
    return ratio(sqrtPriceX96 ** 2n, 1n << 192n) ?? 'NOTHING_THERE'
  }
  const [reserve0, reserve1] = await readReserves(client, block, address)
  return ratio(reserve1, reserve0) ?? 'NOTHING_THERE'
}

function once<Key, Value>(
  cache: Map<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const found = cache.get(key) ?? read()
  cache.set(key, found)
  return found
}

const byPlace = (a: Receipt, b: Receipt) =>
  a.blockNumber - b.blockNumber || a.transactionIndex - b.transactionIndex

const isMissingState = (error: unknown) =>
  error instanceof ChainError && error.code === 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'

export function reorganized(block: { number: number }): ChainError {
  const facts = { reason: 'CANONICAL_HASH_CHANGED', blockNumber: block.number } as const
  return new ChainError({ code: 'LIQUIDITY_CHAIN_REORGED', ...facts })
}
