import type { PoolEvent } from '@liquidity-os/engine/replay'
import type { Address, Hex } from 'viem'

/** A log as returned by a provider, with its position as numbers. */
export type PlacedLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
  readonly transactionHash: Hex
}

/** Participants of an event that the log contains; `origin` signed the transaction of a trade. */
export type Parties = {
  readonly sender?: Address
  readonly owner?: Address
  readonly recipient?: Address
  readonly origin?: Address
}

export type Place = Pick<PoolEvent, 'block' | 'timestamp' | 'logIndex' | 'line'>
