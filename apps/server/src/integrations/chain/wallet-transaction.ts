import {
  type Address,
  decodeEventLog,
  decodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  hexToNumber,
  size,
  slice,
} from 'viem'
import { keccak256 } from '../../keccak256.ts'
import { ask, type ChainClient } from './client.ts'
import { multiSendCallOnlyCode } from './known-code.ts'
import { multiSendAbi, safeAbi } from './periphery-abis.ts'

/** A call without gas: target, value and data. */
export interface MadeCall {
  readonly to: string
  readonly value: string
  readonly data: string
}

interface RpcTransaction {
  readonly from: Hex
  readonly to: Hex | null
  readonly input: Hex
  readonly value: Hex
  readonly nonce: Hex
}
export interface WalletLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}
interface RpcReceipt {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logs: readonly WalletLog[]
}

/** A mined transaction. */
export interface MinedTransaction {
  readonly blockNumber: number
  readonly blockHash: Hex
  /** True if the transaction did not revert. */
  readonly isSuccessful: boolean
  /** True if the calls of the wallet took effect. */
  readonly areCallsSuccessful: boolean
  /** Calls of the wallet; null if they cannot be determined. */
  readonly calls: readonly MadeCall[] | null
  readonly safeTxHash: Hex | null
  /** Nonce of the wallet, if it sent the transaction itself. */
  readonly nonce: bigint | null
  readonly logs: readonly WalletLog[]
}

/**
 * A transaction with the wallet's calls. They are its own call, or calls that a Safe executed,
 * alone or as a batch of the genuine MultiSendCallOnly.
 *
 * @returns null without a receipt
 */
export async function readWalletTransaction(
  client: ChainClient,
  hash: string,
  wallet: Address,
): Promise<MinedTransaction | null> {
  const [transaction, receipt] = await Promise.all([
    ask<RpcTransaction | null>(client, 'eth_getTransactionByHash', [hash]),
    ask<RpcReceipt | null>(client, 'eth_getTransactionReceipt', [hash]),
  ])
  if (transaction === null || receipt === null) return null
  const isOwn = getAddress(transaction.from) === wallet
  const outcome = safeOutcome(receipt.logs, wallet)
  const isSafe = transaction.to !== null && getAddress(transaction.to) === wallet && !isOwn
  const calls = isOwn
    ? [callOf(transaction.to, hexToBigInt(transaction.value), transaction.input)]
    : isSafe
      ? await executedCalls(client, transaction.input)
      : null
  return {
    blockNumber: hexToNumber(receipt.blockNumber),
    blockHash: receipt.blockHash,
    isSuccessful: receipt.status === '0x1',
    areCallsSuccessful: receipt.status === '0x1' && (isOwn || outcome?.areCallsSuccessful === true),
    calls,
    safeTxHash: outcome?.safeTxHash ?? null,
    nonce: isOwn ? hexToBigInt(transaction.nonce) : null,
    logs: receipt.logs,
  }
}

const callOf = (to: Hex | null, value: bigint, data: Hex): MadeCall => ({
  to: to === null ? '' : getAddress(to),
  value: `${value}`,
  data: data.toLowerCase(),
})

async function executedCalls(client: ChainClient, input: Hex): Promise<MadeCall[] | null> {
  const decoded = attempt(() => decodeFunctionData({ abi: safeAbi, data: input }))
  if (decoded?.functionName !== 'execTransaction') return null
  const [to, value, data, operation] = decoded.args
  if (operation === 0) return [callOf(to, value, data)]
  const code = await ask<Hex>(client, 'eth_getCode', [to, 'latest'])
  // A delegate call to anything else can do anything.
  if (keccak256(code) !== multiSendCallOnlyCode.hash) return null
  const batch = attempt(() => decodeFunctionData({ abi: multiSendAbi, data }))
  return batch ? unpacked(batch.args[0]) : null
}

/** The calls of a packed batch: operation 1 byte, address 20, value 32, length 32, data. */
function unpacked(batch: Hex): MadeCall[] | null {
  const calls: MadeCall[] = []
  for (let at = 0; at < size(batch); ) {
    const found = attempt(() => {
      const length = hexToNumber(slice(batch, at + 53, at + 85))
      const data = length === 0 ? '0x' : slice(batch, at + 85, at + 85 + length, { strict: true })
      const value = hexToBigInt(slice(batch, at + 21, at + 53))
      const isCall = hexToNumber(slice(batch, at, at + 1)) === 0
      return isCall ? { call: callOf(slice(batch, at + 1, at + 21), value, data), length } : null
    })
    if (!found) return null
    calls.push(found.call)
    at += 85 + found.length
  }
  return calls
}

function safeOutcome(logs: readonly WalletLog[], wallet: Address) {
  for (const log of logs) {
    if (getAddress(log.address) !== wallet) continue
    const event = decodedLog(safeAbi, log)
    if (!event) continue
    const areCallsSuccessful = event.eventName === 'ExecutionSuccess'
    return { areCallsSuccessful, safeTxHash: event.args.txHash }
  }
  return null
}

/** Decodes a log by its interface; null for another event. */
export function decodedLog<const Interface extends readonly unknown[]>(
  abi: Interface,
  log: WalletLog,
) {
  // A log has at least one topic unless it is anonymous, which decoding refuses.
  const topics = log.topics as [Hex, ...Hex[]]
  return attempt(() => decodeEventLog({ abi, topics, data: log.data }))
}

/** On-chain data from third parties may not decode. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
