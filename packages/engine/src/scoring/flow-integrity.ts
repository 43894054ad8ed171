import { type BlockSwap, findSandwiches } from '../attribution/sandwich.ts'
import { type Funding, noFunding } from '../detection/common-funding.ts'
import { MOST_OWNERS, usersOf } from '../detection/linked-signers.ts'
import { type WashParty, washTrades } from '../detection/wash-trades.ts'

/** A trade from a venue's tape. */
export interface TapeTrade {
  readonly venueId: string
  /** Unix seconds, block and place in the block. */
  readonly at: number
  readonly block: number
  readonly position: number
  /** Base atoms: above zero bought, below sold; and the quote of the other side, above zero. */
  readonly base: bigint
  readonly volumeQuote: bigint
  /** Signer of the transaction; null if not read. */
  readonly origin: string | null
  /** The contract that called the pool, and who received. */
  readonly sender: string
  readonly recipient: string
}

/** Why a trade is not genuine. */
export type Suspicion = WashParty | 'SANDWICH'

/**
 * Suspicious trades: wash trades of a party, and both swaps of sandwich attackers.
 *
 * @param trades of one window, any order
 * @param funding accounts that sent tokens to the signers, as far as read
 * @returns null if a signer is unknown, because no result is possible then
 * @see `washTrades`, `findSandwiches`
 */
export function suspiciousTrades(
  trades: readonly TapeTrade[],
  funding: Funding = noFunding,
): ReadonlyMap<TapeTrade, Suspicion> | null {
  const signed = trades.flatMap((trade) =>
    trade.origin === null ? [] : [{ ...trade, origin: trade.origin, trade }],
  )
  if (signed.length < trades.length) return null
  const found = new Map<TapeTrade, Suspicion>()
  const ordered = signed.sort(inChainOrder)
  for (const [{ trade }, party] of washTrades(ordered, usersOf(ordered), funding)) {
    found.set(trade, party)
  }
  for (const trade of sandwichTrades(trades)) if (!found.has(trade)) found.set(trade, 'SANDWICH')
  return found
}

function inChainOrder(a: TapeTrade, b: TapeTrade): number {
  return a.at - b.at || a.block - b.block || a.position - b.position
}

/**
 * Both swaps of sandwich attackers, block by block. A contract named by the pool counts as a party
 * only if few signers used it in the window.
 */
export function sandwichTrades<Trade extends TapeTrade>(trades: readonly Trade[]): Set<Trade> {
  const found = new Set<Trade>()
  const isPrivate = privateContracts(trades)
  const blocks = Map.groupBy(trades, ({ venueId, block }) => `${venueId} ${block}`)
  for (const block of blocks.values()) {
    if (block.length < 3) continue
    const ordered = block.toSorted((a, b) => a.position - b.position)
    const bySwap = new Map(ordered.map((trade) => [blockSwapOf(trade, isPrivate), trade]))
    for (const { front, back } of findSandwiches([...bySwap.keys()])) {
      // The swaps were made from the trades.
      found.add(bySwap.get(front)!)
      found.add(bySwap.get(back)!)
    }
  }
  return found
}

function blockSwapOf(trade: TapeTrade, isPrivate: (contract: string) => boolean): BlockSwap {
  const { position, venueId, base, volumeQuote, origin, sender, recipient } = trade
  const sells = base < 0n
  return {
    position,
    pool: venueId,
    zeroForOne: sells,
    sender: origin ?? '',
    amountIn: sells ? -base : volumeQuote,
    amountOut: sells ? volumeQuote : base,
    to: isPrivate(sender) ? sender : '',
    recipient: isPrivate(recipient) ? recipient : '',
  }
}

function privateContracts(trades: readonly TapeTrade[]): (contract: string) => boolean {
  const users = usersOf(trades)
  return (contract) => (users.get(contract)?.size ?? 0) <= MOST_OWNERS
}
