import type { contract } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import type { Static } from 'typebox'
import { orientationOf } from './inline-market.ts'

/**
 * Which tokens of a venue's market are the base and the quote: as its profile says of a StableSwap pool, by address
 * in the pools of Uniswap.
 */
export function venueOrientation({
  pair,
  stableswap,
}: Pick<Static<typeof contract.VenueProfile>, 'pair' | 'stableswap'>): Orientation {
  return stableswap?.index ?? orientationOf(pair)
}
