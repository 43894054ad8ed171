import type { MarketFollower } from '@liquidity-os/engine/replay'
import { CompositeMarket, type MarketSample, type PricePoint } from '@liquidity-os/engine/scoring'
import { median } from '@liquidity-os/engine/statistics'
import { x36Of } from '../../../market/mid-price.ts'
import type { VenueHistory } from '../../../market/venue-history.ts'
import { daySeconds } from '../../../units.ts'
import { toNumber, type VenueWalk } from './venue-walk.ts'

const shownBands = [10_000, 20_000, 50_000, 100_000]
const usualBandPips = 20_000

export interface SampleTerms {
  histories: readonly VenueHistory[]
  /** Unix seconds, half-open for trades; states are sampled at both ends. */
  window: { from: number; to: number }
  sampleSeconds: number
  /** Published size of the score; null if the quote token has none. */
  gradedSizeQuote: string | null
  /** Size that the caller named. It affects no score. */
  requestedSizeQuote: string
  /** Ascending. */
  tradeSizesQuote: readonly string[]
}

/** Moments at which a score looks at its market, each list ascending. */
export interface SampledMoments {
  /** Drawn by a block hash, for every scored measure. */
  readonly samples: readonly number[]
  /** Regular, for prices and returns. */
  readonly grid: readonly number[]
  /** End of the observed window; null without observations of all venues. */
  readonly last: number | null
}

/** Every five minutes, or at the interval of the samples if that is longer. */
export const gridSecondsOf = (sampleSeconds: number): number =>
  Math.ceil(300 / sampleSeconds) * sampleSeconds

/** A market at one time, readable by all. */
export interface LastSample {
  at: number
  depth: { bandPips: number; side: 'BUY' | 'SELL'; quote: string }[]
  slippage: SizeSlippage[]
}

interface SizeSlippage {
  sizeQuote: string
  buyPips: number
  sellPips: number
}

/** A drawn sample of the last day. */
interface RecentSample {
  /** Two-sided 2 % depth per venue. */
  readonly depths: readonly bigint[]
  /** Composite depth at the shown bands. */
  readonly ladder: readonly bigint[]
  readonly slippage: readonly SizeSlippage[]
}

/** Samples of the last day that are measured at every size. */
const recentSamples = 48
/** Samples of the last day that claims require, so that no single draw decides. */
export const minRecentSamples = 12

/** Drawn samples of the day before the end, at most the limit, evenly chosen. */
function recentOf(samples: readonly number[], last: number | null): number[] {
  if (last === null) return []
  const ofDay = samples.filter((at) => last - daySeconds <= at && at <= last)
  const every = Math.ceil(ofDay.length / recentSamples)
  return ofDay.filter((_, index) => (ofDay.length - 1 - index) % every === 0)
}

/** Lower median; 0 without values. */
function middleOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[(sorted.length - 1) >> 1] ?? 0n
}

/** A price source must cover at least 90 % of the samples. */
const isSource = (spoke: number, samples: number) => spoke > 0 && spoke * 10 >= samples * 9

/** Price deviations at a sample, in pips; null without a comparison price. */
interface Distances {
  /** Between venues. */
  readonly among: number | null
  /** Including the reference price; null if the reference has no price. */
  readonly withReference: number | null
  /** Between each venue's spot price and its mean. */
  readonly own: readonly (number | null)[]
}

/** The samples with the deviations of those prices that cover the whole window. */
export interface Compared {
  readonly samples: readonly MarketSample[]
  readonly sources: number
  /** Number of samples with a reference price. */
  readonly referenceSpoke: number
  readonly isReferenceSource: boolean
}

/** Trade size of the measurement. Without a published size the result has no score. */
export const measuredSizeOf = ({
  gradedSizeQuote,
  requestedSizeQuote,
}: Pick<SampleTerms, 'gradedSizeQuote' | 'requestedSizeQuote'>): bigint =>
  BigInt(gradedSizeQuote ?? requestedSizeQuote)

