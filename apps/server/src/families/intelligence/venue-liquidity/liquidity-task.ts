import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import { priceOrNull } from '@liquidity-os/engine/amm'
import { parseExact } from '../../../market/exact-json.ts'
import { type OwnPosition, ownLiquidityIn } from '../../../market/own-positions.ts'
import { type BinTerms, type LiquidityBin, liquidityBins } from './liquidity-bins.ts'
import { areOwnPositionsKnown, type NamedPosition, positionValues } from './position-values.ts'
import { priceX36Of } from './price-ranges.ts'

export interface LiquidityTask {
  /** A sealed state, as JSON. */
  readonly state: Uint8Array
  readonly orientation: Orientation
  readonly bins?: Omit<BinTerms, 'orientation'> & {
    /** Null if a position of the profile is unknown. */
    readonly own: readonly OwnPosition[] | null
  }
  readonly positions?: readonly NamedPosition[]
}

export interface ReadLiquidity {
  readonly kind: LoggedMarket['kind']
  readonly priceX36: string | null
  /** Null if the market has no price, or no liquidity by price range. */
  readonly bins: LiquidityBin[] | null
  /** False if the state does not show an own position. */
  readonly isOwnKnown: boolean
  readonly positions: ReturnType<typeof positionValues>
}

/** Reads the bins or the positions of a sealed state. Pure. */
export default function readLiquidity(task: LiquidityTask): ReadLiquidity {
  const { orientation } = task
  const market = parseExact(new TextDecoder().decode(task.state)) as LoggedMarket
  const price = priceOrNull(market, orientation)
  const isPool = market.kind === 'UNISWAP_V3' && price !== null
  const own = task.bins?.own ?? null
  const isOwnKnown = isPool && own !== null && areOwnPositionsKnown(market, own)
  return {
    kind: market.kind,
    priceX36: price && `${priceX36Of(price)}`,
    bins: task.bins
      ? liquidityBins(
          market,
          { ...task.bins, orientation },
          isOwnKnown ? ownLiquidityIn(market, own) : null,
        )
      : null,
    isOwnKnown,
    positions: isPool ? positionValues(market, orientation, task.positions ?? []) : [],
  }
}
