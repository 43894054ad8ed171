import { exp } from '../numerics/exp.ts'
import { studentT4UnitQuantile } from '../numerics/student-t.ts'

/** What must be added on one side after a move, with its quantile and its expected value beyond it. */
export interface BufferNeed {
  readonly atQuantile: number
  readonly expectedShortfall: number
}

const MIDPOINTS = 512

/**
 * Replenishment after a bad move: its quantile is that of the price, because it rises with the move, and its
 * expected shortfall the mean over 512 midpoints of the tail. Moves are t with four degrees of freedom,
 * scaled to unit variance: price ratio e^(∓q·σ√T).
 *
 * @param replenish what the target needs at a price ratio less what is still held there, not below zero
 * @param direction FALL for the quote side, RISE for the token side
 */
export function bufferNeed(
  replenish: (priceRatio: number) => number,
  direction: 'FALL' | 'RISE',
  terms: { annualVolatility: number; years: number; confidence: number },
): BufferNeed {
  const { annualVolatility, years, confidence } = terms
  const scale = annualVolatility * Math.sqrt(years) * (direction === 'FALL' ? -1 : 1)
  const at = (p: number) => Math.max(0, replenish(exp(scale * studentT4UnitQuantile(p))))
  let sum = 0
  for (let i = 0; i < MIDPOINTS; i++) {
    sum += at(confidence + ((1 - confidence) * (i + 0.5)) / MIDPOINTS)
  }
  return { atQuantile: at(confidence), expectedShortfall: sum / MIDPOINTS }
}
