// A recorded market for one arm under one flow model. The host writes events on a tape, and a run
// processes the tape. See `ArmRun`, `applyFlow` and `RunMeasures`.

import { divideSmall, multiply, multiplySmall } from '../arithmetic'
import { burn, completePosition, draftPosition, keepDraft, mint } from '../liquidity'
import { claim, feeComplement, PRICE, tick } from '../pool'
import { ASKED } from '../swap'
import { toFloat192 } from '../tick-math'
import { clear256, copy128, copy192, copy256, countLimbs, isBelow192, subtract256 } from '../words'
import {
  book,
  closeBooks,
  FEES,
  HELD,
  hasMarket,
  isInRange,
  isPriceInUse,
  moveTo,
  noteTrade,
  present,
  rebalance,
} from './books'
import { setFractionOfRoot, setFractionOutside } from './fractions'
import { noteTaken, passMarkouts } from './markouts'
import { increaseBy, isBelowSigned, isBeyond, isNegative, setBeyond, squareRoot } from './numbers'
import { isBaseFirst, priceAt, quoteValue, setFractions } from './prices'
import { slippage } from './samples'
import {
  afterTrade,
  beforeTrade,
  beginShocks,
  decideExactly,
  passShocks,
  refreshDepth,
} from './shocks'
import {
  BAND_BYTES,
  buysBase,
  carryOutPlan,
  PLAN_IN,
  PLAN_OUT,
  planPart,
  planTowards,
  restorePlan,
  thinnerDepth,
} from './trades'

/** An entry of the tape: kind, marks, time; the reference as a root price and, from outside, times 10^36. */
const MARKS: usize = 4
const TIME: usize = 8
const REFERENCE: usize = 16
const OUTSIDE: usize = 40
/** Swap entry: both amounts, 128 bits each, and the root price after the swap. */
const AMOUNT0: usize = 80
const AMOUNT1: usize = 96
const SWAP_PRICE: usize = 112
/** Liquidity change entry: amount, 256 bits; ticks; number of the position. */
const LIQUIDITY: usize = 80
const LOWER: usize = 112
const UPPER: usize = 116
const POSITION: usize = 120
const ENTRY_BYTES: usize = 136

/** Entry kinds: no pool event, take a sample, return control to the host. */
const SAMPLE: i32 = 1
const HOST: i32 = 2
const SWAP: i32 = 3
const MINT: i32 = 4
/** A burn, and one from a position that the start need not have listed, are 5 and 6. */
const BURN_UNLISTED: i32 = 6

/** Time has passed for the measures; the arm looks; time has passed for the arm; the reference is new; so is its kind. */
const PASSES: u32 = 1
const LOOKS: u32 = 2
const IS_TIMED: u32 = 4
const IS_REFERENCE_NEW: u32 = 8
const IS_OUTSIDE: u32 = 16
/** History had liquidity in range after the swap. */
const IS_PRICED: u32 = 32

/** Number of price slots: the first price, and one more than the prices in use at once. */
const PRICE_PLACES: i32 = 4
/**
 * Relative distance above which a float comparison with the band is safe. The float's error is
 * below 10^-14.
 */
const BAND_MARGIN: f64 = 1e-9

let tapeAt: usize = 0
let place: i32 = 0
let isPriceSetting: bool = false
let isMeasured: bool = false
let priceNumber: i32 = 0
/** Root price of the reference. */
const ROOT: usize = memory.data(32, 8)
/** Cost of an arbitrage; a profitable one gains more. */
export const ARBITRAGE_COST: usize = memory.data(32, 8)

/** Seconds of the measures, of the last event and of those with liquidity in use. */
let now: f64 = 0
let lastTime: f64 = 0
/** Whether an event has had a time. */
let hasTime: bool = false
export let secondsInRange: f64 = 0
export let lowestTick: i32 = i32.MAX_VALUE
export let highestTick: i32 = i32.MIN_VALUE
export let flowSwaps: i32 = 0
export let flowArbitrages: i32 = 0
export const FLOW_VOLUME: usize = memory.data(32, 8)
export const FLOW_ARBITRAGE_VOLUME: usize = memory.data(32, 8)

