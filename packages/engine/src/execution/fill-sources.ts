import { isBelow } from '../routing/route.ts'
import { splitOverRoutes } from '../routing/split-order.ts'
import {
  type ExecutionLeg,
  type ExecutionLimits,
  netOf,
  type PoolSource,
  pays,
  type QuoteSource,
  quotePays,
  rateOf,
} from './source.ts'

/** Chosen sources: every quote must be used, every pool may be used. */
export interface ChosenSources {
  readonly quotes: readonly QuoteSource[]
  readonly pools: readonly PoolSource[]
}

/** What pools take down to a rate, asked once for each of both. */
export type PoolInputs = (pool: PoolSource, quote: QuoteSource) => bigint

/** @param amount the whole order, an upper limit for each pool */
export function poolInputs(amount: bigint): PoolInputs {
  const known = new Map<string, bigint>()
  return (pool, quote) => {
    const key = `${pool.sourceId}|${quote.sourceId}`
    const found = known.get(key)
    if (found !== undefined) return found
    const rate = rateOf(quote)
    const taken = rate.num === 0n ? amount : pool.route.inputAt(rate, amount)
    known.set(key, taken)
    return taken
  }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** Amounts assigned to quotes, within the bounds of the quotes and their makers. */
class QuoteAmounts {
  readonly #amounts = new Map<QuoteSource, bigint>()
  readonly #makers = new Map<string, bigint>()
  readonly #mostOfMaker: bigint | null

  constructor(mostOfMaker: bigint | null) {
    this.#mostOfMaker = mostOfMaker
  }

  of(quote: QuoteSource): bigint {
    return this.#amounts.get(quote) ?? 0n
  }

  room(quote: QuoteSource): bigint {
    const own = quote.sellAmount - this.of(quote)
    if (this.#mostOfMaker === null) return own
    return least(own, this.#mostOfMaker - (this.#makers.get(quote.maker) ?? 0n))
  }

  give(quote: QuoteSource, amount: bigint): void {
    this.#amounts.set(quote, this.of(quote) + amount)
    this.#makers.set(quote.maker, (this.#makers.get(quote.maker) ?? 0n) + amount)
  }

  total(of: (quote: QuoteSource) => boolean = () => true): bigint {
    let sum = 0n
    for (const [quote, amount] of this.#amounts) if (of(quote)) sum += amount
    return sum
  }
}

/**
 * The optimal split of an order over sources whose use is decided. Every quote gets its smallest
 * fill. The rest is filled from the best marginal price down, over quotes and pools, until all have
 * one price. Amounts are whole atoms and their sum is exactly the order.
 *
 * Maker bounds and the firm minimum are laminar, so the greedy order is optimal within them. If
 * firm quotes got too little, they are first filled to the minimum, best price first. The others
 * share the rest.
 *
 * @param amount input, above zero
 * @returns null if these sources cannot take the order within the limits
 * @see Ibaraki and Katoh, Resource Allocation Problems, 1988 (separable concave objectives over
 * polymatroids)
 */
export function fillSources(
  chosen: ChosenSources,
  amount: bigint,
  limits: ExecutionLimits,
  inputs: PoolInputs,
): ExecutionLeg[] | null {
  const free = fillWithin(chosen, amount, limits, inputs, 0n)
  if (free === null || limits.minimumFirm === 0n) return free
  const firm = free.reduce(
    (sum, { source, amountIn }) =>
      source.kind === 'QUOTE' && source.isFirm ? sum + amountIn : sum,
    0n,
  )
  return firm >= limits.minimumFirm
    ? free
    : fillWithin(chosen, amount, limits, inputs, limits.minimumFirm)
}

function fillWithin(
  { quotes, pools }: ChosenSources,
  amount: bigint,
  limits: ExecutionLimits,
  inputs: PoolInputs,
  firmFirst: bigint,
): ExecutionLeg[] | null {
  const amounts = new QuoteAmounts(limits.maximumMaker)
  for (const quote of quotes) {
    if (amounts.room(quote) < quote.minimumFill) return null
    amounts.give(quote, quote.minimumFill)
  }
  const ordered = quotes.toSorted(byRate)
  const isFirm = ({ isFirm: firm }: QuoteSource) => firm
  for (const quote of ordered.filter(isFirm)) {
    const wanted = firmFirst - amounts.total(isFirm)
    if (wanted > 0n) amounts.give(quote, least(amounts.room(quote), wanted))
  }
  if (amounts.total(isFirm) < firmFirst) return null
  // Firm quotes already have their minimum; any more would worsen the price.
  const open = firmFirst === 0n ? ordered : ordered.filter((quote) => !quote.isFirm)
  if (amounts.total() > amount) return null
  fillQuotes(open, pools, amounts, amount, inputs)
  const rest = amount - amounts.total()
  const poolLegs = fillPools(pools, rest, limits)
  if (poolLegs === null) return null
  const legs = quotes.map((source) => {
    const amountIn = amounts.of(source)
    return { source, amountIn, amountOut: quotePays(source, amountIn) }
  })
  const all = [...legs, ...poolLegs]
  return all.length === 0 || all.length > limits.maximumLegs ? null : all
}

/** The better rate first, then by hash, so that one order of quotes gives one plan. */
export function byRate(a: QuoteSource, b: QuoteSource): number {
  if (isBelow(rateOf(b), rateOf(a))) return -1
  return isBelow(rateOf(a), rateOf(b)) ? 1 : a.sourceId < b.sourceId ? -1 : 1
}

/** Gives quotes what is better there than in the pools. */
function fillQuotes(
  ordered: readonly QuoteSource[],
  pools: readonly PoolSource[],
  amounts: QuoteAmounts,
  amount: bigint,
  inputs: PoolInputs,
): void {
  for (const quote of ordered) {
    const left = amount - amounts.total()
    const better = pools.reduce((sum, pool) => sum + least(inputs(pool, quote), left), 0n)
    if (better >= left) return
    amounts.give(quote, least(amounts.room(quote), left - better))
  }
}

function fillPools(
  pools: readonly PoolSource[],
  rest: bigint,
  { fill }: ExecutionLimits,
): ExecutionLeg[] | null {
  if (rest === 0n) return []
  if (pools.length === 0) return fill === 'WHOLE' ? null : []
  const venues = pools.map(({ sourceId, route }) => ({ venueId: sourceId, gasQuote: 0n, route }))
  const { legs, unfilled } = splitOverRoutes(venues, 'SELL', rest)
  if (unfilled > 0n && fill === 'WHOLE') return null
  const byId = new Map(pools.map((pool) => [pool.sourceId, pool]))
  return legs.map(({ venueId, amountIn, amountOut }) => {
    const source = byId.get(venueId)
    if (!source) throw new Error(`A split names ${venueId}, which is not one of its pools.`)
    return { source, amountIn, amountOut }
  })
}

/** Moves of atoms from one leg to another are tried until none improves, at most so often. */
const MOST_MOVES = 64

/**
 * Moves single atoms between legs while the output rises. The given split has one price except for
 * rounding of at most one atom per leg, which this step recovers.
 */
export function polish(legs: readonly ExecutionLeg[], limits: ExecutionLimits): ExecutionLeg[] {
  let best = [...legs]
  for (let move = 0; move < MOST_MOVES; move += 1) {
    const better = betterByAnAtom(best, limits)
    if (better === null) return best
    best = better
  }
  return best
}

function betterByAnAtom(legs: ExecutionLeg[], limits: ExecutionLimits): ExecutionLeg[] | null {
  const before = netOf(legs)
  const less = legs.map((leg) => changed(leg, -1n))
  const more = legs.map((leg) => changed(leg, 1n))
  let best: { legs: ExecutionLeg[]; net: bigint } | null = null
  for (const [from, giver] of less.entries()) {
    for (const [to, taker] of more.entries()) {
      if (from === to || giver === null || taker === null) continue
      const moved = legs.map((leg, place) => (place === from ? giver : place === to ? taker : leg))
      const net = netOf(moved)
      if (net > (best?.net ?? before) && isWithin(moved, limits)) best = { legs: moved, net }
    }
  }
  return best?.legs ?? null
}

function changed({ source, amountIn }: ExecutionLeg, by: bigint): ExecutionLeg | null {
  const after = amountIn + by
  if (after <= 0n) return null
  if (source.kind === 'QUOTE' && (after < source.minimumFill || after > source.sellAmount)) {
    return null
  }
  const amountOut = pays(source, after)
  return amountOut === null ? null : { source, amountIn: after, amountOut }
}

/** Whether the legs satisfy the bounds that cover several legs. */
export function isWithin(legs: readonly ExecutionLeg[], limits: ExecutionLimits): boolean {
  const makers = new Map<string, bigint>()
  let firm = 0n
  for (const { source, amountIn } of legs) {
    if (source.kind === 'POOL') continue
    makers.set(source.maker, (makers.get(source.maker) ?? 0n) + amountIn)
    if (source.isFirm) firm += amountIn
  }
  const { maximumMaker: most } = limits
  const isShared = most === null || [...makers.values()].every((sum) => sum <= most)
  return isShared && firm >= limits.minimumFirm && legs.length <= limits.maximumLegs
}
