// Samples of one arm along a path and the rules a study calls failures; see `ArmRecorder` and `FailureWatch`.

import { multiply, multiplySmall } from '../arithmetic'
import { claim, PRICE } from '../pool'
import { TOTAL_OUT } from '../swap'
import { clear256, copy192, copy256, countLimbs, isZero256, subtract256 } from '../words'
import {
  COMPOUNDED,
  countNetVsHold,
  HELD,
  hasMarket,
  INVENTORY,
  isInRange,
  NET_VS_HOLD,
  positionCount,
} from './books'
import {
  increaseBy,
  isBelowSigned,
  isNegative,
  quotientOf,
  scale,
  setBeyond,
  shiftLeftWide,
  toNumber,
} from './numbers'
import { isBaseFirst, priceAt, quoteValue, steps } from './prices'
import { BAND_BYTES, BAND_KEPT, quoteInput, thinnerDepth } from './trades'

/** A rule: limit 256 bits; allowed seconds, seconds broken, first broken, of floats; kind, place, side. */
const RULE_ALLOWED: usize = 32
export const RULE_BROKEN: usize = 40
export const RULE_FIRST: usize = 48
const RULE_KIND: usize = 56
const RULE_PLACE: usize = 60
const RULE_SIDE: usize = 64
const RULE_BYTES: usize = 72

const DEPTH_BELOW: i32 = 0
const SLIPPAGE_ABOVE: i32 = 1
const OUT_OF_RANGE: i32 = 2
const QUOTE_BELOW: i32 = 3
const BASE_SHARE_ABOVE: i32 = 4
const NET_BELOW: i32 = 5
const DRAWDOWN_ABOVE: i32 = 6

/** Flags of a step: take a sample, store its depth and slippage, store it for the fan chart. */
const IS_SAMPLE: u32 = 1
const IS_MEASURED: u32 = 2
const IS_KEPT: u32 = 4

let marksAt: usize = 0
export let rulesAt: usize = 0
let ruleCount: i32 = 0
let bandsAt: usize = 0
let bandCount: i32 = 0
let thinnerAt: usize = 0
let sizesAt: usize = 0
let sizeCount: i32 = 0
/**
 * Stored results as floats, ordered by sample: depth per band, slippage per size and side, the fan.
 */
let depthsAt: usize = 0
let slippagesAt: usize = 0
let fanAt: usize = 0
let measuredRoom: i32 = 0
let isDepthWatched: bool = false

export let sampleCount: i32 = 0
export let inRangeCount: i32 = 0
export let measuredCount: i32 = 0
export let fanCount: i32 = 0
export let secondsToTarget: f64 = -1
export let quoteDepletedAt: f64 = -1
let lastSeconds: f64 = 0
let targetPips: f64 = -1
let tolerancePips: f64 = 0

/** Quote below it counts as used up. */
export const DEPLETED: usize = memory.data(32, 8)
const PEAK: usize = memory.data(32, 8)
export const MAX_DRAWDOWN: usize = memory.data(32, 8)
const DRAWDOWN: usize = memory.data(32, 8)
const WITHOUT_FEES: usize = memory.data(32, 8)
const VALUE: usize = memory.data(32, 8)
const WORTH: usize = memory.data(32, 8)
const DIVIDEND: usize = memory.data(128, 8)
const UNIT_X18: usize = memory.data(32, 8)

/** Reserves memory for samples. @param watched whether a rule checks the depth of every sample */
export function setSamples(
  rules: i32,
  bands: i32,
  sizes: i32,
  measured: i32,
  kept: i32,
  watched: bool,
): void {
  ruleCount = rules
  bandCount = bands
  sizeCount = sizes
  measuredRoom = measured
  isDepthWatched = watched
  marksAt = claim(usize(steps + 1))
  rulesAt = claim(usize(rules) * RULE_BYTES)
  bandsAt = claim(usize(bands) * BAND_BYTES)
  thinnerAt = claim(usize(bands) << 5)
  sizesAt = claim(usize(sizes) << 5)
  depthsAt = claim(usize(bands * measured) << 3)
  slippagesAt = claim(usize(2 * sizes * measured) << 3)
  fanAt = claim(usize(2 * kept) << 4)
  store<u64>(UNIT_X18, 1000000000000000000)
}

export function marks(): usize {
  return marksAt
}
export function rules(): usize {
  return rulesAt
}
export function bands(): usize {
  return bandsAt
}
export function sizes(): usize {
  return sizesAt
}
export function depths(): usize {
  return depthsAt
}
export function slippages(): usize {
  return slippagesAt
}
export function fan(): usize {
  return fanAt
}

/** Where base's share should be; below zero for nowhere. */
export function setTarget(pips: f64, tolerance: f64): void {
  targetPips = pips
  tolerancePips = tolerance
}

