import { divideRoundingUp, MAX_UINT256 } from '../../arithmetic/integer.ts'
import {
  amount0RoundingDown,
  amount0RoundingUp,
  amount1RoundingDown,
  amount1RoundingUp,
  sqrtPriceAfterAmount0In,
  sqrtPriceAfterAmount0Out,
  sqrtPriceAfterAmount1Out,
} from './sqrt-price-math.ts'

/** Amounts of one step with constant liquidity. */
export interface SwapStep {
  sqrtPriceX96: bigint
  /** Input without the fee, rounded up. */
  amountIn: bigint
  /** Output, rounded down. */
  amountOut: bigint
  /** Fee in the input token, rounded up. */
  feeAmount: bigint
}

const MILLION = 1_000_000n

/**
 * One step of an exact-input swap toward a target price.
 *
 * The price after an input is rounded against the trader, so a sufficient input always reaches the
 * target or passes it. If the price from the whole remaining input does not reach the target, the
 * input was insufficient. So the cost of the target, two divisions, is only computed if the price
 * reaches it.
 *
 * @param price current root price
 * @param target root price where liquidity changes or the swap must stop
 * @param liquidity uint128, above zero
 * @param remaining input left, fee included
 * @param fee pips
 * @param feeComplement 1,000,000 − fee
 * @see Uniswap v3 whitepaper, §6.2.3
 */
export function stepExactInput(
  price: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  fee: bigint,
  feeComplement: bigint,
): SwapStep {
  const spendable = (remaining * feeComplement) / MILLION
  if (price >= target) {
    const numerator = liquidity << 96n
    const denominator = numerator + spendable * price
    if (denominator <= MAX_UINT256) {
      const next = divideRoundingUp(numerator * price, denominator)
      if (next > target) return downTo(next, price, liquidity, remaining)
    }
    const cost = amount0RoundingUp(target, price, liquidity)
    if (spendable < cost) {
      return downTo(
        sqrtPriceAfterAmount0In(price, liquidity, spendable),
        price,
        liquidity,
        remaining,
      )
    }
    return {
      sqrtPriceX96: target,
      amountIn: cost,
      amountOut: amount1RoundingDown(target, price, liquidity),
      feeAmount: divideRoundingUp(cost * fee, feeComplement),
    }
  }
  const next = price + (spendable << 96n) / liquidity
  if (next < target) {
    const amountIn = amount1RoundingUp(price, next, liquidity)
    return {
      sqrtPriceX96: next,
      amountIn,
      amountOut: amount0RoundingDown(price, next, liquidity),
      feeAmount: remaining - amountIn,
    }
  }
  const cost = amount1RoundingUp(price, target, liquidity)
  return {
    sqrtPriceX96: target,
    amountIn: cost,
    amountOut: amount0RoundingDown(price, target, liquidity),
    feeAmount: divideRoundingUp(cost * fee, feeComplement),
  }
}

/**
 * The last, incomplete step of an exact token0 input. The fee is the input that the price move did
 * not use.
 */
function downTo(next: bigint, price: bigint, liquidity: bigint, remaining: bigint): SwapStep {
  const amountIn = amount0RoundingUp(next, price, liquidity)
  return {
    sqrtPriceX96: next,
    amountIn,
    amountOut: amount1RoundingDown(next, price, liquidity),
    feeAmount: remaining - amountIn,
  }
}

/**
 * One step of an exact-output swap toward a target price. The output never exceeds the remaining
 * amount.
 *
 * @param remaining output still required, above zero; the other arguments are those of an exact
 * input
 * @throws PoolRevertError without a reason if the next price exceeds the range of its type
 */
export function stepExactOutput(
  price: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  fee: bigint,
  feeComplement: bigint,
): SwapStep {
  const down = price >= target
  const available = down
    ? amount1RoundingDown(target, price, liquidity)
    : amount0RoundingDown(price, target, liquidity)
  const next =
    remaining >= available
      ? target
      : down
        ? sqrtPriceAfterAmount1Out(price, liquidity, remaining)
        : sqrtPriceAfterAmount0Out(price, liquidity, remaining)
  const amountIn = down
    ? amount0RoundingUp(next, price, liquidity)
    : amount1RoundingUp(price, next, liquidity)
  const obtained =
    next === target
      ? available
      : down
        ? amount1RoundingDown(next, price, liquidity)
        : amount0RoundingDown(price, next, liquidity)
  return {
    sqrtPriceX96: next,
    amountIn,
    amountOut: obtained > remaining ? remaining : obtained,
    feeAmount: divideRoundingUp(amountIn * fee, feeComplement),
  }
}
