import type { contract } from '@liquidity-os/contract'
import currencies from '../treasury/currencies.json' with { type: 'json' }
import { type PriceCourse, rescaled } from './price-course.ts'

/** Decimals of assets by key, from sources other than the feed. */
export type KnownDecimals = (assetKey: string) => number | null

type SeriesUnits = Pick<contract.PriceSeries, 'key' | 'baseDecimals' | 'quoteDecimals'>

/** Prices of a series in atoms of known size. */
export interface ScaledCourse {
  readonly course: PriceCourse
  readonly base: AssetUnit
  readonly quote: AssetUnit
}

/** An asset and its decimals. A price ratio requires both prices in the same unit. */
export interface AssetUnit {
  readonly assetKey: string
  readonly decimals: number
}

export const isSameUnit = (a: AssetUnit, b: AssetUnit): boolean =>
  a.assetKey === b.assetKey && a.decimals === b.decimals

const money: Readonly<Record<string, number>> = currencies.decimals
const nativeCoin = /^eip155:[1-9]\d*\/slip44:60$/

/**
 * Decimals fixed independently of feeds. Currencies have their ISO 4217 minor units (cents of USD,
 * whole yen), and the native coin of an EVM chain has 18.
 */
export const fixedDecimals: KnownDecimals = (assetKey) => {
  if (nativeCoin.test(assetKey)) return 18
  const [, code = ''] = /^iso4217:([A-Z]{3})$/.exec(assetKey) ?? []
  return money[code] ?? null
}

/**
 * Scales the prices of a series to the actual decimals of its assets. The feed's configured
 * decimals can differ. For example, a feed may use 8 decimals for USD, while treasuries count
 * cents.
 *
 * @param known decimals of other assets, such as venue tokens; null if unknown
 */
export function scaledCourse(
  course: PriceCourse,
  { key, baseDecimals, quoteDecimals }: SeriesUnits,
  known: KnownDecimals = () => null,
): ScaledCourse {
  const decimalsOf = (assetKey: string) => fixedDecimals(assetKey) ?? known(assetKey)
  const base = decimalsOf(key.base) ?? baseDecimals
  const quote = decimalsOf(key.quote) ?? quoteDecimals
  return {
    course: rescaled(course, quote - quoteDecimals - (base - baseDecimals)),
    base: { assetKey: key.base, decimals: base },
    quote: { assetKey: key.quote, decimals: quote },
  }
}
