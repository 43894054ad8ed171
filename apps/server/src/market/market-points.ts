import { type Sql, values } from '../store/database/sql.ts'
import { daySeconds, hourSeconds, minuteSeconds } from '../units.ts'

/** Bucket lengths of the table `market_points`, finest first, and how long their rows are stored. */
export const pointResolutions = [
  { seconds: minuteSeconds, retentionSeconds: 8 * daySeconds },
  { seconds: 10 * minuteSeconds, retentionSeconds: 90 * daySeconds },
  { seconds: hourSeconds, retentionSeconds: 3 * 365 * daySeconds },
  { seconds: daySeconds, retentionSeconds: null },
] as const

/** All resolutions, for `in`: the index of the table starts with them. */
export const everyResolution: Sql = values(pointResolutions.map(({ seconds }) => seconds))

/** Depth bands in pips that each point has: 1, 2, 5 and 10 %. */
export const pointBands = [10_000, 20_000, 50_000, 100_000] as const

/** Start of the bucket that contains a time, in Unix seconds. */
export const bucketOf = (at: number, seconds: number): number => at - (at % seconds)
