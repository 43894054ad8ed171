/** Center and spread of a baseline, in the unit of the feature. */
export interface Baseline {
  readonly median: bigint
  readonly mad: bigint
  /**
   * max(14826·MAD, 10000·`floor`), or with a MAD of zero max(12533·mean absolute deviation,
   * 10000·`floor`).
   */
  readonly scale4: bigint
}

/** The middle value; of an even count the truncated mean of the middle two. @throws RangeError of none */
export function integerMedian(values: readonly bigint[]): bigint {
  if (values.length === 0) throw new RangeError('the median of an empty list')
  const half = values.length >> 1
  const parted = [...values]
  const upper = select(parted, half)
  if (parted.length % 2 === 1) return upper
  // Earlier values are not larger. An even count has at least one.
  let lower = parted[0]!
  for (let place = 1; place < half; place += 1) {
    if (parted[place]! > lower) lower = parted[place]!
  }
  return (lower + upper) / 2n
}

/**
 * Quickselect: the value at an index of the sorted order, without a full sort. Afterwards no
 * earlier value is larger and no later one is smaller.
 *
 * @param values reordered in place
 * @see Hoare, “Algorithm 65: Find”, CACM 4 (1961)
 */
function select(values: bigint[], place: number): bigint {
  let [from, to] = [0, values.length - 1]
  while (from < to) {
    // All accessed indexes are inside the array.
    const pivot = values[place]!
    let [low, high] = [from, to]
    while (low <= high) {
      while (values[low]! < pivot) low += 1
      while (pivot < values[high]!) high -= 1
      if (low > high) break
      const moved = values[low]!
      values[low] = values[high]!
      values[high] = moved
      low += 1
      high -= 1
    }
    if (high < place) from = low
    if (place < low) to = high
  }
  return values[place]!
}

/**
 * Robust center and scale of a baseline, in integers.
 *
 * 1.4826 and 1.2533 make the median and the mean absolute deviation estimate the standard deviation
 * of a normal distribution. The minimum scale prevents signals from noise in a quiet baseline.
 *
 * @param floor smallest meaningful scale, in the unit of the feature
 * @see Rousseeuw and Croux, “Alternatives to the median absolute deviation”, JASA 88 (1993)
 */
export function measureBaseline(values: readonly bigint[], floor: bigint): Baseline {
  const median = integerMedian(values)
  const deviations = values.map((value) => magnitude(value - median))
  const mad = integerMedian(deviations)
  const least = 10_000n * floor
  const mean = deviations.reduce((sum, d) => sum + d, 0n) / BigInt(deviations.length)
  const spread = mad > 0n ? 14_826n * mad : 12_533n * mean
  return { median, mad, scale4: spread > least ? spread : least }
}

/**
 * Modified z-score in thousandths: trunc(10^7·(x − median) / scale4). If the scale is zero, every
 * other value gets the largest score, ±10^9.
 *
 * @see Iglewicz and Hoaglin, “How to detect and handle outliers” (1993), cut at 3.5
 */
export function zMilli(value: bigint, baseline: Baseline): number {
  const distance = value - baseline.median
  if (distance === 0n) return 0
  const scaled =
    baseline.scale4 === 0n
      ? distance < 0n
        ? -LIMIT
        : LIMIT
      : (10_000_000n * distance) / baseline.scale4
  return Number(scaled > LIMIT ? LIMIT : scaled < -LIMIT ? -LIMIT : scaled)
}

const LIMIT = 1_000_000_000n

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
