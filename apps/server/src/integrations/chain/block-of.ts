import type { Block } from '@liquidity-os/contract'
import type { Header } from './header.ts'

/** A header in the form of records. */
export function blockOf(chainId: number, { number, hash, timestamp }: Header): Block {
  return { chainId, number, hash, timestamp: new Date(timestamp * 1000).toISOString() }
}
