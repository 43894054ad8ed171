import type { Market, Orientation } from '../amm/market.ts'
import { midPrice, priceOrNull, swapExactIn } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { depthLadder } from '../depth/depth-ladder.ts'
import { isBelow } from '../routing/route.ts'
import { splitOrder } from '../routing/split-order.ts'
import { withdrawLiquidity } from './withdraw-liquidity.ts'

/** A pool with the asset as its base, for sales. */
export interface ExitVenue {
  readonly venueId: string
  /** Quote token. A sale over pools with the same quote ends at one marginal rate. */
  readonly quoteId: string
  readonly market: Market
  readonly orientation: Orientation
}

/** Others take a share of the liquidity out of some venues, of all where none is named. */
export interface Withdrawal {
  readonly venueIds?: readonly string[]
  readonly removePips: number
}

/** Cost of a sale as a share of the price, times 10^18, rounded up; 10^18 if it yields zero. */
export type ExitCost = (quantity: bigint) => bigint

const ONE_X18 = 10n ** 18n
/** Sales are shared among quotes by the depth to here. */
const DEPTH_PIPS = 20_000

interface Group {
  readonly venues: readonly ExitVenue[]
  /** Best price of its pools without fee. */
  readonly best: Rat
  /** Base atoms that its depth is worth. */
  readonly base: bigint
}

/**
 * Cost of a sale in the observed pools after others withdrew liquidity. It uses the exact swap,
 * split over the pools of one quote so that all end at one marginal rate after fees. The cost is
 * relative to the best prior price. Over several quotes, the quantity is divided in proportion to
 * the 2 % depth. A quantity beyond pool capacity yields zero.
 *
 *     cost(n) = 1 − received(n) / (n · best price), rounded up
 *
 * Results are cached, because the days of one sale repeat queries.
 *
 * @param venues with the asset as base
 * @returns null if no pool with liquidity remains
 * @see Angeris, Chitra, Evans and Boyd, “Optimal Routing for Constant Function Market Makers”
 * (2022)
 */
export function poolExit(
  venues: readonly ExitVenue[],
  withdrawals: readonly Withdrawal[],
): ExitCost | null {
  const groups = groupsOf(venues.flatMap((venue) => remaining(venue, withdrawals) ?? []))
  const total = groups.reduce((sum, { base }) => sum + base, 0n)
  if (total === 0n) return null
  const known = new Map<bigint, bigint>()
  return (quantity) => {
    if (quantity <= 0n) return 0n
    const before = known.get(quantity)
    if (before !== undefined) return before
    let left = quantity
    // Value share per part, in X18 of the whole quantity.
    let receivedX18 = 0n
    for (const [place, group] of groups.entries()) {
      const part = place === groups.length - 1 ? left : (quantity * group.base) / total
      left -= part
      if (part > 0n) receivedX18 += (part * keptX18(group, part)) / quantity
    }
    const cost = receivedX18 >= ONE_X18 ? 0n : ONE_X18 - receivedX18
    known.set(quantity, cost)
    return cost
  }
}

/**
 * How many atoms of a sale the pools take, shared and split as `poolExit` does it.
 *
 * @returns null where no pool is left that pays anything
 */
export function poolCapacity(
  venues: readonly ExitVenue[],
  withdrawals: readonly Withdrawal[],
): ((quantity: bigint) => bigint) | null {
  const groups = groupsOf(venues.flatMap((venue) => remaining(venue, withdrawals) ?? []))
  const total = groups.reduce((sum, { base }) => sum + base, 0n)
  if (total === 0n) return null
  return (quantity) => {
    let left = quantity
    let taken = 0n
    for (const [place, group] of groups.entries()) {
      const part = place === groups.length - 1 ? left : (quantity * group.base) / total
      left -= part
      if (part > 0n) taken += part - splitOf(group, part).unfilled
    }
    return taken
  }
}

