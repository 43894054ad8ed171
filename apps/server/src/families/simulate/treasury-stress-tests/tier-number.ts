import type { contract } from '@liquidity-os/contract'

/** The tier of the ledger as the engine counts it. */
export const tierNumber = (tier: contract.TreasuryTier) =>
  Number(tier.slice(1)) as 0 | 1 | 2 | 3 | 4
