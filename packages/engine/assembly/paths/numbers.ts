// Signed 256-bit integers in two's complement, and helpers for valuations: division rounded down,
// roots, floats.

import { divide, multiply, store256 } from '../arithmetic'
import { toFloat256 } from '../tick-math'
import { add256, clear256, copy256, countLimbs, isBelow256, subtract256 } from '../words'

/** Widest number of the root and of a dividend, in limbs of 32 bits. */
const WIDE: i32 = 24
/** Magnitudes stay below 2^240, so that no sum of a run leaves its 256 bits. */
const LARGEST_WORD: u64 = u64(1) << 48

const ZERO: usize = memory.data(32, 8)
const MAGNITUDE: usize = memory.data(40, 8)
const PRODUCT_BYTES: usize = 88
const PRODUCT: usize = memory.data(88, 8)
const UPPER: usize = memory.data(32, 8)
const LOW: u64 = 0xffffffff
const SQUARE: usize = memory.data(128, 8)
const REST: usize = memory.data(128, 8)
const CHANGE: usize = memory.data(32, 8)

/**
 * True if a number exceeded these fields or the market rejected an operation. The results are then
 * void, and the TypeScript engine decides the outcome.
 */
export let isBeyond: bool = false

export function setBeyond(value: bool): void {
  isBeyond = value
}

export function isNegative(a: usize): bool {
  return load<i64>(a, 24) < 0
}

/** to = −a; `to` may be `a`. */
export function negate(to: usize, a: usize): void {
  subtract256(to, ZERO, a)
}

/** Whether a < b, both signed. */
export function isBelowSigned(a: usize, b: usize): bool {
  const x = load<i64>(a, 24)
  const y = load<i64>(b, 24)
  return x === y ? isBelow256(a, b) : x < y
}

/** Notes a magnitude that is too large to be added up. */
export function assertWithin(a: usize): void {
  const top = load<i64>(a, 24)
  const magnitude = u64(top < 0 ? ~top : top)
  if (magnitude >= LARGEST_WORD) isBeyond = true
}

/** to += a. */
export function increaseBy(to: usize, a: usize): void {
  add256(to, to, a)
}

/** to −= a. */
export function decreaseBy(to: usize, a: usize): void {
  subtract256(to, to, a)
}

/**
 * to = ⌊a · factor / 2^shift⌋ of a signed number, the factor of at most twelve limbs with zeros up to the next
 * eight bytes.
 */
export function scale(to: usize, a: usize, factor: usize, factorLimbs: i32, shift: u32): void {
  const negative = isNegative(a)
  if (negative) negate(MAGNITUDE, a)
  else copy256(MAGNITUDE, a)
  const isShort = (load<u64>(MAGNITUDE, 16) | load<u64>(MAGNITUDE, 24)) === 0 && factorLimbs === 6
  if (isShort) multiplyShort(factor)
  else {
    memory.fill(PRODUCT, 0, PRODUCT_BYTES)
    const n = countLimbs(MAGNITUDE, 8)
    multiply(PRODUCT, MAGNITUDE, n, factor, countLimbs(factor, factorLimbs))
  }
  const isCut = shiftRight(to, isShort ? 5 : 10, shift)
  if (negative) {
    negate(to, to)
    if (isCut) decrement(to)
  }
}

/**
 * to = ⌊a · x⌋ for a signed a. Only `factor` = ⌊x · 2^128⌋, three words, is known of x. The product
 * with `factor` is too small by less than |a| / 2^128. Its fraction usually determines the result.
 *
 * @returns false if the fraction does not decide or a exceeds 128 bits; then it writes no result
 */
export function scaleByFloor(to: usize, a: usize, factor: usize): bool {
  const negative = isNegative(a)
  if (negative) negate(MAGNITUDE, a)
  else copy256(MAGNITUDE, a)
  if ((load<u64>(MAGNITUDE, 16) | load<u64>(MAGNITUDE, 24)) !== 0) return false
  multiplyShort(factor)
  const low = load<u64>(PRODUCT)
  const high = load<u64>(PRODUCT, 8)
  const carry = u64(low + load<u64>(MAGNITUDE) < low)
  const next = high + load<u64>(MAGNITUDE, 8)
  const isAmbiguous = next < high || (carry !== 0 && next === u64.MAX_VALUE)
  // Without a fraction a negative number may be whole.
  if (isAmbiguous || (negative && (low | high) === 0)) return false
  store<u64>(to, load<u64>(PRODUCT, 16))
  store<u64>(to, load<u64>(PRODUCT, 24), 8)
  store<u64>(to, load<u64>(PRODUCT, 32), 16)
  store<u64>(to, 0, 24)
  if (negative) {
    negate(to, to)
    decrement(to)
  }
  return true
}

