// The steps of a path for one arm; see `runArm` and `Traffic`.

import { claim, PRICE } from '../pool'
import { clear256, isBelow192, subtract256 } from '../words'
import { book, closeBooks, hasMarket, moveTo, rebalance } from './books'
import { decreaseBy, increaseBy, isBelowSigned, isBeyond, toNumber } from './numbers'
import {
  arbitrageCost,
  bandHigh,
  bandLow,
  priceAt,
  quoteValue,
  rawPrice,
  steps,
  TRADE_BUYS,
  TRADE_BYTES,
  TRADE_THRESHOLD,
  TRADE_WORTH,
  tradesOf,
} from './prices'
import { beginSamples, sample } from './samples'
import {
  afterTrade,
  beforeTrade,
  beginShocks,
  passShocks,
  refreshDepth,
  SHOCK_BAND,
} from './shocks'
import {
  buysBase,
  carryOutPlan,
  PLAN_IN,
  PLAN_OUT,
  planInput,
  planToPrice,
  restorePlan,
  rootFloat,
  thinnerDepth,
} from './trades'

/** Rate of traders over the usual one where the depth is so much of the start's; the host has the powers. */
declare function rateFactor(depthRatio: f64): f64

/** Relative distance at which a float decides about the band; its own error is below 10^-14. */
const BAND_MARGIN: f64 = 1e-9

let stepSeconds: f64 = 0
let refreshSteps: i32 = 1
let isElastic: bool = false
let narrow: f64 = 0
let wide: f64 = 0
let stopsAt: usize = 0
/** Tokens that the market took in per step, base and 32 bytes on quote. */
let takenAt: usize = 0
/** The step at hand, and whether the host has been let in before its end. */
export let step: i32 = 0
let isOpen: bool = false

export let arbitrages: i32 = 0
export let noiseTrades: i32 = 0
export let refusedTrades: i32 = 0
export const ARBITRAGE_VOLUME: usize = memory.data(32, 8)
export const ARBITRAGE_PROFIT: usize = memory.data(32, 8)
export const NOISE_VOLUME: usize = memory.data(32, 8)
/** Both sides of every trade: base, quote. */
export const TRADED: usize = memory.data(64, 8)

/** Depth at the start as a float. */
const START_DEPTH: usize = memory.data(8, 8)
const DEPTH: usize = memory.data(32, 8)
const VALUE: usize = memory.data(32, 8)
const GAIN: usize = memory.data(32, 8)

/**
 * Sets what is the same for all paths.
 *
 * @param refresh steps after which depth is looked at anew
 * @param elastic whether the rate of traders follows the depth
 * @param kept    what the fee leaves of one
 */
export function setCourse(seconds: f64, refresh: i32, elastic: bool, kept: f64): void {
  stepSeconds = seconds
  refreshSteps = refresh
  isElastic = elastic
  narrow = kept * (1 + BAND_MARGIN)
  wide = (1 - BAND_MARGIN) / kept
  stopsAt = claim(usize(steps + 1))
  takenAt = claim(usize(steps + 1) << 6)
}

/** Where the host marks the steps in which it wants to move others. */
export function stops(): usize {
  return stopsAt
}

/** Where an arm stands after it has opened: first sample, first look at the depth. */
export function begin(): void {
  beginSamples()
  sample(0, 0)
  if (!hasMarket) return
  if (isElastic) {
    thinnerDepth(DEPTH, SHOCK_BAND)
    store<f64>(START_DEPTH, toNumber(DEPTH))
  }
  refreshDepth()
}

/** Starts a path at where `begin` left the arm. */
export function restart(): void {
  step = 0
  isOpen = false
  arbitrages = 0
  noiseTrades = 0
  refusedTrades = 0
  beginShocks()
  memory.fill(takenAt, 0, usize(steps + 1) << 6)
}

/**
 * Runs on to the next step that the host has marked, after its trades, or to the end.
 *
 * @returns whether it has come to the end
 */
