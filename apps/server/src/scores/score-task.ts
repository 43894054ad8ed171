import {
  CompositeMarket,
  chooseRecoveries,
  diagnoseMarket,
  type HourlyWindow,
  hourlyInterval,
  type MarketDiagnostics,
  type MarketFollower,
  type MarketSample,
  measureMarket,
  median,
  type PricePoint,
  pathStream,
  type Recovery,
  type ScoreResult,
  scoreMarket,
  suspiciousTrades,
  type TapeTrade,
} from '@liquidity-os/engine'
import type { OwnerShare } from '../observations/depth-by-owner.ts'
import { depthsByProvider } from '../observations/provider-depths.ts'
import { momentsOf, type VenueHistory } from '../observations/venue-history.ts'
import { toNumber, VenueWalk } from './venue-walk.ts'
import { LargestSoFar, largestOf, noTrades, type WatchedTrades } from './watched-trades.ts'

/** What a score is measured from, as it travels to a thread: bytes and plain data only. */
export interface ScoreTask {
  histories: readonly VenueHistory[]
  /** A venue that only says a price. */
  reference: VenueHistory | null
  /** Unix seconds, both ends included. */
  window: { from: number; to: number }
  sampleSeconds: number
  referenceTradeSizeQuote: string
  /** By venue, as its newest observation tells them; null where it does not. */
  providers: readonly (readonly OwnerShare[] | null)[]
  /** Ascending. */
  tradeSizesQuote: readonly string[]
  usableSlippagePips: number
  /** Quote atoms that the venues held when they were last read; null where that is not known. */
  valueLocked: string | null
  quoteDecimals: number
  hasCriticalAnomaly: boolean
  seed: Uint8Array
}

export interface MeasuredScore {
  result: ScoreResult
  interval90: readonly [number, number] | null
  diagnostics: MarketDiagnostics
  /** At the last sample of the window; null where there is none. */
  last: {
    at: number
    depth: { bandPips: number; side: 'BUY' | 'SELL'; quote: string }[]
    slippage: { sizeQuote: string; buyPips: number; sellPips: number }[]
  } | null
  course: CoursePoint[]
  /** Gaps in words, of what could not be measured. */
  gaps: { code: string; detail: string }[]
}

/** The middle of the samples of a stretch of time. */
export interface CoursePoint {
  from: number
  samples: number
  midX18: string | null
  depthBuyQuote: string | null
  depthSellQuote: string | null
  slippagePips: number | null
  spreadPips: number | null
  deviationPips: number | null
}

const shownBands = [10_000, 20_000, 50_000, 100_000]
const usualBand = 20_000
const coursePoints = 168
const hour = 3600
const X18 = 10n ** 18n

/** Measures and judges a market. Pure: the same task gives the same score on every machine. */
export default function measureScore(task: ScoreTask): MeasuredScore {
  const { window, sampleSeconds } = task
  const moments = momentsOf(window, sampleSeconds)
  const soFar = new LargestSoFar(BigInt(task.referenceTradeSizeQuote))
  const seen =
    look(task, moments, task.reference, soFar) ??
    look(task, moments, task.reference, largestOf(task.histories, window))
  if (seen === null) throw new Error('Which trades are the largest was looked for first.')
  const { sampler, walks } = seen
  const trades = walks
    .flatMap((walk) => walk.trades)
    .sort((a, b) => a.at - b.at || a.block - b.block || a.position - b.position)
  const compared = sampler.compared()
  const { samples } = compared
  const hourly = hourlyWindow(task, sampler, {
    ...{ trades, recoveries: recoveriesOf(walks), samples },
    priceSources: compared.sources,
  })
  const result = scoreMarket(measureMarket(hourly))
  const isJudged = result.state !== 'ABSTAINED'
  const stream = pathStream(task.seed, 0, 'bootstrap', false)
  return {
    result,
    interval90: isJudged ? hourlyInterval(hourly, stream) : null,
    diagnostics: diagnoseMarket(sampler.grid, trades, {
      valueLocked: task.valueLocked === null ? null : Number(task.valueLocked),
      quoteUnit: 10 ** task.quoteDecimals,
    }),
    last: sampler.last,
    course: courseOf(samples, sampler.mids, window, sampleSeconds),
    gaps: [
      ...(hourly.suspiciousVolumeQuote === null && trades.length > 0 ? [originsUnknown] : []),
      ...(task.reference && !compared.isReferenceSource
        ? [referenceGap(compared.referenceSpoke, samples.length)]
        : []),
    ],
  }
}

