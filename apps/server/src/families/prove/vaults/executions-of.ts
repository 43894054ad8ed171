import { type Address, type Hex, parseAbi } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../integrations/chain/header.ts'
import { readLogs } from '../../../integrations/chain/read-logs.ts'
import { type Receipt, readReceipt } from '../../../integrations/chain/receipts.ts'
import { receivedBy, type SafeCall } from '../../../integrations/chain/safe-executions.ts'
import type { Release } from '../../../market/adapters/release.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import { readExecutedBlocks, type SafeState } from './executions.ts'
import { type ChainReceipt, receiptsOfBlock } from './receipts-of-block.ts'
import type { Vault } from './records.ts'

/** A transaction that all providers agree on, and the Safe executions in its block. */
export type FoundTransaction =
  | { readonly state: 'NOT_FOUND' }
  | { readonly state: 'NOT_FINALIZED' | 'REVERTED'; readonly blockNumber: number }
  | {
      readonly state: 'EXECUTED'
      /** The Safe's executions in the transaction, in log order. */
      readonly executions: readonly ChainReceipt[]
      readonly block: Header
      readonly before: SafeState | null
      readonly after: SafeState | null
      /** True if the transaction called the Safe directly, without a relay. */
      readonly isDirect: boolean
    }

interface Asking {
  readonly vault: Vault
  readonly transactionHash: Hex
  readonly release: Release | null
  readonly approved: readonly SafeCall[]
}

/**
 * Safe executions of a finalized transaction.
 *
 * Reads the whole block: several executions can share it, each with a different nonce.
 *
 * @throws ChainError like the reads; PROVIDERS_DISAGREE if providers differ on the transaction
 */
export async function readTransactionOf(
  chain: PinnedChain,
  { vault, transactionHash, release, approved }: Asking,
): Promise<FoundTransaction> {
  const { clients, block: head } = chain
  const [client] = clients
  const mined = await agreeOnAnswer(clients, (one) => readReceipt(one, transactionHash))
  if (mined === null) return { state: 'NOT_FOUND' }
  const { blockNumber } = mined
  if (blockNumber > head.number) return { state: 'NOT_FINALIZED', blockNumber }
  const block = await agreeOnAnswer(clients, (one) => readHeader(one, blockNumber))
  if (block.hash !== mined.blockHash) throw reorganized(blockNumber)
  if (!mined.isSuccessful) return { state: 'REVERTED', blockNumber }
  const { chainId, safeAddress, pair } = vault.payload
  const safe = safeAddress as Address
  const logs = await agreeOnAnswer(clients, async (one) =>
    (await readLogs(one, safe, blockNumber, blockNumber)).toSorted(
      (a, b) => a.logIndex - b.logIndex,
    ),
  )
  const [executed] = await readExecutedBlocks(client, safe, logs)
  if (!executed) return noneOf(mined, block, safe)
  const received = logs.filter((log) => receivedBy(log) !== null)
  const place = { chainId, safe, pair, release, approved }
  const all = await receiptsOfBlock(client, place, executed, received)
  return {
    ...noneOf(mined, block, safe),
    executions: all.filter((one) => one.transactionHash === transactionHash),
    before: executed.before,
    after: executed.after,
  }
}

const noneOf = ({ to }: Receipt, block: Header, safe: Address) => ({
  state: 'EXECUTED' as const,
  executions: [],
  block,
  before: null,
  after: null,
  isDirect: to === safe,
})

const reorganized = (blockNumber: number) =>
  new ChainError({
    code: 'LIQUIDITY_CHAIN_REORGED',
    reason: 'CANONICAL_HASH_CHANGED',
    blockNumber,
  })

const hashAbi = parseAbi([
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)',
])

/** Transaction hash computed by the Safe itself at a block; null if the Safe does not respond. */
export function hashBySafe(
  { clients: [client] }: PinnedChain,
  block: Header,
  { safe, call, nonce }: { safe: Address; call: SafeCall; nonce: bigint },
): Promise<Hex | null> {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice } = call
  return readAtBlock(client, block, (pin) =>
    answered(() =>
      readContract(client, pin, {
        address: safe,
        abi: hashAbi,
        functionName: 'getTransactionHash',
        args: [
          ...([to, value, data, operation, safeTxGas, baseGas, gasPrice] as const),
          ...([call.gasToken, call.refundReceiver, nonce] as const),
        ],
      }),
    ),
  )
}
