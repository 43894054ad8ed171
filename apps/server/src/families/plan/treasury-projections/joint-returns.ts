import { LEAST_RETURN_ROWS } from '@liquidity-os/engine/treasury'
import { H } from '@liquidity-os/evidence'
import { dailyCloses, dailyReturns } from '../../../market/prices/daily-prices.ts'
import { pricesOfAssets } from '../../../market/prices/prices-of-pair.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import type { KnownAsset } from './projected-terms.ts'

/** Days searched for returns. */
const observedDays = 730

/** Daily log returns of several assets on the same days. */
export interface JointReturns {
  /** Column indexes of the assets. */
  readonly moving: readonly number[]
  readonly rows: readonly (readonly number[])[]
}

/**
 * Daily returns of priced assets with at least a month of data, on common days.
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
    assets.map(async ({ assetKey, price, providerId }, index) => {
      if (price === null || providerId === null || assetKey === quoteKey) return []
      const found = await pricesOfAssets(records, {
        base: assetKey,
        quote: quoteKey,
        window,
        providerId,
      })
      const [returns = new Map<number, number>()] = found
        .map(({ course }) => dailyReturns(dailyCloses(course.points, window)))
        .toSorted((a, b) => b.size - a.size)
      return returns.size < LEAST_RETURN_ROWS ? [] : [{ place: index, returns }]
    }),
  )
  const series = read.flat()
  const days = [...(series[0]?.returns.keys() ?? [])].filter((at) =>
    series.every(({ returns }) => returns.has(at)),
  )
  return {
    moving: series.map(({ place: itemIndex }) => itemIndex),
    rows: days.map((at) => series.map(({ returns }) => returns.get(at) ?? 0)),
  }
}

/**
 * Hash of returns. Canonical JSON excludes fractions, so each return is the 64-bit integer of its
 * double.
 */
export const hashReturns = ({ moving, rows }: JointReturns): string =>
  H('returns/v1', { moving, rows: rows.map((row) => row.map(bitsOf)) })

/** Positive and negative zero count as one return. */
const bitsOf = (value: number): string =>
  `${new BigUint64Array(Float64Array.of(value === 0 ? 0 : value).buffer)[0]}`
