// Positions: mint, burn and collect.

import { multiply, store256 } from './arithmetic'
import {
  READING_SECONDS_PER_LIQUIDITY,
  readingCumulative,
  readOracleNow,
  writeObservation,
} from './oracle'
import {
  BALANCES,
  balance0Known,
  balance1Known,
  claim,
  FEE_GROWTH,
  findTick,
  insertTick,
  LIQUIDITY,
  MAX_LIQUIDITY_PER_TICK,
  now,
  PRICE,
  priceOfTick,
  removeTick,
  TICK_CUMULATIVE,
  TICK_GROSS,
  TICK_GROWTH,
  TICK_NET,
  TICK_SECONDS,
  TICK_SECONDS_PER_LIQUIDITY,
  tick,
  tickSpacing,
} from './pool'
import { BLANK, LA, LO, LOK, LS, NONE, NP, TF, TLM, TLU, TUM } from './reverts'
import { amount0Of, amount1Of } from './step'
import { ASKED, accumulateWrapping } from './swap'
import { MAX_TICK, MIN_TICK } from './tick-math'
import { add256, copy192, copy256, countLimbs, isBelow256, isZero256, subtract256 } from './words'

const POSITION_BYTES: usize = 120
/** Fee growth inside at the last touch, token0, then token1. */
const GROWTH_LAST: usize = 16
/** uint128 each. */
const OWED: usize = 80
const LOWER: usize = 112
const UPPER: usize = 116

/** Amounts of the last change, token0, then token1; 256 bits each. Requested amounts of a collection. */
export const AMOUNTS: usize = memory.data(64, 8)
const LOWER_PRICE: usize = memory.data(32, 8)
const UPPER_PRICE: usize = memory.data(32, 8)
export const GROWTH: usize = memory.data(32, 8)
const PRODUCT: usize = memory.data(64, 8)
const NO_GROWTH: usize = memory.data(64, 8)
const GROSS: usize = memory.data(32, 8)

let draft: usize = 0

/**
 * An empty draft position. The next call reuses it unless `keepDraft` stored it. @returns its
 * address
 */
export function draftPosition(lower: i32, upper: i32): usize {
  if (draft === 0) draft = claim(POSITION_BYTES)
  memory.fill(draft, 0, POSITION_BYTES)
  store<i32>(draft, lower, LOWER)
  store<i32>(draft, upper, UPPER)
  return draft
}

/** Makes the draft a position of the pool. */
export function keepDraft(): void {
  draft = 0
}

/** Adds the liquidity at `ASKED` to a position. @returns 0, or why the contract refuses */
export function mint(position: usize): i32 {
  if (isLocked()) return LOK
  if (isZero256(ASKED) || isBeyondInt128()) return BLANK
  const refusal = refuseChange(position, true)
  if (refusal !== NONE) return refusal
  amounts(position, true)
  applyChange(position, true)
  if (balance0Known) add256(BALANCES, BALANCES, AMOUNTS)
  if (balance1Known) add256(BALANCES + 32, BALANCES + 32, AMOUNTS + 32)
  return NONE
}

/** Removes the liquidity at `ASKED` from a position; zero only brings its fees up to date. */
export function burn(position: usize): i32 {
  if (isLocked()) return LOK
  if (isBeyondInt128()) return BLANK
  const refusal = refuseBurn(position)
  if (refusal !== NONE) return refusal
  amounts(position, false)
  applyChange(position, false)
  accumulateWrapping(position + OWED, AMOUNTS)
  accumulateWrapping(position + OWED + 16, AMOUNTS + 32)
  return NONE
}

/** Pays out at most the amounts at `AMOUNTS`, and leaves there what was paid. */
export function collect(position: usize): i32 {
  if (isLocked()) return LOK
  capAmount(AMOUNTS, position + OWED)
  capAmount(AMOUNTS + 32, position + OWED + 16)
  if (balance0Known && isBelow256(BALANCES, AMOUNTS)) return TF
  if (balance1Known && isBelow256(BALANCES + 32, AMOUNTS + 32)) return TF
  if (balance0Known) subtract256(BALANCES, BALANCES, AMOUNTS)
  if (balance1Known) subtract256(BALANCES + 32, BALANCES + 32, AMOUNTS + 32)
  reduceWrapping(position + OWED, AMOUNTS)
  reduceWrapping(position + OWED + 16, AMOUNTS + 32)
  return NONE
}