/** Receives the samples of all venues together. */
export class MarketSampler {
  readonly #samples: Omit<MarketSample, 'deviationPips'>[] = []
  readonly #distances: Distances[] = []
  /** Number of samples with a price, by venue and for the reference. */
  readonly #spoke: number[]
  #referenceSpoke = 0
  /** Slippage of the worse side at the requested size, per sample. */
  readonly requestedSlippages: number[] = []
  /** Price per sample, X36. */
  readonly mids: bigint[] = []
  /** Prices at regular moments, each with the liquidity of the drawn sample before it. */
  readonly grid: PricePoint[] = []
  #last: LastSample | null = null
  readonly #recent: RecentSample[] = []
  readonly #walks: readonly VenueWalk[]
  readonly #beside: VenueWalk | null
  readonly #task: SampleTerms
  readonly #samplesAt: ReadonlySet<number>
  readonly #gridAt: ReadonlySet<number>
  readonly #recentAt: ReadonlySet<number>
  readonly #lastMoment: number | null
  #virtualQuote: number | null = null
  #composite: { stretches: string; market: CompositeMarket } | null = null

  constructor(
    walks: readonly VenueWalk[],
    referenceWalk: VenueWalk | null,
    task: SampleTerms,
    { samples, grid, last }: SampledMoments,
  ) {
    this.#walks = walks
    this.#spoke = walks.map(() => 0)
    this.#beside = referenceWalk
    this.#task = task
    this.#samplesAt = new Set(samples)
    this.#gridAt = new Set(grid)
    this.#recentAt = new Set(recentOf(samples, last))
    this.#lastMoment = last
  }

  /** A sample exists if every venue was observed at its time and the market has a price. */
  take(at: number): void {
    const isSample = this.#samplesAt.has(at)
    const markets = this.#walks.map((walk) => walk.at(at))
    const referenceMarket = this.#beside?.at(at) ?? null
    const isWhole = markets.every((market) => market !== null)
    const composite = isWhole ? this.#compositeOf(markets) : null
    const mid = composite?.mid() ?? null
    if (isSample || this.#virtualQuote === null) {
      this.#virtualQuote = isWhole ? this.#virtualOf(markets) : null
    }
    if (this.#gridAt.has(at)) {
      // Null only without a price, so a step with it counts nowhere.
      const virtualQuote = this.#virtualQuote ?? 0
      this.grid.push({ at, mid: mid === null ? null : toNumber(mid), virtualQuote })
    }
    if (composite === null || mid === null) return
    if (at === this.#lastMoment) this.#last = this.#describe(at, composite)
    if (!isSample) return
    const size = measuredSizeOf(this.#task)
    const [depthBuy, depthSell] = composite.depth([usualBandPips]).map(({ quote }) => quote)
    const buy = slippagePips(composite, size, 'BUY')
    const sell = slippagePips(composite, size, 'SELL')
    this.#samples.push({
      at,
      depthBuy: depthBuy ?? 0n,
      depthSell: depthSell ?? 0n,
      slippageBuyPips: buy,
      slippageSellPips: sell,
      spreadPips: composite.spreadPips() ?? 1_000_000,
    })
    const requested = BigInt(this.#task.requestedSizeQuote)
    this.requestedSlippages.push(
      requested === size
        ? Math.max(buy, sell)
        : Math.max(
            slippagePips(composite, requested, 'BUY'),
            slippagePips(composite, requested, 'SELL'),
          ),
    )
    this.#compare(composite, markets, referenceMarket)
    this.mids.push(x36Of(mid))
    if (this.#recentAt.has(at)) {
      this.#recent.push({
        depths: markets.map((market, index) => this.#thinner(market, index)),
        ladder: composite.depth(shownBands).map(({ quote }) => quote),
        slippage: this.#slippageOf(composite),
      })
    }
  }

