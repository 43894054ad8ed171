/**
 * ln 2 in two parts. The first has 33 significant bits, so that its integer multiples are exact.
 */
export const LN2_HIGH = 0.6931471803691238
export const LN2_LOW = 1.9082149292705877e-10

/** Exact powers of two from 2^-1074 to 2^1023; entry i is 2^(i − 1074). */
const POWERS_OF_TWO = powersOfTwo()

/**
 * e^x, within one unit in the last place, from + − × ÷ alone: the same bits on every machine.
 *
 *     x = k·ln 2 + r,  |r| ≤ ½ ln 2;    e^r = 1 + 2r / (R(r²) − r);    e^x = 2^k·e^r
 *
 * R is the minimax polynomial of degree 5 for r·(e^r + 1)/(e^r − 1).
 *
 * @param x any double; above 709.78 the result is Infinity, below −745.13 zero
 * @see fdlibm, e_exp.c (Sun Microsystems, 1993), the source of reduction and polynomial
 */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : Number.NaN
  if (x < -745.1332191019412) return 0
  const k = Math.floor(x * Math.LOG2E + 0.5)
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const z = r * r
  const c =
    r -
    z *
      (0.16666666666666602 +
        z *
          (-0.0027777777777015593 +
            z *
              (0.00006613756321437934 +
                z * (-0.0000016533902205465252 + z * 4.1381367970572385e-8))))
  const value = 1 - (low - (r * c) / (2 - c) - high)
  // Below the normal range the power is taken in two factors, so that only the last one rounds.
  if (k < -1021) return value * powerOfTwo(k + 100) * powerOfTwo(-100)
  return k === 1024 ? value * 2 * powerOfTwo(1023) : value * powerOfTwo(k)
}

/** 2^k, exact. @param k integer in −1074..1023 */
export function powerOfTwo(k: number): number {
  // The table covers the whole stated range.
  return POWERS_OF_TWO[k + 1074]!
}

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(2098)
  let power = Number.MIN_VALUE
  for (let i = 0; i < powers.length; i++) {
    powers[i] = power
    power *= 2
  }
  return powers
}
