import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import { followMarket } from '@liquidity-os/engine/replay'
import { splitOrder } from '@liquidity-os/engine/routing'
import { CompositeMarket, type CompositeVenue } from '@liquidity-os/engine/scoring'
import { parseExact } from '../../../market/exact-json.ts'

export interface DepthTask {
  readonly venues: readonly {
    readonly venueId: string
    readonly orientation: Orientation
    readonly feePips: number
    /** The sealed state, as JSON. */
    readonly state: Uint8Array
  }[]
  /** Ascending. */
  readonly sizesQuote: readonly string[]
  /** Own tokens to sell in one order, base atoms. */
  readonly saleBase: string
}

export interface MeasuredDepth {
  /** Null if the states have no price. */
  readonly mid: { readonly num: string; readonly den: string } | null
  readonly rows: readonly {
    tradeSizeQuote: string
    buySlippagePips: number
    sellSlippagePips: number
  }[]
  /** Quote atoms of the sale; null if the market cannot take all of it or pays nothing. */
  readonly saleQuote: string | null
}

/** Slippage of the sizes and output of the sale in exactly these states, over all venues. */
export default function measureDepth(task: DepthTask): MeasuredDepth {
  const { sizesQuote } = task
  const venues = task.venues.map(({ state, ...venue }) => ({
    ...venue,
    market: followMarket(parseExact(new TextDecoder().decode(state)) as LoggedMarket),
  }))
  const market = new CompositeMarket(venues)
  const mid = market.mid()
  const pips = (size: string, side: 'BUY' | 'SELL') =>
    market.slippage(BigInt(size), side)?.pips ?? 1_000_000
  return {
    mid: mid && { num: `${mid.num}`, den: `${mid.den}` },
    rows: sizesQuote.map((tradeSizeQuote) => ({
      tradeSizeQuote,
      buySlippagePips: pips(tradeSizeQuote, 'BUY'),
      sellSlippagePips: pips(tradeSizeQuote, 'SELL'),
    })),
    saleQuote: mid === null ? null : sell(venues, BigInt(task.saleBase)),
  }
}

function sell(
  venues: readonly Pick<CompositeVenue, 'venueId' | 'market' | 'orientation'>[],
  base: bigint,
): string | null {
  if (base === 0n) return '0'
  const priced = venues.filter(({ market, orientation }) => market.mid(orientation) !== null)
  const { amountOut, unfilled } = splitOrder(
    priced.map(({ venueId, market }) => ({ venueId, market: market.market(), gasQuote: 0n })),
    priced.map(({ orientation }) => orientation),
    'SELL',
    base,
  )
  return unfilled > 0n || amountOut === 0n ? null : `${amountOut}`
}
