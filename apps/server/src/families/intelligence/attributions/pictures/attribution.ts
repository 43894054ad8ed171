import type { contract } from '@liquidity-os/contract'

export type Attribution = contract.ExecutionAttribution

/** Atoms as whole tokens, for chart positions only. */
export const tokens = (atoms: string, decimals: number): number => Number(atoms) / 10 ** decimals

/** A price in quote atoms per base atom times 1e18 as quote tokens per base token. */
export function tokenPrice(priceX18: string, { pair }: Attribution['request']): number {
  return (Number(priceX18) / 1e18) * 10 ** (pair.baseDecimals - pair.quoteDecimals)
}
