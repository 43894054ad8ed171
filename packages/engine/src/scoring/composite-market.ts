import type { Orientation } from '../amm/market.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { type Depth, depthNetOfFee, type Side } from '../depth/depth-ladder.ts'
import { baseFor } from '../depth/value.ts'
import type { MarketFollower } from '../replay/market-follower.ts'
import { commonMid, splitPips } from '../routing/common-price.ts'
import { type Split, splitOverRoutes } from '../routing/split-order.ts'

/** A market that is one of several for a pair. */
export interface CompositeVenue {
  readonly venueId: string
  readonly market: MarketFollower
  readonly orientation: Orientation
  /**
   * Swap fee, millionths of the input. A StableSwap pool has a variable fee, which is read from the
   * pool.
   */
  readonly feePips: number
  /** Additional cost per use, quote atoms. */
  readonly gasQuote?: bigint
}

/** Slippage of an order over all markets, against the common mid price. */
export interface CompositeSlip {
  readonly sizeQuote: bigint
  readonly side: Side
  /** All in, gas left out, 0..1,000,000; 1,000,000 where the size cannot be filled. */
  readonly pips: number
  readonly split: Split
}

export type PricedMarket = Pick<CompositeVenue, 'market' | 'orientation' | 'feePips'>

/**
 * Current fee of the first atom of a swap, pips. Rounded down, so that a deviation beyond the fee
 * is never understated.
 */
export function feePipsOf(priced: PricedMarket): number {
  return Number((feeX10Of(priced) * MILLION) / X10)
}

function feeX10Of({ market, orientation, feePips }: PricedMarket): bigint {
  return market.feeX10(orientation) ?? (BigInt(feePips) * X10) / MILLION
}

const MILLION = 1_000_000n
const X10 = 10n ** 10n
const X36 = 10n ** 36n
const usualBand = 20_000

/**
 * Several markets of one pair as one. Depth is the sum of the depths around each market's own
 * price, the usual practice for venues. Orders are split so that no atom gets a better price
 * elsewhere. The common mid is the mean of the mids, weighted by the smaller side of the 2 % depth.
 *
 * Results are cached until a market changes, so a sample only costs the changes since the last one.
 */
export class CompositeMarket {
  readonly #venues: readonly CompositeVenue[]
  /** By bands, and then in the order of the venues. */
  readonly #ladders = new Map<string, ({ version: number; ladder: Depth[] } | undefined)[]>()
  /** Version of the cached results, per venue. */
  #seen: number[] = []
  #mid: Rat | null = null
  readonly #slips = new Map<string, CompositeSlip>()

  /** @param venues at least one */
  constructor(venues: readonly CompositeVenue[]) {
    if (venues.length === 0) throw new RangeError('a composite of no markets')
    this.#venues = venues
  }

  /** The common mid; null while no market has a price. */
  mid(): Rat | null {
    this.#refresh()
    return this.#mid
  }

  /** Depth of every market around its own price, added up. */
  depth(bandsPips: readonly number[]): Depth[] {
    return this.#addUp(bandsPips, ({ quote }) => quote)
  }

  /** The same as targets count it, of a purchase less the fee as each market now takes it. */
  netDepth(bandsPips: readonly number[]): Depth[] {
    return this.#addUp(bandsPips, (rung, venue) => depthNetOfFee(rung, feeX10Of(venue)))
  }

