import { amountsForLiquidity, roundingDown } from '../amm/v3/liquidity.ts'
import { loadPool } from '../amm/v3/pool.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { magnitude } from './median-deviation.ts'

/** A position over a time in which its liquidity was the same. */
export interface PositionSegment {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly from: PoolPlace
  readonly to: PoolPlace
}

/** Where a pool stands. */
export interface PoolPlace {
  readonly sqrtPriceX96: bigint
  readonly tick: number
}

// Amounts follow from the price alone: the root prices of ticks are the same in all pools.
const { ticks, edgePrices } = loadPool(createClmmPool({ feePips: 0, tickSpacing: 1 }))

/** What a position holds at a price, fees left out; both amounts rounded down as a burn pays them. */
export function principalAt(
  position: Pick<PositionSegment, 'tickLower' | 'tickUpper' | 'liquidity'>,
  { sqrtPriceX96, tick }: PoolPlace,
): { amount0: bigint; amount1: bigint } {
  const place = { sqrtPriceX96, tick, ticks, edgePrices }
  return amountsForLiquidity(place, position, position.liquidity, roundingDown)
}

/** What is known of an own inventory over a window. Base atoms; additions above zero. */
export interface InventoryBooks {
  /** Token number of the base. */
  readonly base: 0 | 1
  /** Wallets, principal in positions and fees not yet collected, at the begin and the end. */
  readonly before: bigint
  readonly after: bigint
  /** Every position, cut wherever its liquidity changed. */
  readonly segments: readonly PositionSegment[]
  /** Bought less sold in own swaps. */
  readonly swapped: bigint
  /** Came in less went out otherwise than to and from positions and swaps. */
  readonly transferred: bigint
  /** Fees that accrued in base, collected or not. */
  readonly fees: bigint
}

/** Why an inventory changed. The parts sum to the change exactly. */
export interface InventoryCause {
  readonly change: bigint
  /** The price moved along the positions; the atoms that a pool keeps by rounding are in it. */
  readonly curve: bigint
  readonly rebalance: bigint
  readonly transfer: bigint
  readonly fees: bigint
  /** What the books do not explain; zero where they are complete. */
  readonly unexplained: bigint
}

/**
 * Splits the change of an own base inventory into what the curve, own swaps, transfers and fees did. The curve's
 * part is measured, position by position: principal at the end of each segment less that at its begin. Mints
 * are rounded up and burns down by less than an atom each; as much as two atoms a segment are the
 * curve's, and more is unexplained.
 */
export function splitInventoryChange(books: InventoryBooks): InventoryCause {
  const { base, before, after, segments, swapped, transferred, fees } = books
  const change = after - before
  const measured = segments.reduce((sum, segment) => {
    const principal = (place: PoolPlace) => {
      const { amount0, amount1 } = principalAt(segment, place)
      return base === 0 ? amount0 : amount1
    }
    return sum + principal(segment.to) - principal(segment.from)
  }, 0n)
  const left = change - measured - swapped - transferred - fees
  const isRounding = magnitude(left) <= 2n * BigInt(segments.length)
  return {
    change,
    curve: isRounding ? measured + left : measured,
    rebalance: swapped,
    transfer: transferred,
    fees,
    unexplained: isRounding ? 0n : left,
  }
}