/** Sample layout: inventory, fees, root price, tick, in-range flag; then slippage and depths. */
const SAMPLE_FEES: usize = 64
const SAMPLE_PRICE: usize = 128
const SAMPLE_TICK: usize = 152
const SAMPLE_IN_RANGE: usize = 156
const SAMPLE_BYTES: usize = 160
let samplesAt: usize = 0
let sampleBytes: usize = 0
/** Samples since the tape was begun. */
let tapeSamples: i32 = 0
let sizesAt: usize = 0
let sizeCount: i32 = 0
let bandsAt: usize = 0
let bandCount: i32 = 0

const VALUE: usize = memory.data(32, 8)
const GAIN: usize = memory.data(32, 8)
const AMOUNT: usize = memory.data(32, 8)

/** Opens a run. @param model bit 0: traders follow the price, bit 1: trades are measured */
export function openReplay(model: i32, baseFirst: bool, entries: i32): void {
  isPriceSetting = (model & 1) !== 0
  isMeasured = (model & 2) !== 0
  setFractions(PRICE_PLACES, baseFirst)
  tapeAt = claim(usize(entries) * ENTRY_BYTES)
}

/** Sizes and bands that each sample measures. */
export function setReplaySamples(sizes: i32, bands: i32, samples: i32): void {
  sizeCount = sizes
  bandCount = bands
  sizesAt = claim(usize(sizes) << 5)
  bandsAt = claim(usize(bands) * BAND_BYTES)
  sampleBytes = SAMPLE_BYTES + (usize(sizes) << 4) + (usize(bands) << 5)
  samplesAt = claim(usize(samples) * sampleBytes)
}

export function tape(): usize {
  return tapeAt
}
export function replaySizes(): usize {
  return sizesAt
}
export function replayBands(): usize {
  return bandsAt
}
export function replaySamples(): usize {
  return samplesAt
}

/**
 * Starts after the arm has opened, at the root price in the first tape entry.
 *
 * @param startTime of the first event; zero if it has no time
 */
export function beginReplay(startTime: f64, isTimed: bool): void {
  lastTime = startTime
  hasTime = isTimed
  now = startTime
  copy192(ROOT, tapeAt + REFERENCE)
  setFractionOfRoot(priceAt(0), ROOT, isBaseFirst)
  if (!hasMarket || !isMeasured) return
  decideExactly()
  beginShocks()
  refreshDepth()
}

/** Addresses of positions by their numbers. */
let table: usize = 0
let tableRoom: i32 = 0

/** The position of a number, made when it is first met. */
export function positionOf(number: i32, lower: i32, upper: i32): usize {
  if (number >= tableRoom) growTable(number)
  const cell = table + (usize(number) << 2)
  let at = usize(load<u32>(cell))
  if (at === 0) {
    at = draftPosition(lower, upper)
    keepDraft()
    store<u32>(cell, u32(at))
  }
  return at
}

function growTable(number: i32): void {
  const room = max(256, max(number + 1, tableRoom << 1))
  const grown = claim(usize(room) << 2)
  memory.copy(grown, table, usize(tableRoom) << 2)
  table = grown
  tableRoom = room
}

/** Restarts at the first entry, after the host wrote a new tape. */
export function rewind(): void {
  place = 0
  tapeSamples = 0
}

/**
 * Processes the tape. @returns whether it has ended; otherwise the host must act on the last entry
 */
export function runTape(count: i32): bool {
  while (place < count && !isBeyond) {
    const entry = tapeAt + usize(place) * ENTRY_BYTES
    place += 1
    if (!perform(entry)) return false
  }
  return true
}

