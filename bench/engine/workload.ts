import { initializePool } from '../../packages/engine/src/amm/v3/administration.ts'
import { mintLiquidity } from '../../packages/engine/src/amm/v3/liquidity.ts'
import { loadPool, snapshotPool } from '../../packages/engine/src/amm/v3/pool.ts'
import {
  type ClmmState,
  createClmmPool,
  type PositionKey,
} from '../../packages/engine/src/amm/v3/state.ts'
import { openLimit, type SwapRequest } from '../../packages/engine/src/amm/v3/swap.ts'
import { sqrtRatioAtTick } from '../../packages/engine/src/amm/v3/tick-math.ts'
import { randomStream } from '../../packages/engine/src/random/xoshiro128.ts'

const spacing = 60

/** A mint of the workload, for engines that build the pool themselves. */
export interface Deposit extends PositionKey {
  readonly liquidity: bigint
}

/** 201 positions: one over the whole range, 200 of random width around tick 0. */
export function newDeposits(): Deposit[] {
  const random = randomStream(7)
  const wide = { owner: 'wide', tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 21n }
  const narrow = Array.from({ length: 200 }, (_, index) => {
    const centre = (random.below(250) - 125) * spacing
    const half = (1 + random.below(40)) * spacing
    const liquidity = 10n ** 18n * BigInt(1 + random.below(1000))
    return { owner: `${index}`, tickLower: centre - half, tickUpper: centre + half, liquidity }
  })
  return [wide, ...narrow]
}

/** The pool of both workloads: fee 3000, spacing 60, price 1, with the deposits minted. */
export function newState(): ClmmState {
  const pool = loadPool(createClmmPool({ feePips: 3000, tickSpacing: spacing }))
  initializePool(pool, sqrtRatioAtTick(0))
  for (const { liquidity, ...key } of newDeposits()) mintLiquidity(pool, key, liquidity)
  return snapshotPool(pool)
}

/**
 * Exact inputs in alternating directions, so the price stays within the ticks. The size determines
 * the number of crossed ticks.
 */
function newSwaps(count: number, size: bigint): SwapRequest[] {
  const random = randomStream(11)
  return Array.from({ length: count }, (_, index) => {
    const zeroForOne = index % 2 === 0
    return {
      zeroForOne,
      amountSpecified: (size * BigInt(500 + random.below(1000))) / 1000n,
      sqrtPriceLimitX96: openLimit(zeroForOne),
    }
  })
}

/** Realistic: about 0.56 crossed ticks per swap. */
export const newWorkloadA = (): SwapRequest[] => newSwaps(5000, 314n * 10n ** 17n)
/** Sweep: about 20.8 crossed ticks per swap. */
export const newWorkloadS = (): SwapRequest[] => newSwaps(1000, 1256n * 10n ** 18n)
