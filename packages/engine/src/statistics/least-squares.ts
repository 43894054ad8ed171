import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'

/** A fitted linear model, intercept first. */
export interface LinearFit {
  readonly coefficients: readonly number[]
  /** Heteroskedasticity and autocorrelation consistent. */
  readonly standardErrors: readonly number[]
  readonly residuals: Float64Array
  readonly rSquared: number
  readonly lags: number
}

/**
 * Ordinary least squares with Newey–West errors (Bartlett weights). The default lag is
 * ⌊4·(n/100)^(2/9)⌋.
 *
 * @param response n values in time order
 * @param regressors columns of n values each, without the intercept
 * @throws RangeError for fewer observations than coefficients plus one, or dependent regressors
 * @see Newey and West, “A simple, positive semi-definite, heteroskedasticity and autocorrelation
 * consistent covariance matrix”, Econometrica 55 (1987)
 */
export function leastSquares(
  response: ArrayLike<number>,
  regressors: readonly ArrayLike<number>[],
  lag?: number,
): LinearFit {
  const n = response.length
  const width = regressors.length + 1
  if (n <= width) throw new RangeError(`${n} observations for ${width} coefficients`)
  const rows = Array.from({ length: n }, (_, t) => [1, ...regressors.map((column) => column[t]!)])
  const inverse = invert(product(rows, rows))
  const moments = rows.reduce(
    (sums, row, t) => sums.map((sum, i) => sum + row[i]! * response[t]!),
    new Array<number>(width).fill(0),
  )
  const coefficients = inverse.map((row) => dot(row, moments))
  const residuals = Float64Array.from(rows, (row, t) => response[t]! - dot(row, coefficients))
  const lags = lag ?? Math.floor(4 * exp((2 / 9) * ln(n / 100)))
  const scores = rows.map((row, t) => row.map((x) => x * residuals[t]!))
  const middle = longRunCovariance(scores, lags)
  const sandwich = multiply(multiply(inverse, middle), inverse)
  return {
    coefficients,
    standardErrors: sandwich.map((row, i) => Math.sqrt(Math.max(row[i]!, 0))),
    residuals,
    rSquared: explained(response, residuals),
    lags,
  }
}

type Matrix = number[][]

/** Σ_t s_t s_tᵀ plus the Bartlett-weighted cross products with earlier scores, both ways. */
function longRunCovariance(scores: Matrix, lags: number): Matrix {
  let total = product(scores, scores)
  for (let k = 1; k <= Math.min(lags, scores.length - 1); k++) {
    const cross = product(scores.slice(k), scores.slice(0, -k))
    const weight = 1 - k / (lags + 1)
    total = total.map((row, i) => row.map((v, j) => v + weight * (cross[i]![j]! + cross[j]![i]!)))
  }
  return total
}

function explained(response: ArrayLike<number>, residuals: Float64Array): number {
  const values = Float64Array.from(response)
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const total = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  const left = residuals.reduce((sum, value) => sum + value * value, 0)
  return total === 0 ? 0 : 1 - left / total
}

/** Σ_t a_t b_tᵀ over rows. */
function product(a: Matrix, b: Matrix): Matrix {
  // Both have the same number of rows, and every row the width of the first.
  const width = a[0]!.length
  const sums = Array.from({ length: width }, () => new Array<number>(width).fill(0))
  for (const [t, row] of a.entries()) {
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) sums[i]![j]! += row[i]! * b[t]![j]!
    }
  }
  return sums
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => b[0]!.map((_, j) => row.reduce((sum, v, k) => sum + v * b[k]![j]!, 0)))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

/** Inverse by Gauss–Jordan with the largest pivot. @throws RangeError when singular */
function invert(matrix: Matrix): Matrix {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let i = column + 1; i < size; i++) {
      if (Math.abs(rows[i]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = i
    }
    const lead = rows[pivot]![column]!
    const scale = Math.abs(matrix[column]![column]!)
    if (!(Math.abs(lead) > 1e-13 * scale))
      throw new RangeError('the regressors are linearly dependent')
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    rows[column] = rows[column]!.map((value) => value / lead)
    for (let i = 0; i < size; i++) {
      const factor = rows[i]![column]!
      if (i !== column) rows[i] = rows[i]!.map((v, j) => v - factor * rows[column]![j]!)
    }
  }
  return rows.map((row) => row.slice(size))
}
