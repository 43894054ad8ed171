// Swaps against the arm's pool as a session plans and carries them out, and the depth they meet.

import { multiply, multiplySmall } from '../arithmetic'
import { PRICE } from '../pool'
import { NONE, SPL } from '../reverts'
import { REMAINING } from '../step'
import { ASKED, commit, LIMIT, quote, TOTAL_IN, TOTAL_OUT, walk } from '../swap'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO, toFloat192, WORD } from '../tick-math'
import {
  add256,
  clear256,
  copy192,
  copy256,
  countLimbs,
  isBelow192,
  isBelow256,
  isEqual192,
  isZero256,
} from '../words'
import { noteTrade } from './books'
import { assertWithin, scale, setBeyond } from './numbers'
import { isBaseFirst } from './prices'

/** The last plan: input with fee and output, and whether base is bought. */
export const PLAN_IN: usize = memory.data(32, 8)
export const PLAN_OUT: usize = memory.data(32, 8)
export let buysBase: bool = false
const PLAN_ASKED: usize = memory.data(32, 8)
const PLAN_LIMIT: usize = memory.data(32, 8)

const SPREAD: usize = memory.data(32, 8)

/** Root of the pool's price as a float, whose error is in its last bits. */
export function rootFloat(): f64 {
  return toFloat192(PRICE) / (WORD * 4294967296)
}

/** The swap towards a root price without another limit. @returns whether there is one */
export function planToPrice(edge: usize): bool {
  const zeroForOne = isBelow192(edge, PRICE)
  copy192(LIMIT, edge)
  clampLimit()
  walkToLimit(zeroForOne, false)
  return !isZero256(TOTAL_IN) && keepPlan(zeroForOne)
}

/**
 * Plans a swap toward a root price, however small the move. @returns false if the pool already has
 * that price
 */
export function planTowards(edge: usize): bool {
  copy192(LIMIT, edge)
  clampLimit()
  if (isEqual192(LIMIT, PRICE)) return false
  const zeroForOne = isBelow192(LIMIT, PRICE)
  walkToLimit(zeroForOne, false)
  return keepPlan(zeroForOne)
}

/** The swap of an exact input as far as the market takes it. @returns false where it takes none */
export function planPart(zeroForOne: bool, amount: usize): bool {
  if (isZero256(amount)) return false
  askInput(zeroForOne, amount)
  const status = walk(zeroForOne, true)
  if (status === SPL) return false
  if (status !== NONE) setBeyond(true)
  return keepPlan(zeroForOne)
}

/** Walks to the limit. The requested amount only has to exceed the consumed amount. */
function walkToLimit(zeroForOne: bool, isQuote: bool): void {
  clear256(ASKED)
  store<u64>(ASKED, u64.MAX_VALUE)
  store<u64>(ASKED, i64.MAX_VALUE, 8)
  let status = isQuote ? quote(zeroForOne, true) : walk(zeroForOne, true)
  if (status === NONE && isZero256(REMAINING)) {
    // The walk consumed all 127 bits: repeat it with the largest amount.
    memory.fill(ASKED, 0xff, 32)
    store<u64>(ASKED, i64.MAX_VALUE, 24)
    status = isQuote ? quote(zeroForOne, true) : walk(zeroForOne, true)
  }
  if (status !== NONE) setBeyond(true)
}

/** The swap of an exact input. @returns false where the market cannot take it whole */
export function planInput(buys: bool, amount: usize): bool {
  if (isZero256(amount)) return false
  const zeroForOne = buys !== isBaseFirst
  askInput(zeroForOne, amount)
  return isWhole(walk(zeroForOne, true)) && keepPlan(zeroForOne)
}

/**
 * Output of an exact input, at `TOTAL_OUT`. @returns false if the market cannot take the whole
 * input
 */
export function quoteInput(buys: bool, amount: usize): bool {
  if (isZero256(amount)) return false
  const zeroForOne = buys !== isBaseFirst
  askInput(zeroForOne, amount)
  if (!isWhole(quote(zeroForOne, true))) return false
  assertWithin(TOTAL_IN)
  assertWithin(TOTAL_OUT)
  return true
}

/** Whether the swap filled the whole requested amount. */
function isWhole(status: i32): bool {
  if (status === NONE) return isZero256(REMAINING)
  setBeyond(true)
  return false
}

/** Requests an exact input limited only by the ends of the price range. */
function askInput(zeroForOne: bool, amount: usize): void {
  copy256(ASKED, amount)
  copy192(LIMIT, zeroForOne ? MIN_SQRT_RATIO : MAX_SQRT_RATIO)
  const low = load<u64>(LIMIT)
  store<u64>(LIMIT, zeroForOne ? low + 1 : low - 1)
}

