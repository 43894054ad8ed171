import { type Address, getAddress, type Hex, isAddressEqual, pad } from 'viem'
import { limits } from '../../limits.ts'
import { ChainError } from './chain-error.ts'
import type { ChainClient } from './client.ts'
import { readLogs } from './read-logs.ts'
import { transferTopic } from './transfer-topic.ts'

/**
 * Transfers of a token into and out of an account over a range of blocks, from its Transfer logs.
 */
export interface TransferSums {
  /** Atoms received from others. */
  readonly inflow: bigint
  /** Atoms sent to others. A transfer to itself counts as neither. */
  readonly outflow: bigint
  readonly transfers: readonly TokenTransfer[]
}

export interface TokenTransfer {
  readonly direction: 'IN' | 'OUT'
  readonly counterparty: Address
  readonly amount: bigint
  readonly blockNumber: number
  readonly transactionHash: Hex
  readonly logIndex: number
}

/**
 * Sums the Transfer logs of a token for one account. Halves ranges that a provider rejects.
 *
 * @param fromBlock first block to count
 * @throws ChainError if a read fails; RANGE_REFUSED if even one block is too much
 */
export async function sumTransfers(
  client: ChainClient,
  {
    token,
    account,
    fromBlock,
    toBlock,
  }: {
    readonly token: Address
    readonly account: Address
    readonly fromBlock: number
    readonly toBlock: number
  },
): Promise<TransferSums> {
  const transfers: TokenTransfer[] = []
  let from = fromBlock
  let width: number = limits.treasuryLogBlocks
  while (from <= toBlock) {
    const to = Math.min(toBlock, from + width - 1)
    try {
      transfers.push(...(await transfersOf(client, token, account, from, to)))
      from = to + 1
    } catch (error) {
      const isTooWide = error instanceof ChainError && isRange(error) && to > from
      if (!isTooWide) throw error
      width = Math.max(1, Math.floor((to - from + 1) / 2))
    }
  }
  const sum = (direction: TokenTransfer['direction']) =>
    transfers.reduce((total, one) => (one.direction === direction ? total + one.amount : total), 0n)
  return { inflow: sum('IN'), outflow: sum('OUT'), transfers }
}

const isRange = ({ facts }: ChainError) =>
  facts.reason === 'RANGE_REFUSED' || facts.reason === 'ANSWER_TOO_LARGE'

async function transfersOf(
  client: ChainClient,
  token: Address,
  account: Address,
  from: number,
  to: number,
): Promise<TokenTransfer[]> {
  const held = pad(account)
  const [received, sent] = await Promise.all([
    readLogs(client, token, from, to, [transferTopic, null, held]),
    readLogs(client, token, from, to, [transferTopic, held]),
  ])
  const transfers = [
    ...received.map((log) => ({ log, direction: 'IN' as const, other: log.topics[1] })),
    ...sent.map((log) => ({ log, direction: 'OUT' as const, other: log.topics[2] })),
  ]
  return transfers
    .flatMap(({ log, direction, other }) => {
      // A token of another standard logs its id as a fourth topic, and no amount.
      if (log.topics.length !== 3 || other === undefined || log.data.length !== 66) return []
      const counterparty = getAddress(`0x${other.slice(26)}`)
      if (isAddressEqual(counterparty, account)) return []
      const { blockNumber, transactionHash, logIndex } = log
      const amount = BigInt(log.data)
      return [{ direction, counterparty, amount, blockNumber, transactionHash, logIndex }]
    })
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
