// A swap is worked out by `walk` and carried out by `commit`; in between the pool is unchanged.

import { divide, divideSmall, store256 } from './arithmetic'
import { flipCrossed, recordCrossing, resetCrossings } from './crossings'
import { writeObservation } from './oracle'
import {
  BALANCES,
  balance0Known,
  balance1Known,
  cursor,
  edgeOf,
  FEE_GROWTH,
  feeProtocol0,
  feeProtocol1,
  LIQUIDITY,
  moveTo,
  PRICE,
  PROTOCOL_FEES,
  slotAt,
  TICK_NET,
  TICK_PRICE,
  TICK_SEGMENTS,
  tick,
  tickCount,
  tickSpacing,
} from './pool'
import { quotientAt, quotientByLiquidity } from './reciprocal'
import { AS, BLANK, LA, LOK, LS, NONE, SPL, TF } from './reverts'
import {
  isKept,
  keepSegment,
  SEGMENT_BYTES,
  SEGMENT_FEE,
  SEGMENT_GROWTH,
  SEGMENT_OUT,
  SEGMENT_PAID,
  SEGMENT_PROTOCOL,
} from './segments'
import {
  AT_LIQUIDITY,
  AT_PRICE,
  isWhole,
  NEXT_PRICE,
  REMAINING,
  STEP_FEE,
  STEP_IN,
  STEP_OUT,
  stepExactInput,
  stepExactOutput,
} from './step'
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from './tick-math'
import {
  accumulate128,
  add256,
  clear256,
  copy128,
  copy192,
  copy256,
  countLimbs,
  isBelow192,
  isBelow256,
  isEqual192,
  isZero256,
  reaches128,
  reduce128,
  subtract256,
} from './words'

/** Request: the absolute amount, 256 bits, and the root price limit, 24 bytes. */
export const ASKED: usize = memory.data(32, 8)
export const LIMIT: usize = memory.data(32, 8)

/**
 * Running totals: input with fee, output, fee and the protocol's share of the fee. Also the fee
 * growth of the input token.
 */
export const TOTAL_IN: usize = memory.data(32, 8)
export const TOTAL_OUT: usize = memory.data(32, 8)
export const TOTAL_FEE: usize = memory.data(32, 8)
export const TOTAL_PROTOCOL: usize = memory.data(32, 8)
export const AT_GROWTH: usize = memory.data(32, 8)

/** Protocol part and fee growth of one step. */
const STEP_PROTOCOL: usize = memory.data(32, 8)
const STEP_GROWTH: usize = memory.data(32, 8)
const DIVIDEND: usize = memory.data(96, 8)
const QUOTIENT: usize = memory.data(96, 8)

/** No boundary: the price lies somewhere in between. */
const NOWHERE: i32 = i32.MIN_VALUE

/** Unknown tick: computed from the price on demand. */
const UNKNOWN: i32 = i32.MIN_VALUE

let atTick: i32 = 0
let atCursor: i32 = 0
/** The boundary where a whole step ended, or `NOWHERE`. */
let atBoundary: i32 = NOWHERE
let isDown: bool = false
let isExactInput: bool = false
/** Whether the swap may be carried out, and fee growth matters. */
let growsFees: bool = false

/**
 * Computes a swap of `ASKED` to `LIMIT`. A step ends at the next initialized tick, or at the end of
 * the bitmap word, because that stop adds a rounding.
 *
 * @returns 0, or the revert reason of the contract
 * @see Uniswap v3 whitepaper, §6.2.3 and §6.3
 */
export function walk(zeroForOne: bool, exactInput: bool): i32 {
  growsFees = true
  return walkOn(zeroForOne, exactInput)
}

/** As `walk` without fee growth and the protocol's part, of what shall not be carried out. */
export function quote(zeroForOne: bool, exactInput: bool): i32 {
  growsFees = false
  return walkOn(zeroForOne, exactInput)
}

