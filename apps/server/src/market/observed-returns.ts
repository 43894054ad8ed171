import type { contract } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import {
  type BandVolatility,
  type Calibration,
  calibrate,
  classifySwaps,
  type ObservedSwap,
  signaturePlot,
} from '@liquidity-os/engine/montecarlo'
import { ln } from '@liquidity-os/engine/numerics'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import type { Static } from 'typebox'
import { daySeconds, minuteSeconds } from '../units.ts'
import { type BlockTime, blockTimeOf } from './block-time.ts'
import { type PricePoint, priceAt, resampled } from './prices/price-course.ts'
import { tradedBy } from './traded-by.ts'

/** Log returns of a pool and its volume over steps of one length, in time order, without gaps. */
export interface ObservedReturns {
  stepSeconds: number
  logReturns: Float64Array
  /** Quote traded in each step, atoms as floats. */
  volumes: Float64Array
  swaps: ObservedSwap[]
  minutes: ObservedMinutes
  /** Of the headers of the events; null if they are too few. */
  blockTime: BlockTime | null
  /** True if returns and references use an external price, not the pool price. */
  isOutside: boolean
}

/** ln price at the end of every minute, for volatility, and mean block time. */
interface ObservedMinutes {
  logPrices: Float64Array
  blockSeconds: number
}

/** A moment of the replay. */
interface Tick {
  block: number
  timestamp: number
  price: number
  swap: Omit<ObservedSwap, 'reference'> | null
}

/**
 * Reads the price at the end of every step from pool events; a step without an event repeats it.
 *
 * With a reference, a swap is compared with the last external price at or before it. Otherwise it
 * is compared with the pool's price at the end of its step. A lasting move was information, the
 * rest was noise.
 *
 * @param reference external prices, ascending, of the base in the quote
 */
export function observeReturns(
  events: Iterable<PoolEvent>,
  orientation: Orientation,
  stepSeconds: number,
  reference: readonly PricePoint[] | null = null,
): ObservedReturns {
  const ticks = [...ticksOf(events, orientation)]
  const steps = stepsOf(ticks, stepSeconds)
  if (reference !== null) return outsideReturns(ticks, steps, stepSeconds, reference)
  const closes = steps.map(({ close }) => close)
  return {
    stepSeconds,
    // Every price except the first has a predecessor.
    logReturns: Float64Array.from(closes.slice(1), (close, index) => ln(close / closes[index]!)),
    volumes: Float64Array.from(steps.slice(1), ({ swaps }) =>
      swaps.reduce((sum, { sizeQuote }) => sum + sizeQuote, 0),
    ),
    swaps: steps.flatMap(({ swaps, close }) =>
      swaps.map((swap) => ({ ...swap, reference: close })),
    ),
    minutes: minutesOf(ticks),
    blockTime: blockTimeOf(ticks),
    isOutside: false,
  }
}

/**
 * Returns of an external price, and swaps compared with it. The grid is the longer of the price
 * interval and the step.
 */
function outsideReturns(
  ticks: readonly Tick[],
  steps: readonly Step[],
  stepSeconds: number,
  points: readonly PricePoint[],
): ObservedReturns {
  const [first, last] = [ticks[0], ticks.at(-1)]
  if (!first || !last) throw new Error('The observed venue has no events.')
  // A price applies until the next one; stale prices were already rejected by the coverage check.
  const course = { points, maximumAgeSeconds: Infinity }
  const apart = points.slice(1).map(({ at }, index) => at - points[index]!.at)
  const grid = Math.max(stepSeconds, minuteSeconds, ...medianOf(apart))
  const sampled = resampled(points, grid, { from: first.timestamp, to: last.timestamp })
  const pairs = sampled.slice(1).flatMap((point, index) => {
    const before = sampled[index]!
    return point.at - before.at === grid ? [ln(ratio(point.priceX36, before.priceX36))] : []
  })
  const volumes = Float64Array.from(steps.slice(1), ({ swaps }) =>
    swaps.reduce((sum, { sizeQuote }) => sum + sizeQuote, 0),
  )
  const swaps = ticks.flatMap(({ swap, timestamp }) => {
    const known = swap && priceAt(course, timestamp)
    if (!swap || !known) return []
    const { priceX36, errorPips } = known
    return [{ ...swap, reference: Number(priceX36) / 1e36, referenceError: errorPips / 1e6 }]
  })
  const logPrices = Float64Array.from(sampled, ({ priceX36 }) => ln(Number(priceX36)))
  return {
    stepSeconds: grid,
    logReturns: Float64Array.from(pairs),
    volumes,
    swaps,
    minutes: { logPrices, blockSeconds: minutesOf(ticks).blockSeconds },
    blockTime: blockTimeOf(ticks),
    isOutside: true,
  }
}

