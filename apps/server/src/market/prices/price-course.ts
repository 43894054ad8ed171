/** A price of a series. */
export interface PricePoint {
  /** Unix seconds. */
  readonly at: number
  /** Quote atoms per base atom, times 10^36. */
  readonly priceX36: bigint
  /** Maximum error, in pips of the price. */
  readonly errorPips: number
}

export interface PriceCourse {
  readonly points: readonly PricePoint[]
  readonly maximumAgeSeconds: number
}

const one = 10n ** 36n

/** Last price at or before a time; null if none exists or it is too old. */
export function priceAt({ points, maximumAgeSeconds }: PriceCourse, at: number): PricePoint | null {
  const found = points[placeOf(points, at)]
  return found && at - found.at <= maximumAgeSeconds ? found : null
}

/** Index of the last point at or before a time; −1 if none exists. */
function placeOf(points: readonly PricePoint[], at: number): number {
  let [low, high] = [-1, points.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (points[middle]!.at <= at) low = middle
    else high = middle
  }
  return low
}

/** The same prices times a power of ten, rounded down. */
export function rescaled({ points, maximumAgeSeconds }: PriceCourse, power: number): PriceCourse {
  const factor = 10n ** BigInt(Math.abs(power))
  return {
    maximumAgeSeconds,
    points: points.flatMap(({ priceX36, ...point }) => {
      const scaled = power < 0 ? priceX36 / factor : priceX36 * factor
      // A price below 10^-36 is not representable.
      return scaled === 0n ? [] : [{ ...point, priceX36: scaled }]
    }),
  }
}

/** The inverse prices: base atoms per quote atom, rounded down. */
export function inverted({ points, maximumAgeSeconds }: PriceCourse): PriceCourse {
  return {
    maximumAgeSeconds,
    points: points.flatMap(({ priceX36, ...point }) => {
      const inverse = (one * one) / priceX36
      // An inverse below 10^-36 is not representable.
      return inverse === 0n ? [] : [{ ...point, priceX36: inverse }]
    }),
  }
}

/**
 * A per B from the prices of both in a third asset, at every time with a new price: (A/X) / (B/X),
 * rounded down. Their errors add.
 */
export function crossed(a: PriceCourse, b: PriceCourse): PriceCourse {
  const moments = [...new Set([...a.points, ...b.points].map(({ at }) => at))].sort((x, y) => x - y)
  return {
    maximumAgeSeconds: Math.min(a.maximumAgeSeconds, b.maximumAgeSeconds),
    points: moments.flatMap((at) => {
      const [over, under] = [priceAt(a, at), priceAt(b, at)]
      if (over === null || under === null) return []
      const priceX36 = (over.priceX36 * one) / under.priceX36
      // The older of the two decides when the price becomes too old.
      const oldest = Math.min(over.at, under.at)
      if (priceX36 === 0n || at - oldest > Math.min(a.maximumAgeSeconds, b.maximumAgeSeconds)) {
        return []
      }
      return [{ at, priceX36, errorPips: over.errorPips + under.errorPips }]
    }),
  }
}

/**
 * Resamples prices to a grid: the last price at or before each multiple, at most three grid steps
 * old. No interpolation.
 *
 * @param window Unix seconds, both ends included
 */
export function resampled(
  points: readonly PricePoint[],
  gridSeconds: number,
  window: { readonly from: number; readonly to: number },
): PricePoint[] {
  const course = { points, maximumAgeSeconds: 3 * gridSeconds }
  const sampled: PricePoint[] = []
  const first = Math.ceil(window.from / gridSeconds) * gridSeconds
  for (let at = first; at <= window.to; at += gridSeconds) {
    const found = priceAt(course, at)
    if (found) sampled.push({ ...found, at })
  }
  return sampled
}

/** Share of a period covered by prices, in pips, rounded down. */
export function coveragePips(
  { points, maximumAgeSeconds }: PriceCourse,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  if (to <= from) return 0
  let covered = 0
  for (const [index, { at }] of points.entries()) {
    const until = Math.min(points[index + 1]?.at ?? Infinity, at + maximumAgeSeconds, to)
    covered += Math.max(0, until - Math.max(at, from))
  }
  return Math.floor((covered * 1_000_000) / (to - from))
}

/** Stretches without a price. @returns ascending */
export function holesOf(
  { points, maximumAgeSeconds }: PriceCourse,
  { from, to }: { readonly from: number; readonly to: number },
): { from: number; to: number }[] {
  const holes: { from: number; to: number }[] = []
  let covered = from
  for (const { at } of points) {
    if (at > to) break
    if (at > covered) holes.push({ from: covered, to: at })
    covered = Math.max(covered, at + maximumAgeSeconds)
  }
  if (covered < to) holes.push({ from: covered, to })
  return holes
}

/** X18 form of a price, rounded down; null if fewer than six digits remain. */
export const x18Of = (priceX36: bigint): bigint | null => {
  const x18 = priceX36 / 10n ** 18n
  return x18 < 100_000n ? null : x18
}

/** Error bound that half of the prices meet, millionths. */
export function medianError({ points }: PriceCourse): number {
  const errors = points.map(({ errorPips }) => errorPips).sort((a, b) => a - b)
  return errors[Math.floor(errors.length / 2)] ?? 0
}
