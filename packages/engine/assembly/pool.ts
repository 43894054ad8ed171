// One pool per module instance. The contract's fields have fixed addresses. Ticks have slots that
// never move, and an array lists the slots in tick order.

import { sqrtRatioAtTick } from './tick-math'
import { copy192 } from './words'

/** Root price, Q64.96, 24 bytes. */
export const PRICE: usize = memory.data(32, 8)
/** Liquidity in range, uint128. */
export const LIQUIDITY: usize = memory.data(32, 8)
/** Fee growth of token0 and, 32 bytes on, of token1. */
export const FEE_GROWTH: usize = memory.data(64, 8)
/** Protocol fees of token0 and, 16 bytes on, of token1; uint128 each. */
export const PROTOCOL_FEES: usize = memory.data(32, 8)
/** Balance of token0 and, 32 bytes on, of token1. */
export const BALANCES: usize = memory.data(64, 8)
/** uint128. */
export const MAX_LIQUIDITY_PER_TICK: usize = memory.data(32, 8)

export let tick: i32 = 0
export let tickSpacing: i32 = 1
/** Fee in pips, and 1,000,000 minus the fee. */
export let fee: u32 = 0
export let feeComplement: u32 = 1000000
/** The protocol's share of the fees as 1/n, 0 when off. */
export let feeProtocol0: u32 = 0
export let feeProtocol1: u32 = 0
export let balance0Known: bool = true
export let balance1Known: bool = true
/** Seconds modulo 2^32. */
export let now: u32 = 0
/** Number of `order` entries at or below `tick`. */
export let cursor: i32 = 0
/** What remembered segments were worked out under; a change of fee or share makes them void. */
export let epoch: i32 = 1

/** A slot begins with the index of its tick, i32. */
export const TICK_PRICE: usize = 8
export const TICK_NET: usize = 32
export const TICK_GROSS: usize = 48
/** Fee growth outside of token0, and 32 bytes on of token1. */
export const TICK_GROWTH: usize = 64
/** int56 in 64 bits. */
export const TICK_CUMULATIVE: usize = 128
/** uint160 in 24 bytes. */
export const TICK_SECONDS_PER_LIQUIDITY: usize = 136
export const TICK_SECONDS: usize = 160
/** Remembered segments that end here, from above and then from below; `segments.ts` has their size. */
export const TICK_SEGMENTS: usize = 168
export const TICK_BYTES: usize = 408

/** Slots in the order of their ticks. */
export let order: usize = 0
export let tickCount: i32 = 0
let orderCapacity: i32 = 0
let freeSlots: usize = 0
let heap: usize = 0

/** Claims zeroed memory, which is never given back: slots are used again, arrays double. */
export function claim(bytes: usize): usize {
  if (heap === 0) heap = (__heap_base + 15) & ~15
  const start = heap
  heap = (heap + bytes + 15) & ~15
  const end = usize(memory.size()) << 16
  if (heap > end && memory.grow(i32((heap - end + 0xffff) >> 16)) < 0) unreachable()
  return start
}

/** Sets the plain fields. @param known bit 0 and 1: whether the balances are known */
export function setTerms(poolTick: i32, spacing: i32, share0: u32, share1: u32, known: i32): void {
  tick = poolTick
  tickSpacing = spacing
  feeProtocol0 = share0
  feeProtocol1 = share1
  balance0Known = (known & 1) !== 0
  balance1Known = (known & 2) !== 0
  cursor = countTicksUpTo(poolTick)
  epoch += 1
}

export function setFee(pips: u32): void {
  fee = pips
  feeComplement = 1000000 - pips
  epoch += 1
}

export function setNow(seconds: u32): void {
  now = seconds
}

/** Moves the pool to a tick, as a swap does at its end. */
export function moveTo(nextTick: i32, nextCursor: i32): void {
  tick = nextTick
  cursor = nextCursor
}

/** Moves the pool to a tick without a swap. Cached segments remain valid. */
export function putAt(index: i32): void {
  moveTo(index, countTicksUpTo(index))
}

/** Slot of the tick at a place in the order. */
export function slotAt(place: i32): usize {
  return usize(load<u32>(order + (usize(place) << 2)))
}

/** Number of ticks whose index is at most `index`. */
export function countTicksUpTo(index: i32): i32 {
  let low = 0
  let high = tickCount
  while (low < high) {
    const middle = (low + high) >>> 1
    if (load<i32>(slotAt(middle)) <= index) low = middle + 1
    else high = middle
  }
  return low
}

