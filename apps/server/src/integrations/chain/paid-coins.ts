import type { MarketEvent } from '@liquidity-os/engine/replay'
import { type Address, isAddressEqual, pad } from 'viem'
import { limits } from '../../limits.ts'
import type { ChainClient } from './client.ts'
import { inconsistent } from './client.ts'
import { inSlices } from './contract-call.ts'
import type { IndexedEvent } from './logs.ts'
import { type Receipt, readReceipt } from './receipts.ts'
import { transferTopic } from './transfer-topic.ts'

type OneCoin = Extract<MarketEvent, { type: 'RemoveLiquidityOne' }>

/**
 * Adds the coin to one-coin withdrawals whose log does not name it. It is the coin that the pool
 * transferred in exactly that amount in the same transaction. If no coin or several coins match,
 * the log stays unchanged and the replay decides. Fails with INCONSISTENT_ANSWER if a receipt is
 * missing.
 *
 * @param pool its coins in pool order
 * @throws ChainError INCONSISTENT_ANSWER
 */
export async function withPaidCoins(
  client: ChainClient,
  pool: { readonly address: Address; readonly coins: readonly Address[] },
  events: readonly IndexedEvent<MarketEvent>[],
): Promise<readonly IndexedEvent<MarketEvent>[]> {
  const requested = events.filter(({ event }) => isUnnamed(event))
  const hashes = [...new Set(requested.map(({ transactionHash }) => transactionHash))]
  const receipts = new Map(
    await inSlices(hashes, limits.chainReceiptsAtOnce, async (hash) => {
      return [hash, await readReceipt(client, hash)] as const
    }),
  )
  return events.map((indexed) => {
    const { event, transactionHash, blockHash } = indexed
    if (!isUnnamed(event)) return indexed
    const receipt = receipts.get(transactionHash)
    if (receipt?.blockHash !== blockHash) throw inconsistent('eth_getTransactionReceipt')
    return { ...indexed, event: { ...event, tokenId: paidCoin(receipt, pool, event) } }
  })
}

function isUnnamed(event: MarketEvent): event is OneCoin {
  return event.type === 'RemoveLiquidityOne' && event.tokenId === null
}

function paidCoin(
  { logs }: Receipt,
  { address, coins }: { readonly address: Address; readonly coins: readonly Address[] },
  { coinAmount }: OneCoin,
): number | null {
  const from = pad(address).toLowerCase()
  const paid = logs.filter(
    ({ topics, data }) =>
      topics[0] === transferTopic &&
      topics[1]?.toLowerCase() === from &&
      /^0x[0-9a-f]{64}$/i.test(data) &&
      BigInt(data) === coinAmount,
  )
  const fitting = coins.flatMap((coin, index) =>
    paid.some((log) => isAddressEqual(log.address, coin)) ? [index] : [],
  )
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}
