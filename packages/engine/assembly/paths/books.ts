// Exact ledger of one arm: inventory and earnings of its desk, in atoms. Uses the terms of
// `ArmDesk`.

import { multiply, store256 } from '../arithmetic'
import { GROWTH, growthInside } from '../liquidity'
import { claim, FEE_GROWTH, findTick, PRICE, priceOfTick, TICK_GROWTH, tick } from '../pool'
import { amount0Of, amount1Of } from '../step'
import { add256, copy256, countLimbs, isEqual256, subtract256 } from '../words'
import { assertWithin, decreaseBy, increaseBy, setBeyond, squareRoot } from './numbers'
import { exitGas, isBaseFirst, priceAt, quoteValue, timesPrices } from './prices'

/** A pair of amounts: base, and 32 bytes on quote. */
const PAIR: usize = 64
export const IDLE: usize = memory.data(64, 8)
/** All fees ever settled, and the share that became principal. */
export const SETTLED: usize = memory.data(64, 8)
export const COMPOUNDED: usize = memory.data(64, 8)
/** Principal and fees at the last booking. */
export const HELD: usize = memory.data(64, 8)
export const FEES: usize = memory.data(64, 8)
export const SEGMENT_START: usize = memory.data(64, 8)
export const CAPITAL: usize = memory.data(64, 8)
/** Rewards less gas paid so far. */
export const BESIDE: usize = memory.data(32, 8)
export const DELTA_PNL: usize = memory.data(32, 8)
export const LVR: usize = memory.data(32, 8)
export const FEES_AT_ACCRUAL: usize = memory.data(32, 8)
export const DIVERGENCE: usize = memory.data(32, 8)
export const DRIFT: usize = memory.data(32, 8)
export const REBALANCE_COST: usize = memory.data(32, 8)
export let valuations: i32 = 0
/** Whether the pool has traded since the last booking. */
let isStale: bool = false
/** Steps whose prices are the present one and that of the segment. */
let atStep: i32 = 0
let segmentStep: i32 = 0
/** Whether a desk trades in a pool, and whether it is the portfolio that rebalances without cost. */
export let hasMarket: bool = false
let isRebalancing: bool = false
/** Whether that portfolio has followed the present price. */
let isSettled: bool = false

/** A position: liquidity 16 bytes, growth of both tokens at its last settlement, ticks. */
const POSITION_GROWTH: usize = 16
const POSITION_LOWER: usize = 80
const POSITION_UPPER: usize = 84
const POSITION_BYTES: usize = 88
let positionsAt: usize = 0
export let positionCount: i32 = 0

const NOW: usize = memory.data(64, 8)
const EARNED: usize = memory.data(64, 8)
const AMOUNT: usize = memory.data(32, 8)
const VALUE: usize = memory.data(32, 8)
const LOWER_PRICE: usize = memory.data(32, 8)
const UPPER_PRICE: usize = memory.data(32, 8)
const PRODUCT: usize = memory.data(128, 8)
const NO_GROWTH: usize = memory.data(64, 8)
/** Inventory including fees: base, then quote, in atoms. */
export const INVENTORY: usize = memory.data(64, 8)
/** Worth less that of HOLD, quote atoms. */
export const NET_VS_HOLD: usize = memory.data(32, 8)

/** Opens the books where the desk has left them at the start. @param kind bit 0: in a pool, 1: rebalancing */
export function openBooks(kind: i32, count: i32): usize {
  hasMarket = (kind & 1) !== 0
  isRebalancing = (kind & 2) !== 0
  positionCount = count
  positionsAt = claim(usize(count + 1) * POSITION_BYTES)
  return positionsAt
}

/** Bytes of `keepBooks`. */
export const BOOKS_BYTES: usize = 12

/** Saves the ledger's global variables, for a memory image. */
export function keepBooks(to: usize): void {
  store<u32>(to, u32(positionsAt))
  store<i32>(to, positionCount, 4)
  store<i32>(to, i32(hasMarket) | (i32(isRebalancing) << 1), 8)
}

/** Restores the ledger to its state after opening. */
export function recallBooks(from: usize): void {
  positionsAt = usize(load<u32>(from))
  positionCount = load<i32>(from, 4)
  hasMarket = (load<i32>(from, 8) & 1) !== 0
  isRebalancing = (load<i32>(from, 8) & 2) !== 0
  valuations = 0
  isStale = false
  atStep = 0
  segmentStep = 0
  isSettled = false
}

