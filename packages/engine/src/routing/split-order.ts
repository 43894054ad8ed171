import { assertTokens, type Market, type Orientation } from '../amm/market.ts'
import type { Rat } from '../arithmetic/integer.ts'
import type { Side } from '../depth/depth-ladder.ts'
import { isBelow, type Route, routeOf } from './route.ts'

/** A market an order may go to, and what its transaction costs. */
export interface Venue {
  readonly venueId: string
  readonly market: Market
  /** Cost of using the market at all, quote atoms. */
  readonly gasQuote: bigint
}

/** Input and output of one market in a split, by its own exact rules. */
export interface SplitLeg {
  readonly venueId: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Fee within `amountIn`. */
  readonly fee: bigint
}

/** An order split over markets. */
export interface Split {
  /** Only markets that get something, in the order they were given. */
  readonly legs: readonly SplitLeg[]
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly gasQuote: bigint
  /** Input that no market could take. */
  readonly unfilled: bigint
}

/** The search for the common rate ends here at the latest. */
const MAX_ROUNDS = 128
/** First search points, in bits below the best rate, nearest first. */
const FIRST_LOOKS = [13n, 9n, 6n, 3n, 1n]
/** It ends as soon as the two sides differ by less than this part of the order. */
const PRECISION_BITS = 24n
/** Maximum markets for a search over all subsets; above it, markets are dropped one by one. */
const MOST_ENUMERATED = 6

/**
 * Splits an order over parallel markets so that no atom gets a better price elsewhere. All markets
 * end at one all-in marginal rate, which is found by a search. Each market swaps by its own exact
 * rules up to this rate, and the rest goes to the best market. With gas, subsets of the markets
 * compete: up to six markets by enumeration, otherwise by dropping the worst market while the
 * result improves.
 *
 * @param venues at least one; every market with its own orientation in `o`
 * @param side BUY sends quote and takes base, SELL the reverse
 * @param size input: quote atoms of a BUY, base atoms of a SELL, above zero
 * @throws RangeError for a size that is not above zero or orientations that do not fit
 * @see Angeris, Chitra, Evans and Boyd, Optimal Routing for Constant Function Market Makers, 2022
 */
export function splitOrder(
  venues: readonly Venue[],
  o: readonly Orientation[],
  side: Side,
  size: bigint,
): Split {
  if (size <= 0n) throw new RangeError(`an order of ${size}; expected a positive size`)
  if (venues.length === 0 || o.length !== venues.length) {
    throw new RangeError(`${venues.length} venues with ${o.length} orientations`)
  }
  return splitOverRoutes(
    venues.map(({ market, ...venue }, index) => {
      const { base, quote } = o[index]!
      assertTokens(market, base, quote)
      const d = side === 'BUY' ? { from: quote, to: base } : { from: base, to: quote }
      return { ...venue, route: routeOf(market, d) }
    }),
    side,
    size,
  )
}

/** A market an order may go to, prepared for the direction of the order. */
export interface RoutedVenue extends Omit<Venue, 'market'> {
  readonly route: Route
}

/** As `splitOrder`, over markets that were prepared before. */
export function splitOverRoutes(venues: readonly RoutedVenue[], side: Side, size: bigint): Split {
  const lanes = venues.map((venue): Lane => ({ venue, route: venue.route, asked: new Map() }))
  const order = { size, top: bestRate(lanes) }
  if (lanes.every(({ venue }) => venue.gasQuote === 0n)) return splitOver(lanes, order)
  const better = (a: Split, b: Split) => isBetter(a, b, side)
  return lanes.length <= MOST_ENUMERATED
    ? bestSubset(lanes, order, better)
    : leaveOut(lanes, order, better)
}

interface Lane {
  readonly venue: Omit<Venue, 'market'>
  readonly route: Route
  /** Cached inputs by share of the best rate: subsets repeat the same queries. */
  readonly asked: Map<bigint, bigint>
}

/** An order, and the best rate any market gives its first atom. */
interface Order {
  readonly size: bigint
  readonly top: Rat
}

function bestRate(lanes: readonly Lane[]): Rat {
  const none: Rat = { num: 0n, den: 1n }
  return lanes.reduce((high, { route }) => (isBelow(high, route.best) ? route.best : high), none)
}

/** Which split is better, gas included: cheaper per base for a BUY, more quote for a SELL. */
function isBetter(a: Split, b: Split, side: Side): boolean {
  if (a.unfilled !== b.unfilled) return a.unfilled < b.unfilled
  if (side === 'SELL') return a.amountOut - a.gasQuote > b.amountOut - b.gasQuote
  return (a.amountIn + a.gasQuote) * b.amountOut < (b.amountIn + b.gasQuote) * a.amountOut
}

function bestSubset(
  lanes: readonly Lane[],
  order: Order,
  better: (a: Split, b: Split) => boolean,
): Split {
  let best = splitOver(lanes, order)
  for (let mask = (1 << lanes.length) - 2; mask > 0; mask--) {
    const chosen = lanes.filter((_, index) => (mask >> index) & 1)
    const split = splitOver(chosen, order)
    if (better(split, best)) best = split
  }
  return best
}

function leaveOut(
  lanes: readonly Lane[],
  order: Order,
  better: (a: Split, b: Split) => boolean,
): Split {
  let chosen = lanes
  let best = splitOver(chosen, order)
  for (;;) {
    const used = new Set(best.legs.map(({ venueId }) => venueId))
    let improved: { lanes: readonly Lane[]; split: Split } | null = null
    for (const lane of chosen) {
      if (!used.has(lane.venue.venueId) || used.size < 2) continue
      const others = chosen.filter((other) => other !== lane)
      const split = splitOver(others, order)
      if (better(split, improved?.split ?? best)) improved = { lanes: others, split }
    }
    if (improved === null) return best
    chosen = improved.lanes
    best = improved.split
  }
}

