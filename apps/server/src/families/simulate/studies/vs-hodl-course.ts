import type { contract } from '@liquidity-os/contract'
import { hodlPnlOfReplay, type StartedStudy } from './start-inventory.ts'

const x18 = 10n ** 18n

/** A sample in the study's sealed form. */
interface Sample {
  readonly timestamp: number
  readonly priceX18: string
  readonly netVsHold: string
}

type Arm = contract.ArmResult

/** Starting inventory minus the given capital; negative amounts are a deficit. */
interface Shift {
  readonly base: bigint
  readonly quote: bigint
}

/** A point of the series, seconds since the first sample. */
export interface CoursePoint {
  readonly seconds: number
  /** Vs initial capital. */
  readonly netVsHold: bigint
  /** Vs the starting inventory; null if the result does not contain it. */
  readonly netVsHodl: bigint | null
}

/**
 * A candidate against HODL over time, quote atoms:
 *
 *     net vs HODL(t) = net vs hold(t) − (base shift · price(t) + quote shift)
 *
 * The first sample follows the events of its moment. The course starts before them, at the
 * candidate's initial value, so its first point is zero.
 */
export function vsHodlCourse(
  arm: Arm,
  study: StartedStudy,
  samples: readonly Sample[],
): CoursePoint[] {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return []
  const shift = findShift(arm, study)
  const points = samples.map((sample): CoursePoint => {
    const netVsHold = BigInt(sample.netVsHold)
    const seconds = sample.timestamp - first.timestamp
    if (shift === null) return { seconds, netVsHold, netVsHodl: null }
    const more = (shift.base * BigInt(sample.priceX18)) / x18 + shift.quote
    return { seconds, netVsHold, netVsHodl: netVsHold - more }
  })
  const origin = { seconds: 0, netVsHold: 0n, netVsHodl: shift === null ? null : 0n }
  return [origin, ...points]
}

/**
 * The result contains the inventory of a single position. For other candidates it follows from the
 * effect of the starting inventory, because the conversion at the start price is free:
 *
 *     base shift = effect / (end price − start price),   quote shift = −base shift · start price
 */
function findShift(arm: Arm, study: StartedStudy): Shift | null {
  const { spec, result } = study
  const { base, quote, normalization } = spec.capital
  if (arm.position && normalization !== 'AS_GIVEN') {
    const { deposited, idle } = arm.position
    return {
      base: BigInt(deposited.base) + BigInt(idle.base) - BigInt(base),
      quote: BigInt(deposited.quote) + BigInt(idle.quote) - BigInt(quote),
    }
  }
  const hodl = hodlPnlOfReplay(arm, study)
  if (hodl === null) return null
  const effect = hodl - BigInt(arm.waterfallHolder.hold)
  if (effect === 0n) return { base: 0n, quote: 0n }
  const [start, end] = [BigInt(result.startPriceX18 ?? 0), BigInt(result.endPriceX18 ?? 0)]
  if (start === end) return null
  const shift = (effect * x18) / (end - start)
  return { base: shift, quote: -(shift * start) / x18 }
}
