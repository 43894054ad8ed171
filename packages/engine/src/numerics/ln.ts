import { exp, LN2_HIGH, LN2_LOW } from './exp.ts'

const view = new DataView(new ArrayBuffer(8))

/**
 * Natural logarithm, within one unit in the last place, from + − × ÷ alone.
 *
 *     x = 2^k·(1 + f), √½ ≤ 1 + f < √2;   s = f/(2 + f);   ln(1 + f) = f − s·(f − R(s²)·…)
 *
 * @param x any double; zero gives −Infinity, a negative number NaN
 * @see fdlibm, e_log.c (Sun Microsystems, 1993), the source of reduction and polynomial
 */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  let k = 0
  let scaled = x
  if (scaled < 2.2250738585072014e-308) {
    scaled *= 18014398509481984
    k = -54
  }
  view.setFloat64(0, scaled)
  const word = view.getUint32(0)
  k += (word >>> 20) - 1023
  view.setUint32(0, (word & 0xfffff) | 0x3ff00000)
  let mantissa = view.getFloat64(0)
  if (mantissa > Math.SQRT2) {
    mantissa *= 0.5
    k += 1
  }
  const f = mantissa - 1
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const odd = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
  const even =
    z *
    (0.6666666666666735 +
      w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
  const half = 0.5 * f * f
  return k * LN2_HIGH - (half - (s * (half + odd + even) + k * LN2_LOW) - f)
}

/** x^y for x above zero, as e^(y·ln x): a relative error of about |y·ln x| units in the last place. */
export function power(x: number, y: number): number {
  return exp(y * ln(x))
}
