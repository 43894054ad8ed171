import type { contract } from '@liquidity-os/contract'

/** Gas price; amounts are rounded up. */
export interface GasPrice {
  readonly baseFeeWei: bigint | null
  /** Quote atoms per wei, times 10^18; null without a price of the native asset. */
  readonly nativePriceX18: bigint | null
  /** Cost in quote; null without a price. */
  inQuote(units: number): string | null
  /**
   * Cost in bought atoms; 0 without a price. The split then ignores gas, and the plan reports it.
   */
  inBuyAtoms(units: number): bigint
}

const x18 = 10n ** 18n
const x36 = 10n ** 36n
const up = (amount: bigint, by: bigint) => (amount + by - 1n) / by

/**
 * Gas price from the given base fee, else from the set's block. The native price is the given one,
 * or 1 if the quote is the wrapped native asset. Bought base converts at the reference price, else
 * at the mid price of the first pool.
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
