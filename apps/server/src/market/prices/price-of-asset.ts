import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { priceAt } from './price-course.ts'
import { pricesOfAssets } from './prices-of-pair.ts'

const one = 10n ** 36n
const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()

/**
 * Price of an asset in another at a time, from the series of one provider; 1 for an asset in
 * itself. Of several series, the one with the smallest error wins.
 *
 * @param at Unix seconds
 * @returns null if no price exists, or the last one is too old
 */
export async function priceOfAsset(
  records: TenantRecords,
  {
    assetKey,
    quoteKey,
    providerId,
  }: {
    readonly assetKey: string
    readonly quoteKey: string
    readonly providerId: string
  },
  at: number,
): Promise<contract.TreasuryPrice | null> {
  if (assetKey === quoteKey) return parity(assetKey, at)
  const window = { from: at, to: at }
  const found = await pricesOfAssets(records, {
    base: assetKey,
    quote: quoteKey,
    window,
    providerId,
  })
  const priced = found.flatMap(({ name, course, versions }) => {
    const point = priceAt(course, at)
    return point ? [{ name, point, versions, course }] : []
  })
  const [best] = priced.sort((a, b) => a.point.errorPips - b.point.errorPips)
  if (best === undefined) return null
  const { name, point, versions, course } = best
  const priceX36 = point.priceX36.toString()
  return {
    assetKey,
    quoteKey,
    priceX36,
    source: name,
    generation: H('price-generation/v1', { versions, at: point.at, priceX36 }),
    observedAt: isoOf(point.at),
    maximumAgeSeconds: course.maximumAgeSeconds,
    errorPips: point.errorPips,
  }
}

function parity(assetKey: string, at: number): contract.TreasuryPrice {
  const priceX36 = one.toString()
  return {
    assetKey,
    quoteKey: assetKey,
    priceX36,
    source: 'one of itself',
    generation: H('price-generation/v1', { versions: [], at: 0, priceX36 }),
    observedAt: isoOf(at),
    maximumAgeSeconds: 0,
    errorPips: 0,
  }
}

/** Quote atoms for asset atoms: rounded down for holdings, up for obligations. */
export function valueAt(quantity: bigint, priceX36: string, rounding: 'DOWN' | 'UP'): bigint {
  const product = quantity * BigInt(priceX36)
  return rounding === 'DOWN' ? product / one : (product + one - 1n) / one
}
