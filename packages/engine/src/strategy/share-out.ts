import type { Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { PriceView, TickRange } from '../montecarlo/market-session.ts'
import type { Holdings } from '../study/arm.ts'
import type { RangeTemplate } from './definition.ts'
import { layRanges, type Place } from './lay-ranges.ts'

/** A range to fill, and its share of the total value. */
export interface WeighedRange {
  readonly positionId: string
  readonly range: TickRange
  /** Numerator over 1,000,000 × `rungs`. */
  readonly weightPips: number
  /** Into how many ranges the weight is divided. */
  readonly rungs: number
}

interface Weighed {
  readonly positionId: string
  readonly weightPips: number
  readonly template: RangeTemplate
}

const MILLION = 1_000_000n
/** Trial liquidity, large enough that rounding its cost up is negligible. */
const TRIAL = 1n << 100n

/** The ranges of several templates at a place; null for a width that is not known. @throws RangeError as `layRanges` */
export function layAll(positions: readonly Weighed[], place: Place): WeighedRange[] | null {
  const laid: WeighedRange[] = []
  for (const { positionId, weightPips, template } of positions) {
    const ranges = layRanges(template, place)
    if (ranges === null) return null
    for (const range of ranges) {
      laid.push({ positionId, range, weightPips, rungs: ranges.length })
    }
  }
  return laid
}

/** Required amounts of both tokens per range, for its share of a value at the market's price. */
export function wantsOf(
  market: PriceView,
  ranges: readonly WeighedRange[],
  worth: bigint,
  price: Rat,
): Holdings[] {
  return ranges.map(({ range, weightPips, rungs }) => {
    const cost = market.costOf(range, TRIAL)
    const inBase = quoteValue(cost.base, price)
    const whole = inBase + cost.quote
    if (whole === 0n) return { base: 0n, quote: 0n }
    const share = (worth * BigInt(weightPips)) / (MILLION * BigInt(rungs))
    const quote = (share * cost.quote) / whole
    return { base: (cost.base * share) / whole, quote }
  })
}

/**
 * Distributes an inventory over required amounts. If a token is insufficient, all get the same
 * proportion.
 */
export function shareOut(held: Holdings, wants: readonly Holdings[]): Holdings[] {
  const wanted = totalOf(wants)
  const part = (want: bigint, have: bigint, all: bigint) =>
    have >= all || all === 0n ? want : (want * have) / all
  return wants.map(({ base, quote }) => ({
    base: part(base, held.base, wanted.base),
    quote: part(quote, held.quote, wanted.quote),
  }))
}

export function totalOf(amounts: readonly Holdings[]): Holdings {
  let [base, quote] = [0n, 0n]
  for (const amount of amounts) {
    base += amount.base
    quote += amount.quote
  }
  return { base, quote }
}