/** Takes every sample; null where it turned out to be not known which trades are watched. */
function look(
  task: ScoreTask,
  moments: readonly number[],
  reference: VenueHistory | null,
  watched: WatchedTrades,
): { sampler: Sampler; walks: readonly VenueWalk[] } | null {
  const { histories, window } = task
  const walks = histories.map((history) => new VenueWalk(history, moments, window, watched))
  const beside = reference && new VenueWalk(reference, moments, window, noTrades)
  const sampler = new Sampler(walks, beside, task, moments)
  for (const moment of moments) {
    if (watched.isGivenUp) return null
    sampler.take(moment)
  }
  for (const walk of walks) walk.finish()
  return watched.isGivenUp ? null : { sampler, walks }
}

const originsUnknown = {
  code: 'ORIGINS_UNKNOWN',
  detail: 'Observations made before signers were sealed do not tell traders apart.',
}
/** A price that is hardly ever told is no source of one, however near it was when it was told. */
const isSource = (spoke: number, samples: number) => spoke > 0 && spoke * 10 >= samples * 9

const referenceGap = (spoke: number, samples: number) => ({
  code: spoke === 0 ? 'REFERENCE_NOT_OBSERVED' : 'REFERENCE_SELDOM_OBSERVED',
  detail: `The reference told a price at ${spoke} of ${samples} samples, of which nine tenths are needed: it counts as no price source.`,
})

/** Distances of the prices at a sample, pips; null where there was nothing to compare. */
interface Distances {
  /** Of the venues from each other. */
  readonly among: number | null
  /** The same with the reference as one more; null where that told no price. */
  readonly withReference: number | null
  /** Of each venue from its own mean. */
  readonly own: readonly (number | null)[]
}

/** The samples with the deviations of those prices that are sources over the whole window. */
interface Compared {
  readonly samples: readonly MarketSample[]
  readonly sources: number
  /** Samples at which the reference told a price. */
  readonly referenceSpoke: number
  readonly isReferenceSource: boolean
}

/** Takes the samples of all venues together. */
class Sampler {
  readonly #samples: Omit<MarketSample, 'deviationPips'>[] = []
  readonly #distances: Distances[] = []
  /** Samples at which each venue told a price, and the reference. */
  readonly #spoke: number[]
  #referenceSpoke = 0
  /** Price of each sample, X18. */
  readonly mids: bigint[] = []
  /** Every five minutes, or every sample where those are further apart. */
  readonly grid: PricePoint[] = []
  last: MeasuredScore['last'] = null
  /** Two-sided 2 % depth of each venue at the last sample. */
  depths: bigint[] = []
  readonly #walks: readonly VenueWalk[]
  readonly #beside: VenueWalk | null
  readonly #task: ScoreTask
  readonly #gridSeconds: number
  readonly #lastMoment: number | undefined
  #composite: { stretches: string; market: CompositeMarket } | null = null

  constructor(
    walks: readonly VenueWalk[],
    beside: VenueWalk | null,
    task: ScoreTask,
    moments: readonly number[],
  ) {
    this.#walks = walks
    this.#spoke = walks.map(() => 0)
    this.#beside = beside
    this.#task = task
    this.#lastMoment = lastMomentOf(task.histories, moments)
    this.#gridSeconds = Math.ceil(300 / task.sampleSeconds) * task.sampleSeconds
  }

