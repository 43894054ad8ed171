import { divideRoundingUp, MAX_UINT256 } from '../../../arithmetic/integer.ts'
import { PoolRevertError } from '../../pool-revert.ts'
import {
  amount0RoundingDown,
  amount0RoundingUp,
  amount1RoundingDown,
  amount1RoundingUp,
  sqrtPriceAfterAmount0In,
  sqrtPriceAfterAmount0Out,
  sqrtPriceAfterAmount1In,
  sqrtPriceAfterAmount1Out,
} from '../sqrt-price-math.ts'
import type { ClmmState, TickState } from '../state.ts'
import type { SwapRequest } from '../swap.ts'
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
} from '../tick-math.ts'
import { referenceTickAtSqrtRatio } from './tick-math.ts'

/** Result of a swap on the reference path, without oracle and balances. */
export interface ReferenceSwap {
  /** Signed as in the Swap event: above zero enters the pool. */
  amount0: bigint
  amount1: bigint
  sqrtPriceX96: bigint
  tick: number
  liquidity: bigint
  feeGrowthGlobal0X128: bigint
  feeGrowthGlobal1X128: bigint
  protocolFee: bigint
  /** Fee growth outside of the crossed ticks afterwards. */
  crossed: { index: number; feeGrowthOutside0X128: bigint; feeGrowthOutside1X128: bigint }[]
}

interface Progress {
  price: bigint
  tick: number
  liquidity: bigint
  remaining: bigint
  calculated: bigint
  feeGrowth: bigint
  protocolFee: bigint
}

/**
 * Reference implementation of the v3 swap, without shortcuts, to verify the fast path. It uses a
 * bitmap of compressed ticks, computes the tick price at every step, and finds the tick by
 * bisection.
 *
 * @see Uniswap v3 whitepaper, §6.2.3 and §6.3
 */
export function referenceSwap(state: ClmmState, request: SwapRequest): ReferenceSwap {
  const { zeroForOne, amountSpecified, sqrtPriceLimitX96: limit } = request
  assertLegal(state, request)
  const ticks = new Map(state.ticks.map((tick) => [tick.index, tick]))
  const crossed: ReferenceSwap['crossed'] = []
  const feeProtocol = BigInt(zeroForOne ? state.feeProtocol0 : state.feeProtocol1)
  const now: Progress = {
    price: state.sqrtPriceX96,
    tick: state.tick,
    liquidity: state.liquidity,
    remaining: amountSpecified,
    calculated: 0n,
    feeGrowth: zeroForOne ? state.feeGrowthGlobal0X128 : state.feeGrowthGlobal1X128,
    protocolFee: 0n,
  }
  while (now.remaining !== 0n && now.price !== limit) {
    const next = nextTickWithinWord(ticks, now.tick, state.tickSpacing, zeroForOne)
    const nextPrice = sqrtRatioAtTick(next)
    const start = now.price
    const beyond = zeroForOne ? nextPrice < limit : nextPrice > limit
    const step = referenceStep(now, beyond ? limit : nextPrice, BigInt(state.feePips))
    now.price = step.next
    if (amountSpecified > 0n) {
      now.remaining -= step.amountIn + step.fee
      now.calculated -= step.amountOut
    } else {
      now.remaining += step.amountOut
      now.calculated += step.amountIn + step.fee
    }
    const protocolShare = feeProtocol > 0n ? step.fee / feeProtocol : 0n
    now.protocolFee = BigInt.asUintN(128, now.protocolFee + protocolShare)
    if (now.liquidity > 0n) {
      const growth = ((step.fee - protocolShare) << 128n) / now.liquidity
      now.feeGrowth = BigInt.asUintN(256, now.feeGrowth + growth)
    }
    if (now.price === nextPrice) {
      const tick = ticks.get(next)
      if (tick !== undefined) {
        crossed.push(flip(state, tick, zeroForOne, now.feeGrowth))
        now.liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet
      }
      now.tick = zeroForOne ? next - 1 : next
    } else if (now.price !== start) {
      now.tick = referenceTickAtSqrtRatio(now.price)
    }
  }
  const used = amountSpecified - now.remaining
  const inputFirst = zeroForOne === amountSpecified > 0n
  return {
    amount0: inputFirst ? used : now.calculated,
    amount1: inputFirst ? now.calculated : used,
    sqrtPriceX96: now.price,
    tick: now.tick,
    liquidity: now.liquidity,
    feeGrowthGlobal0X128: zeroForOne ? now.feeGrowth : state.feeGrowthGlobal0X128,
    feeGrowthGlobal1X128: zeroForOne ? state.feeGrowthGlobal1X128 : now.feeGrowth,
    protocolFee: now.protocolFee,
    crossed,
  }
}

