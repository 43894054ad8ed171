import type { MarketEvent } from '@liquidity-os/engine/replay'

/** Whether an event of a market is somebody's trade. */
export const isTrade = ({ type }: { readonly type: MarketEvent['type'] }): boolean =>
  type === 'Swap' || type === 'TokenExchange'
