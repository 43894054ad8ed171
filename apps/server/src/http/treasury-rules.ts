import type { OperationOutline } from '@liquidity-os/contract/outline'

/** Whether the rules of `/treasury` hold for an operation: what is replayed, and how refusals are cached. */
export const isOfTreasury = ({ path }: Pick<OperationOutline, 'path'>): boolean =>
  path.startsWith('/treasury/')