/** PRODUCT = two MAGNITUDE words · three factor words: the common case in a valuation. */
function multiplyShort(factor: usize): void {
  const low = load<u64>(MAGNITUDE)
  const high = load<u64>(MAGNITUDE, 8)
  multiplyWord(PRODUCT, factor, low)
  if (high === 0) {
    store<u64>(PRODUCT, 0, 32)
    return
  }
  multiplyWord(UPPER, factor, high)
  const x1 = load<u64>(PRODUCT, 8)
  const s1 = x1 + load<u64>(UPPER)
  const c1 = u64(s1 < x1)
  const x2 = load<u64>(PRODUCT, 16)
  const y2 = x2 + load<u64>(UPPER, 8)
  const s2 = y2 + c1
  const c2 = u64(y2 < x2) | u64(s2 < y2)
  const x3 = load<u64>(PRODUCT, 24)
  const y3 = x3 + load<u64>(UPPER, 16)
  const s3 = y3 + c2
  const c3 = u64(y3 < x3) | u64(s3 < y3)
  store<u64>(PRODUCT, s1, 8)
  store<u64>(PRODUCT, s2, 16)
  store<u64>(PRODUCT, s3, 24)
  store<u64>(PRODUCT, load<u64>(UPPER, 24) + c3, 32)
}

/** to = three words · one word; the product has four words. */
function multiplyWord(to: usize, a: usize, factor: u64): void {
  const low = factor & LOW
  const high = factor >> 32
  let carry: u64 = 0
  for (let at: usize = 0; at < 24; at += 8) {
    const word = load<u64>(a + at)
    const wordLow = word & LOW
    const wordHigh = word >> 32
    const first = wordLow * low
    const second = wordHigh * low + (first >> 32)
    const third = wordLow * high + (second & LOW)
    const product = (third << 32) | (first & LOW)
    const sum = product + carry
    carry = wordHigh * high + (second >> 32) + (third >> 32) + u64(sum < product)
    store<u64>(to + at, sum)
  }
  store<u64>(to, carry, 24)
}

/** to = ⌊PRODUCT / 2^shift⌋ as 256 bits, from `count` words. @returns whether bits were cut off */
function shiftRight(to: usize, count: i32, shift: u32): bool {
  const words = i32(shift >> 6)
  const bits = u64(shift & 63)
  let cut: u64 = 0
  for (let word: i32 = 0; word < min(words, count); word++) {
    cut |= load<u64>(PRODUCT + (usize(word) << 3))
  }
  if (words < count) cut |= load<u64>(PRODUCT + (usize(words) << 3)) & ((u64(1) << bits) - 1)
  for (let word: i32 = 0; word < 4; word++) {
    const from = word + words
    const own: u64 = from < count ? load<u64>(PRODUCT + (usize(from) << 3)) : 0
    const above: u64 = from + 1 < count ? load<u64>(PRODUCT + (usize(from + 1) << 3)) : 0
    const moved = bits === 0 ? own : (own >> bits) | (above << (64 - bits))
    store<u64>(to + (usize(word) << 3), moved)
  }
  for (let word = words + 4; word < count; word++) {
    const rest = load<u64>(PRODUCT + (usize(word) << 3))
    if ((word === words + 4 ? rest >> bits : rest) !== 0) isBeyond = true
  }
  assertWithin(to)
  return cut !== 0
}

/** a −= 1. */
export function decrement(a: usize): void {
  for (let at: usize = 0; at < 32; at += 8) {
    const word = load<u64>(a + at)
    store<u64>(a + at, word - 1)
    if (word !== 0) return
  }
}

/** Multiplies n limbs by a power of two in place, up to `WIDE` limbs. @returns the limbs */
export function shiftLeftWide(a: usize, n: i32, shift: u32): i32 {
  if (n === 0) return 0
  const limbs = i32(shift >> 5)
  const bits = u64(shift & 31)
  if (n + limbs + 1 > WIDE) {
    isBeyond = true
    return 0
  }
  for (let limb = n; limb >= 0; limb--) {
    const own: u64 = limb < n ? u64(load<u32>(a + (usize(limb) << 2))) : 0
    const below: u64 = limb > 0 ? u64(load<u32>(a + (usize(limb - 1) << 2))) : 0
    const pair = ((own << 32) | below) << bits
    store<u32>(a + (usize(limb + limbs) << 2), u32(pair >> 32))
  }
  memory.fill(a, 0, usize(limbs) << 2)
  return countLimbs(a, n + limbs + 1)
}

/** Divides n limbs by a power of two in place. @returns the limbs */
export function shiftRightWide(a: usize, n: i32, shift: u32): i32 {
  const limbs = i32(shift >> 5)
  const bits = u64(shift & 31)
  if (limbs >= n) return 0
  store<u32>(a + (usize(n) << 2), 0)
  for (let limb: i32 = limbs; limb < n; limb++) {
    const pair = load<u64>(a + (usize(limb) << 2))
    store<u32>(a + (usize(limb - limbs) << 2), u32(pair >> bits))
  }
  return countLimbs(a, n - limbs)
}

const DIVIDEND: usize = memory.data(128, 8)
const QUOTIENT: usize = memory.data(128, 8)

