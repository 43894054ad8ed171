import { PoolRevertError } from '../amm/pool-revert.ts'
import {
  collectProtocolFees,
  flashLoan,
  initializePool,
  setProtocolShare,
} from '../amm/v3/administration.ts'
import { burnLiquidity, collectOwed, mintLiquidity } from '../amm/v3/liquidity.ts'
import { increaseObservationCardinalityNext } from '../amm/v3/oracle.ts'
import {
  countTicksUpTo,
  findTick,
  insertTick,
  type Pool,
  positionKey,
  setPoolFee,
} from '../amm/v3/pool.ts'
import { commitSwap } from '../amm/v3/swap.ts'
import { sqrtRatioAtTick } from '../amm/v3/tick-math.ts'
import type { ClmmEvent, LiquidityEvent, SwapEvent } from './events.ts'
import { compareFields, type Mismatch, type Verdict } from './fidelity.ts'
import { candidateCalls, recoverOnPool, tryWalk } from './recover-swap.ts'

/** How complete the list of positions in the start state is. */
export type PositionCoverage = 'COMPLETE' | 'PARTIAL'

/**
 * Applies one recorded event to a pool and reports whether the engine reproduces it.
 *
 * After a difference, the replay continues from the recorded data. A swap moves to the logged
 * price, crosses the ticks in between, and then adopts price, tick and liquidity. A liquidity
 * change that the pool would reject is skipped.
 */
export function replayClmmEvent(
  pool: Pool,
  event: ClmmEvent,
  positions: PositionCoverage,
): Verdict {
  if (event.timestamp !== null) pool.blockTimestamp = event.timestamp
  if (event.type === 'Swap') return replaySwap(pool, event)
  try {
    if (isLiquidity(event)) return replayLiquidity(pool, event, positions)
    return replayOther(pool, event, positions)
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    const computed = error.reason === '' ? 'revert' : `revert ${error.reason}`
    return {
      status: 'DIFFERENT',
      mismatches: [{ field: 'outcome', recorded: 'success', computed }],
    }
  }
}

/** Whether an event is a Mint or a Burn. */
export function isLiquidity(event: ClmmEvent): event is LiquidityEvent {
  return event.type === 'Mint' || event.type === 'Burn'
}

function replaySwap(pool: Pool, event: SwapEvent): Verdict {
  const recovered = recoverOnPool(pool, event)
  if (recovered !== null) {
    commitSwap(pool, recovered.walk)
    return { status: 'EXACT', mode: recovered.call.mode }
  }
  const verdict = describeDifference(pool, event)
  adoptSwap(pool, event)
  return verdict
}

/**
 * Differences of the best candidate call, if no call reproduces a log. The best call has the fewest
 * differences.
 */
export function describeDifference(pool: Pool, event: SwapEvent): Verdict {
  const { amount0, amount1, sqrtPriceX96, liquidity, tick } = event
  const recorded = { amount0, amount1, sqrtPriceX96, liquidity, tick }
  let closest: readonly Mismatch[] | null = null
  for (const call of candidateCalls(pool, event)) {
    const walk = tryWalk(pool, call)
    if (walk === null) continue
    const verdict = compareFields(recorded, {
      amount0: walk.zeroForOne ? walk.amountIn : -walk.amountOut,
      amount1: walk.zeroForOne ? -walk.amountOut : walk.amountIn,
      sqrtPriceX96: walk.sqrtPriceX96,
      liquidity: walk.liquidity,
      tick: walk.tick,
    })
    if (verdict.status !== 'DIFFERENT') {
      throw new Error('a call that reproduces its event was not recovered')
    }
    if (closest === null || distance(event, verdict.mismatches) < distance(event, closest)) {
      closest = verdict.mismatches
    }
  }
  const asked = closest === null || missesAmount(closest) ? askedOtherwise(pool, event) : null
  if (asked !== null) return { status: 'DIFFERENT', mismatches: [asked] }
  const impossible = { field: 'outcome', recorded: 'success', computed: 'no call is possible' }
  return { status: 'DIFFERENT', mismatches: closest ?? [impossible] }
}

/**
 * Fewer differences are closer. On a tie, the call that reached the price wins. A recorded
 * requested amount confirms one amount, so the price is then the likelier error.
 */
function distance(event: SwapEvent, mismatches: readonly Mismatch[]): number {
  const missesPrice = mismatches.some(({ field }) => field === 'sqrtPriceX96')
  const missesAsked = event.amountSpecified !== undefined && missesAmount(mismatches)
  return 2 * mismatches.length + (missesPrice ? 1 : 0) + (missesAsked ? 2 : 0)
}

function missesAmount(mismatches: readonly Mismatch[]): boolean {
  return mismatches.some(({ field }) => field === 'amount0' || field === 'amount1')
}

