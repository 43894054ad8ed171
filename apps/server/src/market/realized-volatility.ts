import { ln } from '@liquidity-os/engine/numerics'
import { yearSeconds } from '../units.ts'

/** A sample of the index interval, as the index job wrote it. */
export interface Sample {
  at: number
  midX18: string | null
}

export const minReturns = 100

/**
 * Realized volatility: standard deviation of ln price per square root of a second. Computed as
 * squared returns over elapsed time, the same as strategies do at run time. Null below 100 returns.
 */
export function volatilityOf(
  samples: readonly Sample[],
): { value: number; returns: number } | null {
  let squares = 0
  let seconds = 0
  let returns = 0
  let last: { at: number; price: number } | null = null
  for (const { at, midX18 } of samples) {
    // A price below 10^-18 allows no return.
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

/** The same in pips per year, the unit of the models. */
export const annualPips = (volatility: number) =>
  Math.round(volatility * Math.sqrt(yearSeconds) * 1_000_000)
