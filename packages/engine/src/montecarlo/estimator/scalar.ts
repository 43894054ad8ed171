import { powerOfTwo } from '../../numerics/exp.ts'
import { estimatorConstants } from './constants.ts'
import type { EstimatorConstants, EstimatorTerms, PathEstimate } from './terms.ts'

const MAGIC = 6755399441055744
const ONE_LESS = 0.9999999999999999
/** π/4 over 2^31. */
const ANGLE = 3.657291636058042e-10
const SPLIT = 0x9e3779b9

/**
 * Scalar estimate of single paths, the bit-exact reference for the SIMD module.
 *
 * Paths derive from the seed's `price` stream. Word j of path i is SplitMix32 of the stream's word
 * j and 8i + j + 1, with four more words for its jumps. Three words make two normals. 52 bits of a
 * uniform u, an angle φ in (−π/4, π/4) and two signs give ±√(−ln u)·(cos φ ∓ sin φ), the Box–Muller
 * pair.
 *
 * @see Box and Muller, “A note on the generation of random normal deviates” (1958)
 */
export function estimatePathsPlainly(
  terms: EstimatorTerms,
  from: number,
  count: number,
): PathEstimate[] {
  const constants = estimatorConstants(terms)
  return Array.from({ length: count }, (_, i) => estimatePath(constants, from + i))
}

function estimatePath(k: EstimatorConstants, path: number): PathEstimate {
  const next = wordsOf(k.base, path, 0)
  const jumps = new JumpStream(k, path)
  let log = 0
  let root = 1
  let pool = 1
  let held = Math.min(Math.max(1, k.rootLower), k.rootUpper)
  let inverse = 1 / held
  let lvr = 0
  let fees = 0
  let stepsInRange = 0
  for (let step = 0; step < k.steps; step += 2) {
    const [z1, z2] = normals(next)
    let first = k.drift + k.deviation * z1
    let second = k.drift + k.deviation * z2
    if (jumps.next <= step + 2) {
      const [jump1, jump2] = jumps.take(step)
      first += jump1
      second += jump2
    }
    for (const change of [first, second]) {
      log += change
      root = exp(log)
      pool = Math.min(Math.max(pool, root * k.rootKept), root * k.inverseRootKept)
      const now = Math.min(Math.max(pool, k.rootLower), k.rootUpper)
      const over = 1 / now
      const quote = now - held
      const base = (over - inverse) * (root * root)
      lvr -= base + quote
      fees += k.feeFactor * Math.max(base, quote)
      if (now === pool) stepsInRange += 1
      held = now
      inverse = over
    }
  }
  return { price: root * root, lvr, fees, stepsInRange }
}

/** A pair of independent normals from three words. */
function normals(next: () => number): [number, number] {
  const a = next()
  const radius = Math.sqrt(-ln(unitOf(a, next())))
  const angle = ((next() | 0) + 0.5) * ANGLE
  const z = angle * angle
  const sin = sine(angle, z)
  const cos = cosine(z)
  const [z1, z2] = [radius * (cos - sin), radius * (cos + sin)]
  return [a & 0x800 ? -z1 : z1, a & 0x400 ? -z2 : z2]
}

/**
 * Jumps at presampled times: exponential waits in steps, so that a step without a jump costs one
 * comparison.
 */
class JumpStream {
  readonly #constants: EstimatorConstants
  readonly #next: () => number
  /** Time of the next jump in steps. */
  next: number

  constructor(constants: EstimatorConstants, path: number) {
    this.#constants = constants
    this.#next = wordsOf(constants.base, path, 1)
    this.next = constants.jumpRate > 0 ? this.#wait() : Number.POSITIVE_INFINITY
  }

  /** Jumps that fall into the two steps after `step`. */
  take(step: number): [number, number] {
    const { jumpMean, jumpDeviation } = this.#constants
    const sums: [number, number] = [0, 0]
    while (this.next <= step + 2) {
      sums[this.next <= step + 1 ? 0 : 1] += jumpMean + jumpDeviation * normals(this.#next)[0]
      this.next += this.#wait()
    }
    return sums
  }

  #wait(): number {
    const a = this.#next()
    return -ln(unitOf(a, this.#next())) / this.#constants.jumpRate
  }
}

/** The xoshiro128** generator of a path's stream. */
function wordsOf(base: readonly number[], path: number, stream: number): () => number {
  const seeded = base.map((word, j) => {
    const mixed = mix((word + Math.imul(path * 8 + stream * 4 + j + 1, SPLIT)) | 0)
    return j === 0 ? mixed | 1 : mixed
  })
  // The base has four words.
  let [s0, s1, s2, s3] = seeded as [number, number, number, number]
  return () => {
    const word = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0
    const shifted = s1 << 9
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = rotateLeft(s3, 11)
    return word
  }
}

function mix(word: number): number {
  let z = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
  return z ^ (z >>> 15)
}

function rotateLeft(word: number, places: number): number {
  return (word << places) | (word >>> (32 - places))
}

/** (k + ½)/2^52 of the upper 20 bits of one word and all of another. */
function unitOf(a: number, b: number): number {
  return 1 + ((a >>> 12) * 4294967296 + b) / 4503599627370496 - ONE_LESS
}

const view = new DataView(new ArrayBuffer(8))

/** Logarithm in (0, 1): the steps of fdlibm's, with the mantissa in [√½, √2). */
function ln(x: number): number {
  view.setFloat64(0, x)
  const word = view.getUint32(0)
  let k = (word >>> 20) - 1023
  view.setUint32(0, (word & 0xfffff) | 0x3ff00000)
  let m = view.getFloat64(0)
  if (m >= Math.SQRT2) {
    m *= 0.5
    k += 1
  }
  const f = m - 1
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const odd = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
  const even =
    z *
    (0.6666666666666735 +
      w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
  const half = 0.5 * f * f
  const inner = s * (half + (odd + even)) + k * 1.9082149292705877e-10
  return k * 0.6931471803691238 - (half - inner - f)
}

/** Exponential within the normal range, the power of two taken half to even. */
function exp(x: number): number {
  const k = x * Math.LOG2E + MAGIC - MAGIC
  const high = x - k * 0.6931471803691238
  const low = k * 1.9082149292705877e-10
  const r = high - low
  const z = r * r
  const p =
    z *
    (0.16666666666666602 +
      z *
        (-2.7777777777015593e-3 +
          z * (6.613756321437934e-5 + z * (-1.6533902205465252e-6 + z * 4.1381367970572385e-8))))
  const c = r - p
  return (1 - (low - (r * c) / (2 - c) - high)) * powerOfTwo(k)
}

function sine(x: number, z: number): number {
  const p =
    -0.16666666666666632 +
    z *
      (8.33333333332249e-3 +
        z *
          (-1.984126982985795e-4 +
            z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10))))
  return x + x * z * p
}

function cosine(z: number): number {
  const p =
    0.0416666666666666 +
    z *
      (-1.388888888887411e-3 +
        z *
          (2.480158728947673e-5 +
            z *
              (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11))))
  return 1 - (0.5 * z - z * z * p)
}