/** @returns false where the host is to act */
function perform(entry: usize): bool {
  const marks = load<u32>(entry, MARKS)
  const time = load<f64>(entry, TIME)
  const kind = load<i32>(entry)
  if ((marks & PASSES) !== 0) passMeasures(time)
  if ((marks & LOOKS) !== 0) rebalance()
  if (kind === SAMPLE) {
    takeSample()
    return true
  }
  if ((marks & IS_TIMED) !== 0) passTime(time)
  if ((marks & IS_REFERENCE_NEW) !== 0) takeReference(entry, (marks & IS_OUTSIDE) !== 0)
  if (!hasMarket) return true
  if (kind === SWAP) {
    applyFlow(entry, (marks & IS_PRICED) !== 0)
    book()
  } else if (kind >= MINT) changeLiquidity(entry, kind)
  lowestTick = min(lowestTick, tick)
  highestTick = max(highestTick, tick)
  return kind !== HOST
}

/** Books what the host did. */
export function bookAnew(): void {
  noteTrade()
  book()
}

/** Advances the measures to a moment. Market and reference were constant until then. */
function passMeasures(time: f64): void {
  if (!isMeasured || !hasMarket) return
  if (time > now) passTo(time - 1)
  now = time
}

function passTo(seconds: f64): void {
  passShocks(seconds)
  passMarkouts(seconds, present(), priceNumber)
}

function passTime(time: f64): void {
  const passed = hasTime ? time - lastTime : 0
  hasTime = true
  lastTime = time
  if (passed !== 0 && hasMarket && isInRange()) secondsInRange += passed
}

function takeReference(entry: usize, isOutside: bool): void {
  let free: i32 = 1
  while (isPriceInUse(free)) free += 1
  copy192(ROOT, entry + REFERENCE)
  if (isOutside) setFractionOutside(priceAt(free), entry + OUTSIDE)
  else setFractionOfRoot(priceAt(free), ROOT, isBaseFirst)
  priceNumber += 1
  moveTo(free)
}

function changeLiquidity(entry: usize, kind: i32): void {
  const position = positionOf(
    load<i32>(entry, POSITION),
    load<i32>(entry, LOWER),
    load<i32>(entry, UPPER),
  )
  copy256(ASKED, entry + LIQUIDITY)
  if (kind === MINT) {
    mint(position)
    return
  }
  if (kind === BURN_UNLISTED) completePosition(position)
  burn(position)
}

/**
 * Applies the counterfactual of one swap, and arbitrage if the inputs are fixed. Skips trades that
 * the pool rejects.
 */
function applyFlow(entry: usize, isPriced: bool): void {
  if (isPriceSetting && isPriced) {
    if (planTowards(entry + SWAP_PRICE)) trade()
    return
  }
  const zeroForOne = direction(entry)
  widen(AMOUNT, entry + (zeroForOne ? AMOUNT0 : AMOUNT1))
  // Both tokens left the pool, which no swap can do.
  if (isNegative(AMOUNT)) setBeyond(true)
  if (planPart(zeroForOne, AMOUNT)) trade()
  if (isPriced && !isPriceSetting) arbitrage()
}

/** Which token entered; with no amounts at all, the way the price went. */
function direction(entry: usize): bool {
  if ((load<u64>(entry, AMOUNT0) | load<u64>(entry, AMOUNT0 + 8)) !== 0) {
    return load<i64>(entry, AMOUNT0 + 8) >= 0
  }
  if ((load<u64>(entry, AMOUNT1) | load<u64>(entry, AMOUNT1 + 8)) !== 0) {
    return load<i64>(entry, AMOUNT1 + 8) < 0
  }
  return isBelow192(entry + SWAP_PRICE, PRICE)
}

/** to = 128 signed bits as 256. */
function widen(to: usize, from: usize): void {
  copy128(to, from)
  const sign = load<i64>(from, 8) >> 63
  store<i64>(to, sign, 16)
  store<i64>(to, sign, 24)
}