export function noteTrade(): void {
  isStale = true
}

/** Whether a price is still looked at: the first, the present one, that of the segment. */
export function isPriceInUse(step: i32): bool {
  return step === 0 || step === atStep || step === segmentStep
}

export function present(): usize {
  return priceAt(atStep)
}

/** Principal and fees, less the fees that became principal. */
export function countInventory(): void {
  for (let at: usize = 0; at < PAIR; at += 32) {
    add256(INVENTORY + at, HELD + at, FEES + at)
    decreaseBy(INVENTORY + at, COMPOUNDED + at)
  }
}

/** The reference price moves; the inventory gains or loses. */
export function moveTo(step: i32): void {
  countInventory()
  quoteValue(VALUE, INVENTORY, priceAt(step))
  increaseBy(DELTA_PNL, VALUE)
  quoteValue(VALUE, INVENTORY, present())
  decreaseBy(DELTA_PNL, VALUE)
  valuations += 2
  atStep = step
  isSettled = false
}

/** Books what the market did to the positions since the last booking. */
export function book(): void {
  if (!isStale || positionCount === 0) return
  isStale = false
  copy256(NOW, IDLE)
  copy256(NOW + 32, IDLE + 32)
  copy256(EARNED, SETTLED)
  copy256(EARNED + 32, SETTLED + 32)
  for (let index: i32 = 0; index < positionCount; index++) countPosition(positionAt(index))
  bookFees()
  if (isEqual256(NOW, HELD) && isEqual256(NOW + 32, HELD + 32)) return
  subtract256(AMOUNT, NOW, HELD)
  quoteValue(VALUE, AMOUNT, present())
  decreaseBy(LVR, VALUE)
  subtract256(AMOUNT, NOW + 32, HELD + 32)
  decreaseBy(LVR, AMOUNT)
  valuations += 1
  copy256(HELD, NOW)
  copy256(HELD + 32, NOW + 32)
}

function bookFees(): void {
  if (isEqual256(EARNED, FEES) && isEqual256(EARNED + 32, FEES + 32)) return
  subtract256(AMOUNT, EARNED, FEES)
  quoteValue(VALUE, AMOUNT, present())
  increaseBy(FEES_AT_ACCRUAL, VALUE)
  subtract256(AMOUNT, EARNED + 32, FEES + 32)
  increaseBy(FEES_AT_ACCRUAL, AMOUNT)
  valuations += 1
  copy256(FEES, EARNED)
  copy256(FEES + 32, EARNED + 32)
}

function positionAt(index: i32): usize {
  return positionsAt + usize(index) * POSITION_BYTES
}

/** Adds a position's principal and fees, both rounded down, to the totals. */
function countPosition(position: usize): void {
  const lower = load<i32>(position, POSITION_LOWER)
  const upper = load<i32>(position, POSITION_UPPER)
  const first: usize = isBaseFirst ? 0 : 32
  const second: usize = 32 - first
  if (tick < upper) {
    priceOfTick(UPPER_PRICE, upper)
    if (tick < lower) priceOfTick(LOWER_PRICE, lower)
    amount0Of(AMOUNT, tick < lower ? LOWER_PRICE : PRICE, UPPER_PRICE, position, false)
    addAmount(NOW + first)
  }
  if (tick >= lower) {
    priceOfTick(LOWER_PRICE, lower)
    if (tick >= upper) priceOfTick(UPPER_PRICE, upper)
    amount1Of(AMOUNT, LOWER_PRICE, tick >= upper ? UPPER_PRICE : PRICE, position, false)
    addAmount(NOW + second)
  }
  const lowerSlot = findTick(lower)
  const upperSlot = findTick(upper)
  const below = lowerSlot === 0 ? NO_GROWTH : lowerSlot + TICK_GROWTH
  const above = upperSlot === 0 ? NO_GROWTH : upperSlot + TICK_GROWTH
  for (let at: usize = 0; at < PAIR; at += 32) {
    growthInside(FEE_GROWTH + at, below + at, above + at, tick >= lower, tick < upper)
    subtract256(GROWTH, GROWTH, position + POSITION_GROWTH + at)
    const n = multiply(PRODUCT, GROWTH, countLimbs(GROWTH, 8), position, countLimbs(position, 4))
    store256(AMOUNT, PRODUCT + 16, max(n - 4, 0))
    addAmount(EARNED + (at === 0 ? first : second))
  }
}

