import {
  createClmmPool,
  MAX_TICK,
  MIN_SQRT_RATIO,
  mint,
  type Orientation,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from '@liquidity-os/engine/amm'
import { integerSquareRoot, type Rat } from '@liquidity-os/engine/arithmetic'
import type { Inventory, PriceRange } from '@liquidity-os/engine/capital'
import { applyOperation } from '@liquidity-os/engine/parity'

const q192 = 1n << 192n
const owner = `0x${'0'.repeat(39)}1`

export interface TickBand extends PriceRange {
  readonly tickLower: number
  readonly tickUpper: number
}

const inverse = ({ num, den }: Rat): Rat => ({ num: den, den: num })

/** √(token1/token0) of a pool at a price of the token, Q64.96, rounded down. */
export function sqrtPriceX96At(price: Rat, { base }: Orientation): bigint {
  const { num, den } = base === 0 ? price : inverse(price)
  return integerSquareRoot((num * q192) / den)
}

/**
 * Ticks of a price range, rounded outward to the tick spacing, so that no requested depth is lost.
 *
 * @throws RangeError for a price outside the pool's limits
 */
export function tickBand(
  { lower, upper }: PriceRange,
  tickSpacing: number,
  orientation: Orientation,
): TickBand {
  const roots = [lower, upper].map((edge) => sqrtPriceX96At(edge, orientation))
  const [low, high] = (orientation.base === 0 ? roots : roots.toReversed()) as [bigint, bigint]
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  const down = Math.floor(
    tickAtSqrtRatio(low < MIN_SQRT_RATIO ? MIN_SQRT_RATIO : low) / tickSpacing,
  )
  // The root was rounded down, so the edge is at or above its tick.
  const up = Math.ceil((tickAtSqrtRatio(high) + 1) / tickSpacing)
  const tickLower = Math.max(down * tickSpacing, -highest)
  const tickUpper = Math.min(up * tickSpacing, highest)
  const [from, to] = [tickLower, tickUpper].map((tick) => priceAtTick(tick, orientation))
  return {
    tickLower,
    tickUpper,
    ...(orientation.base === 0 ? { lower: from!, upper: to! } : { lower: to!, upper: from! }),
  }
}

function priceAtTick(tick: number, { base }: Orientation): Rat {
  const root = sqrtRatioAtTick(tick)
  const price = { num: root * root, den: q192 }
  return base === 0 ? price : inverse(price)
}

/**
 * Exact amounts for minting positions: opens a pool at the price and mints them by its integer
 * rules.
 *
 * @throws PoolRevertError for liquidity that the pool rejects
 */
export function mintedAmounts(
  bands: readonly (TickBand & { readonly liquidity: bigint })[],
  place: {
    readonly sqrtPriceX96: bigint
    readonly tickSpacing: number
    readonly orientation: Orientation
  },
): Inventory {
  const { sqrtPriceX96, tickSpacing, orientation } = place
  let state = applyOperation(createClmmPool({ feePips: 0, tickSpacing }), {
    kind: 'v3.initialize',
    timestamp: 0,
    sqrtPriceX96,
  }).state
  let [token, quote] = [0n, 0n]
  for (const { tickLower, tickUpper, liquidity } of bands) {
    if (liquidity === 0n) continue
    const change = mint(
      state as Parameters<typeof mint>[0],
      { owner, tickLower, tickUpper },
      liquidity,
    )
    state = change.state
    token += orientation.base === 0 ? change.amount0 : change.amount1
    quote += orientation.base === 0 ? change.amount1 : change.amount0
  }
  return { token, quote }
}
