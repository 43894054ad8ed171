// Inputs shared by all arms of one path: prices, trades and costs. The host writes them once per
// path. A replay stores its own prices, as fractions.

import { divide, divideSmall, multiply, multiplySmall, store256 } from '../arithmetic'
import { claim, feeComplement } from '../pool'
import { toFloat192 } from '../tick-math'
import { copy256, countLimbs } from '../words'
import { FRACTION_BYTES, timesFraction, timesRatio } from './fractions'
import {
  divideInPlace,
  readFloat,
  scale,
  setBeyond,
  shiftLeftWide,
  shiftRightWide,
  squareRoot,
} from './numbers'

/** Numerator of a price over 2^shift, 24 bytes of 32; the edges of the fee's band as root prices; their state. */
const PRICE_BYTES: usize = 112
const BAND_LOW: usize = 32
const BAND_HIGH: usize = 64
const RAW: usize = 96
const HAS_LOW: usize = 104
const HAS_HIGH: usize = 108
/** Arbitrage's cost and an exit's gas of a step, 256 bits each. */
const COST_BYTES: usize = 64
/** Input amount and its quote value, 256 bits each; threshold; whether the trade buys base. */
export const TRADE_WORTH: usize = 32
export const TRADE_THRESHOLD: usize = 64
export const TRADE_BUYS: usize = 72
export const TRADE_BYTES: usize = 80

/** Start price over 2^shift, 24 bytes of 32. */
export const START_PRICE: usize = memory.data(32, 8)
const RATIO: usize = memory.data(32, 8)
const DIVIDEND: usize = memory.data(128, 8)
const DIVISOR: usize = memory.data(64, 8)
const QUOTIENT: usize = memory.data(128, 8)
const ONE: f64 = 4503599627370496

export let steps: i32 = 0
export let priceShift: u32 = 0
export let isBaseFirst: bool = true
let pricesAt: usize = 0
let priceBytes: usize = PRICE_BYTES
/** Whether prices are those of a replay. */
let isFractional: bool = false
let costsAt: usize = 0
let ratiosAt: usize = 0
let tradesAt: usize = 0
let drawsAt: usize = 0
let drawCapacity: i32 = 0
let firstTradeAt: usize = 0
let salesAt: usize = 0

/** Reserves memory for paths of up to `count` steps and `trades` trades. */
export function setSteps(count: i32, trades: i32, shift: u32, baseFirst: bool): void {
  steps = count
  priceShift = shift
  isBaseFirst = baseFirst
  const entries = usize(count + 1)
  pricesAt = claim(entries * PRICE_BYTES)
  costsAt = claim(entries * COST_BYTES)
  ratiosAt = claim(entries << 3)
  firstTradeAt = claim((entries + 1) << 2)
  salesAt = claim(entries << 5)
  drawCapacity = trades
  drawsAt = claim(usize(trades) * 20)
  tradesAt = claim(usize(trades) * TRADE_BYTES)
}

/** Address for the ratios to the start price: one float per step, written by the host. */
export function ratios(): usize {
  return ratiosAt
}
/** Address where the host writes costs. */
export function costs(): usize {
  return costsAt
}
/** Address where the host writes base sold at any price, 256 bits per step. */
export function sales(): usize {
  return salesAt
}
/**
 * Address where the host writes trades sorted by step: all sizes as floats, then all thresholds as
 * floats. Then each trade has one integer: four times its step plus its kind.
 */
export function draws(): usize {
  return drawsAt
}

export function priceAt(step: i32): usize {
  return pricesAt + usize(step) * priceBytes
}

/** Reserves memory for replay prices, which have separate indexes instead of steps. */
export function setFractions(places: i32, baseFirst: bool): void {
  isFractional = true
  isBaseFirst = baseFirst
  priceBytes = FRACTION_BYTES
  pricesAt = claim(usize(places) * FRACTION_BYTES)
}
export function arbitrageCost(step: i32): usize {
  return costsAt + usize(step) * COST_BYTES
}
export function exitGas(step: i32): usize {
  return costsAt + usize(step) * COST_BYTES + 32
}
/** The first trade of a step; the next step's is the end. */
export function tradesOf(step: i32): usize {
  return tradesAt + usize(load<u32>(firstTradeAt + (usize(step) << 2))) * TRADE_BYTES
}

/** Works out prices and trades of the path the host has written. @param count trades of it */
export function preparePath(count: i32): void {
  setBeyond(false)
  for (let step: i32 = 0; step <= steps; step++) preparePrice(step)
  let trade: i32 = 0
  for (let step: i32 = 0; step <= steps + 1; step++) {
    store<u32>(firstTradeAt + (usize(step) << 2), trade)
    while (trade < count && codeOf(trade) >> 2 === u32(step)) {
      prepareTrade(trade, step)
      trade += 1
    }
  }
}

function codeOf(trade: i32): u32 {
  return load<u32>(drawsAt + (usize(drawCapacity) << 4) + (usize(trade) << 2))
}