/** For two integers above the exact range of a float. */
const ratio = (a: bigint, b: bigint) => Number(a) / Number(b)

const medianOf = (values: readonly number[]): number[] => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  return middle === undefined ? [] : [middle]
}

function minutesOf(ticks: readonly Tick[]): ObservedMinutes {
  const logPrices = Float64Array.from(stepsOf(ticks, minuteSeconds), ({ close }) => ln(close))
  const [first, last] = [ticks[0], ticks.at(-1)]
  const blocks = first && last ? last.block - first.block : 0
  // With a single block, the block time is unknown and no series is long enough.
  const blockSeconds = first && last && blocks > 0 ? (last.timestamp - first.timestamp) / blocks : 0
  return { logPrices, blockSeconds }
}

function* ticksOf(events: Iterable<PoolEvent>, orientation: Orientation): Generator<Tick> {
  let before: number | null = null
  let price: number | null = null
  for (const event of events) {
    price = priceAfter(event, orientation) ?? price
    if (event.timestamp === null || price === null) continue
    const trade = tradeOf(event, orientation)
    const swap =
      trade && before !== null ? { poolBefore: before, poolAfter: price, ...trade } : null
    yield { block: event.block, timestamp: event.timestamp, price, swap }
    // The Sync of a pair gives the price of the Swap after it.
    if (event.type !== 'Sync') before = price
    before ??= price
  }
}

const q96 = 2 ** 96

/** Quote per base as a float, if the event states a price. */
function priceAfter(event: PoolEvent, { base }: Orientation): number | null {
  let token1PerToken0: number | null = null
  if ('sqrtPriceX96' in event) {
    const root = Number(event.sqrtPriceX96) / q96
    token1PerToken0 = root * root
  } else if (event.type === 'Sync' && event.reserve0 > 0n && event.reserve1 > 0n) {
    token1PerToken0 = Number(event.reserve1) / Number(event.reserve0)
  }
  if (token1PerToken0 === null) return null
  return base === 0 ? token1PerToken0 : 1 / token1PerToken0
}

function tradeOf(
  event: PoolEvent,
  orientation: Orientation,
): { buysBase: boolean; sizeQuote: number } | null {
  const trade = tradedBy(event, orientation)
  return trade && { buysBase: trade.base > 0n, sizeQuote: Number(trade.volumeQuote) }
}

interface Step {
  close: number
  swaps: Omit<ObservedSwap, 'reference'>[]
}

/**
 * Groups events by steps from the first time on; the last step has the same length as the others.
 */
function stepsOf(ticks: Iterable<Tick>, stepSeconds: number): Step[] {
  const steps: Step[] = []
  let start: number | null = null
  let close = 0
  for (const { timestamp, price, swap } of ticks) {
    start ??= timestamp
    const itemIndex = Math.floor((timestamp - start) / stepSeconds)
    while (steps.length <= itemIndex) steps.push({ close, swaps: [] })
    close = price
    const step = steps[itemIndex]!
    step.close = price
    if (swap) step.swaps.push(swap)
  }
  return steps
}

/**
 * Calibration of every model in contract units; null if the data is insufficient.
 *
 * @param feePips of the pool: a trader who moved the price by less was no arbitrageur
 * @param bandFeePips of the venue behind the prices, which does not follow the market within its
 * fee. Null for prices
 *                     from outside venues, which do follow it
 */