  /** A sample is there when every venue was observed at its moment and the market has a price. */
  take(at: number): void {
    const markets = this.#walks.map((walk) => walk.at(at))
    const beside = this.#beside?.at(at) ?? null
    const isOnGrid = (at - this.#task.window.from) % this.#gridSeconds === 0
    const isWhole = markets.every((market) => market !== null)
    const composite = isWhole ? this.#compositeOf(markets) : null
    const mid = composite?.mid() ?? null
    if (isOnGrid) {
      const virtualQuote = markets.reduce(
        (sum, market, place) =>
          sum + Number(market?.virtualQuote(this.#walks[place]!.history.orientation) ?? 0n),
        0,
      )
      this.grid.push({ at, mid: mid === null ? null : toNumber(mid), virtualQuote })
    }
    if (composite === null || mid === null) return
    const size = BigInt(this.#task.referenceTradeSizeQuote)
    const [depthBuy, depthSell] = composite.depth([usualBand]).map(({ quote }) => quote)
    this.#samples.push({
      at,
      depthBuy: depthBuy ?? 0n,
      depthSell: depthSell ?? 0n,
      slippageBuyPips: composite.slippage(size, 'BUY')?.pips ?? 1_000_000,
      slippageSellPips: composite.slippage(size, 'SELL')?.pips ?? 1_000_000,
      spreadPips: composite.spreadPips() ?? 1_000_000,
    })
    this.#compare(composite, markets, beside)
    this.mids.push((mid.num * X18) / mid.den)
    if (at === this.#lastMoment) {
      this.last = this.#describe(at, composite)
      this.depths = markets.map((market, place) => this.#thinner(market, place))
    }
  }

  #compositeOf(markets: readonly (MarketFollower | null)[]): CompositeMarket {
    const stretches = this.#walks.map(({ stretch }) => stretch).join()
    if (this.#composite?.stretches !== stretches) {
      const venues = this.#walks.map(({ history: { venueId, orientation, feePips } }, place) => ({
        ...{ venueId, orientation, feePips },
        // Every venue was observed.
        market: markets[place]!,
      }))
      this.#composite = { stretches, market: new CompositeMarket(venues) }
    }
    return this.#composite.market
  }

  /** A source that is missing at a moment leaves its price alone, not compared with what others were. */
  #compare(
    composite: CompositeMarket,
    markets: readonly (MarketFollower | null)[],
    beside: MarketFollower | null,
  ): void {
    const own = markets.map((market, place) => {
      const deviation = market && this.#walks[place]!.ownDeviationPips(market)
      if (deviation !== null) this.#spoke[place]! += 1
      return deviation
    })
    const reference = beside && this.#beside && { ...this.#beside.history, market: beside }
    const isTold = reference !== null && beside?.mid(reference.orientation) !== null
    if (isTold) this.#referenceSpoke += 1
    this.#distances.push({
      ...{ own, among: composite.deviationPips() },
      withReference: isTold ? composite.deviationPips([reference]) : null,
    })
  }

  /** What the prices deviate by is known once all were seen: from each other where two are sources, else from their own past. */
  compared(): Compared {
    const count = this.#samples.length
    const isReferenceSource = isSource(this.#referenceSpoke, count)
    const sources = this.#spoke.map((spoke) => isSource(spoke, count))
    const told = sources.filter(Boolean).length + (isReferenceSource ? 1 : 0)
    const first = Math.max(0, sources.indexOf(true))
    const deviationOf = ({ among, withReference, own }: Distances) => {
      if (told < 2) return own[first] ?? null
      return isReferenceSource ? (withReference ?? among) : among
    }
    const samples = this.#samples.map((sample, place) => ({
      ...sample,
      deviationPips: deviationOf(this.#distances[place]!),
    }))
    return { samples, sources: told, referenceSpoke: this.#referenceSpoke, isReferenceSource }
  }

  #describe(at: number, composite: CompositeMarket): NonNullable<MeasuredScore['last']> {
    const pips = (size: string, side: 'BUY' | 'SELL') =>
      composite.slippage(BigInt(size), side)?.pips ?? 1_000_000
    return {
      at,
      depth: composite
        .depth(shownBands)
        .map(({ bandPips, side, quote }) => ({ bandPips, side, quote: `${quote}` })),
      slippage: this.#task.tradeSizesQuote.map((sizeQuote) => ({
        sizeQuote,
        buyPips: pips(sizeQuote, 'BUY'),
        sellPips: pips(sizeQuote, 'SELL'),
      })),
    }
  }

  #thinner(market: MarketFollower | null, place: number): bigint {
    const { orientation } = this.#walks[place]!.history
    const [buy = 0n, sell = 0n] = (market?.depth(orientation, [usualBand]) ?? []).map(
      ({ quote }) => quote,
    )
    return buy < sell ? buy : sell
  }
}

/** The last moment at which every venue was observed. */
function lastMomentOf(
  histories: readonly VenueHistory[],
  moments: readonly number[],
): number | undefined {
  return moments.findLast((moment) =>
    histories.every(({ stretches }) =>
      stretches.some(({ from, to }) => from <= moment && moment <= to),
    ),
  )
}

