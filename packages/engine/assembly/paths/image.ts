// Snapshot of an opened arm: all its paths start there. The host copies the linear memory; this
// module saves the global variables.

import { CROSSINGS_BYTES, keepCrossings, recallCrossings } from '../crossings'
import { keepOracle, ORACLE_BYTES, recallOracle } from '../oracle'
import { claim, keepPool, POOL_BYTES, recallPool } from '../pool'
import { BOOKS_BYTES, keepBooks, recallBooks } from './books'
import { restart } from './course'
import { setBeyond } from './numbers'
import { keepSamples, recallSamples } from './samples'

/** Buffer for saved global variables. */
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

/** Saves global variables to memory, before the host copies it. */
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
