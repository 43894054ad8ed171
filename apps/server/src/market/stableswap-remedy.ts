import type { contract } from '@liquidity-os/contract'

/** Coins of an inline StableSwap pool. */
const inlineCoins = 2

/**
 * What to use for a StableSwap venue in place of a backtest, a strategy or a study of the venue. Only
 * pools of two coins have an inline form.
 */
export function stableSwapRemedy({
  stableswap,
}: Pick<contract.VenueProfile, 'stableswap'>): string {
  const coins = stableswap?.coins.length
  if (coins === undefined || coins === inlineCoins) return 'use MONTE_CARLO with an inline market'
  return `studies simulate StableSwap pools of ${inlineCoins} coins only, and this one has ${coins}; use a capital requirement with the shape STABLESWAP`
}
