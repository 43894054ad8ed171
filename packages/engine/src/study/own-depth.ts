import type { Orientation } from '../amm/market.ts'
import { countTicksUpTo, loadPool, type Pool } from '../amm/v3/pool.ts'
import { createClmmPool, type TickState } from '../amm/v3/state.ts'
import { type Depth, poolDepthLadder } from '../depth/depth-ladder.ts'

/**
 * Depth of positions alone: the ladder of a pool without other liquidity, at the price of the
 * positions' pool.
 */
export class OwnDepth {
  readonly #terms: { feePips: number; tickSpacing: number }
  readonly #orientation: Orientation
  readonly #bandsPips: readonly number[]
  #key: string | null = null
  #alone: Pool | null = null
  #positions: readonly OwnRange[] = []

  constructor(
    terms: { feePips: number; tickSpacing: number },
    orientation: Orientation,
    bandsPips: readonly number[],
  ) {
    this.#terms = terms
    this.#orientation = orientation
    this.#bandsPips = bandsPips
  }

  /** The ladder of these positions at the current price of the given pool. */
  measure(pool: Pick<Pool, 'sqrtPriceX96' | 'tick'>, positions: readonly OwnRange[]): Depth[] {
    const alone = this.#poolOf(positions)
    const { tick } = pool
    alone.sqrtPriceX96 = pool.sqrtPriceX96
    alone.tick = tick
    alone.cursor = countTicksUpTo(alone.ticks, tick)
    alone.liquidity = this.#positions.reduce(
      (sum, { tickLower, tickUpper, liquidity }) =>
        tickLower <= tick && tick < tickUpper ? sum + liquidity : sum,
      0n,
    )
    return poolDepthLadder(alone, this.#orientation, this.#bandsPips)
  }

  /** Rebuilt only if the positions have changed. */
  #poolOf(positions: readonly OwnRange[]): Pool {
    const key = positions.map((p) => `${p.tickLower}|${p.tickUpper}|${p.liquidity}`).join()
    if (this.#alone === null || key !== this.#key) {
      this.#key = key
      this.#positions = positions.map((position) => ({ ...position }))
      this.#alone = loadPool({ ...createClmmPool(this.#terms), ticks: edgesOf(this.#positions) })
    }
    return this.#alone
  }
}

interface OwnRange {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/** The edge ticks of all positions, ascending, with the gross and net liquidity at each tick. */
function edgesOf(positions: readonly OwnRange[]): TickState[] {
  const edges = new Map<number, { gross: bigint; net: bigint }>()
  const add = (index: number, gross: bigint, net: bigint) => {
    const known = edges.get(index) ?? { gross: 0n, net: 0n }
    edges.set(index, { gross: known.gross + gross, net: known.net + net })
  }
  for (const { tickLower, tickUpper, liquidity } of positions) {
    add(tickLower, liquidity, liquidity)
    add(tickUpper, liquidity, -liquidity)
  }
  return [...edges]
    .sort(([a], [b]) => a - b)
    .map(([index, { gross, net }]) => ({
      index,
      liquidityGross: gross,
      liquidityNet: net,
      feeGrowthOutside0X128: 0n,
      feeGrowthOutside1X128: 0n,
      tickCumulativeOutside: 0n,
      secondsPerLiquidityOutsideX128: 0n,
      secondsOutside: 0,
    }))
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
