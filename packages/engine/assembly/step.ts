// One step of a swap within constant liquidity. Inputs and results lie in fixed places; everything is
// computed as wide as it can get, so no intermediate overflows.

import {
  divide,
  divideByMillion,
  divideSmall,
  hasRemainder,
  increment,
  multiply,
  multiplySmall,
  store256,
} from './arithmetic'
import { fee, feeComplement } from './pool'
import { quotientAt, quotientByLiquidity } from './reciprocal'
import { toFloat192, toFloat256, WORD } from './tick-math'
import {
  clear256,
  copy192,
  copy256,
  countLimbs,
  isBelow192,
  isBelow256,
  isEqual192,
  isZero256,
  subtract256,
} from './words'

/** Root price the swap is at, Q64.96, 24 bytes of 32. */
export const AT_PRICE: usize = memory.data(32, 8)
/** Liquidity the swap is in, uint128. */
export const AT_LIQUIDITY: usize = memory.data(32, 8)
/** Specified amount not used yet, 256 bits. */
export const REMAINING: usize = memory.data(32, 8)

/** Root price after the step. */
export const NEXT_PRICE: usize = memory.data(32, 8)
/** Input without fee, output and fee of the step, 256 bits each. */
export const STEP_IN: usize = memory.data(32, 8)
export const STEP_OUT: usize = memory.data(32, 8)
export const STEP_FEE: usize = memory.data(32, 8)

/** 2^96. */
const Q96: f64 = WORD * 4294967296

const SPENDABLE: usize = memory.data(96, 8)
const DIFFERENCE: usize = memory.data(32, 8)
const DIVIDEND: usize = memory.data(128, 8)
const DIVISOR: usize = memory.data(128, 8)
const PRODUCT: usize = memory.data(128, 8)
const QUOTIENT: usize = memory.data(128, 8)

/** Whether the last step was paid for up to its target, and not merely rounded onto it. */
export let isWhole: bool = false

/**
 * Step towards `target` with an exact input.
 *
 * Floats say whether the input reaches the target, and integers where the two are too close for that. A
 * step that stops short mostly costs what there is to spend, without a division: `stopDown`, `stopUp`.
 */
export function stepExactInput(target: usize, down: bool): void {
  isWhole = true
  if (isEqual192(AT_PRICE, target)) {
    stand(target)
    return
  }
  let spendable = multiplySmall(SPENDABLE, REMAINING, countLimbs(REMAINING, 8), feeComplement, 0)
  spendable = divideByMillion(SPENDABLE, spendable)
  for (let limb = spendable; limb < 10; limb++) store<u32>(SPENDABLE + (usize(limb) << 2), 0)
  const cost = estimateCost(target, down)
  const budget = toFloat256(SPENDABLE) + f64(load<u64>(SPENDABLE, 32)) * WORD * WORD * WORD * WORD
  if (cost < budget * (1 - FLOAT_MARGIN)) complete(target, down)
  else if (cost > budget * (1 + FLOAT_MARGIN)) {
    if (down) stopDown(spendable)
    else if (priceAfterAmount1In(spendable)) stopUp()
  } else if (down) decideDown(target, spendable)
  else decideUp(target, spendable)
}

/** A thousand times more than the floats of `estimateCost` and the budget can be off. */
const FLOAT_MARGIN: f64 = 1e-9

/** Input without fee that reaches the target, before rounding. */
function estimateCost(target: usize, down: bool): f64 {
  if (down) subtractPrices(AT_PRICE, target)
  else subtractPrices(target, AT_PRICE)
  const area = toFloat256(AT_LIQUIDITY) * toFloat192(DIFFERENCE)
  return down ? (area * Q96) / (toFloat192(AT_PRICE) * toFloat192(target)) : area / Q96
}

/** The whole step: the input that the target costs, and the fee on it. */
function complete(target: usize, down: bool): void {
  copy192(NEXT_PRICE, target)
  if (down) {
    amount0(STEP_IN, target, AT_PRICE, true)
    amount1(STEP_OUT, target, AT_PRICE, false)
  } else {
    amount1(STEP_IN, AT_PRICE, target, true)
    amount0(STEP_OUT, AT_PRICE, target, false)
  }
  addFee()
}

/** The exact decision downwards: the target is reached if what can be spent pays for it. */
function decideDown(target: usize, spendable: i32): void {
  amount0(STEP_IN, target, AT_PRICE, true)
  if (isBelowLimbs(SPENDABLE, spendable, STEP_IN)) stopDown(spendable)
  else complete(target, true)
}

