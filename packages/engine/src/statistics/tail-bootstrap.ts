import type { DrawStream } from '../random/streams.ts'
import { RESAMPLES } from './bootstrap.ts'
import type { Pairing } from './pairs.ts'
import { ascending, quantileOfSorted } from './quantile.ts'

/** 95 % intervals of the figures that have no formula for theirs. */
export interface TailIntervals {
  readonly median: readonly [low: number, high: number]
  /** Expected shortfall at each confidence, in their order. */
  readonly shortfalls: readonly (readonly [low: number, high: number])[]
}

/**
 * Percentile bootstrap of the median and of expected shortfalls. What is resampled are independent
 * observations: an antithetic pair stays together. Values are sorted once; a resample only counts.
 *
 * @param values      outcomes in path order, low being bad
 * @param confidences as 0.95
 */
export function bootstrapTail(
  values: ArrayLike<number>,
  pairing: Pairing,
  confidences: readonly number[],
  stream: DrawStream,
  resamples = RESAMPLES,
): TailIntervals {
  const size = pairing === 'ANTITHETIC_PAIRS' ? 2 : 1
  const units = Math.ceil(values.length / size)
  const order = Array.from({ length: values.length }, (_, i) => i)
  order.sort((a, b) => values[a]! - values[b]! || a - b)
  const sorted = Float64Array.from(order, (i) => values[i]!)
  const ranks = new Uint32Array(values.length)
  for (const [rank, i] of order.entries()) ranks[i] = rank
  const counts = new Uint32Array(values.length)
  const medians = new Float64Array(resamples)
  const tails = confidences.map(() => new Float64Array(resamples))
  for (let resample = 0; resample < resamples; resample++) {
    counts.fill(0)
    let total = 0
    for (let draw = 0; draw < units; draw++) {
      const first = Math.floor(stream.uniform() * units) * size
      for (let i = first; i < Math.min(first + size, values.length); i++) {
        // Every value has a rank.
        counts[ranks[i]!]! += 1
        total += 1
      }
    }
    medians[resample] = medianOfCounts(sorted, counts, total)
    for (const [place, confidence] of confidences.entries()) {
      tails[place]![resample] = shortfallOfCounts(sorted, counts, (1 - confidence) * total)
    }
  }
  return { median: middle95(medians), shortfalls: tails.map(middle95) }
}

function middle95(values: Float64Array): [number, number] {
  const sorted = ascending(values)
  return [quantileOfSorted(sorted, 0.025), quantileOfSorted(sorted, 0.975)]
}

/** Type 7 median of a sample told as counts of ascending values. */
function medianOfCounts(sorted: Float64Array, counts: Uint32Array, total: number): number {
  const lower = valueAt(sorted, counts, Math.floor((total - 1) / 2))
  return total % 2 === 1 ? lower : (lower + valueAt(sorted, counts, total / 2)) / 2
}

function valueAt(sorted: Float64Array, counts: Uint32Array, place: number): number {
  let seen = 0
  for (let rank = 0; rank < counts.length; rank++) {
    seen += counts[rank]!
    if (seen > place) return sorted[rank]!
  }
  return sorted.at(-1)!
}

/** Mean of the lowest `count` values, the last one with its fraction. */
function shortfallOfCounts(sorted: Float64Array, counts: Uint32Array, count: number): number {
  let left = count
  let sum = 0
  for (let rank = 0; rank < counts.length && left > 0; rank++) {
    const taken = Math.min(counts[rank]!, left)
    sum += taken * sorted[rank]!
    left -= taken
  }
  return sum / count
}
