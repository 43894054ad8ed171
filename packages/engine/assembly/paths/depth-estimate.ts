// Depth in floats: precise enough to compare two amounts unless they are almost equal.

import {
  cursor,
  feeComplement,
  LIQUIDITY,
  PRICE,
  slotAt,
  TICK_NET,
  TICK_PRICE,
  tickCount,
} from '../pool'
import { toFloat192, toFloat256, WORD } from '../tick-math'
import { isBaseFirst } from './prices'

/**
 * Maximum relative error of an estimate: a tenth of the margin that comparisons leave undecided.
 */
const LARGEST_ERROR: f64 = 1e-9
/**
 * Relative error of a term, and of the cancellation in a sum of terms: four times the IEEE 754
 * rounding.
 */
const TERM_ERROR: f64 = 4e-15
/** Below it the atoms that an exact walk rounds would show. */
const LEAST_AMOUNT: f64 = 1e15
/** Roots within which neither rounding nor the ends of the range show: 2^64 and 2^156. */
const LEAST_ROOT: f64 = WORD
const LARGEST_ROOT: f64 = WORD * WORD * 268435456
/** 2^96 and 2^160. */
const Q96: f64 = WORD * 4294967296
const Q160: f64 = WORD * WORD * 4294967296

/** The smaller of ask and bid depth within a band. Negative if floats cannot decide it. */
export function estimateDepth(band: usize): f64 {
  const root = toFloat192(PRICE)
  if (root < LEAST_ROOT || root > LARGEST_ROOT) return -1
  const buy = estimateSide(root / Q96, toFloat192(band) / Q160)
  const sell = estimateSide(root / Q96, toFloat192(band + 32) / Q160)
  if (buy < 0 || sell < 0) return -1
  // Buyers pay the fee on top.
  return min((buy * 1000000) / f64(feeComplement), sell)
}

/** Quote that moves between a root price and its multiple. */
function estimateSide(from: f64, factor: f64): f64 {
  const isUp = factor > 1
  const target = from * factor
  let place = isUp ? cursor : cursor - 1
  let liquidity = toFloat256(LIQUIDITY)
  let most = liquidity
  let at = from
  let amount: f64 = 0
  let lost: f64 = 0
  for (;;) {
    const slot: usize = place >= 0 && place < tickCount ? slotAt(place) : 0
    const next = slot === 0 ? target : toFloat192(slot + TICK_PRICE) / Q96
    const isCrossed = slot !== 0 && (isUp ? next < target : next > target)
    const end = isCrossed ? next : target
    amount += liquidity * (isBaseFirst ? abs(end - at) : abs(1 / at - 1 / end))
    lost += most * (isBaseFirst ? max(at, end) : max(1 / at, 1 / end))
    if (!isCrossed) break
    const net = f64(load<i64>(slot, TICK_NET + 8)) * WORD + f64(load<u64>(slot, TICK_NET))
    liquidity += isUp ? net : -net
    most = max(most, liquidity)
    at = end
    place += isUp ? 1 : -1
  }
  return amount > LEAST_AMOUNT && lost * TERM_ERROR < amount * LARGEST_ERROR ? amount : -1
}