/** The exact decision upwards: the target is reached if the price goes there or beyond. */
function decideUp(target: usize, spendable: i32): void {
  if (priceAfterAmount1In(spendable) && isBelow192(NEXT_PRICE, target)) stopUp()
  else complete(target, false)
}

/** A step of no length: the price lies on its target. */
function stand(target: usize): void {
  copy192(NEXT_PRICE, target)
  clear256(STEP_IN)
  clear256(STEP_OUT)
  clear256(STEP_FEE)
}

/**
 * An incomplete step downwards: the fee is the input that the price move did not use.
 *
 * The exact price consumes all spendable input; the result exceeds it by less than one. That lowers
 * the input by less than L·2^96 / next². If this is below one, rounding up restores the input.
 */
function stopDown(spendable: i32): void {
  isWhole = false
  const isExact = priceAfterAmount0In(spendable)
  if (!isExact) priceAfterAmount0InCoarse(spendable)
  const next = toFloat192(NEXT_PRICE)
  if (isExact && toFloat256(AT_LIQUIDITY) * Q96 < next * next * 0.999) copy256(STEP_IN, SPENDABLE)
  else amount0(STEP_IN, NEXT_PRICE, AT_PRICE, true)
  amount1(STEP_OUT, NEXT_PRICE, AT_PRICE, false)
  subtract256(STEP_FEE, REMAINING, STEP_IN)
}

/** Like `stopDown`, upwards. The price is cut by less than one, which equals L / 2^96 of input. */
function stopUp(): void {
  isWhole = false
  if (load<u64>(AT_LIQUIDITY, 8) >> 32 === 0) copy256(STEP_IN, SPENDABLE)
  else amount1(STEP_IN, AT_PRICE, NEXT_PRICE, true)
  amount0(STEP_OUT, AT_PRICE, NEXT_PRICE, false)
  subtract256(STEP_FEE, REMAINING, STEP_IN)
}

/**
 * Step towards `target` with an exact output, which never exceeds what remains.
 *
 * @returns false where the contract reverts because a price leaves the range of its type
 */
export function stepExactOutput(target: usize, down: bool): bool {
  if (down) amount1(STEP_OUT, target, AT_PRICE, false)
  else amount0(STEP_OUT, AT_PRICE, target, false)
  isWhole = !isBelow256(REMAINING, STEP_OUT)
  if (!isWhole) {
    if (!(down ? priceAfterAmount1Out() : priceAfterAmount0Out())) return false
    if (!isEqual192(NEXT_PRICE, target)) {
      if (down) amount1(STEP_OUT, NEXT_PRICE, AT_PRICE, false)
      else amount0(STEP_OUT, AT_PRICE, NEXT_PRICE, false)
    }
    if (isBelow256(REMAINING, STEP_OUT)) memory.copy(STEP_OUT, REMAINING, 32)
  } else copy192(NEXT_PRICE, target)
  if (down) amount0(STEP_IN, NEXT_PRICE, AT_PRICE, true)
  else amount1(STEP_IN, AT_PRICE, NEXT_PRICE, true)
  addFee()
  return true
}

/** Fee on the input of the step, in · fee / (1,000,000 − fee), rounded up. */
function addFee(): void {
  let n = multiplySmall(DIVIDEND, STEP_IN, countLimbs(STEP_IN, 8), fee, 0)
  n = divideSmall(DIVIDEND, DIVIDEND, n, feeComplement)
  if (hasRemainder) n = increment(DIVIDEND, n)
  store256(STEP_FEE, DIVIDEND, n)
}

/** `amount0Of` of the liquidity the swap is in. */
function amount0(to: usize, lower: usize, upper: usize, roundUp: bool): void {
  amount0Of(to, lower, upper, AT_LIQUIDITY, roundUp)
}

/**
 * token0 between two root prices, L·2^96·(upper − lower) / (upper·lower), 256 bits. One quotient by the
 * product gives what two divisions in turn give: rounding the same way twice is rounding once.
 */
export function amount0Of(
  to: usize,
  lower: usize,
  upper: usize,
  liquidity: usize,
  roundUp: bool,
): void {
  subtractPrices(upper, lower)
  const product = multiply(
    DIVIDEND + 12,
    DIFFERENCE,
    countLimbs(DIFFERENCE, 5),
    liquidity,
    countLimbs(liquidity, 4),
  )
  store<u64>(DIVIDEND, 0)
  store<u32>(DIVIDEND, 0, 8)
  const d = multiply(DIVISOR, upper, countLimbs(upper, 5), lower, countLimbs(lower, 5))
  let n = divide(QUOTIENT, DIVIDEND, product === 0 ? 0 : product + 3, DIVISOR, d)
  if (roundUp && hasRemainder) n = increment(QUOTIENT, n)
  store256(to, QUOTIENT, n)
}

