import { type BlockSwap, findSandwiches } from '../attribution/sandwich.ts'
import { roundTrips } from '../detection/features.ts'

/** A trade as the tape of a venue tells it. */
export interface TapeTrade {
  readonly venueId: string
  /** Unix seconds, block and place in the block. */
  readonly at: number
  readonly block: number
  readonly position: number
  /** Base atoms: above zero bought, below sold; and the quote of the other side, above zero. */
  readonly base: bigint
  readonly volumeQuote: bigint
  /** Who signed the transaction; null where that was not read. */
  readonly origin: string | null
  /** The contract that called the pool, and who received. */
  readonly sender: string
  readonly recipient: string
}

/** A contract that more people than this call is a router, and shared by strangers. */
const MOST_OWNERS = 3

/**
 * Trades that move nothing on: legs of round trips (one signer on one venue, four legs or more in an hour that leave
 * less than a twentieth), and both swaps of whoever sandwiched another.
 *
 * A contract that the pool names counts as a party only while at most three signers used it in the window.
 *
 * @param trades of one window, any order
 * @returns null where a signer is not known, since then nobody can tell
 * @see `roundTrips`, `findSandwiches`
 */
export function suspiciousTrades(trades: readonly TapeTrade[]): ReadonlySet<TapeTrade> | null {
  const signed = trades.flatMap((trade) =>
    trade.origin === null ? [] : [{ ...trade, origin: trade.origin, trade }],
  )
  if (signed.length < trades.length) return null
  // By venue: who buys on one and sells on another carries prices over, which is no round trip.
  const venues = [...Map.groupBy(signed, ({ venueId }) => venueId).values()]
  const found = new Set(venues.flatMap((own) => roundTrips(own)).map(({ trade }) => trade))
  for (const trade of sandwichTrades(trades)) found.add(trade)
  return found
}

/** Both swaps of whoever sandwiched another, block by block; parties are told as in `suspiciousTrades`. */
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
    ...{ position, pool: venueId, zeroForOne: sells, sender: origin ?? '' },
    amountIn: sells ? -base : volumeQuote,
    amountOut: sells ? volumeQuote : base,
    to: isPrivate(sender) ? sender : '',
    recipient: isPrivate(recipient) ? recipient : '',
  }
}

function privateContracts(trades: readonly TapeTrade[]): (contract: string) => boolean {
  const owners = new Map<string, Set<string>>()
  for (const { origin, sender, recipient } of trades) {
    for (const contract of new Set([sender, recipient])) {
      const known = owners.get(contract)
      if (known) known.add(origin ?? '')
      else owners.set(contract, new Set([origin ?? '']))
    }
  }
  return (contract) => (owners.get(contract)?.size ?? 0) <= MOST_OWNERS
}
