import type { contract } from '@liquidity-os/contract'
import { type Address, zeroAddress } from 'viem'
import {
  v2FactoryAbi,
  v2PairAbi,
  v3FactoryAbi,
  v3PoolAbi,
} from '../../../../integrations/chain/abis.ts'
import type { ChainClient } from '../../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import type { Pin } from '../../../../integrations/chain/finalized.ts'
import { namedAsset } from '../../../../market/treasury/asset-keys.ts'

/** A provider at a block. */
export interface At {
  readonly client: ChainClient
  readonly pin: Pin
}

/** A pool that its factory lists; the fee is that of a v3 pool, and null for a v2 pair. */
export interface PoolTerms {
  readonly factory: Address
  readonly feePips: number | null
}

/** Both assets of a plan as tokens; null if one is not a token. */
export function pairOfPlan({ token, quote }: Pick<contract.LaunchPlanInput, 'token' | 'quote'>) {
  const [first, second] = [namedAsset(token), namedAsset(quote)]
  if (first.kind !== 'TOKEN' || second.kind !== 'TOKEN') return null
  return { token: first.address, quote: second.address }
}

type Pair = NonNullable<ReturnType<typeof pairOfPlan>>

/** @returns null if the factory does not respond, the zero address if the pool does not exist */
export function findPool(
  { client, pin }: At,
  { token, quote }: Pair,
  { factory, feePips }: PoolTerms,
): Promise<Address | null> {
  return answered(() =>
    feePips === null
      ? readContract(client, pin, {
          address: factory,
          abi: v2FactoryAbi,
          functionName: 'getPair',
          args: [token, quote],
        })
      : readContract(client, pin, {
          address: factory,
          abi: v3FactoryAbi,
          functionName: 'getPool',
          args: [token, quote, feePips],
        }),
  )
}

const x192 = 1n << 192n

/**
 * Price of token1 in token0 as a fraction, with the raw values read. The numerator is 0 without a
 * price.
 */
export interface PoolPrice {
  readonly num: bigint
  readonly den: bigint
  /**
   * True for a pair with a single reserve: its router returns no amount of the other token, so it
   * cannot add liquidity.
   */
  readonly isOneSided: boolean
  readonly read: Readonly<Record<string, bigint>>
}

/** Quote atoms per token atom in a pool; null if the pool does not respond. */
export async function readPoolPrice(
  { client, pin }: At,
  { token, quote }: Pair,
  pool: Address,
  { feePips }: PoolTerms,
): Promise<PoolPrice | null> {
  const isFirst = token.toLowerCase() < quote.toLowerCase()
  if (feePips === null) {
    const reserves = await answered(() =>
      readContract(client, pin, { address: pool, abi: v2PairAbi, functionName: 'getReserves' }),
    )
    if (reserves === null) return null
    const [reserve0, reserve1] = reserves
    const [num, den] = isFirst ? [reserve1, reserve0] : [reserve0, reserve1]
    // Without both reserves a pair has no price: its first provider sets it.
    const isOneSided = (reserve0 === 0n) !== (reserve1 === 0n)
    return { num: den === 0n ? 0n : num, den, isOneSided, read: { reserve0, reserve1 } }
  }
  const slot = await answered(() =>
    readContract(client, pin, { address: pool, abi: v3PoolAbi, functionName: 'slot0' }),
  )
  if (slot === null) return null
  const [root] = slot
  const square = root * root
  const [num, den] = isFirst ? [square, x192] : [x192, square]
  return { num: root === 0n ? 0n : num, den, isOneSided: false, read: { sqrtPriceX96: root } }
}

export const isNoPool = (pool: Address): boolean => pool === zeroAddress
