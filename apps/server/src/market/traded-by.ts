import type { Orientation } from '@liquidity-os/engine/amm'
import { type MarketEvent, pairFlows } from '@liquidity-os/engine/replay'

/** A trade of the pair, in atoms. */
export interface TradeSize {
  /** What the trader got; below zero where it was sold. */
  readonly base: bigint
  readonly volumeQuote: bigint
}

/** What an event moved between the two tokens of the pair; null where it is no trade of theirs. */
export function tradedBy(event: MarketEvent, orientation: Orientation): TradeSize | null {
  const flows = pairFlows(event, orientation)
  if (flows === null) return null
  return { base: -flows.base, volumeQuote: flows.quote < 0n ? -flows.quote : flows.quote }
}
