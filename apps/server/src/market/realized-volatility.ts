import { ln } from '@liquidity-os/engine/numerics'
import { yearSeconds } from '../units.ts'
import { type StoredMid, storedMidX36 } from './mid-price.ts'

/** A sample of the index interval, as the index job wrote it. */
export interface Sample extends StoredMid {
  at: number
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
  for (const sample of samples) {
    const { at } = sample
    const priceX36 = storedMidX36(sample)
    if (priceX36 === null) continue
    const price = Number(priceX36)
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
