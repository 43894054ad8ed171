import { exp } from './exp.ts'
import { ln } from './ln.ts'

const ROOT_TWO_PI = 2.5066282746310002

/** Density of the standard normal distribution. */
export function normalDensity(x: number): number {
  // The square is split so that its rounding does not grow with it: e^(−h²/2)·e^(−(x−h)(x+h)/2).
  const spread = x * 134217729
  const h = spread - (spread - x)
  return (exp(-0.5 * h * h) * exp(-0.5 * (x - h) * (x + h))) / ROOT_TWO_PI
}

/**
 * Distribution function Φ of the standard normal.
 *
 * Near the middle it is the series ½ + φ(x)·(x + x³/3 + x⁵/15 + …). Further out it is Laplace's
 * continued fraction for the tail, so that small probabilities retain their relative precision.
 *
 * @see Marsaglia, “Evaluating the normal distribution”, Journal of Statistical Software 11 (2004)
 */
export function normalCdf(x: number): number {
  if (x < -SERIES_LIMIT) return upperTail(-x)
  if (x > SERIES_LIMIT) return 1 - upperTail(x)
  let term = x
  let sum = x
  for (let k = 3; ; k += 2) {
    term = (term * x * x) / k
    const next = sum + term
    if (next === sum) break
    sum = next
  }
  return 0.5 + sum * normalDensity(x)
}

const SERIES_LIMIT = 2

/** 1 − Φ(x) for x ≥ 2: φ(x) / (x + 1/(x + 2/(x + 3/(x + …)))), evaluated from the inside. */
function upperTail(x: number): number {
  if (x > 38.6) return 0
  let fraction = x
  for (let k = Math.floor(20 + 520 / (x * x)); k > 0; k--) fraction = x + k / fraction
  return normalDensity(x) / fraction
}

/**
 * Quantile of the standard normal distribution, to about 1 part in 10^15.
 *
 * @param p in (0, 1)
 * @throws RangeError outside
 * @see Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988)
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a probability of ${p}; expected a value in (0, 1)`)
  return p < 0.5 ? normalQuantileAt(p - 0.5, p) : normalQuantileAt(p - 0.5, 1 - p)
}

/**
 * The quantile of a probability given by its distances from ½ and from the nearer end. If both are
 * exact, as in a random stream, the quantile is bit-exactly odd about ½.
 *
 * @param q p − ½
 * @param tail min(p, 1 − p)
 */
export function normalQuantileAt(q: number, tail: number): number {
  if (q >= -0.425 && q <= 0.425) {
    const r = 0.180625 - q * q
    return (q * horner(CENTRE_ABOVE, r)) / horner(CENTRE_BELOW, r)
  }
  const r = Math.sqrt(-ln(tail))
  const value =
    r <= 5
      ? horner(MIDDLE_ABOVE, r - 1.6) / horner(MIDDLE_BELOW, r - 1.6)
      : horner(TAIL_ABOVE, r - 5) / horner(TAIL_BELOW, r - 5)
  return q < 0 ? -value : value
}

/** Coefficients from the highest power down. */
function horner(c: readonly number[], x: number): number {
  // All eight places of the tables below exist.
  return (
    ((((((c[0]! * x + c[1]!) * x + c[2]!) * x + c[3]!) * x + c[4]!) * x + c[5]!) * x + c[6]!) * x +
    c[7]!
  )
}

const CENTRE_ABOVE = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
]
const CENTRE_BELOW = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
]
const MIDDLE_ABOVE = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
  3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
]
const MIDDLE_BELOW = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
  0.6897673349851, 1.6763848301838038, 2.053191626637759, 1,
]
const TAIL_ABOVE = [
  2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
]
const TAIL_BELOW = [
  2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
]