  /**
   * Market at the end of the observed window; null without a price there. The caller chooses that
   * end, so depth is at most the median of the last day's samples. Slippage is that of the state,
   * which a passport binds; see `isLastSustained`.
   */
  get last(): LastSample | null {
    if (this.#last === null) return null
    if (this.#recent.length === 0) return { ...this.#last, depth: [] }
    const depth = this.#last.depth.map((rung, index) => {
      const usual = middleOf(this.#recent.map(({ ladder }) => ladder[index]!))
      return { ...rung, quote: BigInt(rung.quote) < usual ? rung.quote : `${usual}` }
    })
    return { ...this.#last, depth }
  }

  /** Median two-sided 2 % depth per venue over the samples of the last day. */
  get depths(): bigint[] {
    return this.#walks.map((_, index) => middleOf(this.#recent.map(({ depths }) => depths[index]!)))
  }

  /**
   * True if at least half of the samples of the last day cost at most one and a half times the
   * market at the end, plus 0.01 %, for each size and side. The caller chooses that end.
   */
  isLastSustained(): boolean {
    const last = this.#last
    if (last === null || !this.areRecentEnough) return false
    return last.slippage.every(({ buyPips, sellPips }, size) => {
      const medianOf = (read: (one: SizeSlippage) => number) =>
        median(this.#recent.map(({ slippage }) => read(slippage[size]!)))
      return (
        medianOf((one) => one.buyPips) <= 1.5 * buyPips + 100 &&
        medianOf((one) => one.sellPips) <= 1.5 * sellPips + 100
      )
    })
  }

  get areRecentEnough(): boolean {
    return this.#recent.length >= minRecentSamples
  }

  #virtualOf(markets: readonly (MarketFollower | null)[]): number {
    return markets.reduce(
      (sum, market, index) =>
        sum + Number(market?.virtualQuote(this.#walks[index]!.history.orientation) ?? 0n),
      0,
    )
  }

  #compositeOf(markets: readonly (MarketFollower | null)[]): CompositeMarket {
    const stretches = this.#walks.map(({ stretch }) => stretch).join()
    if (this.#composite?.stretches !== stretches) {
      const venues = this.#walks.map(({ history: { venueId, orientation, feePips } }, index) => ({
        venueId,
        orientation,
        feePips,
        // All venues were observed.
        market: markets[index]!,
      }))
      this.#composite = { stretches, market: new CompositeMarket(venues) }
    }
    return this.#composite.market
  }

  /** If a source is missing at a moment, the remaining sources are compared among themselves. */
  #compare(
    composite: CompositeMarket,
    markets: readonly (MarketFollower | null)[],
    beside: MarketFollower | null,
  ): void {
    const own = markets.map((market, index) => {
      const deviation = market && this.#walks[index]!.ownDeviationPips(market)
      if (deviation !== null) this.#spoke[index]! += 1
      return deviation
    })
    const reference = beside && this.#beside && { ...this.#beside.history, market: beside }
    const hasReference = reference !== null && beside?.mid(reference.orientation) !== null
    if (hasReference) this.#referenceSpoke += 1
    this.#distances.push({
      own,
      among: composite.deviationPips(),
      withReference: hasReference ? composite.deviationPips([reference]) : null,
    })
  }

  /**
   * Deviation of prices. It needs all samples: with two or more sources it compares them, otherwise
   * it compares each venue with its own mean.
   */
  compared(): Compared {
    const count = this.#samples.length
    const isReferenceSource = isSource(this.#referenceSpoke, count)
    const sources = this.#spoke.map((spoke) => isSource(spoke, count))
    const sourceCount = sources.filter(Boolean).length + (isReferenceSource ? 1 : 0)
    const first = Math.max(0, sources.indexOf(true))
    const deviationOf = ({ among, withReference, own }: Distances) => {
      if (sourceCount < 2) return own[first] ?? null
      return isReferenceSource ? (withReference ?? among) : among
    }
    const samples = this.#samples.map((sample, index) => ({
      ...sample,
      deviationPips: deviationOf(this.#distances[index]!),
    }))
    return {
      samples,
      sources: sourceCount,
      referenceSpoke: this.#referenceSpoke,
      isReferenceSource,
    }
  }

  #describe(at: number, composite: CompositeMarket): LastSample {
    return {
      at,
      depth: composite
        .depth(shownBands)
        .map(({ bandPips, side, quote }) => ({ bandPips, side, quote: `${quote}` })),
      slippage: this.#slippageOf(composite),
    }
  }

  #slippageOf(composite: CompositeMarket): SizeSlippage[] {
    const pips = (size: string, side: 'BUY' | 'SELL') => slippagePips(composite, BigInt(size), side)
    return this.#task.tradeSizesQuote.map((sizeQuote) => ({
      sizeQuote,
      buyPips: pips(sizeQuote, 'BUY'),
      sellPips: pips(sizeQuote, 'SELL'),
    }))
  }

  #thinner(market: MarketFollower | null, itemIndex: number): bigint {
    const { orientation } = this.#walks[itemIndex]!.history
    const [buy = 0n, sell = 0n] = (market?.depth(orientation, [usualBandPips]) ?? []).map(
      ({ quote }) => quote,
    )
    return buy < sell ? buy : sell
  }
}

/** A size that cannot be filled costs all. */
const slippagePips = (composite: CompositeMarket, size: bigint, side: 'BUY' | 'SELL'): number =>
  composite.slippage(size, side)?.pips ?? 1_000_000
