import { type Address, encodeFunctionData, type PublicClient } from 'viem'
import { v2FactoryAbi, v3FactoryAbi, v3PoolAbi } from './abis.ts'
import type { Contracts } from './contracts.ts'
import type { Send } from './transactions.ts'

/** What creating a pool needs of a chain. */
export type MarketMaker = {
  readonly send: Send
  readonly from: Address
  readonly contracts: Contracts
  readonly client: PublicClient
}

/** A pool or pair with its tokens in the contract's own order. */
export type Market = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  /** Block of its creation, and of its initialization if a price was given. */
  readonly blockNumber: bigint
}

export type V3PoolTerms = {
  readonly tokenA: Address
  readonly tokenB: Address
  /** Hundredths of a basis point: 500, 3000 or 10000 unless another was enabled. */
  readonly fee: number
  /** √(token1/token0) as Q64.96; absent leaves the pool uninitialised. */
  readonly sqrtPriceX96?: bigint
}

/** Tokens in a pool's order: ascending by address. */
export function sortTokens(tokenA: Address, tokenB: Address): [token0: Address, token1: Address] {
  return BigInt(tokenA) < BigInt(tokenB) ? [tokenA, tokenB] : [tokenB, tokenA]
}

/** Creates a v3 pool through the genuine factory and initialises it when a price is given. */
export async function createV3Pool(maker: MarketMaker, terms: V3PoolTerms): Promise<Market> {
  const [token0, token1] = sortTokens(terms.tokenA, terms.tokenB)
  const factory = { address: maker.contracts.uniswapV3Factory, abi: v3FactoryAbi } as const
  const pair = [token0, token1, terms.fee] as const
  const create = encodeFunctionData({ ...factory, functionName: 'createPool', args: pair })
  let { blockNumber } = await maker.send({ from: maker.from, to: factory.address, data: create })
  const address = await maker.client.readContract({
    ...factory,
    functionName: 'getPool',
    args: pair,
  })
  if (terms.sqrtPriceX96 !== undefined) {
    const args = [terms.sqrtPriceX96] as const
    const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'initialize', args })
    blockNumber = (await maker.send({ from: maker.from, to: address, data })).blockNumber
  }
  return { address, token0, token1, blockNumber }
}

/** Creates a v2 pair through the genuine factory. */
export async function createV2Pair(
  maker: MarketMaker,
  tokenA: Address,
  tokenB: Address,
): Promise<Market> {
  const [token0, token1] = sortTokens(tokenA, tokenB)
  const factory = { address: maker.contracts.uniswapV2Factory, abi: v2FactoryAbi } as const
  const pair = [token0, token1] as const
  const data = encodeFunctionData({ ...factory, functionName: 'createPair', args: pair })
  const { blockNumber } = await maker.send({ from: maker.from, to: factory.address, data })
  const address = await maker.client.readContract({
    ...factory,
    functionName: 'getPair',
    args: pair,
  })
  return { address, token0, token1, blockNumber }
}
