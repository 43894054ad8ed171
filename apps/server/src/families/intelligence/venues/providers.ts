import type { contract } from '@liquidity-os/contract'
import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import type { Address } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { positionManagersAmong } from '../../../integrations/chain/position-managers.ts'
import { limits } from '../../../limits.ts'
import { depthByOwner, type OwnerShare } from '../../../market/depth-by-owner.ts'
import { withTokensHeld } from '../../../market/own-positions.ts'

/** LPs that provide the depth of a venue. */
export interface Providers {
  /** Largest first. */
  readonly shares: readonly OwnerShare[]
  /** Position managers: one address with the positions of many LPs. */
  readonly managers: readonly string[]
}

const bandPips = 20_000

/**
 * Largest owners of the 2 % depth of a v3 pool. Null for other markets, or if some positions are
 * unknown. Known position tokens count for their owner, all other manager liquidity for the
 * manager.
 *
 * @param market chain state at `block`
 * @param tokens read at that block
 */
export async function providersOf(
  client: ChainClient,
  block: Header,
  market: LoggedMarket,
  side: Orientation,
  tokens: readonly contract.PositionToken[] = [],
): Promise<Providers | null> {
  if (market.kind !== 'UNISWAP_V3' || market.sqrtPriceX96 === 0n) return null
  const held = withTokensHeld(market, tokens)
  const shares = depthByOwner(held, side, bandPips)?.slice(0, limits.venueProviders)
  if (!shares) return null
  const owners = shares.map(({ address }) => address as Address)
  return { shares, managers: await positionManagersAmong(client, block, owners) }
}
