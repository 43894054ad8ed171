import { maxLiquidityPerTickFor } from './tick-math.ts'

/** One initialised tick, with every field the contract stores for it. */
export interface TickState {
  readonly index: number
  readonly liquidityGross: bigint
  /** int128: added to the liquidity in range when the price crosses upwards */
  readonly liquidityNet: bigint
  readonly feeGrowthOutside0X128: bigint
  readonly feeGrowthOutside1X128: bigint
  /** int56 */
  readonly tickCumulativeOutside: bigint
  /** uint160 */
  readonly secondsPerLiquidityOutsideX128: bigint
  /** uint32 */
  readonly secondsOutside: number
}

/** Names one position of the pool. On chain the key is the hash of these three. */
export interface PositionKey {
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
}

/** A stored position. An emptied position remains, with zero liquidity. */
export interface PositionState extends PositionKey {
  readonly liquidity: bigint
  readonly feeGrowthInside0LastX128: bigint
  readonly feeGrowthInside1LastX128: bigint
  readonly tokensOwed0: bigint
  readonly tokensOwed1: bigint
}

/** One slot of the oracle's ring buffer. */
export interface Observation {
  /** uint32, block time in seconds */
  readonly blockTimestamp: number
  /** int56: sum of tick × seconds */
  readonly tickCumulative: bigint
  /** uint160: sum of seconds / liquidity, Q128 */
  readonly secondsPerLiquidityCumulativeX128: bigint
  readonly initialized: boolean
}

/**
 * A Uniswap v3 pool: every storage field of the deployed contract, its token balances and the block
 * time of the next operation. Immutable: operations return a new state.
 */
export interface ClmmState {
  readonly kind: 'UNISWAP_V3'
  /** Hundredths of a basis point, 0..999,999. */
  readonly feePips: number
  readonly tickSpacing: number
  readonly maxLiquidityPerTick: bigint
  /** Time of the current block in seconds; the contract reads it modulo 2^32. */
  readonly blockTimestamp: number
  /** Q64.96; zero before initialisation. */
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly observationIndex: number
  readonly observationCardinality: number
  readonly observationCardinalityNext: number
  /** Protocol's share of the fee in token0 as 1/n: 0 (off) or 4..10. */
  readonly feeProtocol0: number
  readonly feeProtocol1: number
  readonly feeGrowthGlobal0X128: bigint
  readonly feeGrowthGlobal1X128: bigint
  readonly protocolFees0: bigint
  readonly protocolFees1: bigint
  /** Liquidity in range, uint128. */
  readonly liquidity: bigint
  /** Token balance of the pool; null when unknown, and then no transfer can fail. */
  readonly balance0: bigint | null
  readonly balance1: bigint | null
  /** Initialised ticks, ascending. */
  readonly ticks: readonly TickState[]
  /** Positions ever touched, ordered by owner, lower and upper tick. */
  readonly positions: readonly PositionState[]
  /** The ring buffer by slot; its length is the largest cardinality reached. */
  readonly observations: readonly Observation[]
}

/**
 * A deployed pool before its initialisation.
 *
 * @param terms.feePips        0..999,999
 * @param terms.tickSpacing    1..16383
 * @param terms.blockTimestamp seconds, default 0
 * @throws RangeError for other terms
 */
export function createClmmPool(terms: {
  feePips: number
  tickSpacing: number
  blockTimestamp?: number
}): ClmmState {
  const { feePips, tickSpacing } = terms
  if (!Number.isInteger(feePips) || feePips < 0 || feePips >= 1_000_000) {
    throw new RangeError(`a fee of ${feePips} pips; expected a whole number in 0..999999`)
  }
  if (!Number.isInteger(tickSpacing) || tickSpacing < 1 || tickSpacing >= 16_384) {
    throw new RangeError(`a tick spacing of ${tickSpacing}; expected a whole number in 1..16383`)
  }
  return {
    kind: 'UNISWAP_V3',
    feePips,
    tickSpacing,
    maxLiquidityPerTick: maxLiquidityPerTickFor(tickSpacing),
    blockTimestamp: terms.blockTimestamp ?? 0,
    sqrtPriceX96: 0n,
    tick: 0,
    observationIndex: 0,
    observationCardinality: 0,
    observationCardinalityNext: 0,
    feeProtocol0: 0,
    feeProtocol1: 0,
    feeGrowthGlobal0X128: 0n,
    feeGrowthGlobal1X128: 0n,
    protocolFees0: 0n,
    protocolFees1: 0n,
    liquidity: 0n,
    balance0: 0n,
    balance1: 0n,
    ticks: [],
    positions: [],
    observations: [],
  }
}
