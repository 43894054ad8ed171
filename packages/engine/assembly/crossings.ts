// The initialised ticks a swap crosses, with the input token's fee growth when it happened.

import {
  flipCumulative,
  flipModulo160,
  READING_SECONDS_PER_LIQUIDITY,
  readingCumulative,
  readOracleNow,
} from './oracle'
import {
  claim,
  FEE_GROWTH,
  now,
  TICK_CUMULATIVE,
  TICK_GROWTH,
  TICK_SECONDS,
  TICK_SECONDS_PER_LIQUIDITY,
  tickCount,
} from './pool'
import { copy256, subtract256 } from './words'

const CROSSING_BYTES: usize = 40

let crossings: usize = 0
let capacity: i32 = 0
export let crossed: i32 = 0

/** Clears the crossings and reserves memory: a swap crosses each tick at most once. */
export function resetCrossings(): void {
  crossed = 0
  if (capacity >= tickCount) return
  capacity = max(tickCount, max(64, capacity << 1))
  crossings = claim(usize(capacity) * CROSSING_BYTES)
}

export function recordCrossing(slot: usize, growth: usize): void {
  const at = crossings + usize(crossed) * CROSSING_BYTES
  store<u32>(at, u32(slot))
  copy256(at + 8, growth)
  crossed += 1
}

/** Flips the outside values of crossed ticks (total minus outside) for fees and oracle. */
export function flipCrossed(down: bool): void {
  if (crossed === 0) return
  readOracleNow()
  const input: usize = down ? 0 : 32
  const other: usize = 32 - input
  const end = crossings + usize(crossed) * CROSSING_BYTES
  for (let at = crossings; at < end; at += CROSSING_BYTES) {
    const slot = usize(load<u32>(at))
    const growthIn = slot + TICK_GROWTH + input
    const growthOther = slot + TICK_GROWTH + other
    subtract256(growthIn, at + 8, growthIn)
    subtract256(growthOther, FEE_GROWTH + other, growthOther)
    flipModulo160(slot + TICK_SECONDS_PER_LIQUIDITY, READING_SECONDS_PER_LIQUIDITY)
    flipCumulative(slot + TICK_CUMULATIVE, readingCumulative())
    store<u32>(slot, now - load<u32>(slot, TICK_SECONDS), TICK_SECONDS)
  }
}

/** Bytes of `keepCrossings`. */
export const CROSSINGS_BYTES: usize = 8

/** Writes down where crossings are noted, for an image of the pool. */
export function keepCrossings(to: usize): void {
  store<u32>(to, u32(crossings))
  store<i32>(to, capacity, 4)
}

export function recallCrossings(from: usize): void {
  crossings = usize(load<u32>(from))
  capacity = load<i32>(from, 4)
}
