/** One measurement. */
export interface Point {
  /** Since the load began. */
  readonly seconds: number
  readonly value: number
}

/** How something changes with time. */
export interface Slope {
  readonly perHour: number
  /** Twice the standard error of the slope, per hour: neighbouring measurements are alike, so the truth may lie further off. */
  readonly uncertainty: number
  readonly mean: number
  /** Whether it lies above zero by more than its uncertainty, and added a twentieth or more of the mean while it was watched. */
  readonly isGrowth: boolean
}

const hourSeconds = 3_600
const minShare = 0.05

/**
 * The line of least squares through measurements.
 *
 * @param points three or more, at different instants
 * @throws Error with fewer
 */
export function slopeOf(points: readonly Point[]): Slope {
  if (points.length < 3) throw new Error('A slope needs three measurements.')
  const count = points.length
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / count
  const middle = meanOf(points.map(({ seconds }) => seconds))
  const mean = meanOf(points.map(({ value }) => value))
  const spread = points.reduce((sum, { seconds }) => sum + (seconds - middle) ** 2, 0)
  const joint = points.reduce(
    (sum, { seconds, value }) => sum + (seconds - middle) * (value - mean),
    0,
  )
  const slope = joint / spread
  const left = points.reduce(
    (sum, { seconds, value }) => sum + (value - mean - slope * (seconds - middle)) ** 2,
    0,
  )
  const uncertainty = 2 * Math.sqrt(left / (count - 2) / spread)
  const watched = (points.at(-1)?.seconds ?? 0) - (points[0]?.seconds ?? 0)
  return {
    perHour: slope * hourSeconds,
    uncertainty: uncertainty * hourSeconds,
    mean,
    isGrowth: slope > uncertainty && slope * watched >= minShare * mean,
  }
}