/** Quote atoms down to a price move in every remaining pool, per quote; rounded down. */
export function exitDepth(
  venues: readonly ExitVenue[],
  withdrawals: readonly Withdrawal[],
): { readonly venueId: string; readonly quote: bigint }[] {
  return venues.map((venue) => {
    const left = remaining(venue, withdrawals)
    return { venueId: venue.venueId, quote: left === null ? 0n : sellDepth(left) }
  })
}

function remaining(venue: ExitVenue, withdrawals: readonly Withdrawal[]): ExitVenue | null {
  let { market } = venue
  for (const { venueIds, removePips } of withdrawals) {
    if (!(venueIds?.includes(venue.venueId) ?? true)) continue
    if (removePips >= 1_000_000) return null
    market = withdrawLiquidity(market, removePips)
  }
  const price =
    market.kind === 'ORDER_BOOK'
      ? market.bids.length > 0 && market.asks.length > 0
      : priceOrNull(market, venue.orientation) !== null
  return price ? { ...venue, market } : null
}

const sellDepth = ({ market, orientation }: ExitVenue): bigint =>
  depthLadder(market, orientation, [DEPTH_PIPS]).find(({ side }) => side === 'SELL')?.quote ?? 0n

function groupsOf(venues: readonly ExitVenue[]): Group[] {
  return [...Map.groupBy(venues, ({ quoteId }) => quoteId).values()].map((some) => {
    const priced = some.map((venue) => ({
      price: midPrice(venue.market, venue.orientation),
      quote: sellDepth(venue),
    }))
    const best = priced.reduce(
      (high, { price }) => (isBelow(high, price) ? price : high),
      priced[0]!.price,
    )
    const base = priced.reduce((sum, { price, quote }) => sum + (quote * price.den) / price.num, 0n)
    return { venues: some, best, base }
  })
}

/** Proceeds of a part relative to its value at the best price, at most one, rounded down. */
function keptX18(group: Group, part: bigint): bigint {
  const { best } = group
  const { amountOut } = splitOf(group, part)
  const kept = (amountOut * best.den * ONE_X18) / (part * best.num)
  return kept < ONE_X18 ? kept : ONE_X18
}

/**
 * How far a sale of a quantity at once moves the price, as a share of it: 1 − lowest marginal price after / best before, exact. The
 * sale is split as `poolExit` splits it; over several quotes the larger move counts. All of the price where the pools do not take it.
 *
 * @returns null where no pool pays anything
 */
export function poolMove(venues: readonly ExitVenue[]): ((quantity: bigint) => number) | null {
  const groups = groupsOf(venues.flatMap((venue) => remaining(venue, []) ?? []))
  const total = groups.reduce((sum, { base }) => sum + base, 0n)
  if (total === 0n) return null
  return (quantity) =>
    groups.reduce((most, group) => {
      const part = (quantity * group.base) / total
      return part <= 0n ? most : Math.max(most, moveOf(group, part))
    }, 0)
}

/** A sale over the pools of a group, so that all end at one marginal rate. */
function splitOf({ venues }: Group, part: bigint) {
  const markets = venues.map(({ venueId, market }) => ({ venueId, market, gasQuote: 0n }))
  const orientations = venues.map(({ orientation }) => orientation)
  return splitOrder(markets, orientations, 'SELL', part)
}

function moveOf(group: Group, part: bigint): number {
  const { venues, best } = group
  const { legs, unfilled } = splitOf(group, part)
  if (unfilled > 0n) return 1
  let lowest = best
  for (const { venueId, amountIn } of legs) {
    const venue = venues.find((one) => one.venueId === venueId)
    if (!venue) continue
    const { base, quote } = venue.orientation
    const { state } = swapExactIn(venue.market, { from: base, to: quote }, amountIn)
    // A book that is eaten up on one side has no price any more.
    if (state.kind === 'ORDER_BOOK' && state.bids.length === 0) return 1
    const after = midPrice(state, venue.orientation)
    if (isBelow(after, lowest)) lowest = after
  }
  return 1 - Number((lowest.num * best.den * ONE_X18) / (lowest.den * best.num)) / 1e18
}
