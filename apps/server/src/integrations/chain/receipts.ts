import { type Address, getAddress, type Hex, isHex } from 'viem'
import { ask, type ChainClient, inconsistent } from './client.ts'
import type { PlacedLog } from './placed-log.ts'

/** A mined transaction, from its receipt. Amounts are in wei. */
export type Receipt = {
  readonly transactionHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly transactionIndex: number
  readonly from: Address
  /** Null for the creation of a contract. */
  readonly to: Address | null
  /** Contract that the transaction itself created; null otherwise. */
  readonly contractAddress: Address | null
  readonly isSuccessful: boolean
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  /** Data fee of a rollup in wei, if the receipt states it; else 0. */
  readonly l1Fee: bigint
  readonly logs: readonly PlacedLog[]
}

type RpcReceipt = {
  readonly [field in 'transactionHash' | 'blockHash' | 'blockNumber' | 'transactionIndex']: Hex
} & {
  readonly [field in 'status' | 'gasUsed' | 'effectiveGasPrice']: Hex
} & {
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress?: Address | null
  readonly l1Fee?: Hex | null
  readonly logs: readonly {
    readonly address: Address
    readonly topics: readonly Hex[]
    readonly data: Hex
    readonly logIndex: Hex
    readonly blockHash: Hex
    readonly transactionHash: Hex
    readonly removed?: boolean
  }[]
}

/**
 * Reads the receipt of a transaction.
 *
 * @returns null if the provider knows no such mined transaction
 * @throws ChainError INCONSISTENT_ANSWER if the response contains another receipt, or foreign logs
 */
export async function readReceipt(client: ChainClient, hash: Hex): Promise<Receipt | null> {
  const method = 'eth_getTransactionReceipt'
  const answer = await ask<RpcReceipt | null>(client, method, [hash])
  if (answer === null) return null
  const isRequested =
    isComplete(answer) &&
    answer.transactionHash === hash &&
    answer.logs.every(
      (log) =>
        log.transactionHash === hash && log.blockHash === answer.blockHash && log.removed !== true,
    )
  if (!isRequested) throw inconsistent(method)
  const blockNumber = Number(answer.blockNumber)
  const { transactionHash, blockHash } = answer
  return {
    transactionHash,
    blockNumber,
    blockHash,
    transactionIndex: Number(answer.transactionIndex),
    from: getAddress(answer.from),
    to: answer.to && getAddress(answer.to),
    contractAddress: answer.contractAddress ? getAddress(answer.contractAddress) : null,
    isSuccessful: answer.status === '0x1',
    gasUsed: BigInt(answer.gasUsed),
    effectiveGasPrice: BigInt(answer.effectiveGasPrice),
    l1Fee: BigInt(answer.l1Fee ?? '0x0'),
    logs: answer.logs.map((log) => ({
      address: getAddress(log.address),
      topics: log.topics,
      data: log.data,
      blockNumber,
      blockHash,
      transactionHash,
      logIndex: Number(log.logIndex),
    })),
  }
}

/**
 * True if all fields to be read are present; the declared type of a provider response is not
 * reliable.
 */
function isComplete(answer: Partial<RpcReceipt>): boolean {
  const { blockNumber, transactionIndex, status, gasUsed, effectiveGasPrice, from } = answer
  const hex = [blockNumber, transactionIndex, status, gasUsed, effectiveGasPrice, from]
  return hex.every((value) => isHex(value)) && Array.isArray(answer.logs)
}

/** Cost of a transaction for its sender in addition to its value, in wei. */
export function gasCost({ gasUsed, effectiveGasPrice, l1Fee }: Receipt): bigint {
  return gasUsed * effectiveGasPrice + l1Fee
}
