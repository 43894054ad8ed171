import type { Orientation } from '@liquidity-os/engine/amm'
import { type MarketEvent, pairFlows } from '@liquidity-os/engine/replay'

/** A trade of the pair, in atoms. */
export interface TradeSize {
  /** Amount the trader received; negative for a sale. */
  readonly base: bigint
  readonly volumeQuote: bigint
}

/** Trade size of an event between the two tokens of the pair; null for other events. */
export function tradedBy(event: MarketEvent, orientation: Orientation): TradeSize | null {
  const flows = pairFlows(event, orientation)
  if (flows === null) return null
  return { base: -flows.base, volumeQuote: flows.quote < 0n ? -flows.quote : flows.quote }
}
