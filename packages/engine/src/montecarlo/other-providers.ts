import { burnLiquidity, collectOwed, feeGrowthInside, mintLiquidity } from '../amm/v3/liquidity.ts'
import { findTick, type Pool, positionKey } from '../amm/v3/pool.ts'
import { MAX_TICK, MIN_TICK } from '../amm/v3/tick-math.ts'
import type { TickRange } from './market-session.ts'

const OTHERS = '#others'
const ALL = (1n << 128n) - 1n
const MILLION = 1_000_000n

/** A segment between two neighboring ticks with other LPs' liquidity in it. */
interface Stretch {
  tickLower: number
  tickUpper: number
  liquidity: bigint
}

/**
 * All other liquidity in a v3 pool, as one position per segment between ticks, so that it can exit
 * or move. Only the total profile affects swaps; its owners do not matter.
 */
export class OtherProviders {
  readonly #pool: Pool
  readonly #stretches: Stretch[]
  /** Tick around which the profile lies now. */
  #centre: number

  /** @param own positions whose liquidity is not that of others */
  constructor(pool: Pool, own: readonly (TickRange & { liquidity: bigint })[]) {
    this.#pool = pool
    this.#centre = pool.tick
    this.#stretches = stretchesOf(pool, own)
    for (const stretch of this.#stretches) adopt(pool, stretch)
    recountGross(pool, this.#stretches, own)
  }

  /** Takes a share out of every stretch, rounded down. */
  exit(sharePips: number): void {
    for (const stretch of this.#stretches) {
      const leaving = (stretch.liquidity * BigInt(sharePips)) / MILLION
      if (leaving > 0n) this.#remove(stretch, leaving)
    }
  }

  /** Whether any of the liquidity is in range at a tick. */
  isServing(tick: number): boolean {
    return this.#stretches.some(
      ({ tickLower, tickUpper, liquidity }) =>
        liquidity > 0n && tickLower <= tick && tick < tickUpper,
    )
  }

  /**
   * Shifts the whole profile by a multiple of the tick spacing to the price if the profile is
   * completely out of range.
   */
  follow(): void {
    const pool = this.#pool
    const spacing = pool.tickSpacing
    const shift = Math.round((pool.tick - this.#centre) / spacing) * spacing
    if (shift === 0 || this.isServing(pool.tick)) return
    const fits = this.#stretches.every(
      ({ tickLower, tickUpper }) => tickLower + shift >= MIN_TICK && tickUpper + shift <= MAX_TICK,
    )
    if (!fits) return
    const amounts = this.#stretches.map(({ liquidity }) => liquidity)
    for (const [i, stretch] of this.#stretches.entries()) {
      // One amount per stretch.
      if (amounts[i]! > 0n) this.#remove(stretch, amounts[i]!)
      stretch.tickLower += shift
      stretch.tickUpper += shift
    }
    for (const [i, stretch] of this.#stretches.entries()) {
      stretch.liquidity = amounts[i]!
      if (stretch.liquidity > 0n)
        mintLiquidity(pool, { owner: OTHERS, ...stretch }, stretch.liquidity)
    }
    this.#centre += shift
  }

  #remove(stretch: Stretch, liquidity: bigint): void {
    const key = { owner: OTHERS, tickLower: stretch.tickLower, tickUpper: stretch.tickUpper }
    burnLiquidity(this.#pool, key, liquidity)
    collectOwed(this.#pool, key, { amount0: ALL, amount1: ALL })
    stretch.liquidity -= liquidity
  }
}

/** Liquidity between neighbouring ticks, less what is our own. */
function stretchesOf(pool: Pool, own: readonly (TickRange & { liquidity: bigint })[]): Stretch[] {
  const stretches: Stretch[] = []
  let total = 0n
  for (const [i, tick] of pool.ticks.entries()) {
    total += tick.liquidityNet
    const next = pool.ticks[i + 1]
    if (next === undefined) break
    const ours = own
      .filter(({ tickLower, tickUpper }) => tickLower <= tick.index && next.index <= tickUpper)
      .reduce((sum, { liquidity }) => sum + liquidity, 0n)
    if (total > ours) {
      stretches.push({ tickLower: tick.index, tickUpper: next.index, liquidity: total - ours })
    }
  }
  return stretches
}

/** Books a stretch as a position that has been settled just now. */
function adopt(pool: Pool, { tickLower, tickUpper, liquidity }: Stretch): void {
  const { growth0X128, growth1X128 } = feeGrowthInside(pool, { tickLower, tickUpper })
  const key = { owner: OTHERS, tickLower, tickUpper }
  pool.positions.set(positionKey(key), {
    ...key,
    liquidity,
    feeGrowthInside0LastX128: growth0X128,
    feeGrowthInside1LastX128: growth1X128,
    tokensOwed0: 0n,
    tokensOwed1: 0n,
  })
}

/** Recomputes gross liquidity per tick from the current positions; net amounts are unchanged. */
function recountGross(
  pool: Pool,
  stretches: readonly Stretch[],
  own: readonly (TickRange & { liquidity: bigint })[],
): void {
  for (const tick of pool.ticks) tick.liquidityGross = 0n
  for (const { tickLower, tickUpper, liquidity } of [...stretches, ...own]) {
    for (const index of [tickLower, tickUpper]) {
      // Stretches and own positions begin and end on initialised ticks.
      findTick(pool, index)!.liquidityGross += liquidity
    }
  }
}
