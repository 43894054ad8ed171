// Products and quotients of multi-limb integers: schoolbook multiplication and Knuth's algorithm D.
// Limbs have 32 bits because WebAssembly has no 64 × 64 → 128 bit product.

import { countLimbs } from './words'

const LOW: u64 = 0xffffffff
const DIVISOR: usize = memory.data(96, 8)

/** Whether the last division left a remainder. */
export let hasRemainder: bool = false

/**
 * to = a · b, 64 bits at a time. Each product of two words combines four products of their halves.
 * `to` must not overlap a factor and must fit whole 64-bit words; zeros pad an odd highest limb.
 *
 * @returns the limbs of the product without leading zeros
 */
export function multiply(to: usize, a: usize, an: i32, b: usize, bn: i32): i32 {
  if (an === 0 || bn === 0) return 0
  const aEnd = usize((an + 1) >> 1) << 3
  const bEnd = usize((bn + 1) >> 1) << 3
  for (let row: usize = 0; row < bEnd; row += 8) {
    const factor = load<u64>(b + row)
    const low = factor & LOW
    const high = factor >> 32
    let carry: u64 = 0
    for (let column: usize = 0; column < aEnd; column += 8) {
      const word = load<u64>(a + column)
      const wordLow = word & LOW
      const wordHigh = word >> 32
      const first = wordLow * low
      const second = wordHigh * low + (first >> 32)
      const third = wordLow * high + (second & LOW)
      const at = to + row + column
      const product = (third << 32) | (first & LOW)
      const sum = product + carry
      carry = wordHigh * high + (second >> 32) + (third >> 32) + u64(sum < product)
      if (row === 0) store<u64>(at, sum)
      else {
        const total = sum + load<u64>(at)
        carry += u64(total < sum)
        store<u64>(at, total)
      }
    }
    store<u64>(to + row + aEnd, carry)
  }
  return countLimbs(to, an + bn)
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
 * quotient = ⌊dividend / divisor⌋. Overwrites the dividend, which needs space for one more limb.
 * The quotient must overlap neither operand. Sets `hasRemainder`.
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
  // Two chains instead of one: the carry of the product does not wait for the borrow of the difference.
  let carry: u64 = 0
  let borrow: i64 = 0
  const end = usize(d) << 2
  for (let at: usize = 0; at < end; at += 4) {
    carry += guess * u64(load<u32>(DIVISOR + at))
    borrow += i64(load<u32>(window + at)) - i64(carry & LOW)
    store<u32>(window + at, u32(borrow))
    carry >>= 32
    borrow >>= 32
  }
  borrow += i64(load<u32>(window + end)) - i64(carry)
  store<u32>(window + end, u32(borrow))
  return borrow < 0
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

/** Adds one to an n-limb number with space for a carry. @returns its limbs */
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
