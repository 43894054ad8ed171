/** Two-sided 97.5 % quantile of the standard normal. */
export const Z_95 = 1.959963984540054

/** An interval with its point. */
export interface Proportion {
  readonly share: number
  readonly low: number
  readonly high: number
}

/**
 * Wilson's 95 % interval of a proportion: it stays in [0, 1] and holds its level for rare events.
 *
 *     (p̂ + z²/2n ± z·√(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n)
 *
 * @param hits   events, 0..trials
 * @param trials independent observations, above zero; may be fractional when pairs are discounted
 * @throws RangeError outside
 * @see Wilson, “Probable inference, the law of succession, and statistical inference”, JASA 22 (1927)
 */
export function wilson(hits: number, trials: number): Proportion {
  if (!(trials > 0 && hits >= 0 && hits <= trials)) {
    throw new RangeError(`${hits} hits in ${trials} trials`)
  }
  const share = hits / trials
  const z2 = Z_95 * Z_95
  const centre = share + z2 / (2 * trials)
  const reach = Z_95 * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials * trials))
  const scale = 1 + z2 / trials
  return {
    share,
    low: hits === 0 ? 0 : (centre - reach) / scale,
    high: hits === trials ? 1 : (centre + reach) / scale,
  }
}
