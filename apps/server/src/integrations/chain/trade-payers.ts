import { type Address, getAddress, type Hex, isAddressEqual, pad, toEventHash } from 'viem'
import { limits } from '../../limits.ts'
import { type ChainClient, inconsistent } from './client.ts'
import { inSlices } from './contract-call.ts'
import type { PlacedLog } from './placed-log.ts'
import { readReceipt } from './receipts.ts'
import type { FundingSource } from './trader-funding.ts'
import { transferTopic } from './transfer-topic.ts'

/** A trade with who signed it and which contract called the pool. */
export interface PaidTrade {
  readonly origin: Address
  readonly sender: Address
  readonly transactionHash: Hex
}

export interface PayersRead {
  /** False if more contracts or signers called the pool than the limit allows. */
  readonly isComplete: boolean
  readonly payers: readonly FundingSource[]
}

/** `Deposit(address,uint256)` of wrapped coins: the chain's own coin came in with the transaction. */
const depositTopic = toEventHash('Deposit(address,uint256)')

/**
 * Finds accounts that pay a pool from their own balance for trades that others sign. A router only
 * forwards tokens received in the same transaction, so it does not count. For each contract that
 * called the pool, the first trades of two signers are examined. If one has such a payer, the first
 * trade of every other signer is examined too. An account is the payer only of signers whose own
 * trade it paid.
 *
 * @throws ChainError if a read fails
 */
export async function readPayers(
  client: ChainClient,
  { pool, tokens }: { readonly pool: Address; readonly tokens: readonly Address[] },
  trades: readonly PaidTrade[],
): Promise<PayersRead> {
  const bySender = [...Map.groupBy(trades, ({ sender }) => sender)]
    .map(([sender, own]) => ({ sender, first: firstOfSigners(own) }))
    .filter(({ sender, first }) => first.some(({ origin }) => origin !== sender))
    .sort((a, b) => b.first.length - a.first.length || (a.sender < b.sender ? -1 : 1))
  const requested = bySender.slice(0, limits.fundingSenders)
  const byPayer = new Map<Address, Set<Address>>()
  let remaining = limits.fundingReceipts
  let isComplete = requested.length === bySender.length
  const read = async (some: readonly PaidTrade[]): Promise<boolean> => {
    const payable = some.slice(0, remaining)
    remaining -= payable.length
    isComplete &&= payable.length === some.length
    const payers = await inSlices(payable, limits.fundingCodesAtOnce, (trade) =>
      ownPayer(client, { pool, tokens, origin: trade.origin }, trade.transactionHash),
    )
    for (const [index, { origin }] of payable.entries()) {
      const payer = payers[index]
      if (payer) byPayer.set(payer, (byPayer.get(payer) ?? new Set()).add(origin))
    }
    return payers.some((payer) => payer !== null)
  }
  for (const { first } of requested) {
    if (await read(first.slice(0, 2))) await read(first.slice(2))
  }
  return {
    isComplete,
    payers: [...byPayer].map(([address, traders]) => ({ address, traders: [...traders].sort() })),
  }
}

const firstOfSigners = (trades: readonly PaidTrade[]): PaidTrade[] =>
  [...new Map(trades.toReversed().map((trade) => [trade.origin, trade])).values()].toReversed()

/**
 * Account that paid the pool from its own balance. Null if the signer paid, or if the payer first
 * received tokens in the same transaction.
 */
async function ownPayer(
  client: ChainClient,
  {
    pool,
    tokens,
    origin,
  }: { readonly pool: Address; readonly tokens: readonly Address[]; readonly origin: Address },
  hash: Hex,
): Promise<Address | null> {
  const receipt = await readReceipt(client, hash)
  if (receipt === null) throw inconsistent('eth_getTransactionReceipt')
  const { logs } = receipt
  const paid = logs.find(
    (log) => isTransferTo(log, pool) && tokens.some((token) => isAddressEqual(token, log.address)),
  )
  const [, from] = paid?.topics ?? []
  if (!from) return null
  const payer = getAddress(`0x${from.slice(26)}`)
  if (payer === origin || isAddressEqual(payer, pool)) return null
  // Payouts of the pool are the other side of the trade.
  const isPassedOn = logs.some(
    (log) =>
      (isTransferTo(log, payer) && !isTopicOf(log.topics[1], pool)) ||
      (log.topics[0] === depositTopic && isTopicOf(log.topics[1], payer)),
  )
  return isPassedOn ? null : payer
}

const isTransferTo = ({ topics }: PlacedLog, account: Address) =>
  topics[0] === transferTopic && isTopicOf(topics[2], account)

const isTopicOf = (topic: Hex | undefined, account: Address) =>
  topic?.toLowerCase() === pad(account).toLowerCase()
