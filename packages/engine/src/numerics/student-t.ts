/**
 * Student's t with four degrees of freedom, scaled to unit variance: fat tails with algebraic formulas.
 *
 *     F(t) = ½ + ⅜·s·(1 − s²/12),   s = t / √(1 + t²/4),   t = x·√2 for x of unit variance
 */
export function studentT4UnitCdf(x: number): number {
  const t = x * Math.SQRT2
  const s = t / Math.sqrt(1 + (t * t) / 4)
  return 0.5 + 0.375 * s * (1 - (s * s) / 12)
}

/**
 * Quantile of the unit-variance t₄.
 *
 * With s in [−2, 2] as above, the distribution function is an increasing cubic. So bisection and
 * the exact inverse of s(t) need no starting value.
 *
 * @param p in (0, 1)
 * @throws RangeError outside
 */
export function studentT4UnitQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a probability of ${p}; expected a value in (0, 1)`)
  const target = (p < 0.5 ? 0.5 - p : p - 0.5) / 0.375
  let low = 0
  let high = 2
  for (let round = 0; round < 60; round++) {
    const middle = 0.5 * (low + high)
    if (middle * (1 - (middle * middle) / 12) < target) low = middle
    else high = middle
  }
  const t = low / Math.sqrt(1 - (low * low) / 4)
  return (p < 0.5 ? -t : t) / Math.SQRT2
}

/**
 * Expected value of the unit-variance t₄ beyond its p-quantile, exact:
 *
 *     ES = f₄(q)·(4 + q²) / (3·(1 − p)) / √2,   f₄(q) = ⅜·(1 + q²/4)^(−5/2)
 *
 * @param p in (0, 1)
 */
export function studentT4UnitShortfall(p: number): number {
  const q = studentT4UnitQuantile(p) * Math.SQRT2
  const base = 1 + (q * q) / 4
  const density = 0.375 / (base * base * Math.sqrt(base))
  return (density * (4 + q * q)) / (3 * (1 - p)) / Math.SQRT2
}
