import type { contract } from '@liquidity-os/contract'

/** What a unit of gas costs; amounts are rounded up. */
export interface GasPrice {
  readonly baseFeeWei: bigint | null
  /** Quote atoms for a wei, times 10^18; null where nothing prices the native coin. */
  readonly nativePriceX18: bigint | null
  /** Null where it has no price in the quote. */
  inQuote(units: number): string | null
  /** Zero where it has none: the split then leaves gas out, and the plan says so. */
  inBuyAtoms(units: number): bigint
}

const x18 = 10n ** 18n
const x36 = 10n ** 36n
const up = (amount: bigint, by: bigint) => (amount + by - 1n) / by

/**
 * Gas at the base fee that is given or stood in the block of the set, and the price of the native coin that is given, or one of
 * one where the quote is that coin, wrapped. Bought base is priced by the reference, else by the middle of the first pool.
 */
export function gasPriceOf(set: contract.QuoteSet, given: contract.ExecutionGas): GasPrice {
  const text = given.baseFeeWei ?? set.baseFeeWei
  const baseFeeWei = text === null ? null : BigInt(text)
  const nativePriceX18 =
    given.nativePriceX18 === undefined
      ? set.isQuoteWrappedNative
        ? x18
        : null
      : BigInt(given.nativePriceX18)
  const midX36 = BigInt(set.reference?.priceX36 ?? set.pools[0]?.midX36 ?? 0)
  const quoteOf = (units: number): bigint | null =>
    baseFeeWei === null || nativePriceX18 === null
      ? null
      : up(BigInt(units) * baseFeeWei * nativePriceX18, x18)
  return {
    baseFeeWei,
    nativePriceX18,
    inQuote(units) {
      const quote = quoteOf(units)
      return quote === null ? null : `${quote}`
    },
    inBuyAtoms(units) {
      const quote = quoteOf(units)
      if (quote === null) return 0n
      if (set.side === 'SELL') return quote
      return midX36 === 0n ? 0n : up(quote * x36, midX36)
    },
  }
}