export function beginSamples(): void {
  sampleCount = 0
  inRangeCount = 0
  measuredCount = 0
  fanCount = 0
  secondsToTarget = -1
  quoteDepletedAt = -1
  lastSeconds = 0
  clear256(PEAK)
  clear256(MAX_DRAWDOWN)
  for (let index: i32 = 0; index < ruleCount; index++) {
    store<f64>(ruleAt(index), 0, RULE_BROKEN)
    store<f64>(ruleAt(index), -1, RULE_FIRST)
  }
}

/** Bytes of `keepSamples`. */
export const SAMPLES_BYTES: usize = 48

/** Saves the global variables of the first sample, for a memory image. */
export function keepSamples(to: usize): void {
  store<f64>(to, secondsToTarget)
  store<f64>(to, quoteDepletedAt, 8)
  store<f64>(to, targetPips, 16)
  store<f64>(to, tolerancePips, 24)
  store<i32>(to, inRangeCount, 32)
  store<i32>(to, sampleCount, 36)
  store<i32>(to, measuredCount, 40)
  store<i32>(to, fanCount, 44)
}

export function recallSamples(from: usize): void {
  secondsToTarget = load<f64>(from)
  quoteDepletedAt = load<f64>(from, 8)
  targetPips = load<f64>(from, 16)
  tolerancePips = load<f64>(from, 24)
  inRangeCount = load<i32>(from, 32)
  sampleCount = load<i32>(from, 36)
  measuredCount = load<i32>(from, 40)
  fanCount = load<i32>(from, 44)
  lastSeconds = 0
}

function ruleAt(index: i32): usize {
  return rulesAt + usize(index) * RULE_BYTES
}

/** Takes a sample where a step has one. */
export function sample(step: i32, seconds: f64): void {
  const mark = u32(load<u8>(marksAt + usize(step)))
  if ((mark & IS_SAMPLE) === 0) return
  const price = priceAt(step)
  countNetVsHold()
  noteDrawdown()
  sampleCount += 1
  const inRange = positionCount > 0 && isInRange()
  if (inRange) inRangeCount += 1
  watchInventory(price, seconds)
  const isMeasured = (mark & IS_MEASURED) !== 0
  if (hasMarket && (isMeasured || isDepthWatched)) measureDepths(isMeasured)
  const passed = seconds - lastSeconds
  lastSeconds = seconds
  for (let index: i32 = 0; index < ruleCount; index++) {
    watchRule(ruleAt(index), passed, seconds, price, inRange)
  }
  if (hasMarket && isMeasured) measureSlippages()
  if (isMeasured) measuredCount += 1
  if ((mark & IS_KEPT) !== 0) keepMoment(price)
}

function noteDrawdown(): void {
  if (isBelowSigned(PEAK, NET_VS_HOLD)) copy256(PEAK, NET_VS_HOLD)
  subtract256(DRAWDOWN, PEAK, NET_VS_HOLD)
  if (isBelowSigned(MAX_DRAWDOWN, DRAWDOWN)) copy256(MAX_DRAWDOWN, DRAWDOWN)
}

function watchInventory(price: usize, seconds: f64): void {
  if (targetPips >= 0 && secondsToTarget < 0) {
    if (abs(shareOfBase(price) - targetPips) <= tolerancePips) secondsToTarget = seconds
  }
  if (quoteDepletedAt >= 0) return
  subtract256(WITHOUT_FEES, HELD + 32, COMPOUNDED + 32)
  if (isBelowSigned(WITHOUT_FEES, DEPLETED)) quoteDepletedAt = seconds
}

/** Base's share of the inventory's worth in pips. */
function shareOfBase(price: usize): f64 {
  if (isNegative(INVENTORY) || isNegative(INVENTORY + 32)) setBeyond(true)
  quoteValue(VALUE, INVENTORY, price)
  copy256(WORTH, INVENTORY + 32)
  increaseBy(WORTH, VALUE)
  if (isZero256(WORTH)) return 0
  return f64(load<u64>(pipsOf(VALUE, WORTH)))
}

const PIPS: usize = memory.data(32, 8)

/** ⌊a · 1,000,000 / b⌋, both at or above zero. */
function pipsOf(a: usize, b: usize): usize {
  const n = multiplySmall(DIVIDEND, a, countLimbs(a, 8), 1000000, 0)
  quotientOf(PIPS, DIVIDEND, n, b, countLimbs(b, 8))
  return PIPS
}

function measureDepths(isKept: bool): void {
  let kept: i32 = 0
  for (let index: i32 = 0; index < bandCount; index++) {
    const band = bandsAt + usize(index) * BAND_BYTES
    const thinner = thinnerAt + (usize(index) << 5)
    thinnerDepth(thinner, band)
    if (!isKept || load<u32>(band, BAND_KEPT) === 0) continue
    store<f64>(depthsAt + (usize(kept * measuredRoom + measuredCount) << 3), toNumber(thinner))
    kept += 1
  }
}

function measureSlippages(): void {
  for (let index: i32 = 0; index < sizeCount; index++) {
    const size = sizesAt + (usize(index) << 5)
    for (let side: i32 = 0; side < 2; side++) {
      const place = (2 * index + side) * measuredRoom + measuredCount
      store<f64>(slippagesAt + (usize(place) << 3), slippage(size, side === 0))
    }
  }
}

