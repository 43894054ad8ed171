import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { v2FactoryAbi, v2PairAbi, v3FactoryAbi, v3PoolAbi } from './abis.ts'
import { CallRevertedError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { maskedCodeHash, uniswapV2PairCode, uniswapV3PoolCode } from './known-code.ts'
import type { MarketKind } from './logs.ts'
import { v2PairAddress, v3PoolAddress } from './pool-address.ts'

/** Properties of a pool, proven on chain. */
export type PoolTerms = {
  readonly kind: MarketKind
  readonly address: Address
  readonly factory: Address
  readonly token0: Address
  readonly token1: Address
  readonly feePips: number
  readonly tickSpacing: number
}

/**
 * Determines whether an address is a pool with genuine Uniswap code. Its code is the published
 * build, its address follows from factory, tokens and fee, and the factory names it. The factory
 * itself is unverified, but the formulas are those of the code.
 *
 * @returns null for anything else
 * @throws ChainError if a read fails
 */
export async function verifyPool(
  client: ChainClient,
  block: Header,
  address: Address,
): Promise<PoolTerms | null> {
  return readAtBlock(client, block, async (pin) => {
    const code = await ask<Hex>(client, 'eth_getCode', [address, blockArgument(pin)])
    try {
      if (maskedCodeHash(code, uniswapV3PoolCode) === uniswapV3PoolCode.hash) {
        return await v3Terms(client, pin, address)
      }
      if (maskedCodeHash(code, uniswapV2PairCode) === uniswapV2PairCode.hash) {
        return await v2Terms(client, pin, address)
      }
    } catch (error) {
      if (!(error instanceof CallRevertedError)) throw error
    }
    return null
  })
}

async function v3Terms(client: ChainClient, pin: Pin, address: Address): Promise<PoolTerms | null> {
  const of = { address, abi: v3PoolAbi } as const
  const [factory, token0, token1, feePips, tickSpacing] = await Promise.all([
    readContract(client, pin, { ...of, functionName: 'factory' }),
    readContract(client, pin, { ...of, functionName: 'token0' }),
    readContract(client, pin, { ...of, functionName: 'token1' }),
    readContract(client, pin, { ...of, functionName: 'fee' }),
    readContract(client, pin, { ...of, functionName: 'tickSpacing' }),
  ])
  if (!isAddressEqual(v3PoolAddress(factory, token0, token1, feePips), address)) return null
  const call = { address: factory, abi: v3FactoryAbi, functionName: 'getPool' } as const
  const named = await readContract(client, pin, { ...call, args: [token0, token1, feePips] })
  if (named === zeroAddress || !isAddressEqual(named, address)) return null
  return { kind: 'UNISWAP_V3', address, factory, token0, token1, feePips, tickSpacing }
}

async function v2Terms(client: ChainClient, pin: Pin, address: Address): Promise<PoolTerms | null> {
  const of = { address, abi: v2PairAbi } as const
  const [factory, token0, token1] = await Promise.all([
    readContract(client, pin, { ...of, functionName: 'factory' }),
    readContract(client, pin, { ...of, functionName: 'token0' }),
    readContract(client, pin, { ...of, functionName: 'token1' }),
  ])
  if (!isAddressEqual(v2PairAddress(factory, token0, token1), address)) return null
  const call = { address: factory, abi: v2FactoryAbi, functionName: 'getPair' } as const
  const named = await readContract(client, pin, { ...call, args: [token0, token1] })
  if (named === zeroAddress || !isAddressEqual(named, address)) return null
  // The code of the pair supports no other fee.
  const terms = { feePips: 3000, tickSpacing: 1 }
  return { kind: 'UNISWAP_V2', address, factory, token0, token1, ...terms }
}
