import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type Pair = Static<typeof contract.Pair>

/** Whether two pairs are the same to every member, decimals included. */
export function isSamePair(a: Pair, b: Pair): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

const sorted = (pair: Pair) => Object.entries(pair).sort(([a], [b]) => (a < b ? -1 : 1))

/** Names the two tokens of a pair on its chain, however their addresses are written. */
export const pairKey = ({ chainId, base, quote }: Pick<Pair, 'chainId' | 'base' | 'quote'>) =>
  `${chainId}|${base.toLowerCase()}|${quote.toLowerCase()}`
