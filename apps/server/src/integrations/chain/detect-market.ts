import { type Address, getAddress, type Hex, toEventSelector } from 'viem'
import { limits } from '../../limits.ts'
import { tokenAbi, v2PairAbi, v3PoolAbi } from './abis.ts'
import { ChainError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { answered, inSlices, readContract } from './contract-call.ts'
import { blockArgument, type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { readLogs } from './read-logs.ts'
import { signedIndexAbi, stableSwapAbi } from './stableswap-abi.ts'
import { readSymbol } from './token-symbol.ts'

/** Token metadata as the token reports it. */
export interface DetectedToken {
  readonly address: Address
  /** Null if the token has no symbol, or a symbol beyond short printable text. */
  readonly symbol: string | null
  readonly decimals: number | null
}

/** A market as its contract describes itself; not yet checked against a factory. */
export interface DetectedMarket {
  readonly kind: 'UNISWAP_V2' | 'UNISWAP_V3' | 'STABLESWAP'
  readonly address: Address
  readonly factory: Address | null
  /** In the order of the pool. */
  readonly tokens: readonly Address[]
  readonly feePips: number | null
  readonly tickSpacing: number | null
}

export type Detected =
  | { readonly is: 'MARKET'; readonly market: DetectedMarket }
  | { readonly is: 'TOKEN'; readonly token: DetectedToken }
  | { readonly is: 'CONTRACT' | 'NOTHING' }

const created = {
  UNISWAP_V3: toEventSelector('event PoolCreated(address,address,uint24,int24,address)'),
  UNISWAP_V2: toEventSelector('event PairCreated(address,address,address,uint256)'),
} as const

/**
 * Classifies an address by its responses at a block.
 *
 * @throws ChainError if a read fails
 */
export function detect(client: ChainClient, block: Header, address: Address): Promise<Detected> {
  return readAtBlock(client, block, async (pin) => {
    if (!(await hasCode(client, pin, address))) return { is: 'NOTHING' }
    const market =
      (await detectPool(client, pin, address)) ?? (await detectStableSwap(client, pin, address))
    if (market) return { is: 'MARKET', market }
    const token = await readToken(client, pin, address)
    return token.decimals === null ? { is: 'CONTRACT' } : { is: 'TOKEN', token }
  })
}

/** Metadata that tokens return at a block. */
export function readTokens(
  client: ChainClient,
  block: Header,
  tokens: readonly Address[],
): Promise<DetectedToken[]> {
  return readAtBlock(client, block, (pin) =>
    inSlices(tokens, limits.detectedAtOnce, (token) => readToken(client, pin, token)),
  )
}

/** Token balances of several holders at a block; null if the token returns no balance. */
export function readHeld(
  client: ChainClient,
  block: Header,
  { token, holders }: { token: Address; holders: readonly Address[] },
): Promise<(bigint | null)[]> {
  return readAtBlock(client, block, (pin) =>
    inSlices(holders, limits.detectedAtOnce, (holder) =>
      answered(() =>
        readContract(client, pin, {
          address: token,
          abi: tokenAbi,
          functionName: 'balanceOf',
          args: [holder],
        }),
      ),
    ),
  )
}

/**
 * Pools of a token that a factory reports, oldest first. One query covers all blocks, because a
 * token has few pools.
 *
 * @returns null if the provider rejects such a query
 * @throws ChainError if a read fails
 */
export async function poolsOf(
  client: ChainClient,
  toBlock: number,
  terms: { kind: keyof typeof created; factory: Address; token: Address },
): Promise<Address[] | null> {
  const { kind, factory, token } = terms
  const padded: Hex = `0x${token.slice(2).toLowerCase().padStart(64, '0')}`
  const sides = [
    [created[kind], padded],
    [created[kind], null, padded],
  ] as const
  try {
    const found = await Promise.all(
      sides.map((topics) => readLogs(client, factory, 0, toBlock, topics)),
    )
    return found
      .flat()
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
      .map(({ data }) => poolIn(kind, data))
  } catch (error) {
    if (isDeclined(error)) return null
    throw error
  }
}

/** The pool is the last word of a v3 factory's data, and the first of a v2 factory's. */
function poolIn(kind: keyof typeof created, data: Hex): Address {
  const words = data.slice(2).match(/.{64}/g) ?? []
  return getAddress(`0x${(kind === 'UNISWAP_V3' ? words.at(-1) : words[0])?.slice(24)}`)
}

/**
 * First block with code at an address, by binary search.
 *
 * @returns null if the provider lacks historical state
 * @throws ChainError if a read fails
 */
export async function firstBlockOf(
  client: ChainClient,
  address: Address,
  head: Header,
): Promise<number | null> {
  let [low, high] = [-1, head.number]
  try {
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      const code = await ask<Hex>(client, 'eth_getCode', [address, `0x${middle.toString(16)}`])
      if (code === '0x') low = middle
      else high = middle
    }
    return high
  } catch (error) {
    if (isDeclined(error)) return null
    throw error
  }
}

/** True if a provider responded that it does not support the call; another provider may. */
function isDeclined(error: unknown): boolean {
  const declined = ['REQUEST_REFUSED', 'UNKNOWN_BLOCK', 'STATE_PRUNED', 'RANGE_REFUSED']
  return (
    error instanceof ChainError && [...declined, 'ANSWER_TOO_LARGE'].includes(error.facts.reason)
  )
}

async function hasCode(client: ChainClient, pin: Pin, address: Address): Promise<boolean> {
  return (await ask<Hex>(client, 'eth_getCode', [address, blockArgument(pin)])) !== '0x'
}

async function detectPool(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<DetectedMarket | null> {
  const pool = { address, abi: v3PoolAbi } as const
  const read = <Name extends 'factory' | 'token0' | 'token1' | 'fee' | 'tickSpacing'>(name: Name) =>
    answered(() => readContract(client, pin, { ...pool, functionName: name }))
  const [factory, token0, token1, fee, tickSpacing, reserves] = await Promise.all([
    ...([read('factory'), read('token0'), read('token1')] as const),
    ...([read('fee'), read('tickSpacing')] as const),
    answered(() =>
      readContract(client, pin, { address, abi: v2PairAbi, functionName: 'getReserves' }),
    ),
  ])
  if (factory === null || token0 === null || token1 === null) return null
  const found = { address: getAddress(address), factory, tokens: [token0, token1] }
  if (fee !== null && tickSpacing !== null) {
    return { kind: 'UNISWAP_V3', ...found, feePips: fee, tickSpacing }
  }
  if (reserves === null) return null
  return { kind: 'UNISWAP_V2', ...found, feePips: null, tickSpacing: null }
}

/** Reads coins by index until a call fails; pools have at most eight. */
async function detectStableSwap(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<DetectedMarket | null> {
  const amplification = await answered(() =>
    readContract(client, pin, { address, abi: stableSwapAbi, functionName: 'initial_A' }),
  )
  if (amplification === null) return null
  const tokens: Address[] = []
  for (let index = 0n; index < 8n; index += 1n) {
    const args = [index] as const
    const coin =
      (await answered(() =>
        readContract(client, pin, { address, abi: stableSwapAbi, functionName: 'coins', args }),
      )) ??
      (await answered(() =>
        readContract(client, pin, { address, abi: signedIndexAbi, functionName: 'coins', args }),
      ))
    if (coin === null) break
    tokens.push(coin)
  }
  if (tokens.length < 2) return null
  const found = { kind: 'STABLESWAP', address: getAddress(address), factory: null } as const
  return { ...found, tokens, feePips: null, tickSpacing: null }
}

async function readToken(client: ChainClient, pin: Pin, address: Address): Promise<DetectedToken> {
  const [decimals, symbol] = await Promise.all([
    answered(() => readContract(client, pin, { address, abi: tokenAbi, functionName: 'decimals' })),
    readSymbol(client, pin, address),
  ])
  return { address: getAddress(address), symbol, decimals }
}
