import { amountsForLiquidity, roundingDown } from '../amm/v3/liquidity.ts'
import { loadPool } from '../amm/v3/pool.ts'
import { createClmmPool } from '../amm/v3/state.ts'
import { magnitude } from './median-deviation.ts'

/** A position during a period of constant liquidity. */
export interface PositionSegment {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly from: PoolPlace
  readonly to: PoolPlace
}

export interface PoolPlace {
  readonly sqrtPriceX96: bigint
  readonly tick: number
}

// Amounts follow from the price alone: the root prices of ticks are the same in all pools.
const { ticks, edgePrices } = loadPool(createClmmPool({ feePips: 0, tickSpacing: 1 }))

/** Principal of a position at a price, without fees. Both amounts are rounded down like a burn. */
export function principalAt(
  position: Pick<PositionSegment, 'tickLower' | 'tickUpper' | 'liquidity'>,
  { sqrtPriceX96, tick }: PoolPlace,
): { amount0: bigint; amount1: bigint } {
  const place = { sqrtPriceX96, tick, ticks, edgePrices }
  return amountsForLiquidity(place, position, position.liquidity, roundingDown)
}

/** Known changes of the issuer's inventory over a window, in base atoms; additions are positive. */
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
  /** Effect of the price move on the positions, including the pool's rounding. */
  readonly curve: bigint
  readonly rebalance: bigint
  readonly transfer: bigint
  readonly fees: bigint
  /** Change without an explanation in the records; zero if they are complete. */
  readonly unexplained: bigint
}

/**
 * Splits the change of the issuer's base inventory into the effects of the curve, own swaps,
 * transfers and fees. The curve's effect is measured per position: principal at each segment's end
 * minus principal at its start. Mints round up and burns round down by less than an atom each. So
 * up to two atoms per segment belong to the curve; any excess is unexplained.
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
