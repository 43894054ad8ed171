import type { VenueLine } from '../../api/queries.ts'

interface VaultMarket {
  readonly chainId: number
  readonly pair: { readonly base: string; readonly quote: string }
}

const kinds: readonly string[] = ['UNISWAP_V2', 'UNISWAP_V3']

/** Validated Uniswap markets that trade the pair of a vault, in either direction. */
export function liquidityMarkets(
  { chainId, pair }: VaultMarket,
  venues: readonly VenueLine[],
): VenueLine[] {
  const tokens = pairKey(pair)
  return venues.filter(
    ({ status, payload }) =>
      status === 'VALIDATED' &&
      kinds.includes(payload.kind) &&
      payload.pair.chainId === chainId &&
      pairKey(payload.pair) === tokens,
  )
}

const pairKey = ({ base, quote }: VaultMarket['pair']) =>
  [base.toLowerCase(), quote.toLowerCase()].sort().join(' ')

/** True for a positive decimal that the policy grammar reads without doubt. */
export const isAmount = (text: string): boolean =>
  /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text) && !/^\d{1,3}\.\d{3}$/.test(text)

export const isPercent = (text: string): boolean => /^\d{1,2}(\.\d{1,2}|\.\d{4})?$/.test(text)
