import type { Orientation } from '../amm/market.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import { createClmmPool, type TickState } from '../amm/v3/state.ts'
import { type Depth, poolDepthLadder } from '../depth/depth-ladder.ts'
import type { Deposit } from './arm.ts'

/**
 * Depth that one position delivers by itself: the ladder of a pool that holds nothing else, at the
 * price of the pool it is in.
 */
export class OwnDepth {
  readonly #alone: Pool
  readonly #deposit: Deposit
  readonly #orientation: Orientation
  readonly #bandsPips: readonly number[]

  constructor(
    terms: { feePips: number; tickSpacing: number },
    deposit: Deposit,
    orientation: Orientation,
    bandsPips: readonly number[],
  ) {
    const edge = (index: number, liquidityNet: bigint): TickState => ({
      index,
      liquidityGross: deposit.liquidity,
      liquidityNet,
      feeGrowthOutside0X128: 0n,
      feeGrowthOutside1X128: 0n,
      tickCumulativeOutside: 0n,
      secondsPerLiquidityOutsideX128: 0n,
      secondsOutside: 0,
    })
    this.#alone = loadPool({
      ...createClmmPool(terms),
      ticks: [
        edge(deposit.tickLower, deposit.liquidity),
        edge(deposit.tickUpper, -deposit.liquidity),
      ],
    })
    this.#deposit = deposit
    this.#orientation = orientation
    this.#bandsPips = bandsPips
  }

  /** The ladder where the given pool stands now. */
  measure(pool: Pick<Pool, 'sqrtPriceX96' | 'tick'>): Depth[] {
    const { tickLower, tickUpper, liquidity } = this.#deposit
    const { tick } = pool
    this.#alone.sqrtPriceX96 = pool.sqrtPriceX96
    this.#alone.tick = tick
    this.#alone.cursor = tick < tickLower ? 0 : tick < tickUpper ? 1 : 2
    this.#alone.liquidity = this.#alone.cursor === 1 ? liquidity : 0n
    return poolDepthLadder(this.#alone, this.#orientation, this.#bandsPips)
  }
}

/** Depth of one band and side over time, from equally spaced samples. */
export interface DepthOverTime {
  readonly bandPips: number
  readonly side: Depth['side']
  readonly samples: number
  /** Nearest rank: half, a twentieth and a hundredth of the samples are at or below. */
  readonly median: bigint
  readonly worst5: bigint
  readonly worst1: bigint
}

/** Collects ladders and gives their quantiles. */
export class DepthSamples {
  readonly #series = new Map<string, { bandPips: number; side: Depth['side']; values: bigint[] }>()

  add(ladder: readonly Depth[]): void {
    for (const { bandPips, side, quote } of ladder) {
      const key = `${bandPips} ${side}`
      const entry = this.#series.get(key) ?? { bandPips, side, values: [] }
      entry.values.push(quote)
      this.#series.set(key, entry)
    }
  }

  report(): DepthOverTime[] {
    return [...this.#series.values()].map(({ bandPips, side, values }) => {
      const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      // A series exists because a value was added, so every rank does.
      const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
      return {
        bandPips,
        side,
        samples: sorted.length,
        median: rank(0.5),
        worst5: rank(0.05),
        worst1: rank(0.01),
      }
    })
  }
}