const MILLION: f64 = 1000000
const INPUT: usize = memory.data(32, 8)

/** All-in slippage of a size against the pool's own price, pips. */
export function slippage(size: usize, buys: bool): f64 {
  squarePrice()
  if (buys) {
    if (!quoteInput(true, size)) return MILLION
    valueAtMid(WORTH, TOTAL_OUT, isBaseFirst)
    if (isZero256(WORTH)) return MILLION
    return clampPips(roundedUpPips(size, WORTH) - MILLION)
  }
  valueAtMid(INPUT, size, !isBaseFirst)
  if (!quoteInput(false, INPUT)) return MILLION
  valueAtMid(WORTH, INPUT, isBaseFirst)
  if (isZero256(WORTH)) return MILLION
  return clampPips(MILLION - smallPips(TOTAL_OUT, WORTH))
}

function clampPips(pips: f64): f64 {
  return pips < 0 ? 0 : min(pips, MILLION)
}

/**
 * Pips as a float. Returns 4294967296 for larger values; far above a million the exact value does
 * not matter.
 */
function smallPips(a: usize, b: usize): f64 {
  const pips = pipsOf(a, b)
  return countLimbs(pips, 8) > 1 ? 4294967296 : f64(load<u32>(pips))
}

const REST: usize = memory.data(128, 8)

function roundedUpPips(a: usize, b: usize): f64 {
  const pips = smallPips(a, b)
  if (pips > 4294967295) return pips
  const quotient = PIPS
  const product = multiply(REST, quotient, countLimbs(quotient, 8), b, countLimbs(b, 8))
  const n = multiplySmall(DIVIDEND, a, countLimbs(a, 8), 1000000, 0)
  if (product !== n) return pips + 1
  for (let limb: i32 = 0; limb < n; limb++) {
    const at = usize(limb) << 2
    if (load<u32>(REST + at) !== load<u32>(DIVIDEND + at)) return pips + 1
  }
  return pips
}

const SQUARE: usize = memory.data(96, 8)
const POOL_PRICE: usize = memory.data(32, 8)

function squarePrice(): void {
  clear256(POOL_PRICE)
  copy192(POOL_PRICE, PRICE)
  memory.fill(SQUARE, 0, 96)
  const n = countLimbs(POOL_PRICE, 6)
  multiply(SQUARE, POOL_PRICE, n, POOL_PRICE, n)
}

/** to = ⌊a · P²/2^192⌋ for token0 in token1, or else ⌊a · 2^192/P²⌋. */
function valueAtMid(to: usize, a: usize, isToken0: bool): void {
  if (isToken0) {
    scale(to, a, SQUARE, 12, 192)
    return
  }
  memory.fill(DIVIDEND, 0, 128)
  copy256(DIVIDEND, a)
  const n = shiftLeftWide(DIVIDEND, countLimbs(DIVIDEND, 8), 192)
  quotientOf(to, DIVIDEND, n, SQUARE, countLimbs(SQUARE, 12))
}

function watchRule(rule: usize, passed: f64, seconds: f64, price: usize, inRange: bool): void {
  // A rule that broke is done with.
  if (load<f64>(rule, RULE_FIRST) >= 0 || !isBroken(rule, price, inRange)) return
  const broken = load<f64>(rule, RULE_BROKEN) + passed
  store<f64>(rule, broken, RULE_BROKEN)
  const allowed = load<f64>(rule, RULE_ALLOWED)
  if (allowed < 0 || broken > allowed) store<f64>(rule, seconds, RULE_FIRST)
}

function isBroken(rule: usize, price: usize, inRange: bool): bool {
  const place = load<i32>(rule, RULE_PLACE)
  switch (load<i32>(rule, RULE_KIND)) {
    case DEPTH_BELOW:
      return hasMarket && isBelowSigned(thinnerAt + (usize(place) << 5), rule)
    case SLIPPAGE_ABOVE:
      return hasMarket && slippage(rule, load<i32>(rule, RULE_SIDE) === 0) > f64(place)
    case OUT_OF_RANGE:
      return positionCount > 0 && !inRange
    case QUOTE_BELOW:
      return isBelowSigned(INVENTORY + 32, rule)
    case BASE_SHARE_ABOVE:
      return shareOfBase(price) > f64(place)
    case NET_BELOW:
      return isBelowSigned(NET_VS_HOLD, rule)
    case DRAWDOWN_ABOVE:
      return isBelowSigned(rule, DRAWDOWN)
    default:
      quoteValue(VALUE, UNIT_X18, price)
      return isBelowSigned(VALUE, rule)
  }
}

function keepMoment(price: usize): void {
  const at = fanAt + (usize(fanCount) << 4)
  store<f64>(at, toNumber(NET_VS_HOLD))
  store<f64>(at, shareOfBase(price), 8)
  fanCount += 1
}
