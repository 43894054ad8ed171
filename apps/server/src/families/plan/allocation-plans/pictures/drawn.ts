import type { AllocationPlan } from '../allocation-input.ts'

/** A record of a plan as far as pictures need it. */
export interface DrawnPlan {
  readonly payload: AllocationPlan
}

/** Atoms of the quote in whole tokens. */
export function tokensOf({ payload }: DrawnPlan, atoms: string | bigint): number {
  return Number(BigInt(atoms)) / 10 ** payload.request.pair.quoteDecimals
}

/** A number as people read it: three or four digits that count. */
export function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  return size === 0 ? '0' : String(Number(value.toPrecision(3)))
}

type Target = AllocationPlan['achieved'][number]['target']

/** A target in a few words. */
export function targetWords(plan: DrawnPlan, target: Target): string {
  const side = target.side === 'BUY' ? 'Buy' : 'Sell'
  return 'bandPips' in target
    ? `${side}, within ${target.bandPips / 10_000} %`
    : `${side} ${shown(tokensOf(plan, target.sizeQuote))} at ${target.maxSlippagePips / 10_000} %`
}

export const wantedOf = (target: Target) =>
  'bandPips' in target ? target.minQuote : target.sizeQuote
