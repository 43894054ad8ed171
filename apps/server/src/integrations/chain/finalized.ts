import { isDeepStrictEqual } from 'node:util'
import { isTestNetwork } from '@liquidity-os/contract/test-networks'
import { ChainError } from './chain-error.ts'
import { ask, assertChains, type ChainClient } from './client.ts'
import { type Header, readHeader } from './header.ts'

/**
 * The node's `finalized` tag, or the number of confirmations after which a block of this chain is
 * final.
 */
export type FinalityRule = 'finalized' | number

/**
 * The finalized head of one provider.
 *
 * @param rule the tag, or a confirmation depth of 1 or more for a chain without it
 */
export async function readFinalizedHead(client: ChainClient, rule: FinalityRule): Promise<Header> {
  if (rule === 'finalized') return readTaggedHead(client)
  const latest = await readHeader(client, 'latest')
  return readHeader(client, Math.max(0, latest.number - rule))
}

/** Blocks after which a first finalized block is expected. */
const firstFinalized = 256

/** A node without finality returns an error, null, or the first block of the chain. */
async function readTaggedHead(client: ChainClient): Promise<Header> {
  const head = await readHeader(client, 'finalized')
  if (head.number > 0) return head
  if ((await readHeader(client, 'latest')).number < firstFinalized) return head
  const facts = { reason: 'UNKNOWN_BLOCK', method: 'eth_getBlockByNumber' } as const
  throw new ChainError({ code: 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE', ...facts })
}

export type FinalizedHead = {
  readonly head: Header
  readonly rule: FinalityRule
  /** Number of providers that returned the same hash at this height. */
  readonly agreeing: number
  /** Contains SINGLE_RPC_PROVIDER if no second provider could contradict. */
  readonly limitations: readonly string[]
  /** Providers that agree on the block, in the given order. */
  readonly clients: readonly [ChainClient, ...ChainClient[]]
}

/**
 * The highest block that every provider calls final, with the hash they all name for it.
 *
 * Providers may be at different heights, so the lowest of their finalized heads is compared; their
 * hashes are never outvoted: one that differs is reported.
 *
 * @throws ChainError PROVIDERS_DISAGREE when two providers name different hashes for the height, and
 *         INCONSISTENT_ANSWER when one is of another chain than it was registered for
 */
export async function agreeOnFinalizedHead(
  clients: readonly ChainClient[],
  rule: FinalityRule,
): Promise<FinalizedHead> {
  await assertChains(clients)
  return agreeOnHead(clients, rule)
}

/** The same, without verifying their chain. */
export async function agreeOnHead(
  clients: readonly ChainClient[],
  rule: FinalityRule,
): Promise<FinalizedHead> {
  if (clients.length === 0) throw new Error('a chain requires at least one provider')
  const heads = await Promise.all(clients.map((client) => readFinalizedHead(client, rule)))
  return compareHeads(clients, heads, rule)
}

/** Compares the hashes at the lowest of the heads. */
async function compareHeads(
  clients: readonly ChainClient[],
  heads: readonly Header[],
  rule: FinalityRule,
): Promise<FinalizedHead> {
  const height = Math.min(...heads.map(({ number }) => number))
  const headers = await Promise.all(
    heads.map((head, index) =>
      head.number === height ? head : readHeader(clients[index]!, height),
    ),
  )
  const [head] = headers
  if (head === undefined || headers.some(({ hash }) => hash !== head.hash)) {
    throw new ChainError({
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
      reason: 'HASHES_DIFFER',
      blockNumber: height,
    })
  }
  const limitations = clients.length === 1 ? [singleProvider] : []
  const agreed = clients as readonly [ChainClient, ...ChainClient[]]
  return { head, rule, agreeing: clients.length, limitations, clients: agreed }
}

/** Only one provider was read, so no other could contradict it. */
export const singleProvider = 'SINGLE_RPC_PROVIDER'

/** Behind the newest provider by more than both, a provider is left out. */
export const [laggingBlocks, laggingSeconds] = [64, 300]

/** A head dated further after the clock of the service is ignored. */
export const futureSeconds = 300

interface KnownHead {
  readonly client: ChainClient
  readonly head: Header
}

/**
 * The highest head that two providers confirm. Ignores providers that lag behind, that refuse
 * because of their limits, or whose head lies in the future, except on test networks. A head that is far above all others
 * counts only if no other pair remains; then both providers are compared at the lower head. If all
 * refuse, the refusal of the first is raised.
 *
 * @param now Unix time of the service, ms
 * @throws ChainError PROVIDERS_DISAGREE if two providers name different hashes for the height, and
 *         INCONSISTENT_ANSWER if all heads lie in the future
 */
export async function agreeOnCurrentHead(
  clients: readonly [ChainClient, ...ChainClient[]],
  rule: FinalityRule,
  now: number,
): Promise<FinalizedHead> {
  const found = await Promise.all(
    clients.map(async (client) => ({ client, head: await findHead(client, rule) })),
  )
  const known = found.flatMap(({ client, head }) =>
    head instanceof ChainError ? [] : [{ client, head }],
  )
  const [first] = found
  if (known.length === 0 && first?.head instanceof ChainError) throw first.head
  const latest = now / 1000 + futureSeconds
  const present = known.filter((one) => hasOwnTime(one) || one.head.timestamp <= latest)
  if (present.length === 0) {
    const facts = { reason: 'INCONSISTENT_ANSWER', method: 'eth_getBlockByNumber' } as const
    throw new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', ...facts })
  }
  const current = confirmedHeads(present)
  return compareHeads(
    current.map(({ client }) => client),
    current.map(({ head }) => head),
    rule,
  )
}

/** Test networks can move their clock forward. */
const hasOwnTime = ({ client: { chainId } }: KnownHead) =>
  chainId !== null && isTestNetwork(chainId)

/** The heads that do not lag behind the newest head with a second head near it. */
function confirmedHeads(known: readonly KnownHead[]): readonly KnownHead[] {
  const newestFirst = [...known].sort((one, other) => other.head.number - one.head.number)
  for (const [index, newest] of newestFirst.entries()) {
    const near = new Set(newestFirst.slice(index).filter((one) => !isLagging(one, newest)))
    // The given order remains, because state is read from the first.
    if (near.size > 1) return known.filter((one) => near.has(one))
  }
  const pair = new Set(newestFirst.slice(0, 2))
  return known.filter((one) => pair.has(one))
}

const isLagging = ({ head }: KnownHead, { head: newest }: KnownHead) =>
  newest.number - head.number > laggingBlocks && newest.timestamp - head.timestamp > laggingSeconds

/** The head of a provider, or its refusal because of a limit. */
async function findHead(client: ChainClient, rule: FinalityRule): Promise<Header | ChainError> {
  try {
    await assertChains([client])
    return await readFinalizedHead(client, rule)
  } catch (error) {
    if (isLimited(error)) return error
    throw error
  }
}

/** True if a provider refuses because of its rate or its quota. */
export const isLimited = (error: unknown): error is ChainError =>
  error instanceof ChainError &&
  (error.facts.reason === 'RATE_LIMITED' || error.facts.reason === 'QUOTA_EXHAUSTED')

/**
 * Reads the same data from every provider. Returns it only if all agree.
 *
 * @param read returns plain data; bigints compare by value
 * @throws ChainError PROVIDERS_DISAGREE if two responses differ
 */
export async function agreeOnAnswer<Answer>(
  clients: readonly [ChainClient, ...ChainClient[]],
  read: (client: ChainClient) => Promise<Answer>,
): Promise<Answer> {
  const [first, ...others] = await Promise.all(clients.map(read))
  if (others.some((other) => !isDeepStrictEqual(other, first))) {
    const code = 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE'
    throw new ChainError({ code, reason: 'ANSWERS_DIFFER' })
  }
  // There is one response per client, and at least one client.
  return first as Answer
}

/**
 * Highest block up to `maximum` with a time of at most `timestamp`. Uses binary search.
 *
 * @param maximum an existing block, such as the finalized head
 * @returns null if even the first block is later
 */
export async function findBlockAtTime(
  client: ChainClient,
  timestamp: number,
  maximum: Header,
): Promise<Header | null> {
  if (maximum.timestamp <= timestamp) return maximum
  let low = -1
  let high = maximum.number
  let found: Header | null = null
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const header = await readHeader(client, middle)
    if (header.timestamp <= timestamp) {
      low = middle
      found = header
    } else high = middle
  }
  return found
}

/** How state is read at a block: by hash, or by number with the hash checked again afterwards. */
export type Pin = { readonly block: Header; readonly form: 'HASH' | 'NUMBER' }

const noAccount = '0x0000000000000000000000000000000000000000'

/** EIP-1898: identifies a block by its hash and requires that it is on the main chain. */
function byHash({ hash }: Header) {
  return { blockHash: hash, requireCanonical: true } as const
}

/**
 * Determines how reads can be bound to one block.
 *
 * @throws ChainError STATE_UNAVAILABLE if the provider lacks the state of the block
 */
export async function pinBlock(client: ChainClient, block: Header): Promise<Pin> {
  try {
    await ask(client, 'eth_getBalance', [noAccount, byHash(block)])
    return { block, form: 'HASH' }
  } catch (error) {
    const isObjectRefused = error instanceof ChainError && error.facts.reason === 'REQUEST_REFUSED'
    if (!isObjectRefused) throw error
    return { block, form: 'NUMBER' }
  }
}

/** The block argument of a state-reading request. */
export function blockArgument({ block, form }: Pin): unknown {
  return form === 'HASH' ? byHash(block) : `0x${block.number.toString(16)}`
}

/**
 * Runs reads against one block. If the provider supports block numbers only, the header is read
 * again at the end, and a changed hash discards all reads.
 *
 * @throws ChainError REORGED if the block was replaced during the reads
 */
export async function readAtBlock<Result>(
  client: ChainClient,
  block: Header,
  read: (pin: Pin) => Promise<Result>,
): Promise<Result> {
  const pin = await pinBlock(client, block)
  const result = await read(pin)
  if (pin.form === 'NUMBER') {
    const again = await readHeader(client, block.number)
    if (again.hash !== block.hash) {
      const facts = { reason: 'CANONICAL_HASH_CHANGED', blockNumber: block.number } as const
      throw new ChainError({ code: 'LIQUIDITY_CHAIN_REORGED', ...facts })
    }
  }
  return result
}