/** `amount1Of` of the liquidity the swap is in. */
function amount1(to: usize, lower: usize, upper: usize, roundUp: bool): void {
  amount1Of(to, lower, upper, AT_LIQUIDITY, roundUp)
}

/** token1 between two root prices, L·(upper − lower) / 2^96, 256 bits. */
export function amount1Of(
  to: usize,
  lower: usize,
  upper: usize,
  liquidity: usize,
  roundUp: bool,
): void {
  subtractPrices(upper, lower)
  const n = multiply(
    PRODUCT,
    DIFFERENCE,
    countLimbs(DIFFERENCE, 5),
    liquidity,
    countLimbs(liquidity, 4),
  )
  const isCut = countLimbs(PRODUCT, min(n, 3)) !== 0
  store256(to, PRODUCT + 12, max(n - 3, 0))
  if (roundUp && isCut) increment(to, 8)
}

function subtractPrices(upper: usize, lower: usize): void {
  store<u64>(DIFFERENCE, 0, 24)
  const x0 = load<u64>(upper)
  const y0 = load<u64>(lower)
  const x1 = load<u64>(upper, 8)
  const y1 = load<u64>(lower, 8)
  const borrow0 = u64(x0 < y0)
  const d1 = x1 - y1
  store<u64>(DIFFERENCE, x0 - y0)
  store<u64>(DIFFERENCE, d1 - borrow0, 8)
  const borrow1 = u64(x1 < y1) | u64(d1 < borrow0)
  store<u64>(DIFFERENCE, load<u64>(upper, 16) - load<u64>(lower, 16) - borrow1, 16)
}

/**
 * Root price after the spendable input of token0: L·√P / (L + amount·√P), rounded up.
 * @returns false if the denominator exceeds 256 bits; the contract uses another division then
 */
function priceAfterAmount0In(spendable: i32): bool {
  if (spendable === 0) {
    copy192(NEXT_PRICE, AT_PRICE)
    return true
  }
  const price = countLimbs(AT_PRICE, 5)
  let product = multiply(DIVISOR, AT_PRICE, price, SPENDABLE, spendable)
  if (product > 8) return false
  const liquidity = countLimbs(AT_LIQUIDITY, 4)
  product = addLiquidity(product, liquidity)
  if (product > 8) return false
  const n = multiply(DIVIDEND + 12, AT_PRICE, price, AT_LIQUIDITY, liquidity) + 3
  store<u64>(DIVIDEND, 0)
  store<u32>(DIVIDEND, 0, 8)
  let q = divide(QUOTIENT, DIVIDEND, n, DIVISOR, product)
  if (hasRemainder) q = increment(QUOTIENT, q)
  store256(NEXT_PRICE, QUOTIENT, q)
  return true
}

/** DIVISOR += L·2^96. @returns its limbs, 9 when it leaves 256 bits */
function addLiquidity(product: i32, liquidity: i32): i32 {
  const width = max(product, liquidity + 3)
  for (let limb = product; limb < width; limb++) store<u32>(DIVISOR + (usize(limb) << 2), 0)
  let carry: u64 = 0
  for (let limb: i32 = 3; limb < width; limb++) {
    const at = usize(limb) << 2
    carry += u64(load<u32>(DIVISOR + at))
    if (limb < liquidity + 3) carry += u64(load<u32>(AT_LIQUIDITY + at - 12))
    store<u32>(DIVISOR + at, u32(carry))
    carry >>= 32
  }
  if (carry === 0) return countLimbs(DIVISOR, width)
  store<u32>(DIVISOR + (usize(width) << 2), u32(carry))
  return width + 1
}

/** The same where the product leaves 256 bits: L / (L / √P + amount), rounded up, coarser as deployed. */
function priceAfterAmount0InCoarse(spendable: i32): void {
  const liquidity = countLimbs(AT_LIQUIDITY, 4) + 3
  shiftedLiquidity()
  let n = divide(QUOTIENT, DIVIDEND, liquidity, AT_PRICE, countLimbs(AT_PRICE, 5))
  let carry: u64 = 0
  const width = max(n, spendable)
  for (let limb: i32 = 0; limb < width; limb++) {
    const at = usize(limb) << 2
    if (limb < n) carry += u64(load<u32>(QUOTIENT + at))
    if (limb < spendable) carry += u64(load<u32>(SPENDABLE + at))
    store<u32>(DIVISOR + at, u32(carry))
    carry >>= 32
  }
  store<u32>(DIVISOR + (usize(width) << 2), u32(carry))
  shiftedLiquidity()
  n = divide(QUOTIENT, DIVIDEND, liquidity, DIVISOR, countLimbs(DIVISOR, width + 1))
  if (hasRemainder) n = increment(QUOTIENT, n)
  store256(NEXT_PRICE, QUOTIENT, n)
}

