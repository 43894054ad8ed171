import type { contract } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import { edgePricesOf } from '@liquidity-os/engine/strategy'
import type { Static } from 'typebox'

type RangeEdges = Static<typeof contract.RangeEdges>
interface Ticks {
  readonly tickLower: number
  readonly tickUpper: number
}

export function edgesOf({ tickLower, tickUpper }: Ticks, orientation: Orientation): RangeEdges {
  const { lowerPriceX36, upperPriceX36 } = edgePricesOf({ tickLower, tickUpper }, orientation)
  return {
    tickLower,
    tickUpper,
    lowerPriceX36: `${lowerPriceX36}`,
    upperPriceX36: `${upperPriceX36}`,
  }
}

/** Edge prices only, for a range that may be absent. */
export function edgePrices(
  { tickLower, tickUpper }: { tickLower: number | null; tickUpper: number | null },
  orientation: Orientation,
): Pick<RangeEdges, 'lowerPriceX36' | 'upperPriceX36'> {
  if (tickLower === null || tickUpper === null) return { lowerPriceX36: null, upperPriceX36: null }
  const { lowerPriceX36, upperPriceX36 } = edgesOf({ tickLower, tickUpper }, orientation)
  return { lowerPriceX36, upperPriceX36 }
}

/** Like `edgesOf`, for markets without ranges too: their liquidity covers the whole curve. */
export function edgesIn(
  market: { readonly kind: string },
  range: Ticks,
  orientation: Orientation,
): RangeEdges {
  if (market.kind === 'UNISWAP_V3') return edgesOf(range, orientation)
  const { tickLower, tickUpper } = range
  return { tickLower, tickUpper, lowerPriceX36: null, upperPriceX36: null }
}
