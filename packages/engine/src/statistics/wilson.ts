import { estimateMean, type Pairing } from './pairs.ts'

/** Two-sided 97.5 % quantile of the standard normal. */
export const Z_95 = 1.959963984540054

/** An interval with its point. */
export interface Proportion {
  readonly share: number
  readonly low: number
  readonly high: number
}

/**
 * Wilson's 95 % interval of a proportion: it stays in [0, 1] and retains its level for rare events.
 *
 *     (p̂ + z²/2n ± z·√(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n)
 *
 * @param hits events, 0..trials
 * @param trials independent observations, above zero; can be fractional when pairs are discounted
 * @throws RangeError outside
 * @see Wilson, “Probable inference, the law of succession, and statistical inference”, JASA 22
 * (1927)
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

/**
 * Effective number of independent trials behind a share of paths. Members of an antithetic pair are
 * not independent: a move of either sign past a limit hits both or neither. The variance between
 * pairs measures this, and gives the number of independent paths:
 *
 *     trials = n·½p̂(1 − p̂)/s²,   s² the variance of the pairs' shares, at most 2n
 *
 * If all paths or no paths were hit, this variance is zero, and each pair counts as one
 * observation.
 *
 * @param hits whether it happened, in path order
 * @see Korn and Graubard, “Confidence intervals for proportions with small expected number of
 * positive counts estimated from survey data”, Survey Methodology 24 (1998)
 */
export function trialsOfPaths(hits: readonly boolean[], pairing: Pairing): number {
  const paths = hits.length
  if (pairing === 'INDEPENDENT' || paths < 2) return paths
  const count = hits.filter(Boolean).length
  const { mean, standardError, observations } = estimateMean(hits.map(Number), pairing)
  if (count === 0 || count === paths) return observations
  return Math.min(2 * paths, (mean * (1 - mean)) / standardError ** 2)
}

/**
 * Wilson's interval of a share of paths, over the effective number of trials.
 *
 * @param hits whether it happened, in path order
 * @param trials default `trialsOfPaths`; compared shares of one set of paths should use one number
 * @throws RangeError for no paths
 */
export function wilsonOfPaths(
  hits: readonly boolean[],
  pairing: Pairing,
  trials = trialsOfPaths(hits, pairing),
): Proportion {
  return wilson((hits.filter(Boolean).length / hits.length) * trials, trials)
}
