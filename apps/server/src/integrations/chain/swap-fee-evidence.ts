import { getAmountIn, getAmountOut, type PairFee } from '@liquidity-os/engine/amm'
import type { PairAmounts } from '@liquidity-os/engine/replay'

type Reserves = { readonly reserve0: bigint; readonly reserve1: bigint }

/**
 * Evidence that a swap gives about a fee. EXACT: the fee matches exactly, and one pip more or less
 * would differ. BELOW or ABOVE: less or more was taken than the fee allows. SILENT: inconclusive,
 * for instance because the amounts are too small.
 */
export type FeeEvidence = 'EXACT' | 'BELOW' | 'ABOVE' | 'SILENT'

const MILLION = 1_000_000

/** A fee in pips as a pair computes with it. The scale cancels out in both formulas of a pair. */
export function pairFeeOf(feePips: number): PairFee {
  return feePips % 1000 === 0
    ? { numerator: BigInt(feePips / 1000), denominator: 1000n }
    : { numerator: BigInt(feePips), denominator: BigInt(MILLION) }
}

/**
 * Compares a swap of a pair with a fee.
 *
 * A swap is `EXACT` only if the pair would have rejected it at one pip more. Therefore no swap is
 * exact at a fee below the true one. The formula must also give another amount at one pip less, to
 * distinguish the two.
 *
 * @param before reserves before the swap
 * @param amounts of its log
 * @param feePips 0..1,000,000
 */
export function swapFeeEvidence(
  { reserve0, reserve1 }: Reserves,
  { amount0In, amount1In, amount0Out, amount1Out }: PairAmounts,
  feePips: number,
): FeeEvidence {
  const isForward = amount0In > 0n
  // Both tokens in or both out: a flash loan, which neither formula covers.
  if (isForward === amount1In > 0n || (isForward ? amount0Out : amount1Out) > 0n) return 'SILENT'
  const [amountIn, amountOut] = isForward ? [amount0In, amount1Out] : [amount1In, amount0Out]
  const [reserveIn, reserveOut] = isForward ? [reserve0, reserve1] : [reserve1, reserve0]
  if (amountOut >= reserveOut || reserveIn === 0n) return 'ABOVE'
  const outAt = (pips: number) => getAmountOut(amountIn, reserveIn, reserveOut, pairFeeOf(pips))
  const inAt = (pips: number) => getAmountIn(amountOut, reserveIn, reserveOut, pairFeeOf(pips))
  const best = outAt(feePips)
  if (amountOut > best) return 'ABOVE'
  // The fee consumes the whole input, so no comparison is possible.
  if (feePips >= MILLION || amountOut === 0n) return 'SILENT'
  const [cheaper, dearer] = [feePips - 1, feePips + 1]
  const isRefusedAtMore = outAt(dearer) < amountOut
  const tellsByOutput = outAt(cheaper) > best && outAt(dearer) < best
  if (amountOut === best && tellsByOutput) return 'EXACT'
  const isExactOutput = inAt(feePips) === amountIn
  if (isExactOutput && isRefusedAtMore && inAt(cheaper) < amountIn) return 'EXACT'
  return amountOut < best && !isExactOutput && tellsByOutput ? 'BELOW' : 'SILENT'
}
