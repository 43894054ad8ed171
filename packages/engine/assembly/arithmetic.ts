// Products and quotients of multi-limb integers, schoolbook and Knuth's algorithm D on 32-bit limbs:
// WebAssembly has no 64 × 64 → 128 bit product, so a limb is what one multiplication can hold.

import { countLimbs } from './words'

const LOW: u64 = 0xffffffff
const DIVISOR: usize = memory.data(96, 8)

/** Whether the last division left a remainder. */
export let hasRemainder: bool = false

/**
 * to = a · b. Every limb up to the sum of the lengths is written; `to` overlaps neither factor.
 *
 * @returns the limbs of the product without leading zeros
 */
export function multiply(to: usize, a: usize, an: i32, b: usize, bn: i32): i32 {
  if (an === 0 || bn === 0) return 0
  const aEnd = a + (usize(an) << 2)
  let factor = u64(load<u32>(b))
  let carry: u64 = 0
  let at = to
  for (let from = a; from < aEnd; from += 4, at += 4) {
    const product = u64(load<u32>(from)) * factor + carry
    store<u32>(at, u32(product))
    carry = product >> 32
  }
  store<u32>(at, u32(carry))
  for (let row: i32 = 1; row < bn; row++) {
    factor = u64(load<u32>(b + (usize(row) << 2)))
    carry = 0
    at = to + (usize(row) << 2)
    for (let from = a; from < aEnd; from += 4, at += 4) {
      const product = u64(load<u32>(from)) * factor + u64(load<u32>(at)) + carry
      store<u32>(at, u32(product))
      carry = product >> 32
    }
    store<u32>(at, u32(carry))
  }
  return load<u32>(at) === 0 ? countLimbs(to, an + bn - 1) : an + bn
}

/** to = a · factor + addend, one limb longer at most; `to` may be `a`. @returns the limbs of the result */
export function multiplySmall(to: usize, a: usize, an: i32, factor: u32, addend: u32): i32 {
  let carry = u64(addend)
  const end = usize(an) << 2
  for (let at: usize = 0; at < end; at += 4) {
    const product = u64(load<u32>(a + at)) * u64(factor) + carry
    store<u32>(to + at, u32(product))
    carry = product >> 32
  }
  if (carry === 0) return countLimbs(to, an)
  store<u32>(to + end, u32(carry))
  return an + 1
}

/** to = ⌊a / divisor⌋, a divisor of one limb; `to` may be `a`. @returns the limbs of the quotient */
export function divideSmall(to: usize, a: usize, an: i32, divisor: u32): i32 {
  let remainder: u64 = 0
  for (let at = an - 1; at >= 0; at--) {
    const offset = usize(at) << 2
    const dividend = (remainder << 32) | u64(load<u32>(a + offset))
    const digit = dividend / u64(divisor)
    store<u32>(to + offset, u32(digit))
    remainder = dividend - digit * u64(divisor)
  }
  hasRemainder = remainder !== 0
  return countLimbs(to, an)
}

/** a = ⌊a / 1,000,000⌋; a constant divisor is a multiplication to the compiler. @returns its limbs */
export function divideByMillion(a: usize, an: i32): i32 {
  let remainder: u64 = 0
  for (let at = an - 1; at >= 0; at--) {
    const offset = usize(at) << 2
    const dividend = (remainder << 32) | u64(load<u32>(a + offset))
    const digit = dividend / 1000000
    store<u32>(a + offset, u32(digit))
    remainder = dividend - digit * 1000000
  }
  return countLimbs(a, an)
}

/**
 * quotient = ⌊dividend / divisor⌋. The dividend is used up and has room for one limb more; the quotient
 * overlaps neither. Leaves `hasRemainder`.
 *
 * @param d limbs of the divisor, its highest not zero
 * @returns the limbs of the quotient
 * @see Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D
 */
export function divide(quotient: usize, dividend: usize, n: i32, divisor: usize, d: i32): i32 {
  if (n < d) {
    hasRemainder = n > 0
    return 0
  }
  if (d === 1) return divideSmall(quotient, dividend, n, load<u32>(divisor))
  const top = usize(d - 1) << 2
  const shift = u64(clz<u32>(load<u32>(divisor + top)))
  shiftLeft(DIVISOR, divisor, d, shift)
  shiftLeft(dividend, dividend, n, shift)
  const first = u64(load<u32>(DIVISOR + top))
  const second = u64(load<u32>(DIVISOR + top - 4))
  const length = usize(d) << 2
  for (let digit = n - d; digit >= 0; digit--) {
    const window = dividend + (usize(digit) << 2)
    const head = (u64(load<u32>(window + length)) << 32) | u64(load<u32>(window + top))
    let guess = head / first
    let rest = head - guess * first
    const third = u64(load<u32>(window + top - 4))
    while (guess > LOW || guess * second > ((rest << 32) | third)) {
      guess -= 1
      rest += first
      if (rest > LOW) break
    }
    if (takeMultiple(window, d, guess)) {
      guess -= 1
      giveBack(window, d)
    }
    store<u32>(quotient + (usize(digit) << 2), u32(guess))
  }
  hasRemainder = countLimbs(dividend, d) !== 0
  return countLimbs(quotient, n - d + 1)
}

/** Shifts left by less than a limb, writing one limb more. `to` may be `from`. */
function shiftLeft(to: usize, from: usize, n: i32, shift: u64): void {
  let above: u64 = 0
  const back = 32 - shift
  for (let at = usize(n) << 2; at > 0; at -= 4) {
    const limb = u64(load<u32>(from + at - 4))
    store<u32>(to + at, u32(((above << 32) | limb) >> back))
    above = limb
  }
  store<u32>(to, u32(above << shift))
}

/** window −= guess · divisor. @returns whether that went below zero */
function takeMultiple(window: usize, d: i32, guess: u64): bool {
  let carry: u64 = 0
  const end = usize(d) << 2
  for (let at: usize = 0; at < end; at += 4) {
    carry += guess * u64(load<u32>(DIVISOR + at))
    const limb = u64(load<u32>(window + at))
    const low = carry & LOW
    store<u32>(window + at, u32(limb - low))
    carry = (carry >> 32) + u64(limb < low)
  }
  const limb = u64(load<u32>(window + end))
  store<u32>(window + end, u32(limb - carry))
  return limb < carry
}

/** window += divisor, the last carry dropped. */
function giveBack(window: usize, d: i32): void {
  let carry: u64 = 0
  const end = usize(d) << 2
  for (let at: usize = 0; at < end; at += 4) {
    carry += u64(load<u32>(window + at)) + u64(load<u32>(DIVISOR + at))
    store<u32>(window + at, u32(carry))
    carry >>= 32
  }
  store<u32>(window + end, load<u32>(window + end) + u32(carry))
}

/** Writes the lowest 256 bits of an n-limb number at `from`, zeros above. */
export function store256(to: usize, from: usize, n: i32): void {
  const end = usize(min(n, 8)) << 2
  let at: usize = 0
  for (; at < end; at += 4) store<u32>(to + at, load<u32>(from + at))
  for (; at < 32; at += 4) store<u32>(to + at, 0)
}

/** Adds one to an n-limb number that has room for a carry. @returns its limbs */
export function increment(a: usize, n: i32): i32 {
  for (let limb: i32 = 0; limb < n; limb++) {
    const at = a + (usize(limb) << 2)
    const next = load<u32>(at) + 1
    store<u32>(at, next)
    if (next !== 0) return n
  }
  store<u32>(a + (usize(n) << 2), 1)
  return n + 1
}