/** The tick where the last walk ended. */
export function reachedTick(): i32 {
  if (atTick === UNKNOWN) atTick = tickAtSqrtRatio(AT_PRICE)
  return atTick
}

function walkOn(zeroForOne: bool, exactInput: bool): i32 {
  if (isZero256(ASKED)) return AS
  if ((load<u64>(PRICE) | load<u64>(PRICE, 8) | load<u64>(PRICE, 16)) === 0) return LOK
  if (!isLimitLegal(zeroForOne)) return SPL
  begin(zeroForOne, exactInput)
  while (!isZero256(REMAINING) && !isEqual192(AT_PRICE, LIMIT)) {
    let status = NONE
    if ((load<u64>(AT_LIQUIDITY) | load<u64>(AT_LIQUIDITY, 8)) === 0) status = crossGap()
    else status = zeroForOne ? stepDown() : stepUp()
    if (status !== NONE) return status
  }
  return NONE
}

function isLimitLegal(zeroForOne: bool): bool {
  return zeroForOne
    ? isBelow192(LIMIT, PRICE) && isBelow192(MIN_SQRT_RATIO, LIMIT)
    : isBelow192(PRICE, LIMIT) && isBelow192(LIMIT, MAX_SQRT_RATIO)
}

function begin(zeroForOne: bool, exactInput: bool): void {
  isDown = zeroForOne
  isExactInput = exactInput
  copy192(AT_PRICE, PRICE)
  copy128(AT_LIQUIDITY, LIQUIDITY)
  copy256(REMAINING, ASKED)
  if (growsFees) copy256(AT_GROWTH, FEE_GROWTH + (zeroForOne ? 0 : 32))
  clear256(TOTAL_IN)
  clear256(TOTAL_OUT)
  clear256(TOTAL_FEE)
  clear256(TOTAL_PROTOCOL)
  atTick = tick
  atCursor = cursor
  atBoundary = NOWHERE
  resetCrossings()
}

function floorDivide(a: i32, b: i32): i32 {
  const quotient = a / b
  return a < quotient * b ? quotient - 1 : quotient
}

function stepDown(): i32 {
  const word = floorDivide(reachedTick(), tickSpacing) >> 8
  const edge = max((word << 8) * tickSpacing, MIN_TICK)
  const below: usize = atCursor > 0 ? slotAt(atCursor - 1) : 0
  const isInitialized = below !== 0 && load<i32>(below) >= edge
  const node = isInitialized ? below : edgeOf(word, edge, 0)
  const price = node + TICK_PRICE
  const isLimited = isBelow192(price, LIMIT)
  const status = isLimited ? stepTo(LIMIT) : stepToNode(node, node + TICK_SEGMENTS)
  if (status !== NONE || !isEqual192(AT_PRICE, price)) return status
  if (isInitialized) return crossDown(below)
  atBoundary = edge
  atTick = edge - 1
  return NONE
}

function stepUp(): i32 {
  const word = (floorDivide(reachedTick(), tickSpacing) + 1) >> 8
  const edge = min(((word << 8) + 255) * tickSpacing, MAX_TICK)
  const above: usize = atCursor < tickCount ? slotAt(atCursor) : 0
  const isInitialized = above !== 0 && load<i32>(above) <= edge
  const node = isInitialized ? above : edgeOf(word, edge, 1)
  const price = node + TICK_PRICE
  const isLimited = isBelow192(LIMIT, price)
  const segment = node + TICK_SEGMENTS + SEGMENT_BYTES
  const status = isLimited ? stepTo(LIMIT) : stepToNode(node, segment)
  if (status !== NONE || !isEqual192(AT_PRICE, price)) return status
  if (isInitialized) return crossUp(above)
  atBoundary = edge
  atTick = edge
  return NONE
}

