import { type Address, hexToBigInt, isAddressEqual, toEventSelector } from 'viem'
import { ask } from '../../../integrations/chain/client.ts'
import { blockArgument, readAtBlock } from '../../../integrations/chain/finalized.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { gasCost, type Receipt } from '../../../integrations/chain/receipts.ts'
import type { ChainView } from './chain-view.ts'

const transfer = toEventSelector('Transfer(address,address,uint256)')
const deposit = toEventSelector('Deposit(address,uint256)')
const withdrawal = toEventSelector('Withdrawal(address,uint256)')

/** Net token inflow of the wallet, from the Transfer logs of a transaction. */
export function netTransfers(receipt: Receipt, token: Address, wallet: Address): bigint {
  let net = 0n
  for (const { address, topics, data } of receipt.logs) {
    if (topics[0] !== transfer || topics.length !== 3 || !isAddressEqual(address, token)) continue
    const [from, to] = topics.slice(1).map((topic) => addressOf(topic)) as [Address, Address]
    const amount = data === '0x' ? 0n : hexToBigInt(data)
    if (isAddressEqual(to, wallet)) net += amount
    if (isAddressEqual(from, wallet)) net -= amount
  }
  return net
}

/** True if a transaction wrapped or unwrapped the native asset as this token. */
export function wrapsOrUnwraps(receipt: Receipt, token: Address): boolean {
  return receipt.logs.some(
    ({ address, topics }) =>
      isAddressEqual(address, token) && (topics[0] === deposit || topics[0] === withdrawal),
  )
}

const addressOf = (topic: string): Address => `0x${topic.slice(-40)}`

/**
 * Net native asset that a wallet received in one transaction, without gas. Computed from the
 * balances around the block, so the wallet must have no other transaction in it.
 *
 * @returns null if balances are unavailable or another transaction interferes
 */
export async function netNative(
  view: ChainView,
  receipt: Receipt,
  wallet: Address,
): Promise<bigint | null> {
  if (receipt.blockNumber === 0) return null
  const [before, after] = await Promise.all([
    accountAt(view, wallet, await view.header(receipt.blockNumber - 1)),
    accountAt(view, wallet, await view.header(receipt.blockNumber)),
  ])
  if (!before || !after) return null
  const isSender = isAddressEqual(receipt.from, wallet)
  if (after.nonce - before.nonce !== (isSender ? 1 : 0)) return null
  return after.balance - before.balance + (isSender ? gasCost(receipt) : 0n)
}

async function accountAt(view: ChainView, wallet: Address, block: Header) {
  const found = await view.withState((client) =>
    readAtBlock(client, block, async (pin) => {
      const ofBlock = [wallet, blockArgument(pin)]
      const [balance, nonce] = await Promise.all([
        ask<string>(client, 'eth_getBalance', ofBlock),
        ask<string>(client, 'eth_getTransactionCount', ofBlock),
      ])
      return { balance: BigInt(balance), nonce: Number(nonce) }
    }),
  )
  return found === 'NOTHING_THERE' ? null : found
}
