import { getAmountIn, getAmountOut, type PairFee } from '@liquidity-os/engine/amm'
import type { PairAmounts } from '@liquidity-os/engine/replay'

type Reserves = { readonly reserve0: bigint; readonly reserve1: bigint }

/**
 * What a swap says of a fee: that it was taken to the atom and one pip more or less would have shown; that less was taken than
 * it allows, or more; or nothing, for instance because so few atoms moved that they are the same at any fee.
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
 * Holds a swap of a pair against a fee.
 *
 * A swap is only `EXACT` where the pair would have refused it at one pip more, so none is ever exact at a fee below the one
 * that the pair takes; and where the same formula gives another amount at one pip less, so that it tells the two apart.
 *
 * @param before   reserves before the swap
 * @param amounts  of its log
 * @param feePips  0..1,000,000
 */
export function swapFeeEvidence(
  { reserve0, reserve1 }: Reserves,
  { amount0In, amount1In, amount0Out, amount1Out }: PairAmounts,
  feePips: number,
): FeeEvidence {
  const isForward = amount0In > 0n
  // Both tokens in or out: a loan, of which neither formula speaks.
  if (isForward === amount1In > 0n || (isForward ? amount0Out : amount1Out) > 0n) return 'SILENT'
  const [amountIn, amountOut] = isForward ? [amount0In, amount1Out] : [amount1In, amount0Out]
  const [reserveIn, reserveOut] = isForward ? [reserve0, reserve1] : [reserve1, reserve0]
  if (amountOut >= reserveOut || reserveIn === 0n) return 'ABOVE'
  const outAt = (pips: number) => getAmountOut(amountIn, reserveIn, reserveOut, pairFeeOf(pips))
  const inAt = (pips: number) => getAmountIn(amountOut, reserveIn, reserveOut, pairFeeOf(pips))
  const best = outAt(feePips)
  if (amountOut > best) return 'ABOVE'
  // All of the input, which leaves nothing to compare with.
  if (feePips >= MILLION || amountOut === 0n) return 'SILENT'
  const [cheaper, dearer] = [feePips - 1, feePips + 1]
  const isRefusedAtMore = outAt(dearer) < amountOut
  const tellsByOutput = outAt(cheaper) > best && outAt(dearer) < best
  if (amountOut === best && tellsByOutput) return 'EXACT'
  const isExactOutput = inAt(feePips) === amountIn
  if (isExactOutput && isRefusedAtMore && inAt(cheaper) < amountIn) return 'EXACT'
  return amountOut < best && !isExactOutput && tellsByOutput ? 'BELOW' : 'SILENT'
}
