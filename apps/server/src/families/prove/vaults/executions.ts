import type { Address, Hex } from 'viem'
import { CallRevertedError, ChainError } from '../../../integrations/chain/chain-error.ts'
import { ask, type ChainClient, inconsistent } from '../../../integrations/chain/client.ts'
import { inSlices } from '../../../integrations/chain/contract-call.ts'
import { blockArgument, type Pin, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import type { PlacedLog } from '../../../integrations/chain/placed-log.ts'
import { type Receipt, readReceipt } from '../../../integrations/chain/receipts.ts'
import {
  callOnlyBatchNameOf,
  codeAt,
  readSafe,
  readSafeCode,
  type SafeAccount,
} from '../../../integrations/chain/safe-account.ts'
import {
  type LoggedExecution,
  loggedExecution,
} from '../../../integrations/chain/safe-executions.ts'
import { readTransaction, type SentTransaction } from '../../../integrations/chain/transactions.ts'
import { keccak256 } from '../../../keccak256.ts'

/** One execution in a Safe log, with its transaction. */
export interface Execution {
  readonly logged: LoggedExecution
  readonly log: PlacedLog
  readonly receipt: Receipt
  readonly sent: SentTransaction
  /**
   * Logs of the transaction that belong to it: those since the previous execution. The last
   * execution includes all remaining logs.
   */
  readonly own: readonly PlacedLog[]
}

export interface ExecutedBlock {
  readonly block: Header
  readonly executions: readonly Execution[]
  /** Null if the provider has no historical state for the block. */
  readonly before: SafeState | null
  readonly after: SafeState | null
}

export interface SafeState {
  /** Null if its code does not respond like a Safe. */
  readonly safe: SafeAccount | null
  readonly singleton: Address
  readonly balanceWei: bigint
}

const transactionsAtOnce = 8

/** Reads all data on the blocks with a logged Safe execution, ascending. */
export async function readExecutedBlocks(
  client: ChainClient,
  safe: Address,
  logs: readonly PlacedLog[],
): Promise<ExecutedBlock[]> {
  const executed = logs.filter((log) => loggedExecution(log) !== null)
  const byBlock = Map.groupBy(executed, ({ blockNumber }) => blockNumber)
  const blocks: ExecutedBlock[] = []
  for (const [number, own] of [...byBlock].sort(([a], [b]) => a - b)) {
    blocks.push(await readBlock(client, safe, number, own))
  }
  return blocks
}

async function readBlock(
  client: ChainClient,
  safe: Address,
  number: number,
  logs: readonly PlacedLog[],
): Promise<ExecutedBlock> {
  const [block, parent] = await Promise.all([
    readHeader(client, number),
    readHeader(client, Math.max(0, number - 1)),
  ])
  if (logs.some(({ blockHash }) => blockHash !== block.hash)) throw inconsistent('eth_getLogs')
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))]
  const [before, after, transactions] = await Promise.all([
    stateAt(client, parent, safe),
    stateAt(client, block, safe),
    inSlices(hashes, transactionsAtOnce, (hash) => transactionOf(client, hash, block.hash)),
  ])
  const executions = transactions
    .flatMap((transaction) => executionsOf(safe, transaction))
    .sort((a, b) => a.log.logIndex - b.log.logIndex)
  return { block, executions, before, after }
}

async function transactionOf(client: ChainClient, hash: Hex, blockHash: Hex) {
  const [receipt, sent] = await Promise.all([
    readReceipt(client, hash),
    readTransaction(client, hash, blockHash),
  ])
  if (receipt?.blockHash !== blockHash) throw inconsistent('eth_getTransactionReceipt')
  return { receipt, sent }
}

function executionsOf(
  safe: Address,
  { receipt, sent }: { receipt: Receipt; sent: SentTransaction },
): Execution[] {
  const found = receipt.logs.flatMap((log) => {
    const logged = log.address === safe ? loggedExecution(log) : null
    return logged ? [{ logged, log }] : []
  })
  return found.map(({ logged, log }, index) => {
    const from = found[index - 1]?.log.logIndex ?? -1
    const to = index === found.length - 1 ? Number.POSITIVE_INFINITY : log.logIndex
    const own = receipt.logs.filter(({ logIndex }) => logIndex > from && logIndex <= to)
    return { logged, log, receipt, sent, own }
  })
}

/** @returns null if the node has pruned the block */
async function stateAt(
  client: ChainClient,
  block: Header,
  address: Address,
): Promise<SafeState | null> {
  return unlessForgotten(() =>
    readAtBlock(client, block, async (pin) => {
      const [safe, { singleton }, balance] = await Promise.all([
        readSafe(client, pin, address),
        readSafeCode(client, pin, address),
        ask<Hex>(client, 'eth_getBalance', [address, blockArgument(pin)]),
      ])
      return { safe, singleton, balanceWei: BigInt(balance) }
    }),
  )
}

/** True if an account is a call-only batch contract at the block; null if unknown. */
export async function isCallOnlyBatch(
  client: ChainClient,
  block: Header,
  address: Address,
): Promise<boolean> {
  const read = (pin: Pin) => codeAt(client, pin, address)
  const code = await unlessForgotten(() => readAtBlock(client, block, read))
  return code !== null && callOnlyBatchNameOf(keccak256(code)) !== null
}

async function unlessForgotten<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CallRevertedError) return null
    if (error instanceof ChainError && error.code === 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE')
      return null
    throw error
  }
}