export function calibrationOf(
  observed: ObservedReturns,
  feePips: number,
  window: { fromBlock: number; toBlock: number },
  bandFeePips: number | null = observed.isOutside ? null : feePips,
): Static<typeof contract.StudyCalibration> | null {
  const { stepSeconds, logReturns, swaps, minutes, isOutside } = observed
  const gridSeconds = isOutside ? stepSeconds : minuteSeconds
  const series = { ...minutes, stepSeconds: gridSeconds, feePips: bandFeePips ?? feePips }
  const classified = classifySwaps(swaps, feePips)
  const isBanded = bandFeePips !== null
  const found = calibrate({ stepSeconds, logReturns }, classified, isBanded ? series : null)
  if (!found.ok) return null
  const { jumpDiffusion: jumps, diffusion, bootstrap } = found
  return {
    returns: found.returns,
    stepSeconds,
    ...window,
    annualVolatilityPips:
      diffusion.annualVolatility && isKnown(diffusion.annualVolatility)
        ? estimate(diffusion.annualVolatility, 1e6)
        : null,
    volatility: {
      ...readingOf(found),
      feePips: series.feePips,
      blockMilliseconds: Math.round(minutes.blockSeconds * 1e3),
      gridSeconds,
      signature: signaturePlot(series).map(({ seconds, annualVolatility, standardError }) => ({
        seconds,
        annualVolatilityPips: Math.round(annualVolatility * 1e6),
        standardErrorPips: Math.round(standardError * 1e6),
      })),
    },
    jumps: jumps && {
      found: jumps.jumps,
      annualVolatilityPips: estimate(jumps.annualVolatility, 1e6),
      jumpsPerYearMilli: estimate(jumps.jumpsPerYear, 1e3),
      jumpMeanPips: estimate(jumps.jumpMean, 1e6),
      jumpDeviationPips: estimate(jumps.jumpDeviation, 1e6),
    },
    meanBlockMilli: Math.max(1000, Math.round(bootstrap.meanBlock * 1000)),
    flow: found.flow && flowOf(found.flow),
  }
}

/** Maximum relative standard error of a volatility for calibration. */
const largestError = 0.1

const isKnown = ({ value, standardError }: { value: number; standardError: number }) =>
  standardError <= largestError * value

function readingOf({ band, outside, returns, stepSeconds }: Calibration) {
  if (band !== null) return volatilityOf(band)
  if (outside === null) throw new Error('A volatility source is missing.')
  const { value, standardError } = outside.annualVolatility
  const ok = isKnown(outside.annualVolatility)
  const observedSeconds = returns * stepSeconds
  const share = value > 0 ? standardError / (largestError * value) : null
  return {
    estimator: outside.estimator,
    estimatorVersion: 1,
    state: ok ? ('COMPLETED' as const) : ('ABSTAINED' as const),
    reason: ok ? null : ('VOLATILITY_UNCERTAIN' as const),
    readPips: estimate(outside.annualVolatility, 1e6),
    // The error decreases with the square root of time.
    daysNeeded: share === null ? null : Math.ceil((observedSeconds * share * share) / daySeconds),
    observedSeconds,
    bandPips: null,
    shortSeconds: null,
    longSeconds: null,
  }
}

function volatilityOf(band: BandVolatility) {
  const { ok, annualVolatility, halfWidth, shortSeconds, longSeconds, feeBandVolatility } = band
  const reason = feeBandVolatility ? 'VOLATILITY_SCALES_DISAGREE' : 'VOLATILITY_BAND_TOO_WIDE'
  return {
    estimator: 'BAND_TWO_SCALE' as const,
    estimatorVersion: 2,
    state: ok ? ('COMPLETED' as const) : ('ABSTAINED' as const),
    reason: ok ? null : (reason as typeof reason),
    feeBandPips: feeBandVolatility && estimate(feeBandVolatility, 1e6),
    readPips: annualVolatility && estimate(annualVolatility, 1e6),
    daysNeeded: band.daysNeeded,
    observedSeconds: band.observedSeconds,
    bandPips: halfWidth === null ? null : Math.round(halfWidth * 1e6),
    shortSeconds,
    longSeconds,
  }
}

function flowOf(flow: NonNullable<Calibration['flow']>) {
  return {
    tradesPerDayMilli: estimate(flow.tradesPerDay, 1e3),
    logMeanQuotePips: estimate(flow.logMeanQuote, 1e6),
    logDeviationPips: estimate(flow.logDeviation, 1e6),
    buySharePips: estimate(flow.buyShare, 1e6),
    arbitrageVolumeSharePips: Math.round(flow.arbitrageVolumeShare * 1e6),
    ambiguousVolumeSharePips: Math.round(flow.ambiguousVolumeShare * 1e6),
  }
}

const estimate = (
  { value, standardError }: { value: number; standardError: number },
  per: number,
) => ({
  value: Math.round(value * per),
  standardError: Math.round(standardError * per),
})
