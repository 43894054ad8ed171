import { type BlockSwap, findSandwiches, type Sandwich } from '@liquidity-os/engine/attribution'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Header } from '../../../integrations/chain/header.ts'
import type { IndexedEvent } from '../../../integrations/chain/logs.ts'
import { gasCost, type Receipt } from '../../../integrations/chain/receipts.ts'
import type { PoolTerms } from '../../../integrations/chain/verify-pool.ts'
import { limits } from '../../../limits.ts'
import { textOrEmpty } from '../../../texts.ts'
import type { ChainView } from './chain-view.ts'
import { flowsOf } from './fill-legs.ts'

/** A swap of a block with its transaction. */
export interface PlacedSwap extends BlockSwap {
  readonly transactionHash: Hex
}

/** A sandwich attack with the gas cost of its attacker. */
export interface FoundSandwich extends Sandwich {
  readonly terms: PoolTerms
  readonly blockNumber: number
  readonly front: PlacedSwap
  readonly back: PlacedSwap
  readonly victims: readonly PlacedSwap[]
  /** Wei of both transactions, or of the single transaction with both swaps. */
  readonly gasWei: bigint
}

/** Accounts that cannot be the attacker, and the trader's own transactions. */
export interface OwnParties {
  readonly trader: Address
  readonly receipts: readonly Receipt[]
}

/**
 * Sandwiches on one pool in one block with an attacker other than the trader. Null if the block
 * exceeds the maximum number of swaps.
 */
export async function sandwichesOn(
  view: ChainView,
  terms: PoolTerms,
  block: Header,
  own: OwnParties,
): Promise<FoundSandwich[] | null> {
  const events = await view.blockEvents(terms, block)
  const swaps = events.filter((found) => flowsOf(found.event) !== null)
  const directions = new Set(swaps.map(({ event }) => flowsOf(event)?.zeroForOne))
  // A sandwich takes three swaps, the last in the other direction.
  if (swaps.length < 3 || directions.size < 2) return []
  if (swaps.length > limits.attributionBlockSwaps) return null
  const hashes = [...new Set(swaps.map(({ transactionHash }) => transactionHash))]
  const receipts = await Promise.all(hashes.map((hash) => view.receipt(hash)))
  const byHash = new Map(
    receipts.flatMap((receipt) => (receipt ? [[receipt.transactionHash, receipt]] : [])),
  )
  const shared = sharedContracts(own)
  const placed = swaps.flatMap((swap) => {
    const receipt = byHash.get(swap.transactionHash)
    return receipt ? [placedSwap(terms, swap, receipt, shared)] : []
  })
  const found = findSandwiches(placed) as (Sandwich &
    Pick<FoundSandwich, 'front' | 'back' | 'victims'>)[]
  return found
    .filter((sandwich) => !isOwn(sandwich, own))
    .map((sandwich) => ({
      ...sandwich,
      terms,
      blockNumber: block.number,
      gasWei: [...new Set([sandwich.front, sandwich.back].map((swap) => swap.transactionHash))]
        .map((hash) => byHash.get(hash))
        .reduce((sum, receipt) => sum + (receipt ? gasCost(receipt) : 0n), 0n),
    }))
}

/**
 * Contracts that the trader also calls, such as a public router. A shared contract does not make
 * two accounts one party.
 */
function sharedContracts({ receipts }: OwnParties): ReadonlySet<string> {
  return new Set(receipts.flatMap(({ to }) => (to ? [to] : [])))
}

function placedSwap(
  terms: PoolTerms,
  { event, parties, transactionHash }: IndexedEvent,
  receipt: Receipt,
  shared: ReadonlySet<string>,
): PlacedSwap {
  // Only events with flows have a position.
  const flows = flowsOf(event)!
  const recipient = textOrEmpty(parties.recipient)
  // For a swap that continues in another pool or returns through its router, the recipient is not
  // the final receiver.
  const isPassedOn =
    recipient === receipt.to ||
    receipt.logs.some(({ address, topics }) => address === recipient && topics.length > 0)
  return {
    ...flows,
    transactionHash,
    pool: terms.address,
    position: event.logIndex ?? 0,
    sender: receipt.from,
    to: receipt.to && !shared.has(receipt.to) ? receipt.to : '',
    recipient: isPassedOn || shared.has(recipient) ? '' : recipient,
  }
}

/**
 * True if the trader is the attacker, or a swap of the attack belongs to a transaction of the
 * order.
 */
function isOwn(
  { front, back }: Pick<FoundSandwich, 'front' | 'back'>,
  { trader, receipts }: OwnParties,
): boolean {
  const hashes = new Set<string>(receipts.map(({ transactionHash }) => transactionHash))
  return [front, back].some(
    ({ transactionHash, sender, recipient }) =>
      hashes.has(transactionHash) ||
      isAddressEqual(sender as Address, trader) ||
      (recipient !== '' && isAddressEqual(recipient as Address, trader)),
  )
}
