import type { MarketEvent } from '@liquidity-os/engine/replay'
import { type Address, getAddress, type Hex } from 'viem'
import { limits } from '../../limits.ts'
import { ask, type ChainClient, inconsistent } from './client.ts'
import { inSlices } from './contract-call.ts'
import { isTrade } from './is-trade.ts'
import type { IndexedEvent } from './logs.ts'

type RpcTransaction = {
  readonly hash: Hex
  readonly blockHash: Hex | null
  readonly from: Address
}

/**
 * Adds the transaction signer to each trade. A log names only the contract that called the pool,
 * which many users share.
 *
 * @throws ChainError INCONSISTENT_ANSWER if the provider returns a log but not its transaction in
 * that block
 */
export async function withOrigins(
  client: ChainClient,
  events: readonly IndexedEvent<MarketEvent>[],
): Promise<IndexedEvent<MarketEvent>[]> {
  const blocks = new Map(
    events.flatMap(({ event, transactionHash, blockHash }) =>
      isTrade(event) ? [[transactionHash, blockHash] as const] : [],
    ),
  )
  const origins = new Map(
    await inSlices([...blocks], limits.chainTransactionsAtOnce, async ([hash, blockHash]) => {
      const method = 'eth_getTransactionByHash'
      const found = await ask<RpcTransaction | null>(client, method, [hash])
      if (found?.hash !== hash || found.blockHash !== blockHash) throw inconsistent(method)
      return [hash, getAddress(found.from)] as const
    }),
  )
  return events.map((indexed) => {
    const origin = origins.get(indexed.transactionHash)
    if (origin === undefined || !isTrade(indexed.event)) return indexed
    return { ...indexed, parties: { ...indexed.parties, origin } }
  })
}
