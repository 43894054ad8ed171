import type { OperationOutline } from '@liquidity-os/contract/outline'

/** True if the `/treasury` rules for replay and error caching apply to an operation. */
export const isOfTreasury = ({ path }: Pick<OperationOutline, 'path'>): boolean =>
  path.startsWith('/treasury/')
