import { type Address, getAddress, type Hex } from 'viem'
import { ask, type ChainClient, inconsistent } from './client.ts'

type RpcTransaction = {
  readonly hash: Hex
  readonly blockHash: Hex | null
  readonly from: Address
  readonly to?: Address | null
  readonly input?: Hex
}

export interface SentTransaction {
  readonly from: Address
  readonly to: Address | null
  readonly input: Hex
}

/**
 * Reads a transaction that a log names.
 *
 * @throws ChainError INCONSISTENT_ANSWER when the provider knows the log and not its transaction in that block
 */
export async function readTransaction(
  client: ChainClient,
  hash: Hex,
  blockHash: Hex,
): Promise<SentTransaction> {
  const method = 'eth_getTransactionByHash'
  const found = await ask<RpcTransaction | null>(client, method, [hash])
  if (found?.hash !== hash || found.blockHash !== blockHash || found.input === undefined) {
    throw inconsistent(method)
  }
  return {
    from: getAddress(found.from),
    to: found.to ? getAddress(found.to) : null,
    // Providers that write digits in capitals say the same.
    input: found.input.toLowerCase() as Hex,
  }
}
