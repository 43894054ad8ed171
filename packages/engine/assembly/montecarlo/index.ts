// Two paths per vector, four per pass: prices, fees and losses of one concentrated position in floats.
// Every operation is one that IEEE 754 rounds correctly and none is contracted, so the scalar source in
// src/montecarlo/estimator/scalar.ts gives the same bytes.

import { cosine, exp, ln, ONE_BITS, ONE_LESS, sine, unitOf, vector } from './elementary'

/** Bytes of one path's result: end price, loss versus rebalancing, fees, steps in range. */
const RESULT_BYTES: i32 = 32
/** States of the four jump streams, their next jump in steps, and the jumps of the two steps at hand. */
const JUMP_STATES: usize = memory.data(64, 16)
const NEXT_JUMPS: usize = memory.data(32, 16)
const JUMPS: usize = memory.data(64, 16)
const SEEDS: usize = memory.data(64, 16)

/** π/4 over 2^31. */
const ANGLE: f64 = 3.657291636058042e-10

let base0: u32 = 0
let base1: u32 = 0
let base2: u32 = 0
let base3: u32 = 0
let steps: i32 = 0
let drift: f64 = 0
let deviation: f64 = 0
let jumpRate: f64 = 0
let jumpMean: f64 = 0
let jumpDeviation: f64 = 0
let rootKept: f64 = 1
let inverseRootKept: f64 = 1
let feeFactor: f64 = 0
let rootLower: f64 = 0
let rootUpper: f64 = 0

/** 128-bit seed of all path streams, as four 32-bit words. */
export function setSeed(a: u32, b: u32, c: u32, d: u32): void {
  base0 = a
  base1 = b
  base2 = c
  base3 = d
}

/** Halved logarithms per step, and jumps per step; an even number of steps. */
export function setPath(count: i32, mean: f64, scale: f64, rate: f64, m: f64, s: f64): void {
  steps = count
  drift = mean
  deviation = scale
  jumpRate = rate
  jumpMean = m
  jumpDeviation = s
}

/**
 * Square root of (1 − fee), its inverse, fee / (1 − fee), and the square roots of the range bounds.
 */
export function setPosition(kept: f64, inverse: f64, factor: f64, lower: f64, upper: f64): void {
  rootKept = kept
  inverseRootKept = inverse
  feeFactor = factor
  rootLower = lower
  rootUpper = upper
}

/** SplitMix32's finalizer. */
function mix(x: u32): u32 {
  let z = (x ^ (x >> 16)) * 0x21f0aaad
  z = (z ^ (z >> 15)) * 0x735a2d97
  return z ^ (z >> 15)
}

/** Word `j` of stream `stream` of a path. */
function seedWord(base: u32, path: u32, stream: u32, j: u32): u32 {
  const word = mix(base + (path * 8 + stream * 4 + j + 1) * 0x9e3779b9)
  return j === 0 ? word | 1 : word
}

function seedState(at: usize, path: u32, stream: u32, stride: usize): void {
  store<u32>(at, seedWord(base0, path, stream, 0))
  store<u32>(at + stride, seedWord(base1, path, stream, 1))
  store<u32>(at + 2 * stride, seedWord(base2, path, stream, 2))
  store<u32>(at + 3 * stride, seedWord(base3, path, stream, 3))
}

/** Next word of a jump stream. */
function word(at: usize): u32 {
  let s0 = load<u32>(at)
  let s1 = load<u32>(at, 4)
  let s2 = load<u32>(at, 8)
  let s3 = load<u32>(at, 12)
  const out = rotl<u32>(s1 * 5, 7) * 9
  const shifted = s1 << 9
  s2 ^= s0
  s3 ^= s1
  s1 ^= s2
  s0 ^= s3
  s2 ^= shifted
  s3 = rotl<u32>(s3, 11)
  store<u32>(at, s0)
  store<u32>(at, s1, 4)
  store<u32>(at, s2, 8)
  store<u32>(at, s3, 12)
  return out
}