function addAmount(to: usize): void {
  assertWithin(AMOUNT)
  if (load<i64>(AMOUNT, 24) < 0) setBeyond(true)
  increaseBy(to, AMOUNT)
}

/** Whether liquidity of any position is in use. */
export function isInRange(): bool {
  for (let index: i32 = 0; index < positionCount; index++) {
    const position = positionAt(index)
    if (load<i32>(position, POSITION_LOWER) <= tick && tick < load<i32>(position, POSITION_UPPER)) {
      return true
    }
  }
  return false
}

/** Value after an immediate exit minus the HODL value. Also updates the inventory. */
export function countNetVsHold(): void {
  countInventory()
  subtract256(AMOUNT, INVENTORY, CAPITAL)
  quoteValue(NET_VS_HOLD, AMOUNT, present())
  increaseBy(NET_VS_HOLD, INVENTORY + 32)
  decreaseBy(NET_VS_HOLD, CAPITAL + 32)
  increaseBy(NET_VS_HOLD, BESIDE)
  for (let index: i32 = 0; index < positionCount; index++) {
    decreaseBy(NET_VS_HOLD, exitGas(atStep))
  }
}

/** Initial base of the frictionless rebalancing portfolio, base atoms. */
export const INITIAL_BASE: usize = memory.data(32, 8)
const BASE_SQUARE: usize = memory.data(64, 8)
const WANTED: usize = memory.data(32, 8)
const BEFORE: usize = memory.data(64, 8)

/** Trades at the reference price to the base in proportion to 1/√P. */
export function rebalance(): void {
  if (!isRebalancing || isSettled) return
  isSettled = true
  const base = countLimbs(INITIAL_BASE, 8)
  // Four limbs per factor: their product with a price must fit the fields of a root.
  if (base > 4) {
    setBeyond(true)
    return
  }
  const n = multiply(BASE_SQUARE, INITIAL_BASE, base, INITIAL_BASE, base)
  const q = timesPrices(PRODUCT, BASE_SQUARE, n, priceAt(0), present())
  squareRoot(WANTED, PRODUCT, q)
  subtract256(WANTED, WANTED, IDLE)
  if (!isEqual256(WANTED, NOTHING)) exchangeAtReference(WANTED)
}

const NOTHING: usize = memory.data(32, 8)

/** Trades idle tokens at the reference price without cost. */
function exchangeAtReference(base: usize): void {
  closeSegment()
  copy256(BEFORE, HELD)
  copy256(BEFORE + 32, HELD + 32)
  increaseBy(IDLE, base)
  quoteValue(VALUE, base, present())
  decreaseBy(IDLE + 32, VALUE)
  copy256(HELD, IDLE)
  copy256(HELD + 32, IDLE + 32)
  subtract256(AMOUNT, BEFORE, HELD)
  quoteValue(VALUE, AMOUNT, present())
  increaseBy(REBALANCE_COST, VALUE)
  increaseBy(REBALANCE_COST, BEFORE + 32)
  decreaseBy(REBALANCE_COST, HELD + 32)
  valuations += 1
  beginSegment()
}

function closeSegment(): void {
  subtract256(AMOUNT, SEGMENT_START, CAPITAL)
  decreaseBy(AMOUNT, COMPOUNDED)
  quoteValue(VALUE, AMOUNT, present())
  increaseBy(DRIFT, VALUE)
  quoteValue(VALUE, AMOUNT, priceAt(segmentStep))
  decreaseBy(DRIFT, VALUE)
  subtract256(AMOUNT, SEGMENT_START, HELD)
  quoteValue(VALUE, AMOUNT, present())
  increaseBy(DIVERGENCE, VALUE)
  increaseBy(DIVERGENCE, SEGMENT_START + 32)
  decreaseBy(DIVERGENCE, HELD + 32)
  valuations += 3
  beginSegment()
}

function beginSegment(): void {
  copy256(SEGMENT_START, HELD)
  copy256(SEGMENT_START + 32, HELD + 32)
  segmentStep = atStep
}

/** Closes the ledger like the desk does. The host only has to add sums. */
export function closeBooks(): void {
  book()
  closeSegment()
  countInventory()
}