/** A step to a boundary. Uses the cached segment if its inputs match. */
function stepToNode(node: usize, segment: usize): i32 {
  const start = atBoundary
  const price = node + TICK_PRICE
  if (start === NOWHERE) return stepTo(price)
  if (isKept(segment, start, AT_LIQUIDITY)) {
    const needed = segment + (isExactInput ? SEGMENT_PAID : SEGMENT_OUT)
    if (!reaches128(REMAINING, needed)) return stepTo(price)
    reduce128(REMAINING, needed)
    accumulate128(TOTAL_IN, segment + SEGMENT_PAID)
    accumulate128(TOTAL_OUT, segment + SEGMENT_OUT)
    accumulate128(TOTAL_FEE, segment + SEGMENT_FEE)
    if (growsFees) {
      accumulate128(TOTAL_PROTOCOL, segment + SEGMENT_PROTOCOL)
      add256(AT_GROWTH, AT_GROWTH, segment + SEGMENT_GROWTH)
    }
    copy192(AT_PRICE, price)
    return NONE
  }
  const status = stepTo(price)
  if (status === NONE && isWhole) {
    if (!growsFees) shareFee()
    keepSegment(
      segment,
      start,
      AT_LIQUIDITY,
      STEP_IN,
      STEP_OUT,
      STEP_FEE,
      STEP_PROTOCOL,
      STEP_GROWTH,
    )
  }
  return status
}

/** Moves to the target or as far as the remaining amount leads, and books amounts and fees. */
function stepTo(target: usize): i32 {
  if (isExactInput) stepExactInput(target, isDown)
  else if (!stepExactOutput(target, isDown)) return BLANK
  add256(STEP_IN, STEP_IN, STEP_FEE)
  subtract256(REMAINING, REMAINING, isExactInput ? STEP_IN : STEP_OUT)
  add256(TOTAL_IN, TOTAL_IN, STEP_IN)
  add256(TOTAL_OUT, TOTAL_OUT, STEP_OUT)
  add256(TOTAL_FEE, TOTAL_FEE, STEP_FEE)
  const isStill = isEqual192(AT_PRICE, NEXT_PRICE)
  copy192(AT_PRICE, NEXT_PRICE)
  if (growsFees) {
    shareFee()
    add256(TOTAL_PROTOCOL, TOTAL_PROTOCOL, STEP_PROTOCOL)
    add256(AT_GROWTH, AT_GROWTH, STEP_GROWTH)
  }
  atBoundary = NOWHERE
  // An unchanged price retains its tick: just below a boundary it may equal the boundary price.
  if (!isStill && (!isWhole || target === LIMIT)) atTick = UNKNOWN
  return NONE
}

/** Splits the fee of the step between the protocol and the liquidity, ⌊fee · 2^128 / L⌋ to each unit. */
function shareFee(): void {
  const share = isDown ? feeProtocol0 : feeProtocol1
  let n = countLimbs(STEP_FEE, 8)
  copy256(DIVIDEND + 16, STEP_FEE)
  if (share > 0) {
    const p = divideSmall(QUOTIENT, STEP_FEE, n, share)
    store256(STEP_PROTOCOL, QUOTIENT, p)
    subtract256(DIVIDEND + 16, DIVIDEND + 16, STEP_PROTOCOL)
    n = countLimbs(DIVIDEND + 16, 8)
  } else clear256(STEP_PROTOCOL)
  let q = quotientByLiquidity(DIVIDEND + 16, n, AT_LIQUIDITY, 4)
  if (q >= 0) store256(STEP_GROWTH, quotientAt(4), q)
  else {
    store<u64>(DIVIDEND, 0)
    store<u64>(DIVIDEND, 0, 8)
    q = divide(QUOTIENT, DIVIDEND, n + 4, AT_LIQUIDITY, countLimbs(AT_LIQUIDITY, 4))
    store256(STEP_GROWTH, QUOTIENT, q)
  }
}

const WORD_END: usize = memory.data(32, 8)

/**
 * Without liquidity, steps change only the price. So one jump passes all words before the next
 * initialized tick or the limit.
 */
