// The amounts of a whole step between two neighboring boundaries depend only on both prices,
// liquidity and fee. So the module caches them at the end of the step, together with these inputs.
// It reuses them only if the inputs are equal. A mint or burn nearby thus invalidates the entry
// implicitly.

import { epoch } from './pool'
import { copy128, copy256 } from './words'

const LIQUIDITY: usize = 0
const START: usize = 16
const EPOCH: usize = 20
/** Input with fee, uint128; then output, fee and the protocol's share of the fee. */
export const SEGMENT_PAID: usize = 24
export const SEGMENT_OUT: usize = 40
export const SEGMENT_FEE: usize = 56
export const SEGMENT_PROTOCOL: usize = 72
/** Fee growth, 256 bits. */
export const SEGMENT_GROWTH: usize = 88
export const SEGMENT_BYTES: usize = 120

/** Whether the segment holds the step that starts at a boundary with a liquidity, under the present terms. */
export function isKept(segment: usize, start: i32, liquidity: usize): bool {
  return (
    load<i32>(segment, START) === start &&
    load<i32>(segment, EPOCH) === epoch &&
    load<u64>(segment, LIQUIDITY) === load<u64>(liquidity) &&
    load<u64>(segment, LIQUIDITY + 8) === load<u64>(liquidity, 8)
  )
}

/** Caches a step. A step with an amount above 128 bits is recomputed each time. */
export function keepSegment(
  segment: usize,
  start: i32,
  liquidity: usize,
  paid: usize,
  out: usize,
  fee: usize,
  protocol: usize,
  growth: usize,
): void {
  const beyond = load<u64>(paid, 16) | load<u64>(paid, 24) | load<u64>(out, 16) | load<u64>(out, 24)
  if (beyond !== 0) return
  copy128(segment + LIQUIDITY, liquidity)
  store<i32>(segment, start, START)
  store<i32>(segment, epoch, EPOCH)
  copy128(segment + SEGMENT_PAID, paid)
  copy128(segment + SEGMENT_OUT, out)
  copy128(segment + SEGMENT_FEE, fee)
  copy128(segment + SEGMENT_PROTOCOL, protocol)
  copy256(segment + SEGMENT_GROWTH, growth)
}
