import {
  type LoggedMarket,
  type Orientation,
  priceOrNull,
  type StableState,
} from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { followMarket, type MarketEvent } from '@liquidity-os/engine/replay'
import { parseExact } from '../../../../market/exact-json.ts'
import { bucketOf, pointBands, pointResolutions } from '../../../../market/market-points.ts'
import { eventsOf } from '../../../../market/sealed-events.ts'
import { daySeconds, minuteSeconds } from '../../../../units.ts'
import { priceAfter } from '../quote-value.ts'
import { StablePoolTracker } from '../stable-course.ts'
import { swapAccount } from '../swap-account.ts'
import type { Point, PointDepth } from './point.ts'

/** A sealed observation whose replay was exact, or its part that counts. */
export interface PointsTask {
  /** The market before the first event, as JSON. */
  readonly start: Uint8Array
  /** Sealed events, one per line. */
  readonly events: Uint8Array
  readonly orientation: Orientation
  readonly feePips: number
  /** Unix seconds of the first and last block of the observation. */
  readonly observed: { readonly from: number; readonly to: number }
  /** Part that counts, if others supply the rest: its blocks, and its time in Unix seconds. */
  readonly part: {
    readonly fromBlock: number
    readonly toBlock: number
    readonly from: number
    readonly to: number
  } | null
}

/**
 * Depths computed per observation at most. A longer observation has depth at the end of coarser
 * buckets only.
 */
export const maxDepths = 2_000

const X36 = 10n ** 36n

/** Folds an observation into points of one minute. Pure: equal observations give equal points. */
export default function foldPoints(task: PointsTask): Point[] {
  const start = parseExact(new TextDecoder().decode(task.start)) as LoggedMarket
  const fold = new PointFold(start, task)
  const { part, observed } = task
  let isCounting = part === null || part.from === observed.from
  if (isCounting) fold.open(observed.from)
  for (const event of eventsOf([task.events])) {
    if (part !== null && event.block > part.toBlock) break
    if (part !== null && event.block < part.fromBlock) {
      fold.skip(event)
      continue
    }
    if (!isCounting) fold.resume(part?.from ?? observed.from)
    isCounting = true
    fold.apply(event)
  }
  if (!isCounting) fold.resume(part?.from ?? observed.from)
  return fold.finish(part?.to ?? observed.to)
}

class PointFold {
  readonly #market: ReturnType<typeof followMarket>
  readonly #side: Orientation
  readonly #feePips: bigint
  readonly #course: StablePoolTracker | null
  /** Bucket length for depth: it is computed at the end of such a bucket. */
  readonly #depthSeconds: number
  readonly #points: Point[] = []
  #price: Rat | null
  #point: Point | null = null
  #nextDay = 0
  /** Time of the newest event or opened bucket. */
  #now: number

  constructor(start: LoggedMarket, { orientation, feePips, observed }: PointsTask) {
    this.#market = followMarket(start)
    this.#side = orientation
    this.#feePips = BigInt(feePips)
    this.#price = priceOrNull(start, orientation)
    this.#course = start.kind === 'STABLESWAP' ? new StablePoolTracker(start, orientation) : null
    this.#depthSeconds = depthSecondsOf(observed.to - observed.from)
    this.#now = observed.from
  }

  /** Opens the bucket of a time at the current price. */
  open(at: number): void {
    if (this.#nextDay === 0) this.#nextDay = bucketOf(at, daySeconds) + daySeconds
    for (; this.#nextDay <= at; this.#nextDay += daySeconds) this.#openBucket(this.#nextDay)
    this.#openBucket(at)
  }

  /** Starts to count within the observation; the part before supplies the earlier state. */
  resume(at: number): void {
    this.#nextDay = bucketOf(at, daySeconds) + daySeconds
    this.#now = at
  }

  /** Follows an event that another observation counts. */
  skip(event: MarketEvent): void {
    this.#follow(event)
  }

  apply(event: MarketEvent): void {
    const at = event.timestamp ?? this.#now
    this.open(at)
    const trade = this.#course
      ? this.#course.trade(event)
      : swapAccount(event, this.#side, this.#feePips, this.#after(event))
    this.#follow(event)
    const price = this.#priceAt(at)
    const { open, high, low, volume, fees, trades } = this.#point!
    this.#point = {
      ...this.#point!,
      open: open ?? price,
      high: high === null || (price !== null && price > high) ? price : high,
      low: low === null || (price !== null && price < low) ? price : low,
      close: price,
      volume: volume + (trade?.volumeQuote ?? 0n),
      fees: fees + (trade?.feesQuote ?? 0n),
      trades: trades + (trade === null ? 0 : 1),
    }
  }

  finish(until: number): Point[] {
    if (this.#nextDay !== 0) {
      for (; this.#nextDay <= until; this.#nextDay += daySeconds) this.#openBucket(this.#nextDay)
    }
    this.#close(true)
    return this.#points
  }

  #after(event: MarketEvent): Rat | null {
    return priceAfter(event, this.#side) ?? this.#price
  }

  #follow(event: MarketEvent): void {
    this.#market.apply(event)
    if (this.#course === null) {
      this.#price = this.#after(event)
      return
    }
    // A lost replay has no price.
    const isKnown = this.#market.mid(this.#side) !== null
    this.#course.moveTo(isKnown ? (this.#market.market() as StableState) : null)
  }

  #openBucket(at: number): void {
    this.#now = at
    const bucket = bucketOf(at, minuteSeconds)
    if (this.#point?.at === bucket) return
    this.#close(
      this.#point !== null &&
        bucketOf(this.#point.at, this.#depthSeconds) !== bucketOf(at, this.#depthSeconds),
    )
    const price = this.#priceAt(at)
    this.#point = {
      at: bucket,
      open: price,
      high: price,
      low: price,
      close: price,
      depth: null,
      tvl: null,
      volume: 0n,
      fees: 0n,
      trades: 0,
    }
  }

  #close(hasDepth: boolean): void {
    if (this.#point === null) return
    this.#points.push({
      ...this.#point,
      depth: hasDepth ? this.#depth() : null,
      tvl: this.#market.valueLocked(this.#side),
    })
    this.#point = null
  }

  #depth(): PointDepth | null {
    const ladder = this.#market.depth(this.#side, pointBands)
    if (ladder.length === 0) return null
    const quoteOf = (band: number, side: string) =>
      ladder.find((rung) => rung.bandPips === band && rung.side === side)?.quote ?? 0n
    return Object.fromEntries(
      pointBands.map((band) => [band, [quoteOf(band, 'BUY'), quoteOf(band, 'SELL')] as const]),
    )
  }

  #priceAt(at: number): bigint | null {
    const price = this.#course ? this.#course.priceAt(at) : this.#price
    return price === null ? null : (price.num * X36) / price.den
  }
}

/** Finest bucket length that needs at most `maxDepths` depths in a time. */
function depthSecondsOf(seconds: number): number {
  const found = pointResolutions.find((one) => seconds / one.seconds <= maxDepths)
  return found?.seconds ?? daySeconds
}