function crossGap(): i32 {
  const place = isDown ? atCursor - 1 : atCursor
  const slot: usize = place >= 0 && place < tickCount ? slotAt(place) : 0
  const price = slot + TICK_PRICE
  if (slot === 0 || (isDown ? isBelow192(price, LIMIT) : isBelow192(LIMIT, price))) {
    copy192(AT_PRICE, LIMIT)
    atTick = tickAtSqrtRatio(LIMIT)
    // A downward step that ends exactly on a word edge leaves the tick below it, as a crossing does.
    if (isDown && atTick % (256 * tickSpacing) === 0) {
      sqrtRatioAtTick(WORD_END, atTick)
      if (isEqual192(WORD_END, LIMIT)) atTick -= 1
    }
    return NONE
  }
  copy192(AT_PRICE, price)
  return isDown ? crossDown(slot) : crossUp(slot)
}

function crossDown(slot: usize): i32 {
  atBoundary = load<i32>(slot)
  atTick = atBoundary - 1
  atCursor -= 1
  recordCrossing(slot, AT_GROWTH)
  const net = slot + TICK_NET
  const low = load<u64>(net)
  const borrow = u64(load<u64>(AT_LIQUIDITY) < low)
  const isNegative = load<i64>(net, 8) < 0
  return setLiquidity(
    load<u64>(AT_LIQUIDITY) - low,
    load<u64>(AT_LIQUIDITY, 8) - load<u64>(net, 8) - borrow,
    !isNegative,
  )
}

function crossUp(slot: usize): i32 {
  atBoundary = load<i32>(slot)
  atTick = atBoundary
  atCursor += 1
  recordCrossing(slot, AT_GROWTH)
  const net = slot + TICK_NET
  const low = load<u64>(AT_LIQUIDITY) + load<u64>(net)
  const carry = u64(low < load<u64>(net))
  const isNegative = load<i64>(net, 8) < 0
  return setLiquidity(low, load<u64>(AT_LIQUIDITY, 8) + load<u64>(net, 8) + carry, isNegative)
}

/** Takes the new liquidity unless it wrapped around: one that should fall must not be above the old. */
function setLiquidity(low: u64, high: u64, falls: bool): i32 {
  const oldLow = load<u64>(AT_LIQUIDITY)
  const oldHigh = load<u64>(AT_LIQUIDITY, 8)
  const isAbove = high === oldHigh ? low > oldLow : high > oldHigh
  const isBelow = high === oldHigh ? low < oldLow : high < oldHigh
  if (falls && isAbove) return LS
  if (!falls && isBelow) return LA
  store<u64>(AT_LIQUIDITY, low)
  store<u64>(AT_LIQUIDITY, high, 8)
  return NONE
}

/** Carries the last walk out. @returns 0, or TF when the pool does not hold the output */
export function commit(): i32 {
  const outputBalance = BALANCES + (isDown ? 32 : 0)
  const inputBalance = BALANCES + (isDown ? 0 : 32)
  const isOutputKnown = isDown ? balance1Known : balance0Known
  if (isOutputKnown && isBelow256(outputBalance, TOTAL_OUT)) return TF
  flipCrossed(isDown)
  const reached = reachedTick()
  if (reached !== tick) writeObservation()
  copy192(PRICE, AT_PRICE)
  moveTo(reached, atCursor)
  copy128(LIQUIDITY, AT_LIQUIDITY)
  copy256(FEE_GROWTH + (isDown ? 0 : 32), AT_GROWTH)
  accumulateWrapping(PROTOCOL_FEES + (isDown ? 0 : 16), TOTAL_PROTOCOL)
  if (isOutputKnown) subtract256(outputBalance, outputBalance, TOTAL_OUT)
  if (isDown ? balance0Known : balance1Known) add256(inputBalance, inputBalance, TOTAL_IN)
  return NONE
}

/** to += a modulo 2^128. */
export function accumulateWrapping(to: usize, a: usize): void {
  const x = load<u64>(to)
  const s = x + load<u64>(a)
  store<u64>(to, s)
  store<u64>(to, load<u64>(to, 8) + load<u64>(a, 8) + u64(s < x), 8)
}
