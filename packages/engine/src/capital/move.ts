import type { Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'

const MILLION = 1_000_000n

/** A depth target: quote amount that moves the price by a given distance on one side. */
export interface DepthTarget {
  readonly side: Side
  /** 1..999,999 */
  readonly movePips: number
  /** Quote atoms: BUY paid net of fee, SELL received. */
  readonly depthQuote: bigint
}

/** Both tokens of a plan, in atoms. Rounded up, so never below the required depth. */
export interface Inventory {
  readonly token: bigint
  readonly quote: bigint
}

/** A price moved up for a buy and down for a sale. @throws RangeError for a move outside 1..999,999 */
export function moved(price: Rat, side: Side, movePips: number): Rat {
  if (!Number.isInteger(movePips) || movePips < 1 || movePips > 999_999) {
    throw new RangeError(`a move of ${movePips} pips; expected a whole number in 1..999999`)
  }
  const factor = side === 'BUY' ? MILLION + BigInt(movePips) : MILLION - BigInt(movePips)
  return { num: price.num * factor, den: price.den * MILLION }
}

/** Whether a is below b. */
export function isBelow(a: Rat, b: Rat): boolean {
  return a.num * b.den < b.num * a.den
}
