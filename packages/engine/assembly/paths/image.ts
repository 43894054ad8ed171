// An image of an arm that has opened: every path of it starts there. What lies in memory the host copies.

import { CROSSINGS_BYTES, keepCrossings, recallCrossings } from '../crossings'
import { keepOracle, ORACLE_BYTES, recallOracle } from '../oracle'
import { claim, keepPool, POOL_BYTES, recallPool } from '../pool'
import { BOOKS_BYTES, keepBooks, recallBooks } from './books'
import { restart } from './course'
import { setBeyond } from './numbers'
import { keepSamples, recallSamples } from './samples'

/** What lies in globals. */
const KEPT: usize = memory.data(256, 8)
const ORACLE: usize = KEPT + POOL_BYTES
const CROSSINGS: usize = ORACLE + ORACLE_BYTES
const BOOKS: usize = CROSSINGS + CROSSINGS_BYTES
const SAMPLES: usize = BOOKS + BOOKS_BYTES

/** Where fixed fields end and memory that is claimed begins. */
export function fixedEnd(): usize {
  return __heap_base
}

/** The end of the memory in use. */
export function claimedEnd(): usize {
  return claim(0)
}

/** Writes globals down in the memory, before an image is made of it. */
export function keep(): void {
  keepPool(KEPT)
  keepOracle(ORACLE)
  keepCrossings(CROSSINGS)
  keepBooks(BOOKS)
  keepSamples(SAMPLES)
}

/** Takes globals up again from an image that was put back, and starts a path there. */
export function recall(): void {
  setBeyond(false)
  recallPool(KEPT)
  recallOracle(ORACLE)
  recallCrossings(CROSSINGS)
  recallBooks(BOOKS)
  recallSamples(SAMPLES)
  restart()
}
