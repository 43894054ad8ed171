import { exp } from '../numerics/exp.ts'
import { studentT4UnitQuantile } from '../numerics/student-t.ts'

/**
 * Replenishment of one side after a move: its quantile and its expected value beyond the quantile.
 */
export interface BufferNeed {
  readonly atQuantile: number
  readonly expectedShortfall: number
}

const PANELS = 256
/** A price moves by e^±700 at most, so that the ratio and its reciprocal are numbers. */
const LARGEST_MOVE = 700
/** Places of the two-point Gauss rule in a panel of one. */
const GAUSS = [0.5 - 0.5 / Math.sqrt(3), 0.5 + 0.5 / Math.sqrt(3)] as const

/**
 * Replenishment after an adverse move. It rises with the move, so its quantile is at the quantile
 * of the price. Its expected shortfall is the mean over the tail. Moves are t with four degrees of
 * freedom, scaled to unit variance: price ratio e^(∓q·σ√T).
 *
 * With q = √2·√(1 − v²)/v the tail beyond a confidence c is v in (0, v_c], and
 *
 *     ES = 1/(1 − c)·∫ need(q(v))·¾·v³/√(1 − v²) dv
 *
 * has a smooth integrand up to the end. Equal steps of probability would lose a thousandth of ES,
 * because a single step covers the extreme tail. 256 panels of two Gauss points are exact for a
 * need of q itself.
 *
 * @param replenish amount that the target needs at a price ratio, minus the remaining inventory;
 * not below zero
 * @param direction FALL for the quote side, RISE for the token side
 * @throws RangeError for a confidence of a half or less
 */
export function bufferNeed(
  replenish: (priceRatio: number) => number,
  direction: 'FALL' | 'RISE',
  terms: { annualVolatility: number; years: number; confidence: number },
): BufferNeed {
  const { annualVolatility, years, confidence } = terms
  if (!(confidence > 0.5))
    throw new RangeError(`a buffer confidence of ${confidence}; expected more than 0.5`)
  const scale = annualVolatility * Math.sqrt(years) * (direction === 'FALL' ? -1 : 1)
  const needAt = (q: number) => {
    const move = Math.max(-LARGEST_MOVE, Math.min(LARGEST_MOVE, scale * q))
    return Math.max(0, replenish(exp(move)))
  }
  const quantile = studentT4UnitQuantile(confidence)
  const end = 1 / Math.sqrt(1 + (quantile * quantile) / 2)
  let sum = 0
  for (let panel = 0; panel < PANELS; panel++) {
    for (const place of GAUSS) {
      const v = (end * (panel + place)) / PANELS
      const rest = Math.sqrt(1 - v * v)
      sum += (needAt((Math.SQRT2 * rest) / v) * v * v * v) / rest
    }
  }
  const mean = ((sum * end) / (2 * PANELS)) * (0.75 / (1 - confidence))
  return { atQuantile: needAt(quantile), expectedShortfall: mean }
}
