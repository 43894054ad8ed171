import { divide } from './arithmetic'
import { claim, LIQUIDITY, now, tick } from './pool'

import { quotientAt, quotientByLiquidity } from './reciprocal'
import { copy128, copy192, countLimbs } from './words'

/** An observation: time u32, whether initialised u32, cumulative tick i64, seconds per liquidity 24 bytes. */
export const OBSERVATION_BYTES: usize = 40
const CUMULATIVE: usize = 8
const SECONDS_PER_LIQUIDITY: usize = 16

export let observations: usize = 0
/** Slots ever grown. */
export let observationCount: i32 = 0
export let observationIndex: i32 = 0
export let observationCardinality: i32 = 0
export let observationCardinalityNext: i32 = 0
let capacity: i32 = 0

/** The accumulators now, in the form of an observation. */
export const READING: usize = memory.data(48, 8)
const DIVIDEND: usize = memory.data(48, 8)
const QUOTIENT: usize = memory.data(48, 8)
const DIVISOR: usize = memory.data(16, 8)

export function setOracle(index: i32, cardinality: i32, next: i32): void {
  observationIndex = index
  observationCardinality = cardinality
  observationCardinalityNext = next
}

/** Reserves `count` zeroed slots. @returns the address of the first */
export function growObservations(count: i32): usize {
  if (count > capacity) {
    const wanted = max(count, capacity << 1)
    const grown = claim(usize(wanted) * OBSERVATION_BYTES)
    memory.copy(grown, observations, usize(observationCount) * OBSERVATION_BYTES)
    observations = grown
    capacity = wanted
  }
  if (count > observationCount) observationCount = count
  return observations
}

function observationAt(slot: i32): usize {
  return observations + usize(slot) * OBSERVATION_BYTES
}

/**
 * Writes an observation of the tick and liquidity that held until now, at most one per second of
 * block time. The buffer grows to the promised size only when its last slot was just used.
 *
 * @see Uniswap v3 whitepaper, §5
 */
export function writeObservation(): void {
  const last = observationAt(observationIndex)
  if (load<u32>(last) === now) return
  const grows =
    observationCardinalityNext > observationCardinality &&
    observationIndex === observationCardinality - 1
  if (grows) observationCardinality = observationCardinalityNext
  observationIndex = (observationIndex + 1) % observationCardinality
  advance(observationAt(observationIndex), last)
}

/** Brings `READING` to this moment. */
export function readOracleNow(): void {
  const last = observationAt(observationIndex)
  if (load<u32>(last) === now) memory.copy(READING, last, OBSERVATION_BYTES)
  else advance(READING, last)
}

/** Cumulative tick of `READING`. */
export function readingCumulative(): i64 {
  return load<i64>(READING, CUMULATIVE)
}
/** Seconds per liquidity of `READING`, 24 bytes. */
export const READING_SECONDS_PER_LIQUIDITY: usize = READING + SECONDS_PER_LIQUIDITY

/** Extends an observation over a period of constant tick and liquidity. */
function advance(to: usize, last: usize): void {
  const elapsed = now - load<u32>(last)
  const cumulative = wrap56(load<i64>(last, CUMULATIVE) + i64(tick) * i64(elapsed))
  let quotient = quotientAt(4)
  store<u64>(DIVIDEND, 0)
  store<u64>(DIVIDEND, 0, 8)
  store<u64>(DIVIDEND, u64(elapsed), 16)
  copy128(DIVISOR, LIQUIDITY)
  if ((load<u64>(DIVISOR) | load<u64>(DIVISOR, 8)) === 0) store<u64>(DIVISOR, 1)
  let n = quotientByLiquidity(DIVIDEND + 16, elapsed === 0 ? 0 : 1, DIVISOR, 4)
  if (n < 0) {
    quotient = QUOTIENT
    n = divide(QUOTIENT, DIVIDEND, 5, DIVISOR, countLimbs(DIVISOR, 4))
  }
  memory.fill(quotient + (usize(n) << 2), 0, 24 - (usize(n) << 2))
  copy192(to + SECONDS_PER_LIQUIDITY, last + SECONDS_PER_LIQUIDITY)
  addModulo160(to + SECONDS_PER_LIQUIDITY, quotient)
  store<u32>(to, now)
  store<u32>(to, 1, 4)
  store<i64>(to, cumulative, CUMULATIVE)
}

function wrap56(value: i64): i64 {
  return (value << 8) >> 8
}

/** to = value − to modulo 2^56, signed. */
export function flipCumulative(to: usize, value: i64): void {
  store<i64>(to, wrap56(value - load<i64>(to)))
}

/** to += a modulo 2^160. */
function addModulo160(to: usize, a: usize): void {
  const x0 = load<u64>(to)
  const x1 = load<u64>(to, 8)
  const s0 = x0 + load<u64>(a)
  const y1 = x1 + load<u64>(a, 8)
  const s1 = y1 + u64(s0 < x0)
  const carry = u64(y1 < x1) | u64(s1 < y1)
  store<u64>(to, s0)
  store<u64>(to, s1, 8)
  store<u64>(to, (load<u64>(to, 16) + load<u64>(a, 16) + carry) & 0xffffffff, 16)
}

/** to = value − to modulo 2^160, 24 bytes. */
export function flipModulo160(to: usize, value: usize): void {
  const x0 = load<u64>(value)
  const y0 = load<u64>(to)
  const x1 = load<u64>(value, 8)
  const y1 = load<u64>(to, 8)
  const borrow0 = u64(x0 < y0)
  const d1 = x1 - y1
  const borrow1 = u64(x1 < y1) | u64(d1 < borrow0)
  store<u64>(to, x0 - y0)
  store<u64>(to, d1 - borrow0, 8)
  store<u64>(to, (load<u64>(value, 16) - load<u64>(to, 16) - borrow1) & 0xffffffff, 16)
}

/** Promises more slots, paid for early by a non-zero, uninitialised entry. */
export function increaseCardinalityNext(next: i32): void {
  const first = observationCardinalityNext
  if (next <= first) return
  growObservations(next)
  for (let slot = first; slot < next; slot++) {
    memory.fill(observationAt(slot), 0, OBSERVATION_BYTES)
    store<u32>(observationAt(slot), 1)
  }
  observationCardinalityNext = next
}

/** Bytes of `keepOracle`. */
export const ORACLE_BYTES: usize = 24

/** Saves the oracle's global variables, for a memory image. */
export function keepOracle(to: usize): void {
  store<u32>(to, u32(observations))
  store<i32>(to, observationCount, 4)
  store<i32>(to, observationIndex, 8)
  store<i32>(to, observationCardinality, 12)
  store<i32>(to, observationCardinalityNext, 16)
  store<i32>(to, capacity, 20)
}

export function recallOracle(from: usize): void {
  observations = usize(load<u32>(from))
  observationCount = load<i32>(from, 4)
  observationIndex = load<i32>(from, 8)
  observationCardinality = load<i32>(from, 12)
  observationCardinalityNext = load<i32>(from, 16)
  capacity = load<i32>(from, 20)
}
