import { PoolRevertError } from '../amm/pool-revert.ts'
import { loadPool, type Pool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { openLimit, type SwapRequest, type SwapWalk, walkSwap } from '../amm/v3/swap.ts'
import type { SwapEvent } from './events.ts'
import type { SwapMode } from './fidelity.ts'

/** The call behind a Swap log. */
export interface RecoveredCall extends SwapRequest {
  readonly mode: SwapMode
}

/** int256: an input so large that only the price limit stops the swap. */
const UNLIMITED_INPUT = (1n << 255n) - 1n

/**
 * Finds the call that reproduces a Swap log bit for bit. It tries exact input, exact output,
 * price-limited with unlimited input, and price-limited with the logged input, in this order.
 *
 * @param m the pool before the swap
 * @returns null if no call reproduces amounts, price, liquidity and tick
 */
export function recoverSwap(m: ClmmState, e: SwapEvent): RecoveredCall | null {
  return recoverOnPool(loadPool(m), e)?.call ?? null
}

/** As `recoverSwap`, on the working form, with the walk ready to be committed. */
export function recoverOnPool(
  pool: Pool,
  event: SwapEvent,
): { call: RecoveredCall; walk: SwapWalk } | null {
  const calls = candidateCalls(pool, event)
  const { amountIn, amountOut } = amountsOf(event, directionOf(pool, event))
  for (const call of calls) {
    const walk = tryWalk(pool, call)
    if (
      walk !== null &&
      walk.sqrtPriceX96 === event.sqrtPriceX96 &&
      walk.amountIn === amountIn &&
      walk.amountOut === amountOut &&
      walk.liquidity === event.liquidity &&
      walk.tick === event.tick
    ) {
      return { call, walk }
    }
  }
  return null
}

/**
 * The calls that may be behind a log, in the order of trial; none when both tokens went the same way. A
 * recorded `amountSpecified` leaves only whether a price limit came first.
 */
export function candidateCalls(pool: Pool, event: SwapEvent): RecoveredCall[] {
  const zeroForOne = directionOf(pool, event)
  const { amountIn, amountOut } = amountsOf(event, zeroForOne)
  if (amountIn < 0n || amountOut < 0n) return []
  const open = openLimit(zeroForOne)
  const { amountSpecified: asked } = event
  const attempts: [SwapMode, bigint, bigint][] =
    asked === undefined
      ? [
          ['EXACT_INPUT', amountIn, open],
          ['EXACT_OUTPUT', -amountOut, open],
          ['PRICE_LIMIT', UNLIMITED_INPUT, event.sqrtPriceX96],
          ['PRICE_LIMIT_WITH_INPUT', amountIn, event.sqrtPriceX96],
        ]
      : [
          [asked > 0n ? 'EXACT_INPUT' : 'EXACT_OUTPUT', asked, open],
          [asked > 0n ? 'PRICE_LIMIT_WITH_INPUT' : 'PRICE_LIMIT', asked, event.sqrtPriceX96],
        ]
  return attempts.map(([mode, amountSpecified, sqrtPriceLimitX96]) => ({
    mode,
    zeroForOne,
    amountSpecified,
    sqrtPriceLimitX96,
  }))
}

/** Input and output, both above zero in a valid swap log for this direction. */
export function amountsOf(event: SwapEvent, zeroForOne: boolean) {
  return zeroForOne
    ? { amountIn: event.amount0, amountOut: -event.amount1 }
    : { amountIn: event.amount1, amountOut: -event.amount0 }
}

/** The walk of a request, or null if the contract would revert. */
export function tryWalk(pool: Pool, request: SwapRequest): SwapWalk | null {
  try {
    return request.amountSpecified === 0n ? null : walkSwap(pool, request)
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

/** Which token entered; with no amounts at all, the way the price went. */
export function directionOf(
  pool: Pick<Pool, 'sqrtPriceX96'>,
  event: Pick<SwapEvent, 'amount0' | 'amount1' | 'sqrtPriceX96'>,
): boolean {
  if (event.amount0 !== 0n) return event.amount0 > 0n
  if (event.amount1 !== 0n) return event.amount1 < 0n
  return event.sqrtPriceX96 < pool.sqrtPriceX96
}