/** Carries the plan out as a trade of the flow. */
function trade(): void {
  carryOut()
  flowSwaps += 1
  if (buysBase) increaseBy(FLOW_VOLUME, PLAN_IN)
  else {
    quoteValue(VALUE, PLAN_IN, present())
    increaseBy(FLOW_VOLUME, VALUE)
  }
}

function carryOut(): void {
  if (isMeasured) {
    const quote = buysBase ? PLAN_IN : PLAN_OUT
    if (beforeTrade(quote)) restorePlan()
    noteTaken(now, buysBase ? PLAN_OUT : PLAN_IN, quote, !buysBase)
  }
  carryOutPlan()
  if (isMeasured) afterTrade(now)
}

const EDGE: usize = memory.data(32, 8)
const EDGE_SQUARE: usize = memory.data(96, 8)

/** Swaps to the edge of the no-arbitrage band for this fee, if that is profitable. */
function arbitrage(): void {
  const kept = f64(feeComplement) / 1000000
  const root = toFloat192(PRICE) / toFloat192(ROOT)
  const ratio = root * root
  if (ratio > kept * (1 + BAND_MARGIN) && ratio < (1 - BAND_MARGIN) / kept) return
  const isBelow = isBelow192(PRICE, ROOT)
  bandEdge(isBelow)
  if (isBelow ? !isBelow192(PRICE, EDGE) : !isBelow192(EDGE, PRICE)) return
  if (!planTowards(EDGE)) return
  quoteValue(VALUE, buysBase ? PLAN_OUT : PLAN_IN, present())
  const spent = buysBase ? PLAN_IN : VALUE
  subtract256(GAIN, buysBase ? VALUE : PLAN_OUT, spent)
  if (!isBelowSigned(ARBITRAGE_COST, GAIN)) return
  carryOut()
  flowArbitrages += 1
  increaseBy(FLOW_ARBITRAGE_VOLUME, spent)
}

/** EDGE = ⌊√(reference² · (10^6 − fee) / 10^6)⌋; the upper edge uses the inverse fraction. */
function bandEdge(isLower: bool): void {
  memory.fill(EDGE_SQUARE, 0, 96)
  clear256(EDGE)
  const limbs = countLimbs(ROOT, 6)
  let n = multiply(EDGE_SQUARE, ROOT, limbs, ROOT, limbs)
  n = multiplySmall(EDGE_SQUARE, EDGE_SQUARE, n, isLower ? feeComplement : 1000000, 0)
  n = divideSmall(EDGE_SQUARE, EDGE_SQUARE, n, isLower ? 1000000 : feeComplement)
  squareRoot(EDGE, EDGE_SQUARE, n)
}

function takeSample(): void {
  const sample = samplesAt + usize(tapeSamples) * sampleBytes
  tapeSamples += 1
  memory.copy(sample, HELD, 64)
  memory.copy(sample + SAMPLE_FEES, FEES, 64)
  copy192(sample + SAMPLE_PRICE, PRICE)
  store<i32>(sample, tick, SAMPLE_TICK)
  store<i32>(sample, i32(isInRange()), SAMPLE_IN_RANGE)
  if (!hasMarket || !isMeasured) return
  refreshDepth()
  let at = sample + SAMPLE_BYTES
  for (let size: i32 = 0; size < sizeCount; size++) {
    store<f64>(at, slippage(sizesAt + (usize(size) << 5), true))
    store<f64>(at, slippage(sizesAt + (usize(size) << 5), false), 8)
    at += 16
  }
  for (let band: i32 = 0; band < bandCount; band++) {
    thinnerDepth(at, bandsAt + usize(band) * BAND_BYTES)
    at += 32
  }
}

/** Closes the books at the last reference price. */
export function endReplay(): void {
  if (isMeasured && hasMarket) passTo(now)
  closeBooks()
}
