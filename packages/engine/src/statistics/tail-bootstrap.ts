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
 * Percentile bootstrap of the median and of expected shortfalls, for several metrics of the same
 * paths on the same resamples. It resamples independent observations: an antithetic pair stays
 * together. Values are sorted once; a resample only counts.
 *
 * @param figures outcomes in path order, low values are bad; all of one length
 * @param confidences for example 0.95
 * @returns the intervals per metric, in order
 * @throws RangeError for metrics of different lengths
 */
export function bootstrapTails(
  figures: readonly ArrayLike<number>[],
  pairing: Pairing,
  confidences: readonly number[],
  stream: DrawStream,
  resamples = RESAMPLES,
): TailIntervals[] {
  const paths = figures[0]?.length ?? 0
  if (figures.some(({ length }) => length !== paths)) {
    throw new RangeError('figures with different numbers of paths')
  }
  const size = pairing === 'ANTITHETIC_PAIRS' ? 2 : 1
  const counts = new Uint32Array(Math.ceil(paths / size))
  const lastUnit = counts.length - 1
  const missing = counts.length * size - paths
  const tails = figures.map((values) => new FigureTails(values, size, confidences, resamples))
  for (let resample = 0; resample < resamples; resample++) {
    counts.fill(0)
    for (let draw = 0; draw < counts.length; draw++) {
      // A draw is below one, so its unit exists.
      counts[Math.floor(stream.uniform() * counts.length)]! += 1
    }
    const total = counts.length * size - missing * counts[lastUnit]!
    for (const figure of tails) figure.count(resample, counts, total)
  }
  return tails.map((figure) => figure.intervals())
}

/** Resampled statistics of one metric. */
class FigureTails {
  readonly #sorted: Float64Array
  /** Observation index per sorted value. */
  readonly #unitOf: Uint32Array
  readonly #confidences: readonly number[]
  readonly #medians: Float64Array
  readonly #shortfalls: readonly Float64Array[]

  constructor(
    values: ArrayLike<number>,
    size: number,
    confidences: readonly number[],
    resamples: number,
  ) {
    const order = Uint32Array.from({ length: values.length }, (_, place) => place)
    // Both places are below the number of values.
    order.sort((a, b) => values[a]! - values[b]! || a - b)
    this.#sorted = Float64Array.from(order, (place) => values[place]!)
    this.#unitOf = order.map((place) => Math.floor(place / size))
    this.#confidences = confidences
    this.#medians = new Float64Array(resamples)
    this.#shortfalls = confidences.map(() => new Float64Array(resamples))
  }

  /**
   * Evaluates a resample, given by the count per observation. @param total number of values in the
   * resample
   */
  count(resample: number, counts: Uint32Array, total: number): void {
    this.#medians[resample] = this.#medianOf(counts, total)
    for (const [place, confidence] of this.#confidences.entries()) {
      // A row for each confidence.
      this.#shortfalls[place]![resample] = this.#shortfallOf(counts, (1 - confidence) * total)
    }
  }

  intervals(): TailIntervals {
    return { median: middle95(this.#medians), shortfalls: this.#shortfalls.map(middle95) }
  }

  /** Type 7 median: the value in the middle, or the mean of the two there. */
  #medianOf(counts: Uint32Array, total: number): number {
    const lower = Math.floor((total - 1) / 2)
    let seen = 0
    let rank = -1
    // Values add up to the total, so their ranks do not end before; each has a unit.
    while (seen <= lower) seen += counts[this.#unitOf[++rank]!]!
    const low = this.#sorted[rank]!
    if (total % 2 === 1) return low
    while (seen <= total / 2) seen += counts[this.#unitOf[++rank]!]!
    return (low + this.#sorted[rank]!) / 2
  }

  /** Mean of the lowest `most` values, the last one with its fraction. */
  #shortfallOf(counts: Uint32Array, most: number): number {
    let left = most
    let sum = 0
    for (let rank = 0; rank < this.#sorted.length && left > 0; rank++) {
      const taken = Math.min(counts[this.#unitOf[rank]!]!, left)
      sum += taken * this.#sorted[rank]!
      left -= taken
    }
    return sum / most
  }
}

function middle95(values: Float64Array): [number, number] {
  const sorted = ascending(values)
  return [quantileOfSorted(sorted, 0.025), quantileOfSorted(sorted, 0.975)]
}
