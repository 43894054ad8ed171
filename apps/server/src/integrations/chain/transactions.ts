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
 * Reads the transaction of a log.
 *
 * @throws ChainError INCONSISTENT_ANSWER if the provider has the log but not its transaction in
 * that block
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
    // Some providers write hex digits in upper case.
    input: found.input.toLowerCase() as Hex,
  }
}
