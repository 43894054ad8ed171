import { ln } from '../numerics/ln.ts'
import { leastSquares } from '../statistics/least-squares.ts'

/** One day of a market, as its sealed history shows it. */
export interface MarketDay {
  /** Days since the first of the panel. */
  readonly day: number
  /**
   * Mean over the day's samples of the smaller side of the 2 % depth, in quote; null if the day was
   * not observed.
   */
  readonly depth: number | null
  /** Quote traded. */
  readonly volume: number
  /** Standard deviation of the day's log price; null if the day was not observed. */
  readonly volatility: number | null
  readonly isWeekend: boolean
}

/** How volume answers to depth. */
export interface Elasticity {
  /** In 0..0.95. */
  readonly elasticity: number
  /** Heteroskedasticity and autocorrelation consistent; zero where it is not identified. */
  readonly standardError: number
  readonly observations: number
  /**
   * Whether depth varied enough in the baseline to estimate the elasticity. If not, the model
   * assumes an elasticity of zero.
   */
  readonly isIdentified: boolean
}

/** An elasticity of one would make rewards pay for themselves without an end. */
const MOST = 0.95
const FEWEST_DAYS = 14
/** Minimum spread of log depth. Below it, the effect on volume cannot be estimated. */
const LEAST_SPREAD = 0.005

/**
 * Elasticity of volume to depth:
 *
 *     ln V_t = a + ε·ln L_t + b·ln σ_t + c·t + d·weekend_t + e_t
 *
 * by ordinary least squares with Newey–West errors. Volatility and the days are controls; constant
 * controls are dropped. Days without depth, volume or movement are dropped.
 *
 * @param days in time order
 * @param indices days to use, with repetition; default all, in order
 * @see Newey and West (1987)
 */
export function volumeElasticity(
  days: readonly MarketDay[],
  indices: ArrayLike<number> = days.map((_, index) => index),
): Elasticity {
  const used = Array.from(indices, (index) => days[index]).filter(
    (day) => day !== undefined && day.depth !== null && day.depth > 0 && day.volume > 0,
  ) as (MarketDay & { depth: number })[]
  const unidentified = {
    elasticity: 0,
    standardError: 0,
    observations: used.length,
    isIdentified: false,
  }
  if (used.length < FEWEST_DAYS) return unidentified
  const depth = used.map((day) => ln(day.depth))
  if (!(spreadOf(depth) > LEAST_SPREAD)) return unidentified
  const hasVolatility = used.every(({ volatility }) => volatility !== null && volatility > 0)
  const controls = [
    hasVolatility ? used.map(({ volatility }) => ln(volatility ?? 1)) : [],
    used.map(({ day }) => day / days.length),
    used.map(({ isWeekend }) => (isWeekend ? 1 : 0)),
  ].filter((column) => column.length > 0 && spreadOf(column) > 0)
  try {
    const fit = leastSquares(
      used.map(({ volume }) => ln(volume)),
      [depth, ...controls],
    )
    // The intercept comes first, depth second.
    const raw = fit.coefficients[1]!
    return {
      elasticity: Math.min(Math.max(raw, 0), MOST),
      standardError: fit.standardErrors[1]!,
      observations: used.length,
      isIdentified: true,
    }
  } catch (error) {
    // Collinear regressors: depth cannot be separated from its controls.
    if (error instanceof RangeError) return unidentified
    throw error
  }
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  return Math.sqrt(squares / values.length)
}