/** Start price times the ratio cut to 2^-52, cut to a whole numerator. */
function preparePrice(step: i32): void {
  const at = priceAt(step)
  readFloat(RATIO, floor(load<f64>(ratiosAt + (usize(step) << 3)) * ONE))
  scale(at, RATIO, START_PRICE, 6, 52)
  let power: f64 = 1
  for (let bit: u32 = 0; bit < priceShift; bit++) power *= 2
  const ratio = toFloat192(at) / power
  store<f64>(at, isBaseFirst ? ratio : 1 / ratio, RAW)
  store<u64>(at, 0, HAS_LOW)
}

/** Sizes are in quote; what sells is the base they are worth, rounded down. */
function prepareTrade(index: i32, step: i32): void {
  const draw = drawsAt + (usize(index) << 3)
  const trade = tradesAt + usize(index) * TRADE_BYTES
  const price = priceAt(step)
  const kind = codeOf(index) & 3
  if (kind === SELLS_BASE) copy256(trade, salesAt + (usize(step) << 5))
  else readFloat(trade, load<f64>(draw))
  store<f64>(trade, load<f64>(draw + (usize(drawCapacity) << 3)), TRADE_THRESHOLD)
  store<u32>(trade, u32(kind === BUYS), TRADE_BUYS)
  if (kind === BUYS) store256(trade + TRADE_WORTH, trade, 8)
  else {
    if (kind === SELLS) baseFor(trade, trade, price)
    quoteValue(trade + TRADE_WORTH, trade, price)
  }
}

/** Kinds of drawn trades: a buy or sale with a size in quote, or a sale of a base amount. */
const SELLS: u32 = 0
const BUYS: u32 = 1
const SELLS_BASE: u32 = 2

/** Quote atoms of base atoms at a price, rounded down. */
export function quoteValue(to: usize, base: usize, price: usize): void {
  if (isFractional) timesFraction(to, base, price)
  else scale(to, base, price, 6, priceShift)
}

const RATIO_PRODUCT: usize = memory.data(128, 8)

/** to = ⌊a · first / present⌋ of n limbs, at most eight; `to` has 128 bytes. @returns the limbs */
export function timesPrices(to: usize, a: usize, n: i32, first: usize, present: usize): i32 {
  if (isFractional) return timesRatio(to, a, n, first, present)
  const product = multiply(RATIO_PRODUCT, a, n, first, countLimbs(first, 6))
  memory.copy(to, RATIO_PRODUCT, 128)
  return divideInPlace(to, product, present, countLimbs(present, 6))
}

/** Base atoms of quote atoms at a price, rounded down; above zero. */
function baseFor(to: usize, quote: usize, price: usize): void {
  memory.copy(DIVIDEND, quote, 32)
  const n = shiftLeftWide(DIVIDEND, countLimbs(DIVIDEND, 8), priceShift)
  const q = divide(QUOTIENT, DIVIDEND, n, price, countLimbs(price, 6))
  if (q > 8) setBeyond(true)
  store256(to, QUOTIENT, q)
}

/** token1 per token0 at a price, as a float. */
export function rawPrice(price: usize): f64 {
  return load<f64>(price, RAW)
}

/** Lower edge of the no-arbitrage band for this fee, as a root price. */
export function bandLow(price: usize): usize {
  if (load<u32>(price, HAS_LOW) === 0) {
    if (isBaseFirst) edgeUpright(price + BAND_LOW, price, feeComplement, 1000000)
    else edgeInverse(price + BAND_LOW, price, feeComplement, 1000000)
    store<u32>(price, 1, HAS_LOW)
  }
  return price + BAND_LOW
}

export function bandHigh(price: usize): usize {
  if (load<u32>(price, HAS_HIGH) === 0) {
    if (isBaseFirst) edgeUpright(price + BAND_HIGH, price, 1000000, feeComplement)
    else edgeInverse(price + BAND_HIGH, price, 1000000, feeComplement)
    store<u32>(price, 1, HAS_HIGH)
  }
  return price + BAND_HIGH
}

/** ⌊√(price · times / over · 2^192)⌋, the quotient cut before the root is taken. */
function edgeUpright(to: usize, price: usize, times: u32, over: u32): void {
  let n = multiplySmall(DIVIDEND, price, countLimbs(price, 6), times, 0)
  if (priceShift <= 192) n = shiftLeftWide(DIVIDEND, n, 192 - priceShift)
  else n = shiftRightWide(DIVIDEND, n, priceShift - 192)
  n = divideSmall(DIVIDEND, DIVIDEND, n, over)
  squareRoot(to, DIVIDEND, n)
}

/** The same of the price turned over. */
function edgeInverse(to: usize, price: usize, times: u32, over: u32): void {
  store<u32>(DIVIDEND, times)
  const n = shiftLeftWide(DIVIDEND, 1, 192 + priceShift)
  memory.fill(DIVISOR, 0, 32)
  const d = multiplySmall(DIVISOR, price, countLimbs(price, 6), over, 0)
  squareRoot(to, QUOTIENT, divide(QUOTIENT, DIVIDEND, n, DIVISOR, d))
}
