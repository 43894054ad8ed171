import type { LoggedMarket, Orientation } from '@liquidity-os/engine/amm'
import { followMarket } from '@liquidity-os/engine/replay'
import { CompositeMarket } from '@liquidity-os/engine/scoring'
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
}

export interface MeasuredDepth {
  /** Null if the states have no price. */
  readonly mid: { readonly num: string; readonly den: string } | null
  readonly rows: readonly {
    tradeSizeQuote: string
    buySlippagePips: number
    sellSlippagePips: number
  }[]
}

/** Slippage of the sizes in exactly these states, combined over all venues. */
export default function measureDepth({ venues, sizesQuote }: DepthTask): MeasuredDepth {
  const market = new CompositeMarket(
    venues.map(({ state, ...venue }) => ({
      ...venue,
      market: followMarket(parseExact(new TextDecoder().decode(state)) as LoggedMarket),
    })),
  )
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
  }
}
