import { PoolRevertError } from '../pool-revert.ts'
import type { PairFee } from './state.ts'

/**
 * Output of an exact input, rounded down in the pair's favor.
 *
 *     in·(d − f)·R_out / (R_in·d + in·(d − f)),   fee f/d
 *
 * @throws PoolRevertError UniswapV2Library: INSUFFICIENT_INPUT_AMOUNT or INSUFFICIENT_LIQUIDITY
 * @see Uniswap v2 whitepaper, §3.2.1
 */
export function getAmountOut(
  amountIn: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  fee: PairFee,
): bigint {
  if (amountIn <= 0n) throw libraryRevert('INSUFFICIENT_INPUT_AMOUNT')
  if (reserveIn <= 0n || reserveOut <= 0n) throw libraryRevert('INSUFFICIENT_LIQUIDITY')
  const effective = amountIn * (fee.denominator - fee.numerator)
  return (effective * reserveOut) / (reserveIn * fee.denominator + effective)
}

/**
 * Input for an exact output: the quotient plus one, so never too little.
 *
 *     R_in·out·d / ((R_out − out)·(d − f)) + 1,   fee f/d
 *
 * @throws PoolRevertError UniswapV2Library: INSUFFICIENT_OUTPUT_AMOUNT or INSUFFICIENT_LIQUIDITY.
 * If the output exceeds the reserve, `ds-math-sub-underflow` from the subtraction, before any
 * division.
 */
export function getAmountIn(
  amountOut: bigint,
  reserveIn: bigint,
  reserveOut: bigint,
  fee: PairFee,
): bigint {
  if (amountOut <= 0n) throw libraryRevert('INSUFFICIENT_OUTPUT_AMOUNT')
  if (reserveIn <= 0n || reserveOut <= 0n) throw libraryRevert('INSUFFICIENT_LIQUIDITY')
  if (amountOut > reserveOut) throw new PoolRevertError({ reason: 'ds-math-sub-underflow' })
  if (amountOut === reserveOut) throw new PoolRevertError({ reason: 'INVALID' })
  const numerator = reserveIn * amountOut * fee.denominator
  return numerator / ((reserveOut - amountOut) * (fee.denominator - fee.numerator)) + 1n
}

function libraryRevert(what: string): PoolRevertError {
  return new PoolRevertError({ reason: `UniswapV2Library: ${what}` })
}