function shiftedLiquidity(): void {
  store<u64>(DIVIDEND, 0)
  store<u32>(DIVIDEND, 0, 8)
  memory.copy(DIVIDEND + 12, AT_LIQUIDITY, 16)
}

/** Root price after the spendable input of token1: √P + amount / L. @returns false beyond 192 bits */
function priceAfterAmount1In(spendable: i32): bool {
  let n = quotientByLiquidity(SPENDABLE, spendable, AT_LIQUIDITY, 5)
  let quotient = quotientAt(5)
  if (n < 0) {
    store<u64>(DIVIDEND, 0)
    store<u32>(DIVIDEND, 0, 8)
    memory.copy(DIVIDEND + 12, SPENDABLE, usize(spendable) << 2)
    n = divide(QUOTIENT, DIVIDEND, spendable + 3, AT_LIQUIDITY, countLimbs(AT_LIQUIDITY, 4))
    quotient = QUOTIENT
  }
  if (n > 5) return false
  store256(NEXT_PRICE, quotient, n)
  let carry: u64 = 0
  for (let at: usize = 0; at < 24; at += 8) {
    const x = load<u64>(NEXT_PRICE + at)
    const s = x + load<u64>(AT_PRICE + at)
    const t = s + carry
    carry = u64(s < x) | u64(t < s)
    store<u64>(NEXT_PRICE + at, t)
  }
  return true
}

/** Root price after the remaining output of token1 left: √P − ⌈amount / L⌉. @returns false below zero */
function priceAfterAmount1Out(): bool {
  const remaining = countLimbs(REMAINING, 8)
  store<u64>(DIVIDEND, 0)
  store<u32>(DIVIDEND, 0, 8)
  memory.copy(DIVIDEND + 12, REMAINING, usize(remaining) << 2)
  const dividend = remaining === 0 ? 0 : remaining + 3
  let n = divide(QUOTIENT, DIVIDEND, dividend, AT_LIQUIDITY, countLimbs(AT_LIQUIDITY, 4))
  if (hasRemainder) n = increment(QUOTIENT, n)
  if (n > 6) return false
  store256(NEXT_PRICE, QUOTIENT, n)
  if (!isBelow192(NEXT_PRICE, AT_PRICE)) return false
  subtract256(NEXT_PRICE, AT_PRICE, NEXT_PRICE)
  return true
}

/** Root price after the remaining output of token0 left: L·√P / (L − amount·√P), rounded up. */
function priceAfterAmount0Out(): bool {
  if (isZero256(REMAINING)) {
    copy192(NEXT_PRICE, AT_PRICE)
    return true
  }
  const price = countLimbs(AT_PRICE, 5)
  const product = multiply(PRODUCT, AT_PRICE, price, REMAINING, countLimbs(REMAINING, 8))
  if (product > 8) return false
  const liquidity = countLimbs(AT_LIQUIDITY, 4)
  for (let limb = product; limb < 8; limb++) store<u32>(PRODUCT + (usize(limb) << 2), 0)
  memory.fill(DIVISOR, 0, 32)
  memory.copy(DIVISOR + 12, AT_LIQUIDITY, 16)
  if (!isBelow256(PRODUCT, DIVISOR)) return false
  subtract256(DIVISOR, DIVISOR, PRODUCT)
  const n = multiply(DIVIDEND + 12, AT_PRICE, price, AT_LIQUIDITY, liquidity) + 3
  store<u64>(DIVIDEND, 0)
  store<u32>(DIVIDEND, 0, 8)
  let q = divide(QUOTIENT, DIVIDEND, n, DIVISOR, countLimbs(DIVISOR, 8))
  if (hasRemainder) q = increment(QUOTIENT, q)
  if (q > 5) return false
  store256(NEXT_PRICE, QUOTIENT, q)
  return true
}

/** Whether an n-limb number is below 256 bits. */
function isBelowLimbs(a: usize, n: i32, b: usize): bool {
  const m = countLimbs(b, 8)
  if (n !== m) return n < m
  for (let limb = n - 1; limb >= 0; limb--) {
    const at = usize(limb) << 2
    const x = load<u32>(a + at)
    const y = load<u32>(b + at)
    if (x !== y) return x < y
  }
  return false
}