/** One of the two normals of a jump stream's draw: the first. */
function jumpNormal(at: usize): f64 {
  const a = word(at)
  const b = word(at)
  const c = word(at)
  const u = unitOf(a, b)
  const radius = f64x2.sqrt(f64x2.neg(ln(vector(u))))
  const angle = vector((<f64>(<i32>c) + 0.5) * ANGLE)
  const z = f64x2.mul(angle, angle)
  const normal = f64x2.mul(radius, f64x2.sub(cosine(z), sine(angle, z)))
  const plain = f64x2.extract_lane(normal, 0)
  return a & 0x800 ? -plain : plain
}

/** Waiting time until the next jump, in steps. */
function jumpWait(at: usize): f64 {
  const a = word(at)
  const b = word(at)
  return -f64x2.extract_lane(ln(vector(unitOf(a, b))), 0) / jumpRate
}

/** Adds the jumps of lane `lane` that fall into steps (step, step + 2]. */
function takeJumps(lane: i32, step: i32): void {
  const at = JUMP_STATES + <usize>(lane * 16)
  const next = NEXT_JUMPS + <usize>(lane * 8)
  while (load<f64>(next) <= <f64>(step + 2)) {
    const isFirst = load<f64>(next) <= <f64>(step + 1)
    const slot = JUMPS + <usize>(lane * 8) + <usize>(isFirst ? 0 : 32)
    store<f64>(slot, load<f64>(slot) + (jumpMean + jumpDeviation * jumpNormal(at)))
    store<f64>(next, load<f64>(next) + jumpWait(at))
  }
}

/**
 * Four paths from `path` on; results go to `out`, 32 bytes each. One long function, so that all that a pass
 * carries stays in registers.
 */
