// Many swaps in one call of the host.

import { crossed } from './crossings'
import { claim } from './pool'
import { NONE } from './reverts'
import { AT_LIQUIDITY, AT_PRICE, REMAINING } from './step'
import {
  ASKED,
  commit,
  LIMIT,
  quote,
  reachedTick,
  TOTAL_FEE,
  TOTAL_IN,
  TOTAL_OUT,
  walk,
} from './swap'
import { copy128, copy192, copy256, isZero256 } from './words'

/** A request: amount 256 bits, limit 24 bytes, bit 0 zeroForOne, bit 1 exact input. */
export const REQUEST_BYTES: usize = 64
/** An outcome: status, ticks crossed, tick, whether exhausted; input, output, fee, price, liquidity. */
export const OUTCOME_BYTES: usize = 152

let area: usize = 0
let capacity: i32 = 0

/**
 * Reserves memory for requests, followed by their outcomes. @returns the address of the first
 * request
 */
export function reserve(count: i32): usize {
  if (count > capacity) {
    capacity = max(count, capacity << 1)
    area = claim(usize(capacity) * (REQUEST_BYTES + OUTCOME_BYTES))
  }
  return area
}

/**
 * Executes requests in order.
 *
 * @param isQuote each request starts from the current pool state and leaves it unchanged
 */
export function runBatch(requests: usize, outcomes: usize, count: i32, isQuote: bool): void {
  for (let index: i32 = 0; index < count; index++) {
    const request = requests + usize(index) * REQUEST_BYTES
    const flags = load<u32>(request, 56)
    copy256(ASKED, request)
    copy192(LIMIT, request + 32)
    const zeroForOne = (flags & 1) !== 0
    const exactInput = (flags & 2) !== 0
    let status = isQuote ? quote(zeroForOne, exactInput) : walk(zeroForOne, exactInput)
    if (status === NONE && !isQuote) status = commit()
    writeOutcome(outcomes + usize(index) * OUTCOME_BYTES, status)
  }
}

function writeOutcome(to: usize, status: i32): void {
  store<i32>(to, status)
  if (status !== NONE) return
  store<i32>(to, crossed, 4)
  store<i32>(to, reachedTick(), 8)
  store<i32>(to, i32(!isZero256(REMAINING)), 12)
  copy256(to + 16, TOTAL_IN)
  copy256(to + 48, TOTAL_OUT)
  copy256(to + 80, TOTAL_FEE)
  copy192(to + 112, AT_PRICE)
  copy128(to + 136, AT_LIQUIDITY)
}
