import { bucketOf, pointResolutions } from '../../../../market/market-points.ts'

/** Depth in quote atoms by band in pips, buy side first. */
export type PointDepth = Readonly<Record<string, readonly [buy: bigint, sell: bigint]>>

/** One bucket of a venue. Prices are quote atoms per base atom, times 10^36. */
export interface Point {
  /** Start of the bucket, in Unix seconds. */
  readonly at: number
  /** Null while the market has no price. */
  readonly open: bigint | null
  readonly high: bigint | null
  readonly low: bigint | null
  readonly close: bigint | null
  /** At the end of the bucket; null if not computed. */
  readonly depth: PointDepth | null
  readonly tvl: bigint | null
  readonly volume: bigint
  readonly fees: bigint
  readonly trades: number
}

/** A point and the last observation that contributed to it. */
export interface StoredPoint extends Point {
  readonly resolution: number
  readonly observationId: string
}

/** Combines two points of one bucket; the second is later. */
export function mergePoints<P extends Point>(first: P, second: P): P {
  return {
    ...second,
    at: first.at,
    open: first.open ?? second.open,
    high: extreme(first.high, second.high, (a, b) => a > b),
    low: extreme(first.low, second.low, (a, b) => a < b),
    volume: first.volume + second.volume,
    fees: first.fees + second.fees,
    trades: first.trades + second.trades,
  }
}

function extreme(
  a: bigint | null,
  b: bigint | null,
  isFirst: (a: bigint, b: bigint) => boolean,
): bigint | null {
  if (a === null || b === null) return a ?? b
  return isFirst(a, b) ? a : b
}

/** Collects the points of the observations of a venue, in block order, at every resolution. */
export class PointTable {
  readonly #points = new Map<string, StoredPoint>()
  readonly #from: number
  readonly #until: number

  /** @param window only buckets that start in it count; Unix seconds, the end excluded */
  constructor(window: { readonly from: number; readonly until: number }) {
    this.#from = window.from
    this.#until = window.until
  }

  /** @param points of the finest resolution, ascending */
  add(observationId: string, points: readonly Point[]): void {
    for (const point of points) {
      if (point.at < this.#from || point.at >= this.#until) continue
      for (const { seconds: resolution } of pointResolutions) {
        const at = bucketOf(point.at, resolution)
        const key = `${resolution} ${at}`
        const later = { ...point, at, resolution, observationId }
        const known = this.#points.get(key)
        this.#points.set(key, known ? mergePoints(known, later) : later)
      }
    }
  }

  all(): StoredPoint[] {
    return [...this.#points.values()]
  }
}

/** Points that retention still holds. */
export function heldPoints(points: readonly StoredPoint[], nowSeconds: number): StoredPoint[] {
  const oldest = new Map<number, number>(
    pointResolutions.map(({ seconds, retentionSeconds }) => [
      seconds,
      retentionSeconds === null ? 0 : nowSeconds - retentionSeconds,
    ]),
  )
  return points.filter(({ at, resolution }) => at >= (oldest.get(resolution) ?? 0))
}