function keepPlan(zeroForOne: bool): bool {
  copy256(PLAN_ASKED, ASKED)
  copy192(PLAN_LIMIT, LIMIT)
  copy256(PLAN_IN, TOTAL_IN)
  copy256(PLAN_OUT, TOTAL_OUT)
  assertWithin(PLAN_IN)
  assertWithin(PLAN_OUT)
  buysBase = zeroForOne !== isBaseFirst
  return true
}

/** Works the last plan out once more, after another walk has taken its place. */
export function restorePlan(): void {
  copy256(ASKED, PLAN_ASKED)
  copy192(LIMIT, PLAN_LIMIT)
  if (walk(buysBase !== isBaseFirst, true) !== NONE) setBeyond(true)
}

/** Carries the last plan out. */
export function carryOutPlan(): void {
  if (commit() !== NONE) setBeyond(true)
  noteTrade()
}

/** Clamps the limit to the price range of a pool. */
function clampLimit(): void {
  if (!isBelow192(MIN_SQRT_RATIO, LIMIT)) {
    copy192(LIMIT, MIN_SQRT_RATIO)
    store<u64>(LIMIT, load<u64>(LIMIT) + 1)
  } else if (!isBelow192(LIMIT, MAX_SQRT_RATIO)) {
    copy192(LIMIT, MAX_SQRT_RATIO)
    store<u64>(LIMIT, load<u64>(LIMIT) - 1)
  }
}

/**
 * Band layout: root price factor for buyers; the same for sellers at byte 32; then a flag to store
 * its depth.
 */
const FACTOR_TIMES: usize = 24
const FACTOR_OVER: usize = 28
export const BAND_KEPT: usize = 64
export const BAND_BYTES: usize = 72
const ROOT_BITS: u32 = 160

/**
 * to = the smaller of ask and bid depth within a band, quote atoms.
 *
 * A target is ⌊√(P²·f)⌋ = ⌊P·√f⌋, f = times / over. The host gives ⌊√f·2^160⌋ in 24 bytes, and a
 * price has at most 160 bits. So the product is too small by less than one. Only if the next
 * integer root lies in that interval does the exact square decide.
 */
export function thinnerDepth(to: usize, band: usize): void {
  depthTowards(to, band, true)
  depthTowards(SPREAD, band + 32, false)
  if (isBelow256(SPREAD, to)) copy256(to, SPREAD)
}

const TARGET: usize = memory.data(32, 8)
const NEXT_TARGET: usize = memory.data(32, 8)
const ROOT_ABOVE: usize = memory.data(32, 8)
const POOL_PRICE: usize = memory.data(32, 8)
const ONE: usize = memory.data(32, 8)
const SQUARE_LEFT: usize = memory.data(96, 8)
const SQUARE_RIGHT: usize = memory.data(96, 8)

/** Whether NEXT_TARGET² · over ≤ P² · times. */
function reachesTarget(root: usize): bool {
  const left = squareTimes(SQUARE_LEFT, NEXT_TARGET, load<u32>(root, FACTOR_OVER))
  const right = squareTimes(SQUARE_RIGHT, POOL_PRICE, load<u32>(root, FACTOR_TIMES))
  if (left !== right) return left < right
  for (let limb = left - 1; limb >= 0; limb--) {
    const x = load<u32>(SQUARE_LEFT + (usize(limb) << 2))
    const y = load<u32>(SQUARE_RIGHT + (usize(limb) << 2))
    if (x !== y) return x < y
  }
  return true
}

function squareTimes(to: usize, a: usize, factor: u32): i32 {
  const n = countLimbs(a, 8)
  return multiplySmall(to, to, multiply(to, a, n, a, n), factor, 0)
}

function depthTowards(to: usize, root: usize, buys: bool): void {
  clear256(to)
  clear256(POOL_PRICE)
  copy192(POOL_PRICE, PRICE)
  store<u64>(ONE, 1)
  copy256(ROOT_ABOVE, root)
  add256(ROOT_ABOVE, ROOT_ABOVE, ONE)
  scale(TARGET, POOL_PRICE, root, 6, ROOT_BITS)
  scale(NEXT_TARGET, POOL_PRICE, ROOT_ABOVE, 6, ROOT_BITS)
  if (isBelow256(TARGET, NEXT_TARGET) && reachesTarget(root)) copy256(TARGET, NEXT_TARGET)
  copy192(LIMIT, TARGET)
  clampLimit()
  const zeroForOne = buys !== isBaseFirst
  const moves = zeroForOne ? isBelow192(LIMIT, PRICE) : isBelow192(PRICE, LIMIT)
  if (!moves) return
  walkToLimit(zeroForOne, true)
  copy256(to, buys ? TOTAL_IN : TOTAL_OUT)
  assertWithin(to)
}
