import { ln } from '@liquidity-os/engine/numerics'
import { yearSeconds } from '../units.ts'

/** A point of the cadence, as the index job wrote it. */
export interface Sample {
  at: number
  midX18: string | null
}

/** Fewest returns from which a volatility is said. */
export const minReturns = 100

/**
 * Realised volatility, the standard deviation of ln price per root of a second: squared returns over the time they
 * took, which is also how a strategy measures it while it runs. Null below a hundred returns.
 */
export function volatilityOf(
  samples: readonly Sample[],
): { value: number; returns: number } | null {
  let squares = 0
  let seconds = 0
  let returns = 0
  let last: { at: number; price: number } | null = null
  for (const { at, midX18 } of samples) {
    // A price below one part of 10^18 is none that a return could be taken of.
    if (midX18 === null || midX18 === '0') continue
    const price = Number(midX18)
    if (last !== null) {
      squares += ln(price / last.price) ** 2
      seconds += at - last.at
      returns += 1
    }
    last = { at, price }
  }
  return returns < minReturns ? null : { value: Math.sqrt(squares / seconds), returns }
}

/** The same in pips a year, as models name it. */
export const annualPips = (volatility: number) =>
  Math.round(volatility * Math.sqrt(yearSeconds) * 1_000_000)
