import type { MarketEvent } from '@liquidity-os/engine/replay'

export const isTrade = ({ type }: { readonly type: MarketEvent['type'] }): boolean =>
  type === 'Swap' || type === 'TokenExchange'
