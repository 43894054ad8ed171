import { H } from '@liquidity-os/evidence'
import { type Address, getAddress } from 'viem'
import { ChainError } from '../../../../integrations/chain/chain-error.ts'
import { detect } from '../../../../integrations/chain/detect-market.ts'
import { agreeOnFinalizedHead, readAtBlock } from '../../../../integrations/chain/finalized.ts'
import type { Header } from '../../../../integrations/chain/header.ts'
import { codeAt } from '../../../../integrations/chain/safe-account.ts'
import { limits } from '../../../../limits.ts'
import type { PublicChainAccess } from '../../../../services.ts'
import { type ProjectReading, readProject } from './read-project.ts'
import { type PublicChain, publicChains } from './registry.ts'
import { type OpenChain, openChain } from './session.ts'
import { UpstreamLine } from './upstream.ts'

/** Reason why a read failed. */
export type ReadingFault = 'BUSY' | 'TIMEOUT' | 'UNAVAILABLE'

export class ReadingError extends Error {
  override readonly name = 'ReadingError'
  readonly fault: ReadingFault
  constructor(fault: ReadingFault, cause: unknown) {
    super(`The chain could not be read: ${fault}.`, { cause })
    this.fault = fault
  }
}

interface CacheEntry<Value> {
  readonly at: number
  readonly value: Promise<Value>
}

/**
 * Reads chains for public callers through the deployment's nodes. Equal requests within a minute
 * share one answer. All public requests share one queue, so they cannot slow other users.
 */
export class PublicReader {
  readonly #services: PublicChainAccess
  readonly #line = new UpstreamLine({
    atOnce: limits.publicUpstreamAtOnce,
    waiting: limits.publicUpstreamWaiting,
    waitMilliseconds: limits.publicUpstreamWaitMilliseconds,
  })
  readonly #heads = new Map<number, CacheEntry<Header>>()
  readonly #headsSeen = new Map<number, Header>()
  readonly #readings = new Map<string, CacheEntry<ProjectReading | null>>()

  constructor(services: PublicChainAccess) {
    this.#services = services
  }

  chains(): Promise<ReadonlyMap<number, PublicChain>> {
    return publicChains(this.#services)
  }

  /** The last finalized block read, or null. */
  headSeen(chainId: number): Header | null {
    return this.#headsSeen.get(chainId) ?? null
  }

  /**
   * Reads a token at a recent finalized block, from cache if fresh.
   *
   * @returns null if the address is no token
   * @throws ReadingError
   */
  read(chain: PublicChain, address: Address): Promise<ProjectReading | null> {
    return this.#within(chain, async (open) => {
      const head = await this.#head(open)
      const { chainId, registryHash } = chain
      const place = { op: 'PROJECT', chainId, address, blockHash: head.hash, registryHash }
      return this.#cached(
        { cache: this.#readings, milliseconds: limits.publicReadingLifetimeMilliseconds },
        H('public-read', place),
        () => this.#reported(open, () => readProject(open, head, address, this.#services.clock())),
      )
    })
  }

  /** @throws ReadingError */
  hasCode(chain: PublicChain, address: Address): Promise<boolean> {
    return this.#within(chain, async (open) => {
      const head = await this.#head(open)
      const [client] = open.clients
      if (client === undefined) throw new Error('a chain requires at least one provider')
      return (await readAtBlock(client, head, (pin) => codeAt(client, pin, address))) !== '0x'
    })
  }

  /**
   * Tokens of a pool at a recent finalized block; null if the address is no supported pool.
   *
   * @throws ReadingError
   */
  tokensOfPool(chain: PublicChain, address: Address): Promise<readonly Address[] | null> {
    return this.#within(chain, async (open) => {
      const head = await this.#head(open)
      const [client] = open.clients
      if (client === undefined) throw new Error('a chain requires at least one provider')
      const detected = await detect(client, head, address)
      return detected.is === 'MARKET' ? detected.market.tokens.map((one) => getAddress(one)) : null
    })
  }

  #head(open: OpenChain): Promise<Header> {
    const { chain, clients } = open
    const milliseconds = limits.publicHeadLifetimeMilliseconds
    const ask = async () => {
      const { head } = await agreeOnFinalizedHead(clients, chain.finality)
      this.#headsSeen.set(chain.chainId, head)
      return head
    }
    return this.#cached({ cache: this.#heads, milliseconds }, chain.chainId, () =>
      this.#reported(open, ask),
    )
  }

  /** One request per key at a time. Caches the answer for a while; failures are retried. */
  #cached<Key, Value>(
    { cache, milliseconds }: { cache: Map<Key, CacheEntry<Value>>; milliseconds: number },
    key: Key,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    const now = this.#services.clock()
    const known = cache.get(key)
    if (known && now - known.at < milliseconds) return known.value
    const value = ask()
    cache.delete(key)
    cache.set(key, { at: now, value })
    for (const [oldest] of cache) {
      if (cache.size <= limits.publicReadings) break
      cache.delete(oldest)
    }
    value.catch(() => {
      if (cache.get(key)?.value === value) cache.delete(key)
    })
    return value
  }

  async #within<Value>(
    chain: PublicChain,
    work: (open: OpenChain) => Promise<Value>,
  ): Promise<Value> {
    const outbound = await this.#services.outbound()
    const milliseconds = this.#services.config.publicReadMilliseconds
    const open = openChain(chain, { outbound, line: this.#line, milliseconds })
    return this.#reported(open, () => work(open))
  }

  /**
   * Runs a read whose result several callers may share. All of its callers receive the same error.
   */
  async #reported<Value>(
    { trouble, signal }: OpenChain,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    try {
      const value = await ask()
      // Otherwise data that the queue rejected would look missing on chain.
      if (trouble.isBusy) throw new ReadingError('BUSY', null)
      return value
    } catch (error) {
      if (error instanceof ReadingError) throw error
      if (trouble.isBusy) throw new ReadingError('BUSY', error)
      if (!(error instanceof ChainError)) throw error
      const isLate = signal.aborted || error.facts.reason === 'TIMEOUT'
      throw new ReadingError(isLate ? 'TIMEOUT' : 'UNAVAILABLE', error)
    }
  }
}

const readers = new WeakMap<object, PublicReader>()

/** The single reader of a process. */
export function publicReader(services: PublicChainAccess): PublicReader {
  const reader = readers.get(services) ?? new PublicReader(services)
  readers.set(services, reader)
  return reader
}