  #addUp(
    bandsPips: readonly number[],
    quoteOf: (rung: Depth, venue: CompositeVenue) => bigint,
  ): Depth[] {
    const sums = new Map<string, Depth>()
    for (const [place, venue] of this.#venues.entries()) {
      for (const rung of this.#ladderOf(place, bandsPips)) {
        const key = `${rung.bandPips} ${rung.side}`
        sums.set(key, { ...rung, quote: quoteOf(rung, venue) + (sums.get(key)?.quote ?? 0n) })
      }
    }
    return [...sums.values()]
  }

  /**
   * Slippage of a size: BUY spends it, SELL gives its equivalent at the common mid; null without a
   * price.
   */
  slippage(sizeQuote: bigint, side: Side): CompositeSlip | null {
    this.#refresh()
    const mid = this.#mid
    if (mid === null) return null
    const key = `${side} ${sizeQuote}`
    const known = this.#slips.get(key)
    if (known !== undefined) return known
    const slip = this.slippageFrom(mid, sizeQuote, side)
    this.#slips.set(key, slip)
    return slip
  }

  /**
   * Spread in pips: cheapest first atom to buy minus best first atom to sell, over the mid. It is
   * twice the fee of a single pool, and less with several pools of different fees or prices. Uses
   * current fees. Not below zero.
   */
  spreadPips(): number | null {
    this.#refresh()
    const mid = this.#mid
    if (mid === null) return null
    let ask: bigint | null = null
    let bid: bigint | null = null
    for (const venue of this.#venues) {
      const own = venue.market.mid(venue.orientation)
      if (own === null) continue
      const price = (own.num * X36) / own.den
      const kept = X10 - feeX10Of(venue)
      const asked = (price * X10) / kept
      const offered = (price * kept) / X10
      if (ask === null || asked < ask) ask = asked
      if (bid === null || offered > bid) bid = offered
    }
    // There is a mid, so a market has a price.
    const gap = ((ask! - bid!) * MILLION * mid.den) / (mid.num * X36)
    return gap < 0n ? 0 : Number(gap < MILLION ? gap : MILLION)
  }

  /**
   * Largest distance of a price from the common mid beyond its market's fee, pips; null with one
   * price.
   *
   * @param others markets with a price but no liquidity data
   */
  deviationPips(others: readonly PricedMarket[] = []): number | null {
    this.#refresh()
    const mid = this.#mid
    if (mid === null) return null
    const priced: readonly PricedMarket[] = [...this.#venues, ...others]
    const gaps = priced.flatMap((venue) => {
      const own = venue.market.mid(venue.orientation)
      if (own === null) return []
      const ratio = (own.num * mid.den * MILLION) / (own.den * mid.num) - MILLION
      return [Math.max(0, Number(ratio < 0n ? -ratio : ratio) - feePipsOf(venue))]
    })
    return gaps.length < 2 ? null : Math.max(...gaps)
  }

  /**
   * Like `slippage`, against another price, so that markets with their own prices can be compared.
   * Not cached.
   */
  slippageFrom(mid: Rat, sizeQuote: bigint, side: Side): CompositeSlip {
    const size = side === 'BUY' ? sizeQuote : baseFor(sizeQuote, mid)
    const nothing: Split = { legs: [], amountIn: 0n, amountOut: 0n, gasQuote: 0n, unfilled: size }
    const split = size === 0n ? nothing : splitOverRoutes(this.#routes(side), side, size)
    return { sizeQuote, side, pips: splitPips(split, side, mid), split }
  }

  #routes(side: Side) {
    return this.#venues.map(({ venueId, market, orientation: { base, quote }, gasQuote = 0n }) => {
      const d = side === 'BUY' ? { from: quote, to: base } : { from: base, to: quote }
      return { venueId, gasQuote, route: market.route(d) }
    })
  }

  #refresh(): void {
    const isSeen = ({ market }: CompositeVenue, place: number) =>
      market.version === this.#seen[place]
    if (this.#venues.every(isSeen)) return
    this.#seen = this.#venues.map(({ market }) => market.version)
    this.#slips.clear()
    this.#mid = this.#weighedMid()
  }

  #weighedMid(): Rat | null {
    const priced = this.#venues.flatMap(({ market, orientation }, place) => {
      const mid = market.mid(orientation)
      return mid === null ? [] : [{ place, mid }]
    })
    if (priced.length < 2) return priced[0]?.mid ?? null
    return commonMid(
      priced.map(({ place, mid }) => {
        const [buy = 0n, sell = 0n] = this.#ladderOf(place, [usualBand]).map(({ quote }) => quote)
        return { mid, weight: buy < sell ? buy : sell }
      }),
    )
  }

  #ladderOf(place: number, bandsPips: readonly number[]): Depth[] {
    // There is a venue in each place.
    const { market, orientation } = this.#venues[place]!
    const key = bandsPips.join()
    const ladders = this.#ladders.get(key) ?? []
    const known = ladders[place]
    if (known?.version === market.version) return known.ladder
    const ladder = market.depth(orientation, bandsPips)
    ladders[place] = { version: market.version, ladder }
    this.#ladders.set(key, ladders)
    return ladder
  }
}
