import type { contract } from '@liquidity-os/contract'
import { isTestNetwork } from '@liquidity-os/contract/test-networks'
import type { Static } from 'typebox'
import tokens from './graded-tokens.json' with { type: 'json' }
import type { Pair } from './pair.ts'

type GradedSize = Static<typeof contract.GradedSize>
export type Currency = GradedSize['currency']

/** Trade size of a grade by currency, in tenths of a unit. Published in the methodology. */
const tenthsOfCurrency: Readonly<Record<Currency, bigint>> = {
  USD: 100_000n,
  EUR: 100_000n,
  ETH: 30n,
  BTC: 1n,
  BNB: 120n,
  POL: 500_000n,
  TEST: 10_000n,
}

const currencyOfToken: ReadonlyMap<string, Currency> = new Map(
  Object.entries(tokens).flatMap(([chainId, byCurrency]) =>
    Object.entries(byCurrency).flatMap(([currency, addresses]) =>
      addresses.map(
        (address) => [`${chainId}|${address.toLowerCase()}`, currency as Currency] as const,
      ),
    ),
  ),
)

/**
 * Published trade size for the grade of a pair; null for a quote token without a size. The caller
 * cannot set it, because a smaller size gives a better grade. All tokens of local and test chains
 * share one size.
 */
export function gradedSizeOf({
  chainId,
  quote,
  quoteDecimals,
}: Pick<Pair, 'chainId' | 'quote' | 'quoteDecimals'>): GradedSize | null {
  const currency = isTestNetwork(chainId)
    ? 'TEST'
    : currencyOfToken.get(`${chainId}|${quote.toLowerCase()}`)
  if (currency === undefined) return null
  const size = (tenthsOfCurrency[currency] * 10n ** BigInt(quoteDecimals)) / 10n
  // A token without decimals cannot express a tenth.
  return size === 0n ? null : { currency, tradeSizeQuote: `${size}` }
}

export interface SizedScore {
  readonly id: string
  readonly payload: { readonly gradedSize?: GradedSize | null }
}

/** True if two scores are comparable: the same record, or measured at the same published size. */
export const isSameSize = (a: SizedScore, b: SizedScore): boolean =>
  a.id === b.id || isEqualSize(a.payload.gradedSize, b.payload.gradedSize)

/** True if both sizes are known and equal. */
export const isEqualSize = (
  a: GradedSize | null | undefined,
  b: GradedSize | null | undefined,
): boolean =>
  a != null && b != null && a.currency === b.currency && a.tradeSizeQuote === b.tradeSizeQuote
