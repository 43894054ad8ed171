// Elementary functions of two doubles at a time, in the operations of scalar.ts and their order.

const MAGIC: f64 = 6755399441055744.0
const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10
/** Bits of √½. */
const ROOT_HALF_BITS: i64 = ((<i64>0x3fe6a09e) << 32) | <i64>0x667f3bcd
export const ONE_BITS: i32 = 0x3ff00000
export const ONE_LESS: f64 = 0.9999999999999999

export function vector(x: f64): v128 {
  return f64x2.splat(x)
}

/** Natural logarithm in (0, 1). */
export function ln(x: v128): v128 {
  const k = i64x2.shr_s(i64x2.sub(x, i64x2.splat(ROOT_HALF_BITS)), 52)
  const m = i64x2.sub(x, i64x2.shl(k, 52))
  const kd = f64x2.sub(i64x2.add(k, i64x2.splat(reinterpret<i64>(MAGIC))), vector(MAGIC))
  const f = f64x2.sub(m, vector(1))
  const s = f64x2.div(f, f64x2.add(vector(2), f))
  const z = f64x2.mul(s, s)
  const w = f64x2.mul(z, z)
  let odd = f64x2.add(vector(0.22222198432149784), f64x2.mul(w, vector(0.15313837699209373)))
  odd = f64x2.mul(w, f64x2.add(vector(0.3999999999940942), f64x2.mul(w, odd)))
  let even = f64x2.add(vector(0.1818357216161805), f64x2.mul(w, vector(0.14798198605116586)))
  even = f64x2.add(vector(0.2857142874366239), f64x2.mul(w, even))
  even = f64x2.mul(z, f64x2.add(vector(0.6666666666666735), f64x2.mul(w, even)))
  const half = f64x2.mul(f64x2.mul(vector(0.5), f), f)
  const inner = f64x2.add(
    f64x2.mul(s, f64x2.add(half, f64x2.add(odd, even))),
    f64x2.mul(kd, vector(LN2_LOW)),
  )
  return f64x2.sub(f64x2.mul(kd, vector(LN2_HIGH)), f64x2.sub(f64x2.sub(half, inner), f))
}

/** Exponential within the normal range. */
export function exp(x: v128): v128 {
  const shifted = f64x2.add(f64x2.mul(x, vector(Math.LOG2E)), vector(MAGIC))
  const k = f64x2.sub(shifted, vector(MAGIC))
  const high = f64x2.sub(x, f64x2.mul(k, vector(LN2_HIGH)))
  const low = f64x2.mul(k, vector(LN2_LOW))
  const r = f64x2.sub(high, low)
  const z = f64x2.mul(r, r)
  let p = f64x2.add(vector(-1.6533902205465252e-6), f64x2.mul(z, vector(4.1381367970572385e-8)))
  p = f64x2.add(vector(6.613756321437934e-5), f64x2.mul(z, p))
  p = f64x2.add(vector(-2.7777777777015593e-3), f64x2.mul(z, p))
  p = f64x2.mul(z, f64x2.add(vector(0.16666666666666602), f64x2.mul(z, p)))
  const c = f64x2.sub(r, p)
  const quotient = f64x2.div(f64x2.mul(r, c), f64x2.sub(vector(2), c))
  const value = f64x2.sub(vector(1), f64x2.sub(f64x2.sub(low, quotient), high))
  return i64x2.add(value, i64x2.shl(shifted, 52))
}

export function sine(x: v128, z: v128): v128 {
  let p = f64x2.add(vector(-2.5050760253406863e-8), f64x2.mul(z, vector(1.58969099521155e-10)))
  p = f64x2.add(vector(2.7557313707070068e-6), f64x2.mul(z, p))
  p = f64x2.add(vector(-1.984126982985795e-4), f64x2.mul(z, p))
  p = f64x2.add(vector(8.33333333332249e-3), f64x2.mul(z, p))
  p = f64x2.add(vector(-0.16666666666666632), f64x2.mul(z, p))
  return f64x2.add(x, f64x2.mul(f64x2.mul(x, z), p))
}

export function cosine(z: v128): v128 {
  let p = f64x2.add(vector(2.087572321298175e-9), f64x2.mul(z, vector(-1.1359647557788195e-11)))
  p = f64x2.add(vector(-2.7557314351390663e-7), f64x2.mul(z, p))
  p = f64x2.add(vector(2.480158728947673e-5), f64x2.mul(z, p))
  p = f64x2.add(vector(-1.388888888887411e-3), f64x2.mul(z, p))
  p = f64x2.add(vector(0.0416666666666666), f64x2.mul(z, p))
  const half = f64x2.mul(vector(0.5), z)
  return f64x2.sub(vector(1), f64x2.sub(half, f64x2.mul(f64x2.mul(z, z), p)))
}

/** (k + ½)/2^52 of the upper 20 bits of one word and all of another. */
export function unitOf(a: u32, b: u32): f64 {
  const bits = ((<u64>((a >> 12) | <u32>ONE_BITS)) << 32) | <u64>b
  return reinterpret<f64>(bits) - ONE_LESS
}
