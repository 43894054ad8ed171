import type { contract } from '@liquidity-os/contract'
import { valueAt } from '../../../market/prices/price-of-asset.ts'

type Loan = NonNullable<Extract<contract.TreasuryBucketInput, { entryKind: 'ASSET' }>['loan']>
type Loaned = NonNullable<contract.TreasuryBucket['loaned']>

/**
 * What comes back of tokens that were lent to a market maker at the price of the moment: of a tranche whose strike the
 * price has reached cash at the strike, rounded down, of every other and of what has no option its tokens. Options that
 * have expired are none. In the quote of the valuation; nothing is said without a price.
 *
 * @param prices those of the entry
 * @param asOf   Unix seconds
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
