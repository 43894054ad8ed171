import type { contract } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import type { Static } from 'typebox'
import { orientationOf } from './inline-market.ts'

/**
 * Base and quote tokens of a venue's market: from the profile for StableSwap pools, by address for
 * Uniswap pools.
 */
export function venueOrientation({
  pair,
  stableswap,
}: Pick<Static<typeof contract.VenueProfile>, 'pair' | 'stableswap'>): Orientation {
  return stableswap?.index ?? orientationOf(pair)
}