/** Slot of an initialised tick, or 0. */
export function findTick(index: i32): usize {
  const place = countTicksUpTo(index)
  if (place === 0) return 0
  const slot = slotAt(place - 1)
  return load<i32>(slot) === index ? slot : 0
}

/** A zeroed slot in its place in the order, with its root price. */
export function insertTick(index: i32): usize {
  const place = countTicksUpTo(index)
  if (tickCount === orderCapacity) growOrder()
  const at = order + (usize(place) << 2)
  memory.copy(at + 4, at, usize(tickCount - place) << 2)
  let slot = freeSlots
  if (slot !== 0) freeSlots = usize(load<u32>(slot))
  else slot = claim(TICK_BYTES)
  memory.fill(slot, 0, TICK_BYTES)
  store<i32>(slot, index)
  sqrtRatioAtTick(slot + TICK_PRICE, index)
  store<u32>(at, u32(slot))
  tickCount += 1
  if (index <= tick) cursor += 1
  return slot
}

/** Forgets an initialised tick. */
export function removeTick(index: i32): void {
  const place = countTicksUpTo(index) - 1
  const slot = slotAt(place)
  const at = order + (usize(place) << 2)
  memory.copy(at, at + 4, usize(tickCount - place - 1) << 2)
  store<u32>(slot, u32(freeSlots))
  freeSlots = slot
  tickCount -= 1
  if (index <= tick) cursor -= 1
}

function growOrder(): void {
  const capacity = orderCapacity === 0 ? 64 : orderCapacity << 1
  const grown = claim(usize(capacity) << 2)
  memory.copy(grown, order, usize(tickCount) << 2)
  order = grown
  orderCapacity = capacity
}

// Ends of bitmap words: a swap stops there even without an initialized tick. They store a price and
// cached segments at the same offsets as a tick. One table per direction, created on first use.
const WORDS_EACH_SIDE: i32 = 3468
let edges: usize = 0

/**
 * The word end with this number and index. Direction 0 (down) is the word's lowest tick, 1 (up) its
 * highest.
 */
export function edgeOf(word: i32, index: i32, upwards: i32): usize {
  if (edges === 0) edges = claim(usize(WORDS_EACH_SIDE) << 4)
  const entry = edges + (usize(((word + WORDS_EACH_SIDE) << 1) | upwards) << 2)
  let edge = usize(load<u32>(entry))
  if (edge === 0) {
    edge = claim(TICK_BYTES)
    store<i32>(edge, index)
    sqrtRatioAtTick(edge + TICK_PRICE, index)
    store<u32>(entry, u32(edge))
  }
  return edge
}

/** Root price of a tick, from its slot if one exists. */
export function priceOfTick(to: usize, index: i32): void {
  const slot = findTick(index)
  if (slot !== 0) copy192(to, slot + TICK_PRICE)
  else sqrtRatioAtTick(to, index)
}

/** Bytes of `keepPool`. */
export const POOL_BYTES: usize = 40

/** Saves the pool's global variables, for a memory image. */
export function keepPool(to: usize): void {
  store<i32>(to, tick)
  store<i32>(to, cursor, 4)
  store<u32>(to, now, 8)
  store<i32>(to, epoch, 12)
  store<u32>(to, u32(order), 16)
  store<i32>(to, tickCount, 20)
  store<i32>(to, orderCapacity, 24)
  store<u32>(to, u32(freeSlots), 28)
  store<u32>(to, u32(heap), 32)
  store<u32>(to, u32(edges), 36)
}

/** Takes up what was written down; terms and fee are those of every image. */
export function recallPool(from: usize): void {
  tick = load<i32>(from)
  cursor = load<i32>(from, 4)
  now = load<u32>(from, 8)
  epoch = load<i32>(from, 12)
  order = usize(load<u32>(from, 16))
  tickCount = load<i32>(from, 20)
  orderCapacity = load<i32>(from, 24)
  freeSlots = usize(load<u32>(from, 28))
  heap = usize(load<u32>(from, 32))
  edges = usize(load<u32>(from, 36))
}

/** Forgets every initialised tick. */
export function clearTicks(): void {
  while (tickCount > 0) removeTick(load<i32>(slotAt(tickCount - 1)))
}