/** Gives a position at least the liquidity at `ASKED`: a start state need not have listed it. */
export function completePosition(position: usize): void {
  copy256(GROSS, ASKED)
  if (isZero256(GROSS)) store<u64>(GROSS, 1)
  memory.fill(PRODUCT, 0, 32)
  memory.copy(PRODUCT, position, 16)
  if (isBelow256(PRODUCT, GROSS)) memory.copy(position, GROSS, 16)
  if (isZero256(ASKED)) return
  completeTick(load<i32>(position, LOWER), true)
  completeTick(load<i32>(position, UPPER), false)
}

function completeTick(index: i32, isLower: bool): void {
  if (index % tickSpacing !== 0 || findTick(index) !== 0) return
  const slot = insertTick(index)
  memory.copy(slot + TICK_GROSS, ASKED, 16)
  changeNet(slot, isLower)
}

function isLocked(): bool {
  return (load<u64>(PRICE) | load<u64>(PRICE, 8) | load<u64>(PRICE, 16)) === 0
}

function isBeyondInt128(): bool {
  return load<i64>(ASKED, 8) < 0 || (load<u64>(ASKED, 16) | load<u64>(ASKED, 24)) !== 0
}

function refuseBurn(position: usize): i32 {
  if (!isZero256(ASKED)) return refuseChange(position, false)
  const range = refuseRange(position)
  if (range !== NONE) return range
  return (load<u64>(position) | load<u64>(position, 8)) === 0 ? NP : NONE
}

function refuseRange(position: usize): i32 {
  const lower = load<i32>(position, LOWER)
  const upper = load<i32>(position, UPPER)
  if (lower >= upper) return TLU
  if (lower < MIN_TICK) return TLM
  return upper > MAX_TICK ? TUM : NONE
}

/** Every refusal of a change, in the order of the contract and before anything is written. */
function refuseChange(position: usize, adds: bool): i32 {
  const range = refuseRange(position)
  if (range !== NONE) return range
  const lower = load<i32>(position, LOWER)
  const upper = load<i32>(position, UPPER)
  let refusal = refuseGross(lower, adds)
  if (refusal !== NONE) return refusal
  refusal = refuseGross(upper, adds)
  if (refusal !== NONE) return refusal
  if (lower % tickSpacing !== 0 || upper % tickSpacing !== 0) return BLANK
  if (adds) return NONE
  memory.fill(GROSS, 0, 32)
  memory.copy(GROSS, position, 16)
  return isBelow256(GROSS, ASKED) ? LS : NONE
}

function refuseGross(index: i32, adds: bool): i32 {
  const slot = findTick(index)
  memory.fill(GROSS, 0, 32)
  if (slot !== 0) memory.copy(GROSS, slot + TICK_GROSS, 16)
  if (!adds && isBelow256(GROSS, ASKED)) return LS
  if (adds) add256(GROSS, GROSS, ASKED)
  else subtract256(GROSS, GROSS, ASKED)
  if (load<u64>(GROSS, 16) !== 0) return LA
  return isBelow256(MAX_LIQUIDITY_PER_TICK, GROSS) ? LO : NONE
}

/** Tokens behind the liquidity at the pool's price; the tick, not the price, decides the case. */
function amounts(position: usize, roundUp: bool): void {
  memory.fill(AMOUNTS, 0, 64)
  if (isZero256(ASKED)) return
  const lower = load<i32>(position, LOWER)
  const upper = load<i32>(position, UPPER)
  priceOfTick(LOWER_PRICE, lower)
  priceOfTick(UPPER_PRICE, upper)
  if (tick < lower) amount0Of(AMOUNTS, LOWER_PRICE, UPPER_PRICE, ASKED, roundUp)
  else if (tick >= upper) amount1Of(AMOUNTS + 32, LOWER_PRICE, UPPER_PRICE, ASKED, roundUp)
  else {
    amount0Of(AMOUNTS, PRICE, UPPER_PRICE, ASKED, roundUp)
    amount1Of(AMOUNTS + 32, LOWER_PRICE, PRICE, ASKED, roundUp)
  }
}

