import type { Market } from '../amm/market.ts'
import { PoolRevertError } from '../amm/pool-revert.ts'
import { midPrice, swapExactIn, swapExactOut } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { quoteValue } from '../depth/value.ts'
import { assertCostIdentity, type FillCosts, type ResidualPart } from './fill-costs.ts'

/** One swap of a fill, in one market. Amounts in atomic units, both above zero. */
export interface RouteLeg {
  /** Name of the market; two legs of one name are in the same market, one after the other. */
  readonly pool: string
  /** The actual market immediately before this leg. */
  readonly market: Market
  /** Index of the token that entered, and of the one that left. */
  readonly from: number
  readonly to: number
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** Input shared by all cost decompositions, except the markets. */
export interface FillTerms {
  readonly side: Side
  /** Price at the trade decision. Null if unknown; the delay cost is then null. */
  readonly decisionPrice: Rat | null
  /** For each branch the price of its route at the end of the block before the order arrived. */
  readonly arrivalPrices: readonly Rat[]
  /** Base and quote that left or reached the wallet, excluding gas; null if unknown. */
  readonly wallet: { readonly base: bigint; readonly quote: bigint } | null
  /** Gas, tips and data fees, in quote atoms; null when the native asset has no price. */
  readonly gasQuote: bigint | null
}

/**
 * A fill through several markets. Each branch is a chain of legs from the input token to the output
 * token, in log order. Several branches split the order.
 */
export interface RoutedFill extends FillTerms {
  readonly branches: readonly (readonly RouteLeg[])[]
}

/** Price of a route: quote atoms per base atom, the product of the prices of its legs. */
export function routePrice(prices: readonly Rat[]): Rat {
  return prices.reduce((product, { num, den }) => ({
    num: product.num * num,
    den: product.den * den,
  }))
}

/**
 * Price of a leg's market in the direction of the route, as quote-side token per base-side token.
 */
export function legPrice(side: Side, market: Market, leg: Pick<RouteLeg, 'from' | 'to'>): Rat {
  const { from, to } = leg
  return midPrice(market, side === 'BUY' ? { base: to, quote: from } : { base: from, quote: to })
}

/**
 * Decomposes the cost of a routed fill, like `decomposeFill` does for one market. Legs are in log
 * order. The mid is the product of the legs' mids. Each fee is converted to quote at the mids of
 * the legs in between. Branches are summed.
 *
 * Amounts that the actual markets do not explain are RESIDUAL, not MEV. MEV is the difference of
 * two exact computations, with and without the attacker.
 *
 * @param counterfactual markets by name before the first leg, without the attacker's first swap;
 * null without a sandwich
 * @throws PoolRevertError if the markets could not have filled the order
 * @throws RangeError for an order book within a route of several legs
 */
export function decomposeRoute(
  fill: RoutedFill,
  counterfactual: ReadonlyMap<string, Market> | null,
): FillCosts {
  const before = firstMarkets(fill)
  for (const [pool, market] of counterfactual ?? []) before.set(pool, market)
  const prices = fill.branches.map((legs) =>
    // Every pool of a leg was entered by the loop over the legs.
    legs.map((leg) => legPrice(fill.side, before.get(leg.pool)!, leg)),
  )
  const real = { gross: 0n, fees: 0n }
  const fair = { gross: 0n, fees: 0n }
  const worlds = new Map(before)
  for (const [index, legs] of fill.branches.entries()) {
    add(real, branchCost(fill.side, legs, prices[index]!, null))
    if (counterfactual) add(fair, branchCost(fill.side, legs, prices[index]!, worlds))
  }
  return totalsOf(fill, {
    before: prices.map(routePrice),
    spread: spreadOf(fill, before),
    ...(counterfactual ? fair : real),
    realGross: real.gross,
  })
}

/** Costs computed from the markets. All other parts are differences. */
interface RouteCost {
  /** For each branch the price of its route immediately before the fill, attacker removed. */
  readonly before: readonly Rat[]
  readonly spread: bigint
  /** Cost with the fee, signed, without the attacker; null when not computable. */
  readonly gross: bigint | null
  readonly fees: bigint
  /** Signed cost with the fee, in the actual markets. */
  readonly realGross: bigint
}

/** Builds the totals T0 to T8 and the parts between them. @throws CostIdentityError */
export function totalsOf(
  fill: FillTerms & { readonly branches: readonly Branch[] },
  cost: RouteCost,
): FillCosts {
  const sign = fill.side === 'BUY' ? 1n : -1n
  const sizes = fill.branches.map((legs) => branchSize(fill.side, legs))
  const base = sizes.reduce((sum, size) => sum + size.base, 0n)
  const worth = (prices: readonly Rat[]) =>
    sizes.reduce((sum, size, index) => sum + sign * quoteValue(size.base, prices[index]!), 0n)
  const arrival = worth(fill.arrivalPrices)
  const before = worth(cost.before)
  const moved = sizes.reduce((sum, size) => sum + sign * size.quote, 0n)
  const decided =
    fill.decisionPrice === null ? arrival : sign * quoteValue(base, fill.decisionPrice)
  const quoted = before + cost.spread
  const isSplit = cost.gross !== null
  const exact = cost.gross ?? cost.realGross
  const residualParts = residualOf(fill, { base, moved, sizes, cost })
  const residual = fill.wallet && residualParts.reduce((sum, { amount }) => sum + amount, 0n)
  const real = cost.realGross + (residual ?? 0n)
  const costs: FillCosts = {
    delay: fill.decisionPrice === null ? null : arrival - decided,
    timing: before - arrival,
    spread: cost.spread,
    impact: isSplit ? exact - cost.fees - quoted : null,
    fees: cost.fees,
    mev: isSplit ? cost.realGross - exact : null,
    impactPlusMev: cost.realGross - cost.fees - quoted,
    residual,
    residualParts,
    gas: fill.gasQuote,
    shortfall: real + (fill.gasQuote ?? 0n) - decided,
    totals: [
      ...[decided, arrival, before, quoted],
      ...[isSplit ? exact - cost.fees : null, isSplit ? exact : null],
      ...[moved, real, real + (fill.gasQuote ?? 0n)],
    ],
  }
  assertCostIdentity(costs)
  return costs
}

type Branch = readonly Pick<RouteLeg, 'amountIn' | 'amountOut'>[]

/** Base and quote that moved by the events of a branch. */
export function branchSize(side: Side, legs: Branch): { base: bigint; quote: bigint } {
  // A branch has at least one leg.
  const [given, taken] = [legs[0]!.amountIn, legs.at(-1)!.amountOut]
  return side === 'BUY' ? { base: taken, quote: given } : { base: given, quote: taken }
}

/** Price of all branches together: quote atoms per base atom, weighted by base, exact. */
export function averagePrice(bases: readonly bigint[], prices: readonly Rat[]): Rat {
  const den = prices.reduce((product, price) => product * price.den, 1n)
  const base = bases.reduce((sum, size) => sum + size, 0n)
  const num = prices.reduce((sum, price, index) => {
    return sum + (bases[index]! * price.num * den) / price.den
  }, 0n)
  return { num, den: den * base }
}

function residualOf(
  { side, wallet }: FillTerms,
  facts: {
    base: bigint
    moved: bigint
    sizes: readonly { base: bigint }[]
    cost: RouteCost
  },
): ResidualPart[] {
  if (wallet === null) return []
  const { base, moved, sizes, cost } = facts
  const sign = side === 'BUY' ? 1n : -1n
  const price = averagePrice(
    sizes.map((size) => size.base),
    cost.before,
  )
  const baseLost = sign * quoteValue(base - wallet.base, price)
  const quoteLost = sign * wallet.quote - moved
  const parts: ResidualPart[] = [
    { cause: baseLost > 0n ? 'BASE_LOST_IN_TRANSFER' : 'BASE_REBATE', amount: baseLost },
    { cause: quoteLost > 0n ? 'QUOTE_LOST_IN_TRANSFER' : 'QUOTE_REBATE', amount: quoteLost },
    { cause: 'NOT_TAKEN_FROM_POOLS', amount: moved - cost.realGross },
  ]
  return parts.filter(({ amount }) => amount !== 0n)
}

/** Each market of a fill as its first leg met it. */
function firstMarkets({ branches }: RoutedFill): Map<string, Market> {
  const markets = new Map<string, Market>()
  for (const { pool, market } of branches.flat()) {
    if (!markets.has(pool)) markets.set(pool, market)
  }
  return markets
}

/**
 * Signed cost of a branch, and its fees in quote.
 *
 * @param worlds markets by name, updated by every leg; null uses each leg's actual market
 */
function branchCost(
  side: Side,
  legs: readonly RouteLeg[],
  prices: readonly Rat[],
  worlds: Map<string, Market> | null,
): { gross: bigint; fees: bigint } {
  const { base } = branchSize(side, legs)
  const order = [...legs.keys()]
  if (side === 'BUY') order.reverse()
  let amount = base
  let fees = 0n
  for (const index of order) {
    const leg = legs[index]!
    const swap = legSwap(side, leg, amount, worlds)
    // A buy leg is computed from its output, a sell leg from its input.
    amount = side === 'BUY' ? swap.amountIn : swap.amountOut
    const between = side === 'BUY' ? prices.slice(0, index) : prices.slice(index)
    fees += between.length === 0 ? swap.fee : quoteValue(swap.fee, routePrice(between))
    worlds?.set(leg.pool, swap.state)
  }
  return { gross: side === 'BUY' ? amount : -amount, fees }
}

function legSwap(
  side: Side,
  leg: RouteLeg,
  amount: bigint,
  worlds: ReadonlyMap<string, Market> | null,
) {
  const market = worlds?.get(leg.pool) ?? leg.market
  const d = { from: leg.from, to: leg.to }
  if (side === 'SELL') return requireFilled(swapExactIn(market, d, amount))
  if (market === leg.market && amount === leg.amountOut) {
    // A buy with exact input in the actual market: rounding can take more for the same base than an
    // exact output would.
    const byInput = swapExactIn(market, d, leg.amountIn)
    if (byInput.amountOut === amount && byInput.amountIn === leg.amountIn) return byInput
  }
  return requireFilled(swapExactOut(market, d, amount))
}

/** A pool that ends before the order does could not have filled it, and its part is no price of the whole. */
function requireFilled<T extends { exhausted: boolean }>(swap: T): T {
  if (swap.exhausted) throw new PoolRevertError({ reason: '' })
  return swap
}

/** Distance from the mid to the best price of the side that is taken, on the base of the fill. */
function spreadOf({ side, branches }: RoutedFill, before: ReadonlyMap<string, Market>): bigint {
  let spread = 0n
  for (const legs of branches) {
    for (const leg of legs) {
      const market = before.get(leg.pool)!
      if (market.kind !== 'ORDER_BOOK') continue
      if (legs.length > 1) throw new RangeError('an order book in a route of several legs')
      // A book without a best bid or ask has no mid and fails earlier.
      const ticks = market.asks[0]!.ticks - market.bids[0]!.ticks
      const half = {
        num: (ticks < 0n ? -ticks : ticks) * market.tickSize.num,
        den: 2n * market.tickSize.den,
      }
      spread += quoteValue(branchSize(side, legs).base, half)
    }
  }
  return spread
}

function add(sum: { gross: bigint; fees: bigint }, part: { gross: bigint; fees: bigint }): void {
  sum.gross += part.gross
  sum.fees += part.fees
}