function assertLegal(state: ClmmState, request: SwapRequest): void {
  const { zeroForOne, amountSpecified, sqrtPriceLimitX96: limit } = request
  if (amountSpecified === 0n) throw new PoolRevertError({ reason: 'AS' })
  if (state.sqrtPriceX96 === 0n) throw new PoolRevertError({ reason: 'LOK' })
  const legal = zeroForOne
    ? limit < state.sqrtPriceX96 && limit > MIN_SQRT_RATIO
    : limit > state.sqrtPriceX96 && limit < MAX_SQRT_RATIO
  if (!legal) throw new PoolRevertError({ reason: 'SPL' })
}

/** The next initialized tick in the same 256-tick bitmap word, or the last tick of the word. */
function nextTickWithinWord(
  ticks: ReadonlyMap<number, TickState>,
  tick: number,
  spacing: number,
  zeroForOne: boolean,
): number {
  let compressed = Math.floor(tick / spacing)
  if (!zeroForOne) compressed += 1
  const word = Math.floor(compressed / 256)
  const edge = zeroForOne ? word * 256 : word * 256 + 255
  while (compressed !== edge && !ticks.has(compressed * spacing)) compressed += zeroForOne ? -1 : 1
  return Math.max(MIN_TICK, Math.min(MAX_TICK, compressed * spacing))
}

/** One step at constant liquidity, in the plain form: first what the target costs, then where it ends. */
function referenceStep(
  now: Progress,
  target: bigint,
  fee: bigint,
): { next: bigint; amountIn: bigint; amountOut: bigint; fee: bigint } {
  const { price, liquidity } = now
  const down = price >= target
  const input = down ? amount0RoundingUp : amount1RoundingUp
  const output = down ? amount1RoundingDown : amount0RoundingDown
  const between =
    (formula: typeof input) =>
    (other: bigint): bigint =>
      down ? formula(other, price, liquidity) : formula(price, other, liquidity)
  const exactInput = now.remaining > 0n
  let next = target
  if (exactInput) {
    const spendable = (now.remaining * (1_000_000n - fee)) / 1_000_000n
    if (spendable < between(input)(target)) {
      next = (down ? sqrtPriceAfterAmount0In : sqrtPriceAfterAmount1In)(price, liquidity, spendable)
    }
  } else if (-now.remaining < between(output)(target)) {
    next = (down ? sqrtPriceAfterAmount1Out : sqrtPriceAfterAmount0Out)(
      price,
      liquidity,
      -now.remaining,
    )
  }
  const amountIn = between(input)(next)
  let amountOut = between(output)(next)
  if (!exactInput && amountOut > -now.remaining) amountOut = -now.remaining
  const paid =
    exactInput && next !== target
      ? now.remaining - amountIn
      : divideRoundingUp(amountIn * fee, 1_000_000n - fee)
  if (amountIn > MAX_UINT256) throw new PoolRevertError({ reason: '' })
  return { next, amountIn, amountOut, fee: paid }
}

function flip(
  state: ClmmState,
  tick: TickState,
  zeroForOne: boolean,
  feeGrowth: bigint,
): ReferenceSwap['crossed'][number] {
  const growth0 = zeroForOne ? feeGrowth : state.feeGrowthGlobal0X128
  const growth1 = zeroForOne ? state.feeGrowthGlobal1X128 : feeGrowth
  return {
    index: tick.index,
    feeGrowthOutside0X128: BigInt.asUintN(256, growth0 - tick.feeGrowthOutside0X128),
    feeGrowthOutside1X128: BigInt.asUintN(256, growth1 - tick.feeGrowthOutside1X128),
  }
}
