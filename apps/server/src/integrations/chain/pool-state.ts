import {
  type ClmmState,
  type CpmmState,
  createClmmPool,
  createCpmmPair,
  findTickFaults,
  LOCKED_ACCOUNT,
  MAX_TICK,
  MIN_TICK,
  type Observation,
  PAIR_ACCOUNT,
  type PairFee,
  type PositionKey,
  type PositionState,
  setBits,
  type TickState,
  UNISWAP_V2_FEE,
} from '@liquidity-os/engine/amm'
import { type Address, encodePacked, getAddress, zeroAddress } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import { limits } from '../../limits.ts'
import { tokenAbi, v2FactoryAbi, v2PairAbi, v3PoolAbi } from './abis.ts'
import { ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { inSlices, readContract } from './contract-call.ts'
import { type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'

/** Data of a v3 pool to read in addition to terms, price and ticks. */
export type V3StateOptions = {
  /** Positions to read; a pool does not list its own. */
  readonly positions?: readonly (Omit<PositionKey, 'owner'> & { readonly owner: Address })[]
  /**
   * NEWEST reads only the newest oracle slot, as if the pool had no other; amounts do not change.
   * Default: ALL.
   */
  readonly oracle?: 'ALL' | 'NEWEST'
}

/**
 * Complete storage of a v3 pool at a block, as an engine value.
 *
 * Reads every bitmap word in the tick range, so no initialized tick can be missed, and every
 * allocated oracle slot. `blockTimestamp` is that of the block. A provider that omits a tick or
 * mixes two blocks is rejected. The parts must be consistent.
 *
 * @throws ChainError if a read fails; INCONSISTENT_ANSWER with the contradiction
 * @throws CallRevertedError if the address is not a v3 pool
 */
export async function readV3State(
  client: ChainClient,
  block: Header,
  pool: Address,
  options: V3StateOptions = {},
): Promise<ClmmState> {
  return readAtBlock(client, block, async (pin) => {
    const terms = await readV3Terms(client, pin, pool)
    const isWhole = options.oracle !== 'NEWEST'
    const slots = isWhole ? range(terms.observationCardinalityNext) : [terms.observationIndex]
    const [ticks, observations, positions] = await Promise.all([
      readTicks(client, pin, pool, terms.tickSpacing),
      readObservations(client, pin, pool, slots),
      inSlices(options.positions ?? [], limits.chainReadsAtOnce, (key) =>
        readPosition(client, pin, pool, key),
      ),
    ])
    const { feePips, tickSpacing, ...state } = terms
    const read: ClmmState = {
      ...createClmmPool({ feePips, tickSpacing, blockTimestamp: block.timestamp }),
      ...state,
      ticks: ticks.filter(isInitialised),
      observations,
      ...(isWhole ? {} : oneSlot),
      positions: positions.sort(byPositionKey),
    }
    assertTicks(read, ticks, block.number)
    return read
  })
}

const isInitialised = ({ liquidityGross }: TickState) => liquidityGross > 0n

/** @param marked every tick whose bitmap bit is set, with the pool's response for it */
function assertTicks(read: ClmmState, marked: readonly TickState[], blockNumber: number): void {
  const bitmap = marked.map(({ index }) => index)
  const [fault] = findTickFaults(read, { bitmap })
  if (!fault) return
  const code = 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE'
  throw new ChainError({
    code,
    reason: 'INCONSISTENT_ANSWER',
    contradiction: fault.code,
    blockNumber,
  })
}

const oneSlot = { observationIndex: 0, observationCardinality: 1, observationCardinalityNext: 1 }

const range = (length: number) => Array.from({ length }, (_, index) => index)

async function readV3Terms(client: ChainClient, pin: Pin, pool: Address) {
  const of = { address: pool, abi: v3PoolAbi } as const
  const [token0, token1, feePips, tickSpacing, slot0, liquidity, growth0, growth1, owed] =
    await Promise.all([
      readContract(client, pin, { ...of, functionName: 'token0' }),
      readContract(client, pin, { ...of, functionName: 'token1' }),
      readContract(client, pin, { ...of, functionName: 'fee' }),
      readContract(client, pin, { ...of, functionName: 'tickSpacing' }),
      readContract(client, pin, { ...of, functionName: 'slot0' }),
      readContract(client, pin, { ...of, functionName: 'liquidity' }),
      readContract(client, pin, { ...of, functionName: 'feeGrowthGlobal0X128' }),
      readContract(client, pin, { ...of, functionName: 'feeGrowthGlobal1X128' }),
      readContract(client, pin, { ...of, functionName: 'protocolFees' }),
    ])
  const balances = await readBalances(client, pin, pool, [token0, token1])
  const [sqrtPriceX96, tick, observationIndex, cardinality, cardinalityNext, feeProtocol] = slot0
  return {
    feePips,
    tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity,
    observationIndex,
    observationCardinality: cardinality,
    observationCardinalityNext: cardinalityNext,
    feeProtocol0: feeProtocol & 0xf,
    feeProtocol1: feeProtocol >> 4,
    feeGrowthGlobal0X128: growth0,
    feeGrowthGlobal1X128: growth1,
    protocolFees0: owed[0],
    protocolFees1: owed[1],
    ...balances,
  }
}

async function readBalances(
  client: ChainClient,
  pin: Pin,
  holder: Address,
  tokens: readonly [Address, Address],
): Promise<{ readonly balance0: bigint; readonly balance1: bigint }> {
  const balance = (address: Address) =>
    readContract(client, pin, {
      address,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [holder],
    })
  const [balance0, balance1] = await Promise.all([balance(tokens[0]), balance(tokens[1])])
  return { balance0, balance1 }
}

/** Every initialized tick, ascending: first the set bits of all bitmap words, then their ticks. */
async function readTicks(
  client: ChainClient,
  pin: Pin,
  pool: Address,
  tickSpacing: number,
): Promise<TickState[]> {
  const of = { address: pool, abi: v3PoolAbi } as const
  const first = Math.ceil(MIN_TICK / tickSpacing) >> 8
  const last = Math.floor(MAX_TICK / tickSpacing) >> 8
  const words = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const bitmap = await inSlices(words, limits.chainReadsAtOnce, (word) =>
    readContract(client, pin, { ...of, functionName: 'tickBitmap', args: [word] }),
  )
  const indexes = words.flatMap((word, index) => setBits(bitmap[index] ?? 0n, word, tickSpacing))
  return inSlices(indexes, limits.chainReadsAtOnce, async (index) => {
    const call = { ...of, functionName: 'ticks', args: [index] } as const
    const tick = await readContract(client, pin, call)
    return {
      index,
      liquidityGross: tick[0],
      liquidityNet: tick[1],
      feeGrowthOutside0X128: tick[2],
      feeGrowthOutside1X128: tick[3],
      tickCumulativeOutside: tick[4],
      secondsPerLiquidityOutsideX128: tick[5],
      secondsOutside: tick[6],
    }
  })
}

async function readObservations(
  client: ChainClient,
  pin: Pin,
  pool: Address,
  slots: readonly number[],
): Promise<Observation[]> {
  return inSlices(slots, limits.chainReadsAtOnce, async (index) => {
    const call = { address: pool, abi: v3PoolAbi, functionName: 'observations' } as const
    const slot = await readContract(client, pin, { ...call, args: [BigInt(index)] })
    const [blockTimestamp, tickCumulative, secondsPerLiquidityCumulativeX128, initialized] = slot
    return { blockTimestamp, tickCumulative, secondsPerLiquidityCumulativeX128, initialized }
  })
}

async function readPosition(
  client: ChainClient,
  pin: Pin,
  pool: Address,
  key: PositionKey,
): Promise<PositionState> {
  const { tickLower, tickUpper } = key
  const owner = getAddress(key.owner)
  const types = ['address', 'int24', 'int24'] as const
  const hash = keccak256(encodePacked(types, [owner, tickLower, tickUpper]))
  const call = { address: pool, abi: v3PoolAbi, functionName: 'positions', args: [hash] } as const
  const [liquidity, inside0, inside1, tokensOwed0, tokensOwed1] = await readContract(
    client,
    pin,
    call,
  )
  return {
    owner,
    tickLower,
    tickUpper,
    liquidity,
    tokensOwed0,
    tokensOwed1,
    feeGrowthInside0LastX128: inside0,
    feeGrowthInside1LastX128: inside1,
  }
}

function byPositionKey(a: PositionKey, b: PositionKey): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1
  return a.tickLower - b.tickLower || a.tickUpper - b.tickUpper
}

/** Data that the storage of a pair lacks. */
export type V2StateOptions = {
  /** Liquidity holders to read, in addition to the locked units and the pair itself. */
  readonly holders?: readonly Address[]
  /** Fee in the code of the pair. Default: that of Uniswap. */
  readonly fee?: PairFee
}

/**
 * Complete storage of a v2 pair at a block, as an engine value.
 *
 * @throws ChainError if a read fails
 * @throws CallRevertedError if the address is not a v2 pair
 */
export async function readV2State(
  client: ChainClient,
  block: Header,
  pair: Address,
  { holders = [], fee = UNISWAP_V2_FEE }: V2StateOptions = {},
): Promise<CpmmState> {
  return readAtBlock(client, block, async (pin) => {
    const of = { address: pair, abi: v2PairAbi } as const
    const [factory, token0, token1, reserves, price0, price1, kLast, totalSupply] =
      await Promise.all([
        readContract(client, pin, { ...of, functionName: 'factory' }),
        readContract(client, pin, { ...of, functionName: 'token0' }),
        readContract(client, pin, { ...of, functionName: 'token1' }),
        readContract(client, pin, { ...of, functionName: 'getReserves' }),
        readContract(client, pin, { ...of, functionName: 'price0CumulativeLast' }),
        readContract(client, pin, { ...of, functionName: 'price1CumulativeLast' }),
        readContract(client, pin, { ...of, functionName: 'kLast' }),
        readContract(client, pin, { ...of, functionName: 'totalSupply' }),
      ])
    const [balances, liquidityOf, feeTo] = await Promise.all([
      readBalances(client, pin, pair, [token0, token1]),
      readLiquidity(client, pin, pair, holders),
      readContract(client, pin, { address: factory, abi: v2FactoryAbi, functionName: 'feeTo' }),
    ])
    const [reserve0, reserve1, blockTimestampLast] = reserves
    return {
      ...createCpmmPair({ blockTimestamp: block.timestamp, fee }),
      feeTo: feeTo === zeroAddress ? null : feeTo,
      reserve0,
      reserve1,
      blockTimestampLast,
      kLast,
      totalSupply,
      liquidityOf,
      price0CumulativeLast: price0,
      price1CumulativeLast: price1,
      ...balances,
    }
  })
}

/**
 * √price of a v3 pool at a block.
 *
 * @throws CallRevertedError if no pool exists
 */
export async function readSqrtPrice(
  client: ChainClient,
  block: Header,
  pool: Address,
): Promise<bigint> {
  return readAtBlock(client, block, async (pin) => {
    const call = { address: pool, abi: v3PoolAbi, functionName: 'slot0' } as const
    const [sqrtPriceX96] = await readContract(client, pin, call)
    return sqrtPriceX96
  })
}

/**
 * Reserves of a v2 pair at a block.
 *
 * @throws CallRevertedError if no pair exists
 */
export async function readReserves(
  client: ChainClient,
  block: Header,
  pair: Address,
): Promise<readonly [reserve0: bigint, reserve1: bigint]> {
  return readAtBlock(client, block, async (pin) => {
    const call = { address: pair, abi: v2PairAbi, functionName: 'getReserves' } as const
    const [reserve0, reserve1] = await readContract(client, pin, call)
    return [reserve0, reserve1]
  })
}

/** Liquidity by holder, with the engine's names for the two holders of every pair. */
async function readLiquidity(
  client: ChainClient,
  pin: Pin,
  pair: Address,
  holders: readonly Address[],
): Promise<Record<string, bigint>> {
  const named: [name: string, holder: Address][] = [
    [LOCKED_ACCOUNT, zeroAddress],
    [PAIR_ACCOUNT, pair],
    ...holders.map((holder): [string, Address] => [getAddress(holder), holder]),
  ]
  const held = await inSlices(named, limits.chainReadsAtOnce, async ([name, holder]) => {
    const call = { address: pair, abi: v2PairAbi, functionName: 'balanceOf' } as const
    return [name, await readContract(client, pin, { ...call, args: [holder] })] as const
  })
  return Object.fromEntries(held.filter(([, amount]) => amount > 0n))
}
