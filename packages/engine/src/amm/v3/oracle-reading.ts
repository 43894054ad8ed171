import {
  type CumulativesInside,
  type OracleReading,
  observe,
  snapshotCumulativesInside,
} from './oracle.ts'
import { loadPool } from './pool.ts'
import type { ClmmState } from './state.ts'

/**
 * The pool's `observe`: cumulative tick and seconds per liquidity at moments before the current
 * block.
 *
 * @param secondsAgos uint32 each
 * @throws PoolRevertError OLD if a moment is older than the buffer; I before initialization
 */
export function observeOracle(m: ClmmState, secondsAgos: readonly number[]): OracleReading[] {
  return observe(loadPool(m), secondsAgos)
}

/**
 * The pool's `snapshotCumulativesInside`: accumulated values of a range.
 *
 * @throws PoolRevertError TLU, TLM, TUM, or without a reason if an end is not initialized
 */
export function readCumulativesInside(
  m: ClmmState,
  tickLower: number,
  tickUpper: number,
): CumulativesInside {
  return snapshotCumulativesInside(loadPool(m), tickLower, tickUpper)
}