export function run(): bool {
  if (isOpen) endStep()
  while (step < steps && !isBeyond) {
    step += 1
    beginStep()
    isOpen = true
    if (hasMarket && load<u8>(stopsAt + usize(step)) !== 0) return false
    endStep()
  }
  closeBooks()
  return true
}

function beginStep(): void {
  moveTo(step)
  if (!hasMarket) return
  trade()
  book()
}

function endStep(): void {
  isOpen = false
  const seconds = f64(step) * stepSeconds
  rebalance()
  if (hasMarket) passShocks(seconds)
  sample(step, seconds)
}

/**
 * Arbitrage to the edge of the band, noise and forced sales, and arbitrage again. The pool's clock stands still:
 * nothing that is told of a path depends on its oracle.
 */
function trade(): void {
  if (step % refreshSteps === 0) refreshDepth()
  const price = priceAt(step)
  arbitrage(price)
  const first = tradesOf(step)
  const end = tradesOf(step + 1)
  if (first === end) return
  const factor = isElastic ? presentRate() : 1
  for (let at = first; at < end; at += TRADE_BYTES) {
    if (load<f64>(at, TRADE_THRESHOLD) >= factor) continue
    if (!planInput(load<u32>(at, TRADE_BUYS) !== 0, at)) {
      refusedTrades += 1
      continue
    }
    carryOut()
    noiseTrades += 1
    increaseBy(NOISE_VOLUME, at + TRADE_WORTH)
  }
  arbitrage(price)
}

function presentRate(): f64 {
  thinnerDepth(DEPTH, SHOCK_BAND)
  return rateFactor(toNumber(DEPTH) / load<f64>(START_DEPTH))
}

/** The swap to the edge of the band in which the fee leaves no profit, if it pays for itself. */
function arbitrage(price: usize): void {
  if (!planArbitrage(price)) return
  const spent = buysBase ? PLAN_IN : VALUE
  const gained = buysBase ? VALUE : PLAN_OUT
  quoteValue(VALUE, buysBase ? PLAN_OUT : PLAN_IN, price)
  subtract256(GAIN, gained, spent)
  if (isBelowSigned(GAIN, arbitrageCost(step))) return
  arbitrages += 1
  increaseBy(ARBITRAGE_VOLUME, spent)
  increaseBy(ARBITRAGE_PROFIT, GAIN)
  carryOut()
}

function planArbitrage(price: usize): bool {
  const root = rootFloat()
  const ratio = (root * root) / rawPrice(price)
  if (ratio > narrow && ratio < wide) return false
  if (ratio <= narrow) {
    const low = bandLow(price)
    if (isBelow192(PRICE, low)) return planToPrice(low)
  }
  if (ratio >= wide) {
    const high = bandHigh(price)
    if (isBelow192(high, PRICE)) return planToPrice(high)
  }
  return false
}

/** Carries the plan out and notes what the market took. */
function carryOut(): void {
  const base = buysBase ? PLAN_OUT : PLAN_IN
  const quote = buysBase ? PLAN_IN : PLAN_OUT
  if (beforeTrade(quote)) restorePlan()
  carryOutPlan()
  afterTrade(f64(step) * stepSeconds)
  increaseBy(TRADED, base)
  increaseBy(TRADED + 32, quote)
  const taken = takenAt + (usize(step) << 6)
  if (buysBase) {
    decreaseBy(taken, base)
    increaseBy(taken + 32, quote)
  } else {
    increaseBy(taken, base)
    decreaseBy(taken + 32, quote)
  }
}

/** to = what the trades of all steps are worth so many steps later, for as long as the path goes on. */
export const MARKOUT: usize = memory.data(32, 8)

export function markOut(later: i32): void {
  clear256(MARKOUT)
  for (let at: i32 = 1; at + later <= steps; at++) {
    const taken = takenAt + (usize(at) << 6)
    quoteValue(VALUE, taken, priceAt(at + later))
    increaseBy(MARKOUT, VALUE)
    increaseBy(MARKOUT, taken + 32)
  }
}
