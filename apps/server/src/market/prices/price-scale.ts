import type { contract } from '@liquidity-os/contract'
import currencies from '../treasury/currencies.json' with { type: 'json' }
import { type PriceCourse, rescaled } from './price-course.ts'

/** Decimals of assets by their keys, where somebody but the feed knows them. */
export type KnownDecimals = (assetKey: string) => number | null

/** What a series says of its prices. */
type Told = Pick<contract.PriceSeries, 'key' | 'baseDecimals' | 'quoteDecimals'>

/** Prices of a series in atoms of known size. */
export interface ScaledCourse {
  readonly course: PriceCourse
  readonly base: AssetUnit
  readonly quote: AssetUnit
}

/** An asset and how many decimals its atoms have. Prices may be put over each other in the same unit only. */
export interface AssetUnit {
  readonly assetKey: string
  readonly decimals: number
}

export const isSameUnit = (a: AssetUnit, b: AssetUnit): boolean =>
  a.assetKey === b.assetKey && a.decimals === b.decimals

const money: Readonly<Record<string, number>> = currencies.decimals
const nativeCoin = /^eip155:[1-9]\d*\/slip44:60$/

/**
 * Decimals that no feed decides: ISO 4217 has those of money (its minor unit: cents of USD, whole yen), and the native coin
 * of an EVM chain has 18.
 */
export const fixedDecimals: KnownDecimals = (assetKey) => {
  if (nativeCoin.test(assetKey)) return 18
  const [, code = ''] = /^iso4217:([A-Z]{3})$/.exec(assetKey) ?? []
  return money[code] ?? null
}

/**
 * The prices of a series in atoms of the decimals that an asset has, and not of those that the feed was configured with: a
 * feed may tell USD with 8 decimals, but treasuries count cents.
 *
 * @param known decimals of other assets, such as the tokens of a venue; null where nobody but the feed says any
 */
export function scaledCourse(
  course: PriceCourse,
  { key, baseDecimals, quoteDecimals }: Told,
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
