import type { AllocationPlan } from '../allocation-input.ts'

/** A record of a plan: the part that charts use. */
export interface DrawnPlan {
  readonly payload: AllocationPlan
}

/** Atoms of the quote in whole tokens. */
export function tokensOf({ payload }: DrawnPlan, atoms: string | bigint): number {
  return Number(BigInt(atoms)) / 10 ** payload.request.pair.quoteDecimals
}

/** A display number: three or four significant digits. */
export function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  return size === 0 ? '0' : String(Number(value.toPrecision(3)))
}

type Target = AllocationPlan['achieved'][number]['target']

/** Short label of a target. */
export function targetWords(plan: DrawnPlan, target: Target): string {
  const side = target.side === 'BUY' ? 'Buy' : 'Sell'
  return 'bandPips' in target
    ? `${side}, within ${target.bandPips / 10_000} %`
    : `${side} ${shown(tokensOf(plan, target.sizeQuote))} at ${target.maxSlippagePips / 10_000} %`
}

export const wantedOf = (target: Target) =>
  'bandPips' in target ? target.minQuote : target.sizeQuote
