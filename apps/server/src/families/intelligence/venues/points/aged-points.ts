import { pointResolutions } from '../../../../market/market-points.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { daySeconds } from '../../../../units.ts'

/** Deletes points that are older than the retention of their resolution. */
export const agedPoints = (now: number): Sql[] =>
  pointResolutions.flatMap(({ seconds, retentionSeconds }) =>
    retentionSeconds === null
      ? []
      : [
          sql`delete from market_points where resolution = ${seconds} and resolution < ${daySeconds}
            and at < ${Math.floor(now / 1000) - retentionSeconds}`,
        ],
  )
