import { type ImpactTerms, impactCurve, peakImpact } from './unlock-impact.ts'

/** Peak of a quantity sold evenly over some days. */
export function evenPeak(quantity: number, days: number, terms: ImpactTerms): number {
  return peakImpact(impactCurve(new Array<number>(days).fill(quantity / days), terms))
}

/**
 * Smallest number of days to spread a quantity over so that the impact stays under a limit. Null if
 * `longest` days are insufficient. The peak falls with the days, so bisection finds it.
 */
export function linearise(
  quantity: number,
  limit: number,
  terms: ImpactTerms,
  longest = 730,
): number | null {
  if (evenPeak(quantity, longest, terms) > limit) return null
  let [low, high] = [0, longest]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (evenPeak(quantity, middle, terms) <= limit) high = middle
    else low = middle
  }
  return high
}

/** Quantity to place outside the market so that the rest peaks at the limit: Q − Q(limit/peak)². */
export function carveOut(quantity: number, limit: number, peak: number): number {
  if (peak <= limit) return 0
  const share = limit / peak
  return quantity - quantity * share * share
}