/** The best split without regard to gas. */
function splitOver(lanes: readonly Lane[], order: Order): Split {
  const { size } = order
  const filled = wholeOf(lanes, size) ?? shared(lanes, order)
  const left = size - filled.reduce((sum, leg) => sum + leg.amountIn, 0n)
  if (left > 0n) giveRest(lanes, filled, left)
  const legs = filled.filter(({ amountIn }) => amountIn > 0n)
  const total = (pick: (leg: SplitLeg) => bigint) => legs.reduce((sum, leg) => sum + pick(leg), 0n)
  const amountIn = total((leg) => leg.amountIn)
  const gas = new Map(lanes.map(({ venue }) => [venue.venueId, venue.gasQuote]))
  return {
    legs,
    amountIn,
    amountOut: total((leg) => leg.amountOut),
    gasQuote: total((leg) => gas.get(leg.venueId) ?? 0n),
    unfilled: size - amountIn,
  }
}

/** The whole order on a single market if it can fill it; skips the search. */
function wholeOf([only, second]: readonly Lane[], size: bigint): SplitLeg[] | null {
  if (only === undefined || second !== undefined) return null
  const leg = swapLane(only, size)
  return leg.amountIn === size ? [leg] : null
}

function shared(lanes: readonly Lane[], order: Order): SplitLeg[] {
  const inputs = shareOut(lanes, order)
  return lanes.map((lane, index) => swapLane(lane, inputs[index]!))
}

/** Inputs at the lowest common rate with a sum not above the order. */
function shareOut(lanes: readonly Lane[], { size, top }: Order): bigint[] {
  if (top.num === 0n) return lanes.map(() => 0n)
  const scale = BigInt(MAX_ROUNDS)
  const ask = (share: bigint): Asked => {
    const rate: Rat = { num: top.num * share, den: top.den << scale }
    const inputs = lanes.map((lane) => askLane(lane, share, rate, size))
    return { share, inputs, sum: inputs.reduce((total, input) => total + input, 0n) }
  }
  // At the best rate no market takes any input; at rate zero almost all take everything.
  let fits: Asked = { share: 1n << scale, inputs: lanes.map(() => 0n), sum: 0n }
  let tooMuch: Asked = { share: 0n, inputs: [], sum: size * BigInt(lanes.length + 1) }
  const note = (asked: Asked): boolean => {
    const isWithin = asked.sum <= size
    if (isWithin) fits = asked
    else tooMuch = asked
    return isWithin
  }
  for (const bits of FIRST_LOOKS) if (!note(ask(fits.share - (fits.share >> bits)))) break
  const precision = size >> PRECISION_BITS
  // False position with a halved weight for the unchanged end (Illinois); every fourth round is a
  // bisection.
  let [below, above] = [tooMuch.sum - size, size - fits.sum]
  let wasWithin: boolean | null = null
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const width = fits.share - tooMuch.share
    if (width <= 1n || size - fits.sum <= precision || tooMuch.sum - fits.sum <= precision) break
    const part = round % 4 === 3 ? width >> 1n : (width * below) / (below + above)
    const step = part < 1n ? 1n : part >= width ? width - 1n : part
    const asked = ask(tooMuch.share + step)
    const isWithin = note(asked)
    if (isWithin) above = size - asked.sum
    else below = asked.sum - size
    if (wasWithin === isWithin) {
      if (isWithin) below = (below + 1n) >> 1n
      else above = (above + 1n) >> 1n
    }
    wasWithin = isWithin
  }
  return [...fits.inputs]
}

/** What all markets together take down to a share of the best rate. */
interface Asked {
  readonly share: bigint
  readonly inputs: readonly bigint[]
  readonly sum: bigint
}

function askLane({ route, asked }: Lane, share: bigint, rate: Rat, size: bigint): bigint {
  const known = asked.get(share)
  if (known !== undefined) return known
  const amountIn = route.inputAt(rate, size)
  asked.set(share, amountIn)
  return amountIn
}

/** Adds what is left to the market that pays most for it, and on while any takes some. */
function giveRest(lanes: readonly Lane[], filled: SplitLeg[], rest: bigint): void {
  let left = rest
  while (left > 0n) {
    let best: { index: number; leg: SplitLeg } | null = null
    // Accepts an atom even if it buys zero alone.
    let gain = -1n
    for (const [index, lane] of lanes.entries()) {
      // One leg per lane.
      const before = filled[index]!
      const leg = swapLane(lane, before.amountIn + left)
      const more = leg.amountOut - before.amountOut
      if (leg.amountIn > before.amountIn && more > gain) {
        best = { index, leg }
        gain = more
      }
    }
    if (best === null) return
    left -= best.leg.amountIn - filled[best.index]!.amountIn
    filled[best.index] = best.leg
  }
}

/** Swaps by the market's own rules; a market that rejects the swap gets zero. */
function swapLane({ venue, route }: Lane, amountIn: bigint): SplitLeg {
  const { venueId } = venue
  const fill = amountIn === 0n ? null : route.swap(amountIn)
  return fill === null ? { venueId, amountIn: 0n, amountOut: 0n, fee: 0n } : { venueId, ...fill }
}
