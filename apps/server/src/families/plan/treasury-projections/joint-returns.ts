import { ln } from '@liquidity-os/engine/numerics'
import { LEAST_RETURN_ROWS } from '@liquidity-os/engine/treasury'
import { resampled } from '../../../market/prices/price-course.ts'
import { pricesOfAssets } from '../../../market/prices/prices-of-pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import type { KnownAsset } from './projected-terms.ts'

/** Days that returns are looked for. */
const observedDays = 730

/** Daily log returns of several assets on the same days. */
export interface JointReturns {
  /** Places of the assets in order of the columns. */
  readonly moving: readonly number[]
  readonly rows: readonly (readonly number[])[]
}

/**
 * Returns of every priced asset with a month of observed days at least, on the days of which all of them have one.
 *
 * @param asOf Unix seconds
 */
export async function jointReturns(
  records: TenantRecords,
  assets: readonly KnownAsset[],
  quoteKey: string,
  asOf: number,
): Promise<JointReturns> {
  const window = { from: asOf - observedDays * daySeconds, to: asOf }
  const read = await Promise.all(
    assets.map(async ({ assetKey, price, providerId }, place) => {
      if (price === null || providerId === null || assetKey === quoteKey) return []
      const found = await pricesOfAssets(records, {
        ...{ base: assetKey, quote: quoteKey, window, providerId },
      })
      const courses = found.map(({ course }) => resampled(course.points, daySeconds, window))
      const longest = courses.toSorted((a, b) => b.length - a.length)[0] ?? []
      const prices = new Map(longest.map(({ at, priceX36 }) => [at, priceX36]))
      const returns = new Map(
        [...prices].flatMap(([at, priceX36]) => {
          const before = prices.get(at - daySeconds)
          return before ? [[at, ln(Number(priceX36) / Number(before))] as const] : []
        }),
      )
      return returns.size < LEAST_RETURN_ROWS ? [] : [{ place, returns }]
    }),
  )
  const series = read.flat()
  const days = [...(series[0]?.returns.keys() ?? [])].filter((at) =>
    series.every(({ returns }) => returns.has(at)),
  )
  return {
    moving: series.map(({ place }) => place),
    rows: days.map((at) => series.map(({ returns }) => returns.get(at) ?? 0)),
  }
}
