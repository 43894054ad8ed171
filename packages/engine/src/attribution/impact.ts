import type { Rat } from '../arithmetic/integer.ts'
import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { divideHalfEven, toPips } from '../numerics/half-even.ts'
import { ln } from '../numerics/ln.ts'
import { squareRootImpact } from '../stress/square-root-impact.ts'

/** Times after a fill when its price impact is measured again, in seconds. */
export const REVERSION_SECONDS = [60, 300, 1800] as const

/**
 * Distance between two prices, positive to the trader's disadvantage: s·(to − from)/from. In
 * millionths of `from`, rounded half to even.
 */
export function movePips(side: Side, from: Rat, to: Rat): bigint {
  const gap = to.num * from.den - from.num * to.den
  const pips = divideHalfEven(gap * 1_000_000n, from.num * to.den)
  return side === 'BUY' ? pips : -pips
}

/** Permanent and temporary part of a move. Their sum is the move. */
export interface Reversion {
  /** From before the fill to the later time. */
  readonly permanentPips: bigint
  /** From the later price to the price after the fill: above zero if the price reverted. */
  readonly temporaryPips: bigint
}

/**
 * Splits the move after a fill into a permanent and a temporary part, by a later price.
 *
 * @param before mid immediately before the fill
 * @param after mid immediately after it
 * @param later mid at the later time
 * @see Almgren and Chriss, Optimal execution of portfolio transactions, 2001
 */
export function reversionOf(side: Side, before: Rat, after: Rat, later: Rat): Reversion {
  const permanentPips = movePips(side, before, later)
  return { permanentPips, temporaryPips: movePips(side, before, after) - permanentPips }
}

/** The square-root law for an order, and what its data were. */
export interface SquareRootBenchmark {
  /** σ_d, millionths. */
  readonly dailyVolatilityPips: number
  /** V_d, base atoms, rounded down. */
  readonly dailyVolumeBase: bigint
  /** Ŷ = σ_d·√(Q/V_d), millionths. */
  readonly expectedPips: number
}

/**
 * Expected impact of an order by the square-root law: σ_d·√(Q/V_d). The squared returns between
 * evenly spaced prices give σ_d, and the traded volume gives V_d. Both are scaled to a day.
 *
 * @param prices mids at even steps over the window, at least two, oldest first
 * @param volumeBase base atoms traded in the window
 * @param spanSeconds length of the window, above zero
 * @returns null without volume
 * @see Tóth et al., Anomalous price impact and the critical nature of liquidity, 2011
 */
export function squareRootBenchmark(
  prices: readonly Rat[],
  volumeBase: bigint,
  spanSeconds: number,
  orderBase: bigint,
): SquareRootBenchmark | null {
  if (prices.length < 2) throw new RangeError(`${prices.length} prices; expected at least 2`)
  if (volumeBase <= 0n) return null
  let squares = 0
  for (let i = 1; i < prices.length; i += 1) {
    // Both indexes are below the length.
    const [was, is] = [prices[i - 1]!, prices[i]!]
    const step = ln(ratioOf({ num: is.num * was.den, den: is.den * was.num }))
    squares += step * step
  }
  const days = spanSeconds / DAY_SECONDS
  const volatility = Math.sqrt(squares / days)
  const dailyVolumeBase = (volumeBase * BigInt(DAY_SECONDS)) / BigInt(spanSeconds)
  const share = ratioOf({
    num: orderBase * BigInt(spanSeconds),
    den: volumeBase * BigInt(DAY_SECONDS),
  })
  return {
    dailyVolatilityPips: toPips(volatility),
    dailyVolumeBase,
    expectedPips: toPips(squareRootImpact(share, 1, volatility)),
  }
}

/** A quotient of large integers as a float, by its leading digits. */
function ratioOf({ num, den }: Rat): number {
  return Number((num * 10n ** 18n) / den) / 1e18
}

/**
 * Divides a whole by weights, in order. Each share is the difference of two consecutive running
 * shares, rounded down, so the shares add up to the whole.
 *
 * @param whole of either sign
 * @param weights above or at zero, not all zero
 */
export function shareProRata(whole: bigint, weights: readonly bigint[]): bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  if (all <= 0n) throw new RangeError(`a total weight of ${all}; expected a positive total`)
  const sign = whole < 0n ? -1n : 1n
  let weight = 0n
  let given = 0n
  return weights.map((own) => {
    weight += own
    const reached = (sign * whole * weight) / all
    const share = sign * (reached - given)
    given = reached
    return share
  })
}
