import type { contract } from '@liquidity-os/contract'
import { valueAt } from '../../../market/prices/price-of-asset.ts'

type Loan = NonNullable<Extract<contract.TreasuryBucketInput, { entryKind: 'ASSET' }>['loan']>
type Loaned = NonNullable<contract.TreasuryBucket['loaned']>

/**
 * Expected return of tokens lent to a market maker at the current price. A tranche at or above its
 * strike returns cash at the strike, rounded down. All other tokens return as tokens. Expired
 * options do not count. In the valuation's quote; null without a price.
 *
 * @param prices prices of the entry
 * @param asOf Unix seconds
 */
export function loanFigures(
  { lentTokens, callTranches }: Loan,
  [price]: readonly contract.TreasuryPrice[],
  asOf: number,
): Loaned | null {
  if (price === undefined) return null
  const live = callTranches.filter(({ expiresAt }) => Date.parse(expiresAt) > asOf * 1000)
  const reached = live.filter(({ strikeX36 }) => BigInt(price.priceX36) >= BigInt(strikeX36))
  const sum = (of: (tranche: (typeof reached)[number]) => bigint) =>
    reached.reduce((total, tranche) => total + of(tranche), 0n)
  return {
    tokensExpected: `${BigInt(lentTokens) - sum(({ tokens }) => BigInt(tokens))}`,
    cashAtStrike: `${sum(({ tokens, strikeX36 }) => valueAt(BigInt(tokens), strikeX36, 'DOWN'))}`,
    exercised: reached.length,
  }
}
