// Depth after shocks; see `ShockWatch`, which this is word for word.

import { multiplySmall } from '../arithmetic'
import { claim } from '../pool'
import { toFloat256 } from '../tick-math'
import { copy256, countLimbs, isBelow256, isZero256 } from '../words'
import { estimateDepth } from './depth-estimate'
import { quotientOf, setBeyond, toNumber } from './numbers'
import { thinnerDepth } from './trades'

/** Waiting times in seconds; that of no wait is the first row of depths. */
const WAITS: i32 = 4
/** A followed shock: seconds, depth before it. */
const SHOCK_BYTES: usize = 40

const LAST: usize = memory.data(32, 8)
const PENDING: usize = memory.data(32, 8)
const SHARE: usize = memory.data(40, 8)
const MULTIPLE: usize = memory.data(40, 8)
/** Last depth as a float; negative if `LAST` has the exact value. */
const LAST_ESTIMATE: usize = memory.data(8, 8)
const ESTIMATE_MARGIN: f64 = 1e-8
/** State per row: its number of entries, which is also the next shock it waits for. */
const NEXT: usize = memory.data(16, 8)
export const SHOCK_BAND: usize = memory.data(72, 8)
const WAIT_SECONDS: usize = memory.data(32, 8)
export let shockCount: i32 = 0
let followed: i32 = 0
let isPending: bool = false
let mostFollowed: i32 = 0
/** Whether integers alone decide, where depth is looked at too seldom for floats to save time. */
let isAlwaysExact: bool = false
let shocksAt: usize = 0
/** Rows of shares of the depth, floats: at once, and after each wait. */
let sharesAt: usize = 0

export function openShocks(most: i32): usize {
  mostFollowed = most
  shocksAt = claim(usize(most) * SHOCK_BYTES)
  sharesAt = claim(usize(most * (WAITS + 1)) << 3)
  return WAIT_SECONDS
}

/** Disables float comparisons. */
export function decideExactly(): void {
  isAlwaysExact = true
}

export function beginShocks(): void {
  shockCount = 0
  followed = 0
  isPending = false
  store<u64>(NEXT, 0)
  store<u64>(NEXT, 0, 8)
}

/** How many entries a row has. */
export function sharesOf(row: i32): i32 {
  return row === 0 ? followed : load<i32>(NEXT + (usize(row - 1) << 2))
}

/**
 * Updates the depth. Floats usually decide whether a trade is large relative to it. The exact
 * integer is computed only for a stored share, or if floats cannot decide.
 */
export function refreshDepth(): void {
  const estimate: f64 = isAlwaysExact ? -1 : estimateDepth(SHOCK_BAND)
  store<f64>(LAST_ESTIMATE, estimate)
  if (estimate < 0) thinnerDepth(LAST, SHOCK_BAND)
}

/** A trade with that quote side is about to be carried out. @returns whether other walks may have been made */
export function beforeTrade(quote: usize): bool {
  isPending = false
  if (!exceedsLast(quote, 4)) return false
  refreshDepth()
  const isExact = load<f64>(LAST_ESTIMATE) < 0
  if (!exceedsLast(quote, 2) || (isExact && isZero256(LAST))) return isExact
  isPending = true
  if (!isExact) thinnerDepth(LAST, SHOCK_BAND)
  copy256(PENDING, LAST)
  return true
}

/** Whether a multiple of an amount exceeds the last depth. */
function exceedsLast(quote: usize, times: u32): bool {
  const estimate = load<f64>(LAST_ESTIMATE)
  if (estimate < 0) {
    multiplySmall(MULTIPLE, quote, 8, times, 0)
    return isBelow256(LAST, MULTIPLE)
  }
  const multiple = toFloat256(quote) * f64(times)
  // Too close for floats: the TypeScript engine decides.
  if (abs(multiple - estimate) < estimate * ESTIMATE_MARGIN) setBeyond(true)
  return multiple > estimate
}

/** It was carried out. */
export function afterTrade(seconds: f64): void {
  if (!isPending) return
  isPending = false
  shockCount += 1
  if (followed >= mostFollowed) return
  thinnerDepth(LAST, SHOCK_BAND)
  store<f64>(LAST_ESTIMATE, -1)
  const shock = shocksAt + usize(followed) * SHOCK_BYTES
  store<f64>(shock, seconds)
  copy256(shock + 8, PENDING)
  store<f64>(sharesAt + (usize(followed) << 3), shareOf(LAST, PENDING))
  followed += 1
}

const DEPTH: usize = memory.data(32, 8)

/** Advances time to a moment. The market was constant since the last change before it. */
export function passShocks(seconds: f64): void {
  let isMeasured = false
  for (let wait: i32 = 0; wait < WAITS; wait++) {
    const entry = NEXT + (usize(wait) << 2)
    let next = load<i32>(entry)
    for (; next < followed; next++) {
      const shock = shocksAt + usize(next) * SHOCK_BYTES
      if (load<f64>(shock) + load<f64>(WAIT_SECONDS + (usize(wait) << 3)) > seconds) break
      if (!isMeasured) thinnerDepth(DEPTH, SHOCK_BAND)
      isMeasured = true
      const place = (wait + 1) * mostFollowed + next
      store<f64>(sharesAt + (usize(place) << 3), shareOf(DEPTH, shock + 8))
    }
    store<i32>(entry, next)
  }
}

/** Depth over depth in pips, rounded down, as the nearest float. */
function shareOf(depth: usize, before: usize): f64 {
  const n = multiplySmall(SHARE, depth, countLimbs(depth, 8), 1000000, 0)
  quotientOf(QUOTIENT, SHARE, n, before, countLimbs(before, 8))
  return toNumber(QUOTIENT)
}

const QUOTIENT: usize = memory.data(32, 8)

/** Address of the rows of shares. */
export function shares(): usize {
  return sharesAt
}