function recoveriesOf(walks: readonly VenueWalk[]): readonly Recovery[] {
  return walks.flatMap((walk) => walk.recoveries)
}

interface MeasuredFlow {
  trades: readonly TapeTrade[]
  recoveries: readonly Recovery[]
  samples: readonly MarketSample[]
  priceSources: number
}

function hourlyWindow(
  task: ScoreTask,
  { depths, last }: Sampler,
  { trades, recoveries, samples, priceSources }: MeasuredFlow,
): HourlyWindow {
  const { window, sampleSeconds, usableSlippagePips } = task
  const suspicious = suspiciousTrades(trades)
  const hours = Math.ceil((window.to - window.from) / hour)
  const flow = Array.from({ length: hours }, () => ({
    volumeQuote: 0n,
    suspiciousVolumeQuote: suspicious && 0n,
  }))
  for (const trade of trades) {
    // Trades of the window fall into its hours.
    const one = flow[Math.min(hours - 1, Math.floor((trade.at - window.from) / hour))]!
    one.volumeQuote += trade.volumeQuote
    if (suspicious?.has(trade) && one.suspiciousVolumeQuote !== null) {
      one.suspiciousVolumeQuote += trade.volumeQuote
    }
  }
  const { chosen, method } = chooseRecoveries(recoveries, BigInt(task.referenceTradeSizeQuote))
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  return {
    ...window,
    sampleSeconds,
    referenceTradeSizeQuote: BigInt(task.referenceTradeSizeQuote),
    usableSlippagePips,
    samples,
    recoveries: { durations: chosen, method },
    concentration: last === null ? null : concentrationOf(task, depths),
    volumeQuote: sum(flow.map(({ volumeQuote }) => volumeQuote)),
    suspiciousVolumeQuote: suspicious && sum(flow.map((one) => one.suspiciousVolumeQuote ?? 0n)),
    trades: trades.length,
    priceSources,
    hasCriticalAnomaly: task.hasCriticalAnomaly,
    flow,
  }
}

/** Where one venue does not tell who provides, venues stand in for providers. */
function concentrationOf(
  { providers }: ScoreTask,
  depths: readonly bigint[],
): NonNullable<HourlyWindow['concentration']> {
  const told = depths.flatMap((depth, place) => {
    const shares = providers[place]
    return shares ? [{ depth, providers: shares }] : []
  })
  return told.length === depths.length
    ? { depths: depthsByProvider(told), by: 'PROVIDER' }
    : { depths, by: 'VENUE' }
}

/** Medians of equal stretches of the window, as many as a picture can show. */
function courseOf(
  samples: readonly MarketSample[],
  mids: readonly bigint[],
  window: { from: number; to: number },
  sampleSeconds: number,
): CoursePoint[] {
  const step = Math.max(sampleSeconds, Math.ceil((window.to - window.from) / coursePoints))
  const count = Math.floor((window.to - window.from) / step) + 1
  const groups: number[][] = Array.from({ length: count }, () => [])
  for (const [place, { at }] of samples.entries()) {
    groups[Math.floor((at - window.from) / step)]?.push(place)
  }
  return groups.map((places, index) => {
    const middle = (read: (place: number) => number | null) => {
      const values = places.flatMap((place) => read(place) ?? [])
      return values.length === 0 ? null : median(values)
    }
    const whole = (value: number | null) => (value === null ? null : Math.round(value))
    const atoms = (value: number | null) => (value === null ? null : `${BigInt(Math.round(value))}`)
    const sampleAt = (place: number) => samples[place]!
    return {
      from: window.from + index * step,
      samples: places.length,
      midX18: atoms(middle((place) => Number(mids[place]!))),
      depthBuyQuote: atoms(middle((place) => Number(sampleAt(place).depthBuy))),
      depthSellQuote: atoms(middle((place) => Number(sampleAt(place).depthSell))),
      slippagePips: whole(
        middle((place) =>
          Math.max(sampleAt(place).slippageBuyPips, sampleAt(place).slippageSellPips),
        ),
      ),
      spreadPips: whole(middle((place) => sampleAt(place).spreadPips)),
      deviationPips: whole(middle((place) => sampleAt(place).deviationPips)),
    }
  })
}
