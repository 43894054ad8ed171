// Markouts of trades at irregular times; see `MarkoutLedger`, which this is word for word.

import { claim } from '../pool'
import { decreaseBy, increaseBy } from './numbers'
import { quoteValue } from './prices'

/** Waiting times, and for each the next trade that waits for it. */
const WAITS: i32 = 4
/**
 * The market's net intake within one second: time in seconds, base, quote, value, and the price
 * used for that value.
 */
const TAKEN_BASE: usize = 8
const TAKEN_QUOTE: usize = 40
const TAKEN_WORTH: usize = 72
const TAKEN_PRICED: usize = 104
const TAKEN_BYTES: usize = 112
const UNPRICED: i32 = -1
const FIRST_CAPACITY: u32 = 256

export const MARKOUT_WAITS: usize = memory.data(32, 8)
/** Sums per wait, quote atoms, 256 bits each. */
export const MARKOUTS: usize = memory.data(128, 8)
const NEXT: usize = memory.data(16, 8)

/**
 * Ring buffer of trades with pending markouts. The capacity is a power of two; indexes count from
 * the first trade of the run.
 */
let ring: usize = 0
let capacity: u32 = 0
let first: u32 = 0
let end: u32 = 0

function takenAt(entry: u32): usize {
  return ring + usize(entry & (capacity - 1)) * TAKEN_BYTES
}

/** The market took tokens in, and paid the others. */
export function noteTaken(seconds: f64, base: usize, quote: usize, isBaseIn: bool): void {
  if (end === 0 || load<f64>(takenAt(end - 1)) !== seconds) addEntry(seconds)
  const taken = takenAt(end - 1)
  store<i32>(taken, UNPRICED, TAKEN_PRICED)
  if (isBaseIn) {
    increaseBy(taken + TAKEN_BASE, base)
    decreaseBy(taken + TAKEN_QUOTE, quote)
  } else {
    decreaseBy(taken + TAKEN_BASE, base)
    increaseBy(taken + TAKEN_QUOTE, quote)
  }
}

function addEntry(seconds: f64): void {
  if (end - first === capacity) grow()
  const taken = takenAt(end)
  memory.fill(taken, 0, TAKEN_BYTES)
  store<f64>(taken, seconds)
  end += 1
}

function grow(): void {
  const larger = capacity === 0 ? FIRST_CAPACITY : capacity << 1
  const grown = claim(usize(larger) * TAKEN_BYTES)
  for (let entry = first; entry !== end; entry++) {
    memory.copy(grown + usize(entry & (larger - 1)) * TAKEN_BYTES, takenAt(entry), TAKEN_BYTES)
  }
  ring = grown
  capacity = larger
}

/**
 * A price has been in force until this moment, the moment itself included.
 *
 * @param number of the price: a trade is valued once at each
 */
export function passMarkouts(seconds: f64, price: usize, number: i32): void {
  let least = end
  for (let wait: i32 = 0; wait < WAITS; wait++) {
    const cell = NEXT + (usize(wait) << 2)
    const until = seconds - load<f64>(MARKOUT_WAITS + (usize(wait) << 3))
    let next = load<u32>(cell)
    for (; next !== end; next++) {
      const taken = takenAt(next)
      if (load<f64>(taken) > until) break
      valueTaken(taken, price, number)
      const sum = MARKOUTS + (usize(wait) << 5)
      increaseBy(sum, taken + TAKEN_WORTH)
      increaseBy(sum, taken + TAKEN_QUOTE)
    }
    store<u32>(cell, next)
    if (end - next > end - least) least = next
  }
  first = least
}

function valueTaken(taken: usize, price: usize, number: i32): void {
  if (load<i32>(taken, TAKEN_PRICED) === number) return
  quoteValue(taken + TAKEN_WORTH, taken + TAKEN_BASE, price)
  store<i32>(taken, number, TAKEN_PRICED)
}