/** The recorded `amountSpecified`, if a call with another amount reproduces the log exactly. */
function askedOtherwise(pool: Pool, { amountSpecified, ...event }: SwapEvent): Mismatch | null {
  const call = amountSpecified === undefined ? null : (recoverOnPool(pool, event)?.call ?? null)
  if (call === null) return null
  const computed = `${call.amountSpecified}`
  return { field: 'amountSpecified', recorded: `${amountSpecified}`, computed }
}

/** Adopts the logged state, so that later events can still be checked. */
function adoptSwap(pool: Pool, event: SwapEvent): void {
  const zeroForOne = event.sqrtPriceX96 < pool.sqrtPriceX96
  const walk = tryWalk(pool, {
    zeroForOne,
    amountSpecified: (1n << 255n) - 1n,
    sqrtPriceLimitX96: event.sqrtPriceX96,
  })
  const { balance0, balance1 } = pool
  // What moved is on record; the walk only crosses the ticks.
  pool.balance0 = null
  pool.balance1 = null
  if (walk !== null) commitSwap(pool, walk)
  pool.balance0 = balance0 === null ? null : balance0 + event.amount0
  pool.balance1 = balance1 === null ? null : balance1 + event.amount1
  pool.sqrtPriceX96 = event.sqrtPriceX96
  pool.tick = event.tick
  pool.liquidity = event.liquidity
  pool.cursor = countTicksUpTo(pool.ticks, event.tick)
}

function replayLiquidity(pool: Pool, event: LiquidityEvent, positions: PositionCoverage): Verdict {
  const { amount0, amount1, liquidity } = event
  if (event.type === 'Mint') {
    return compareFields({ amount0, amount1 }, { ...mintLiquidity(pool, event, liquidity) })
  }
  if (positions === 'PARTIAL') completePosition(pool, event)
  return compareFields({ amount0, amount1 }, { ...burnLiquidity(pool, event, liquidity) })
}

/**
 * A position missing in the start state must have had at least the liquidity burned now. The same
 * applies to its two ticks, which can be missing if only a range of ticks was read.
 */
function completePosition(pool: Pool, event: LiquidityEvent): void {
  const key = positionKey(event)
  const known = pool.positions.get(key)
  const needed = event.liquidity > 0n ? event.liquidity : 1n
  if (known !== undefined && known.liquidity < needed) known.liquidity = needed
  if (known === undefined) {
    pool.positions.set(key, {
      owner: event.owner,
      tickLower: event.tickLower,
      tickUpper: event.tickUpper,
      liquidity: needed,
      feeGrowthInside0LastX128: 0n,
      feeGrowthInside1LastX128: 0n,
      tokensOwed0: 0n,
      tokensOwed1: 0n,
    })
  }
  if (event.liquidity === 0n) return
  completeTick(pool, event.tickLower, event.liquidity, 1n)
  completeTick(pool, event.tickUpper, event.liquidity, -1n)
}

function completeTick(pool: Pool, index: number, liquidity: bigint, sign: 1n | -1n): void {
  if (findTick(pool, index) !== undefined || index % pool.tickSpacing !== 0) return
  insertTick(pool, {
    index,
    sqrtPriceX96: sqrtRatioAtTick(index),
    liquidityGross: liquidity,
    liquidityNet: sign * liquidity,
    feeGrowthOutside0X128: 0n,
    feeGrowthOutside1X128: 0n,
    tickCumulativeOutside: 0n,
    secondsPerLiquidityOutsideX128: 0n,
    secondsOutside: 0,
  })
}

type OtherEvent = Exclude<ClmmEvent, SwapEvent | LiquidityEvent>

function replayOther(pool: Pool, event: OtherEvent, positions: PositionCoverage): Verdict {
  switch (event.type) {
    case 'Initialize':
      initializePool(pool, event.sqrtPriceX96)
      return compareFields({ tick: event.tick ?? null }, { tick: pool.tick })
    case 'Collect': {
      if (positions === 'PARTIAL') return { status: 'REFUSED', reason: 'POSITIONS_INCOMPLETE' }
      const { amount0, amount1 } = event
      const paid = collectOwed(pool, event, { amount0, amount1 })
      return compareFields({ amount0, amount1 }, { ...paid })
    }
    case 'Flash': {
      const { amount0, amount1, paid0, paid1 } = event
      flashLoan(pool, { amount0, amount1 }, { amount0: paid0, amount1: paid1 })
      return { status: 'EXACT' }
    }
    case 'SetFeeProtocol':
      setProtocolShare(pool, event.feeProtocol0, event.feeProtocol1)
      return { status: 'EXACT' }
    case 'CollectProtocol': {
      const { amount0, amount1 } = event
      return compareFields(
        { amount0, amount1 },
        { ...collectProtocolFees(pool, { amount0, amount1 }) },
      )
    }
    case 'IncreaseObservationCardinalityNext':
      increaseObservationCardinalityNext(pool, event.observationCardinalityNext)
      return { status: 'EXACT' }
    case 'FeeChange':
      setPoolFee(pool, event.feePips)
      return { status: 'EXACT' }
  }
}
