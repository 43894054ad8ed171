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

/**
 * Trader arrival rate relative to the usual rate, at a depth relative to the start. The host
 * computes it because it has power functions.
 */
declare function rateFactor(depthRatio: f64): f64

/**
 * Relative distance above which a float comparison with the band is safe. The float's error is
 * below 10^-14.
 */
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
 * Sets the parameters common to all paths.
 *
 * @param refresh steps between depth updates
 * @param elastic whether the arrival rate of traders follows the depth
 * @param kept one minus the fee
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

/** Address where the host marks the steps that need host trades. */
export function stops(): usize {
  return stopsAt
}

/** Starts a run after the arm has opened: takes the first sample and the first depth. */
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
 * Runs to the end of the path, or to the next step marked by the host, after that step's trades.
 *
 * @returns whether the path has ended
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
 * Arbitrage to the band edge, noise trades and forced sales, then arbitrage again. The pool clock
 * is frozen: no reported result depends on its oracle.
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

/** Swaps to the edge of the no-arbitrage band (given the fee) if the gain covers the cost. */
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

/**
 * to = markout value of the trades of all steps, `later` steps after each. Skips steps too close to
 * the path's end.
 */
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
