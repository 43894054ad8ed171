import { toPips } from '../numerics/half-even.ts'
import { ln } from '../numerics/ln.ts'
import { magnitude } from './median-deviation.ts'

const MILLION = 1_000_000n

/** A quotient in millionths, rounded down; zero if the whole is zero. */
function pipsOf(part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (part * MILLION) / whole
}

/** Order-flow imbalance |buy − sell|/(buy + sell) of an hour, in pips. */
export function flowImbalance(buyQuote: bigint, sellQuote: bigint): bigint {
  return pipsOf(magnitude(buyQuote - sellQuote), buyQuote + sellQuote)
}

/**
 * Whether an hour has enough volume, trades and traders to evaluate one-sided flow.
 *
 * @param medianVolumeQuote of an hour over the baseline
 */
export function isFlowQualified(
  hour: { volumeQuote: bigint; trades: number; traders: number },
  medianVolumeQuote: bigint,
): boolean {
  return hour.volumeQuote >= medianVolumeQuote && hour.trades >= 20 && hour.traders >= 3
}

export interface MonitoredRange {
  readonly tickLower: number
  readonly tickUpper: number
  readonly valueQuote: bigint
}

/** Share of the value of concentrated liquidity that lies outside the active tick, in pips. */
export function inactiveShare(ranges: readonly MonitoredRange[], tick: number): bigint {
  let total = 0n
  let inactive = 0n
  for (const { tickLower, tickUpper, valueQuote } of ranges) {
    total += valueQuote
    if (tick < tickLower || tick >= tickUpper) inactive += valueQuote
  }
  return pipsOf(inactive, total)
}

/** |price/peg − 1| of the median source, in pips. */
export function depegPips(medianPriceX18: bigint, pegX18: bigint): bigint {
  return pipsOf(magnitude(medianPriceX18 - pegX18), pegX18)
}

/** A price and the fee band around it, within which no one would trade it away. */
export interface PriceSource {
  readonly name: string
  readonly priceX18: bigint
  readonly feePips: number
  /** Age against its heartbeat. */
  readonly isStale: boolean
}

/** Two sources that disagree most, beyond both fee bands. */
export interface Disagreement {
  readonly pips: bigint
  readonly between: readonly [string, string]
  readonly stale: readonly string[]
}

/** Largest pairwise log gap beyond both fee bands; null with fewer than two live sources. */
export function largestDisagreement(sources: readonly PriceSource[]): Disagreement | null {
  const live = sources.filter(({ isStale }) => !isStale)
  const stale = sources.filter(({ isStale }) => isStale).map(({ name }) => name)
  let largest: Disagreement | null = null
  for (const [i, a] of live.entries()) {
    for (const b of live.slice(i + 1)) {
      const gap = Math.abs(ln(Number(a.priceX18) / Number(b.priceX18)))
      const beyond = BigInt(Math.max(0, toPips(gap) - a.feePips - b.feePips))
      if (largest === null || beyond > largest.pips) {
        largest = { pips: beyond, between: [a.name, b.name], stale }
      }
    }
  }
  return largest
}

/** |change of the own base over a day| over the median inventory, in pips. */
export function inventoryChange(changeBase: bigint, medianBase: bigint): bigint {
  return pipsOf(magnitude(changeBase), medianBase)
}

/** Volume of a day over the time-weighted value locked, in pips. */
export function turnover(volumeQuote: bigint, valueLockedQuote: bigint): bigint {
  return pipsOf(volumeQuote, valueLockedQuote)
}

/** A spike of the price away from its average, and how fast it was taken back. */
export interface Excursion {
  readonly sizePips: bigint
  readonly fromBlock: number
  readonly blocks: number
}

/**
 * The largest excursion of spot from its time-weighted average. It must be at least 5 %, and four
 * fifths must revert within a number of blocks. Null if no excursion matches.
 *
 * @param points per block, ascending: spot and average
 */
export function largestExcursion(
  points: readonly { block: number; spotX18: bigint; averageX18: bigint }[],
  withinBlocks = 25,
): Excursion | null {
  let largest: Excursion | null = null
  for (const [i, { block, spotX18, averageX18 }] of points.entries()) {
    const away = spotX18 - averageX18
    const sizePips = pipsOf(magnitude(away), averageX18)
    if (sizePips < 50_000n) continue
    const back = points.slice(i + 1).find((later) => {
      const left = later.spotX18 - averageX18
      return (away > 0n ? left : -left) * 5n <= magnitude(away)
    })
    if (back === undefined || back.block - block > withinBlocks) continue
    if (largest === null || sizePips > largest.sizePips) {
      largest = { sizePips, fromBlock: block, blocks: back.block - block }
    }
  }
  return largest
}
