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
/** The depth as it was last as a float, below zero where it is in `LAST`. */
const LAST_ESTIMATE: usize = memory.data(8, 8)
const ESTIMATE_MARGIN: f64 = 1e-8
/** What is left of each row: the number of its entries, the next shock it waits for. */
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

/** Leaves nothing to floats. */
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
 * Depth is looked at anew. Whether a trade is large against it floats can tell, mostly; the integer is worked
 * out where a share of it is kept, and where floats know too little.
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

/** Whether a multiple of an amount is above the depth as it was last. */
function exceedsLast(quote: usize, times: u32): bool {
  const estimate = load<f64>(LAST_ESTIMATE)
  if (estimate < 0) {
    multiplySmall(MULTIPLE, quote, 8, times, 0)
    return isBelow256(LAST, MULTIPLE)
  }
  const multiple = toFloat256(quote) * f64(times)
  // Closer than floats can tell: left to the readable engine.
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

/** Time passes to a moment, and the market has stood as it stands since the last change before it. */
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

/** Where the rows of shares lie. */
export function shares(): usize {
  return sharesAt
}