function runFour(path: u32, out: usize): void {
  for (let lane: u32 = 0; lane < 4; lane++) {
    seedState(SEEDS + <usize>(lane * 4), path + lane, 0, 16)
    const at = JUMP_STATES + <usize>(lane * 16)
    seedState(at, path + lane, 1, 4)
    store<f64>(NEXT_JUMPS + <usize>(lane * 8), jumpRate > 0 ? jumpWait(at) : Infinity)
  }
  let s0 = v128.load(SEEDS)
  let s1 = v128.load(SEEDS, 16)
  let s2 = v128.load(SEEDS, 32)
  let s3 = v128.load(SEEDS, 48)
  const zero = i32x4.splat(0)
  const one = vector(1)
  const lower = vector(rootLower)
  const upper = vector(rootUpper)
  const kept = vector(rootKept)
  const widened = vector(inverseRootKept)
  const fee = vector(feeFactor)
  const mean = vector(drift)
  const scale = vector(deviation)
  let logA = zero
  let logB = zero
  let rootA = one
  let rootB = one
  let poolA = one
  let poolB = one
  const first = f64x2.pmin(f64x2.pmax(one, lower), upper)
  let heldA = first
  let heldB = first
  let inverseA = f64x2.div(one, first)
  let inverseB = inverseA
  let lossA = zero
  let lossB = zero
  let feesA = zero
  let feesB = zero
  let insideA = zero
  let insideB = zero
  for (let step = 0; step < steps; step += 2) {
    // Three xoshiro128** outputs per path: one uniform of 52 bits with two signs, and an angle.
    let m = i32x4.add(i32x4.shl(s1, 2), s1)
    m = v128.or(i32x4.shl(m, 7), i32x4.shr_u(m, 25))
    const a = i32x4.add(i32x4.shl(m, 3), m)
    let shifted = i32x4.shl(s1, 9)
    s2 = v128.xor(s2, s0)
    s3 = v128.xor(s3, s1)
    s1 = v128.xor(s1, s2)
    s0 = v128.xor(s0, s3)
    s2 = v128.xor(s2, shifted)
    s3 = v128.or(i32x4.shl(s3, 11), i32x4.shr_u(s3, 21))
    m = i32x4.add(i32x4.shl(s1, 2), s1)
    m = v128.or(i32x4.shl(m, 7), i32x4.shr_u(m, 25))
    const b = i32x4.add(i32x4.shl(m, 3), m)
    shifted = i32x4.shl(s1, 9)
    s2 = v128.xor(s2, s0)
    s3 = v128.xor(s3, s1)
    s1 = v128.xor(s1, s2)
    s0 = v128.xor(s0, s3)
    s2 = v128.xor(s2, shifted)
    s3 = v128.or(i32x4.shl(s3, 11), i32x4.shr_u(s3, 21))
    m = i32x4.add(i32x4.shl(s1, 2), s1)
    m = v128.or(i32x4.shl(m, 7), i32x4.shr_u(m, 25))
    const c = i32x4.add(i32x4.shl(m, 3), m)
    shifted = i32x4.shl(s1, 9)
    s2 = v128.xor(s2, s0)
    s3 = v128.xor(s3, s1)
    s1 = v128.xor(s1, s2)
    s0 = v128.xor(s0, s3)
    s2 = v128.xor(s2, shifted)
    s3 = v128.or(i32x4.shl(s3, 11), i32x4.shr_u(s3, 21))
    const mantissa = v128.or(i32x4.shr_u(a, 12), i32x4.splat(ONE_BITS))
    const sign1 = v128.and(i32x4.shl(a, 20), i32x4.splat(<i32>0x80000000))
    const sign2 = v128.and(i32x4.shl(a, 21), i32x4.splat(<i32>0x80000000))
    const uA = f64x2.sub(v128.shuffle<i32>(b, mantissa, 0, 4, 1, 5), vector(ONE_LESS))
    const uB = f64x2.sub(v128.shuffle<i32>(b, mantissa, 2, 6, 3, 7), vector(ONE_LESS))
    const cA = f64x2.convert_low_i32x4_s(c)
    const cB = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(c, c, 2, 3, 2, 3))
    const radiusA = f64x2.sqrt(f64x2.neg(ln(uA)))
    const radiusB = f64x2.sqrt(f64x2.neg(ln(uB)))
    const angleA = f64x2.mul(f64x2.add(cA, vector(0.5)), vector(ANGLE))
    const angleB = f64x2.mul(f64x2.add(cB, vector(0.5)), vector(ANGLE))
    const zA = f64x2.mul(angleA, angleA)
    const zB = f64x2.mul(angleB, angleB)
    const sinA = sine(angleA, zA)
    const sinB = sine(angleB, zB)
    const cosA = cosine(zA)
    const cosB = cosine(zB)
    let z1A = f64x2.mul(radiusA, f64x2.sub(cosA, sinA))
    let z1B = f64x2.mul(radiusB, f64x2.sub(cosB, sinB))
    let z2A = f64x2.mul(radiusA, f64x2.add(cosA, sinA))
    let z2B = f64x2.mul(radiusB, f64x2.add(cosB, sinB))
    z1A = v128.xor(z1A, v128.shuffle<i32>(zero, sign1, 0, 4, 1, 5))
    z1B = v128.xor(z1B, v128.shuffle<i32>(zero, sign1, 2, 6, 3, 7))
    z2A = v128.xor(z2A, v128.shuffle<i32>(zero, sign2, 0, 4, 1, 5))
    z2B = v128.xor(z2B, v128.shuffle<i32>(zero, sign2, 2, 6, 3, 7))
    let d1A = f64x2.add(mean, f64x2.mul(scale, z1A))
    let d1B = f64x2.add(mean, f64x2.mul(scale, z1B))
    let d2A = f64x2.add(mean, f64x2.mul(scale, z2A))
    let d2B = f64x2.add(mean, f64x2.mul(scale, z2B))
    const limit = <f64>(step + 2)
    if (
      load<f64>(NEXT_JUMPS) <= limit ||
      load<f64>(NEXT_JUMPS, 8) <= limit ||
      load<f64>(NEXT_JUMPS, 16) <= limit ||
      load<f64>(NEXT_JUMPS, 24) <= limit
    ) {
      memory.fill(JUMPS, 0, 64)
      for (let lane = 0; lane < 4; lane++) takeJumps(lane, step)
      d1A = f64x2.add(d1A, v128.load(JUMPS))
      d1B = f64x2.add(d1B, v128.load(JUMPS, 16))
      d2A = f64x2.add(d2A, v128.load(JUMPS, 32))
      d2B = f64x2.add(d2B, v128.load(JUMPS, 48))
    }
    for (let half = 0; half < 2; half++) {
      logA = f64x2.add(logA, half === 0 ? d1A : d2A)
      logB = f64x2.add(logB, half === 0 ? d1B : d2B)
      rootA = exp(logA)
      rootB = exp(logB)
      poolA = f64x2.pmin(f64x2.pmax(poolA, f64x2.mul(rootA, kept)), f64x2.mul(rootA, widened))
      poolB = f64x2.pmin(f64x2.pmax(poolB, f64x2.mul(rootB, kept)), f64x2.mul(rootB, widened))
      const nowA = f64x2.pmin(f64x2.pmax(poolA, lower), upper)
      const nowB = f64x2.pmin(f64x2.pmax(poolB, lower), upper)
      const overA = f64x2.div(one, nowA)
      const overB = f64x2.div(one, nowB)
      const quoteA = f64x2.sub(nowA, heldA)
      const quoteB = f64x2.sub(nowB, heldB)
      const baseA = f64x2.mul(f64x2.sub(overA, inverseA), f64x2.mul(rootA, rootA))
      const baseB = f64x2.mul(f64x2.sub(overB, inverseB), f64x2.mul(rootB, rootB))
      lossA = f64x2.sub(lossA, f64x2.add(baseA, quoteA))
      lossB = f64x2.sub(lossB, f64x2.add(baseB, quoteB))
      // Only one of the two enters, so the larger is the input.
      feesA = f64x2.add(feesA, f64x2.mul(fee, f64x2.pmax(baseA, quoteA)))
      feesB = f64x2.add(feesB, f64x2.mul(fee, f64x2.pmax(baseB, quoteB)))
      insideA = f64x2.add(insideA, v128.and(f64x2.eq(nowA, poolA), one))
      insideB = f64x2.add(insideB, v128.and(f64x2.eq(nowB, poolB), one))
      heldA = nowA
      heldB = nowB
      inverseA = overA
      inverseB = overB
    }
  }
  writeResults(out, rootA, lossA, feesA, insideA)
  writeResults(out + 64, rootB, lossB, feesB, insideB)
}

function writeResults(out: usize, root: v128, loss: v128, fees: v128, inside: v128): void {
  const price = f64x2.mul(root, root)
  store<f64>(out, f64x2.extract_lane(price, 0))
  store<f64>(out, f64x2.extract_lane(loss, 0), 8)
  store<f64>(out, f64x2.extract_lane(fees, 0), 16)
  store<f64>(out, f64x2.extract_lane(inside, 0), 24)
  store<f64>(out, f64x2.extract_lane(price, 1), 32)
  store<f64>(out, f64x2.extract_lane(loss, 1), 40)
  store<f64>(out, f64x2.extract_lane(fees, 1), 48)
  store<f64>(out, f64x2.extract_lane(inside, 1), 56)
}

/**
 * Runs `count` paths, a multiple of four, from number `from` on.
 *
 * @returns the address of the results, which the next call overwrites
 */
export function run(from: u32, count: i32): usize {
  const out = __heap_base
  const bytes = <i32>out + count * RESULT_BYTES
  const pages = (bytes + 0xffff) >> 16
  if (pages > memory.size()) memory.grow(pages - memory.size())
  for (let i = 0; i < count; i += 4) runFour(from + <u32>i, out + <usize>(i * RESULT_BYTES))
  return out
}