function applyChange(position: usize, adds: bool): void {
  const lower = load<i32>(position, LOWER)
  const upper = load<i32>(position, UPPER)
  const isChange = !isZero256(ASKED)
  if (isChange) {
    referenceTick(lower, adds, adds)
    referenceTick(upper, adds, !adds)
  }
  accrueFees(position, lower, upper)
  if (!isChange) return
  if (adds) accumulateWrapping(position, ASKED)
  else reduceWrapping(position, ASKED)
  forgetEmptyTick(lower)
  forgetEmptyTick(upper)
  if (tick < lower || tick >= upper) return
  writeObservation()
  if (adds) accumulateWrapping(LIQUIDITY, ASKED)
  else reduceWrapping(LIQUIDITY, ASKED)
}

/**
 * Adds to a tick's liquidity. A new tick at or below the price starts with the current global
 * growth values.
 */
function referenceTick(index: i32, adds: bool, addsNet: bool): void {
  let slot = findTick(index)
  if (slot === 0) {
    slot = insertTick(index)
    if (index <= tick) {
      readOracleNow()
      copy256(slot + TICK_GROWTH, FEE_GROWTH)
      copy256(slot + TICK_GROWTH + 32, FEE_GROWTH + 32)
      store<i64>(slot, readingCumulative(), TICK_CUMULATIVE)
      copy192(slot + TICK_SECONDS_PER_LIQUIDITY, READING_SECONDS_PER_LIQUIDITY)
      store<u32>(slot, now, TICK_SECONDS)
    }
  }
  if (adds) accumulateWrapping(slot + TICK_GROSS, ASKED)
  else reduceWrapping(slot + TICK_GROSS, ASKED)
  changeNet(slot, addsNet)
}

function changeNet(slot: usize, adds: bool): void {
  if (adds) accumulateWrapping(slot + TICK_NET, ASKED)
  else reduceWrapping(slot + TICK_NET, ASKED)
}

function forgetEmptyTick(index: i32): void {
  const slot = findTick(index)
  if (slot !== 0 && (load<u64>(slot, TICK_GROSS) | load<u64>(slot, TICK_GROSS + 8)) === 0) {
    removeTick(index)
  }
}

/** Moves the fees since the last touch into what the position is owed; 128 bits, wrapping. */
function accrueFees(position: usize, lower: i32, upper: i32): void {
  const lowerSlot = findTick(lower)
  const upperSlot = findTick(upper)
  const lowerGrowth = lowerSlot === 0 ? NO_GROWTH : lowerSlot + TICK_GROWTH
  const upperGrowth = upperSlot === 0 ? NO_GROWTH : upperSlot + TICK_GROWTH
  for (let token: usize = 0; token < 2; token++) {
    const at = token << 5
    const last = position + GROWTH_LAST + at
    growthInside(FEE_GROWTH + at, lowerGrowth + at, upperGrowth + at, tick >= lower, tick < upper)
    subtract256(last, GROWTH, last)
    const n = multiply(PRODUCT, last, countLimbs(last, 8), position, countLimbs(position, 4))
    copy256(last, GROWTH)
    store256(PRODUCT, PRODUCT + 16, max(n - 4, 0))
    accumulateWrapping(position + OWED + (token << 4), PRODUCT)
  }
}

/** GROWTH = global − below − above modulo 2^256; only differences mean something. */
export function growthInside(
  global: usize,
  lowerOutside: usize,
  upperOutside: usize,
  isAboveLower: bool,
  isBelowUpper: bool,
): void {
  copy256(GROWTH, global)
  if (isAboveLower) subtract256(GROWTH, GROWTH, lowerOutside)
  else {
    subtract256(GROWTH, GROWTH, global)
    add256(GROWTH, GROWTH, lowerOutside)
  }
  if (isBelowUpper) subtract256(GROWTH, GROWTH, upperOutside)
  else {
    subtract256(GROWTH, GROWTH, global)
    add256(GROWTH, GROWTH, upperOutside)
  }
}

function capAmount(amount: usize, owed: usize): void {
  const beyond = (load<u64>(amount, 16) | load<u64>(amount, 24)) !== 0
  const high = load<u64>(amount, 8)
  const owedHigh = load<u64>(owed, 8)
  const isWithin = high === owedHigh ? load<u64>(amount) < load<u64>(owed) : high < owedHigh
  if (!beyond && isWithin) return
  memory.fill(amount, 0, 32)
  memory.copy(amount, owed, 16)
}

/** to −= a modulo 2^128. */
function reduceWrapping(to: usize, a: usize): void {
  const x = load<u64>(to)
  const y = load<u64>(a)
  store<u64>(to, x - y)
  store<u64>(to, load<u64>(to, 8) - load<u64>(a, 8) - u64(x < y), 8)
}