/** to = ⌊n limbs at `dividend` / d limbs at `divisor`⌋ as 256 bits; the dividend stays. */
export function quotientOf(to: usize, dividend: usize, n: i32, divisor: usize, d: i32): void {
  memory.copy(DIVIDEND, dividend, usize(n) << 2)
  const q = divide(QUOTIENT, DIVIDEND, n, divisor, d)
  if (q > 8) isBeyond = true
  store256(to, QUOTIENT, q)
  assertWithin(to)
}

/** Divides n limbs in place. The buffer must fit the quotient. @returns its limbs */
export function divideInPlace(a: usize, n: i32, divisor: usize, d: i32): i32 {
  memory.copy(DIVIDEND, a, usize(n) << 2)
  const q = divide(QUOTIENT, DIVIDEND, n, divisor, d)
  memory.copy(a, QUOTIENT, usize(q) << 2)
  return q
}

/** n limbs as the nearest float but for the last bits. */
function wideFloat(a: usize, n: i32): f64 {
  let value: f64 = 0
  for (let limb = n - 1; limb >= 0; limb--) {
    value = value * 4294967296 + f64(load<u32>(a + (usize(limb) << 2)))
  }
  return value
}

/**
 * to = ⌊√x⌋ as 256 bits, x of n limbs.
 *
 * Floats name a root and then how far it is off, which doubles its digits each time; the integers decide that
 * r² ≤ x < (r + 1)².
 */
export function squareRoot(to: usize, x: usize, n: i32): void {
  clear256(to)
  if (n === 0) return
  if (n > 14) {
    isBeyond = true
    return
  }
  readFloat(to, floor(sqrt(wideFloat(x, n))))
  for (;;) {
    const isAbove = subtractSquare(x, n, to)
    const rest = wideFloat(REST, 16)
    const root = toFloat256(to)
    if (!isAbove && rest < root * 1.999) return
    if (!isAbove && !exceedsDouble(to)) return
    const change = floor(rest / (root * 2))
    readFloat(CHANGE, change < 1 ? 1 : change)
    if (isAbove) decreaseBy(to, CHANGE)
    else increaseBy(to, CHANGE)
  }
}

/** REST = |x − r²|. @returns whether r² is above x */
function subtractSquare(x: usize, n: i32, root: usize): bool {
  const r = countLimbs(root, 8)
  memory.fill(SQUARE, 0, 72)
  multiply(SQUARE, root, r, root, r)
  let borrow: i64 = 0
  for (let limb: i32 = 0; limb < 16; limb++) {
    const at = usize(limb) << 2
    const own: i64 = limb < n ? i64(load<u32>(x + at)) : 0
    borrow += own - i64(load<u32>(SQUARE + at))
    store<u32>(REST + at, u32(borrow))
    borrow >>= 32
  }
  if (borrow === 0) return false
  let carry: u64 = 1
  for (let limb: i32 = 0; limb < 16; limb++) {
    const at = usize(limb) << 2
    carry += u64(load<u32>(REST + at)) ^ 0xffffffff
    store<u32>(REST + at, u32(carry))
    carry >>= 32
  }
  return true
}

/** Whether REST > 2r: the next root would fit too. */
function exceedsDouble(root: usize): bool {
  if (countLimbs(REST + 32, 8) !== 0) return true
  add256(CHANGE, root, root)
  return isBelow256(CHANGE, REST)
}

/** to = a float that is a non-negative integer below 2^200. */
export function readFloat(to: usize, value: f64): void {
  clear256(to)
  if (!(value < 1.6069380442589903e60)) {
    isBeyond = true
    return
  }
  let rest = value
  for (let at: usize = 0; at < 32 && rest > 0; at += 4) {
    const above = floor(rest / 4294967296)
    store<u32>(to + at, u32(rest - above * 4294967296))
    rest = above
  }
}

/** The float nearest to a signed number, of two equally near the even one, as `Number` has it. */
export function toNumber(a: usize): f64 {
  const negative = isNegative(a)
  if (negative) negate(MAGNITUDE, a)
  else copy256(MAGNITUDE, a)
  const n = countLimbs(MAGNITUDE, 8)
  if (n <= 2) {
    const small = f64(load<u64>(MAGNITUDE))
    return negative ? -small : small
  }
  // The 64 leading bits. The last bit is set if any lower bit was cut off, so only one rounding
  // remains.
  const top = usize(n - 1) << 2
  const free = clz<u32>(load<u32>(MAGNITUDE + top))
  const high = (u64(load<u32>(MAGNITUDE + top)) << 32) | u64(load<u32>(MAGNITUDE + top - 4))
  const next = load<u32>(MAGNITUDE + top - 8)
  const shifted = free === 0 ? high : (high << u64(free)) | (u64(next) >> u64(32 - free))
  const cut = next << free
  const isCut = cut !== 0 || countLimbs(MAGNITUDE, n - 3) !== 0
  let value = f64(shifted | u64(isCut))
  for (let limb = n - 2; limb > 0; limb--) value *= 4294967296
  for (let bit: u32 = 0; bit < free; bit++) value *= 0.5
  return negative ? -value : value
}
