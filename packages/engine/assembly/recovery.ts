// Finds the call behind a Swap log and carries it out.

import { PRICE } from './pool'
import { NONE } from './reverts'
import { AT_LIQUIDITY, AT_PRICE } from './step'
import { ASKED, commit, LIMIT, reachedTick, TOTAL_IN, TOTAL_OUT, walk } from './swap'
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from './tick-math'
import { copy192, isBelow192, isEqual192, isEqual256, isZero256 } from './words'

/** The log: both amounts as signed 128 bits, root price in 24 bytes, liquidity in 16, tick. */
export const LOG: usize = memory.data(80, 8)
const LOG_PRICE: usize = LOG + 32
const LOG_LIQUIDITY: usize = LOG + 56
const LOG_TICK: usize = LOG + 72

/** Logged input and output, 256 bits each. */
const LOGGED_IN: usize = memory.data(32, 8)
const LOGGED_OUT: usize = memory.data(32, 8)
const OPEN_LIMIT: usize = memory.data(32, 8)

export const NO_CALL: i32 = 0
export const EXACT_INPUT: i32 = 1
export const EXACT_OUTPUT: i32 = 2
export const PRICE_LIMIT: i32 = 3
export const PRICE_LIMIT_WITH_INPUT: i32 = 4
/** The call was found, but the pool does not hold what it pays out. */
export const UNPAID: i32 = 5

/** Recorded requested amount, 256 bits without its sign. */
export const LOG_ASKED: usize = memory.data(32, 8)

/**
 * Tries four calls: exact input, exact output, and the logged price as limit of an unlimited or the
 * logged input. Executes the first one that reproduces the log.
 *
 * @returns the mode of the call, `NO_CALL` or `UNPAID`
 */
export function recover(): i32 {
  const zeroForOne = direction()
  if (!readAmounts(zeroForOne)) return NO_CALL
  if (reproduces(zeroForOne, true, LOGGED_IN, OPEN_LIMIT)) return carryOut(EXACT_INPUT)
  if (reproduces(zeroForOne, false, LOGGED_OUT, OPEN_LIMIT)) return carryOut(EXACT_OUTPUT)
  if (reproducesUnlimited(zeroForOne)) return carryOut(PRICE_LIMIT)
  if (!reproduces(zeroForOne, true, LOGGED_IN, LOG_PRICE)) return NO_CALL
  return carryOut(PRICE_LIMIT_WITH_INPUT)
}

/** Like `recover`, for a recording with the requested amount. Only the price limit is unknown. */
export function recoverAsked(exactInput: bool): i32 {
  const zeroForOne = direction()
  if (!readAmounts(zeroForOne)) return NO_CALL
  if (reproduces(zeroForOne, exactInput, LOG_ASKED, OPEN_LIMIT)) {
    return carryOut(exactInput ? EXACT_INPUT : EXACT_OUTPUT)
  }
  if (!reproduces(zeroForOne, exactInput, LOG_ASKED, LOG_PRICE)) return NO_CALL
  return carryOut(exactInput ? PRICE_LIMIT_WITH_INPUT : PRICE_LIMIT)
}

function carryOut(mode: i32): i32 {
  return commit() === NONE ? mode : UNPAID
}

/** @returns false when both tokens went the same way */
function readAmounts(zeroForOne: bool): bool {
  copy192(OPEN_LIMIT, zeroForOne ? MIN_SQRT_RATIO : MAX_SQRT_RATIO)
  const low = load<u64>(OPEN_LIMIT)
  store<u64>(OPEN_LIMIT, zeroForOne ? low + 1 : low - 1)
  return (
    setLogged(LOGGED_IN, zeroForOne ? LOG : LOG + 16, false) &&
    setLogged(LOGGED_OUT, zeroForOne ? LOG + 16 : LOG, true)
  )
}

/** Which token entered; with no amounts at all, the way the price went. */
function direction(): bool {
  if ((load<u64>(LOG) | load<u64>(LOG, 8)) !== 0) return load<i64>(LOG, 8) >= 0
  if ((load<u64>(LOG, 16) | load<u64>(LOG, 24)) !== 0) return load<i64>(LOG, 24) < 0
  return isBelow192(LOG_PRICE, PRICE)
}

/** Widens a logged amount, its sign turned where it went out. @returns false when it is below zero */
function setLogged(to: usize, amount: usize, turned: bool): bool {
  let low = load<u64>(amount)
  let high = load<u64>(amount, 8)
  if (turned) {
    high = ~high + u64(low === 0)
    low = 0 - low
  }
  store<u64>(to, low)
  store<u64>(to, high, 8)
  return i64(high) >= 0
}

function reproducesUnlimited(zeroForOne: bool): bool {
  memory.fill(ASKED, 0xff, 32)
  store<u64>(ASKED, i64.MAX_VALUE, 24)
  copy192(LIMIT, LOG_PRICE)
  return walk(zeroForOne, true) === NONE && isLogged()
}

function reproduces(zeroForOne: bool, exactInput: bool, amount: usize, limit: usize): bool {
  if (isZero256(amount)) return false
  memory.copy(ASKED, amount, 32)
  copy192(LIMIT, limit)
  return walk(zeroForOne, exactInput) === NONE && isLogged()
}

function isLogged(): bool {
  return (
    isEqual192(AT_PRICE, LOG_PRICE) &&
    isEqual256(TOTAL_IN, LOGGED_IN) &&
    isEqual256(TOTAL_OUT, LOGGED_OUT) &&
    load<u64>(AT_LIQUIDITY) === load<u64>(LOG_LIQUIDITY) &&
    load<u64>(AT_LIQUIDITY, 8) === load<u64>(LOG_LIQUIDITY, 8) &&
    reachedTick() === load<i32>(LOG_TICK)
  )
}
