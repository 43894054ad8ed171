import { pointResolutions } from '../../../market/market-points.ts'
import { observedSeconds, type TimeRange } from '../../../market/observed-time.ts'
import { pairPrice, sumOf } from '../../../market/pair-price.ts'
import { type Cell, type Grid, type VenueCells, weightOf } from '../../../market/point-cells.ts'
import { daySeconds, minuteSeconds } from '../../../units.ts'

/**
 * Coarsest stored resolution within retention, and not above the bucket length. Without such a
 * resolution, the finest within retention.
 *
 * @param now Unix seconds
 */
export function gridOf({ from, to }: TimeRange, points: number, now: number): Grid {
  const wanted = Math.max(minuteSeconds, Math.ceil((to - from) / points))
  // A day more than the window: its state comes from the last point before it.
  const held = pointResolutions.filter(
    ({ retentionSeconds }) =>
      retentionSeconds === null || from - daySeconds >= now - retentionSeconds,
  )
  // The coarsest resolution is always held.
  const stored = (held.findLast(({ seconds }) => seconds <= wanted) ?? held[0]!).seconds
  const seconds = Math.ceil(wanted / stored) * stored
  // The window ends with a stored point, so that no bucket holds trades after its end.
  const end = Math.min(now, Math.ceil(to / stored) * stored)
  return { start: from - (from % seconds), to: end, seconds, stored }
}

/** A silent bucket: the state that the one before it left. */
const silent = ({ close, tvl, depth }: Cell): Cell => ({
  open: close,
  high: close,
  low: close,
  close,
  tvl,
  volume: 0n,
  fees: 0n,
  trades: 0,
  depth,
})

/** One bucket of all venues together. */
export interface HistoryBucket {
  readonly at: number
  readonly open: bigint | null
  readonly high: bigint | null
  readonly low: bigint | null
  readonly close: bigint | null
  /** By band of the request. */
  readonly depth: readonly (readonly [bigint, bigint] | null)[]
  readonly volume: bigint | null
  readonly fees: bigint | null
  readonly tvl: bigint | null
  readonly trades: number | null
  readonly coveredPips: number
}

/** Merges venues bucket by bucket. A venue counts in each bucket where it was observed. */
export function historyBuckets(
  venues: readonly VenueCells[],
  { start, to, seconds }: Grid,
  bands: readonly number[],
): HistoryBucket[] {
  const state = venues.map(({ before }) => before)
  const weights = venues.map(({ before }) => weightOf(before) ?? 0n)
  const count = Math.ceil((to - start) / seconds)
  return Array.from({ length: count }, (_, index): HistoryBucket => {
    const at = start + index * seconds
    const bucket = { from: at, to: Math.min(at + seconds, to) }
    let covered = 0
    const cells: { cell: Cell; weight: bigint }[] = []
    for (const [itemIndex, { cells: own, time }] of venues.entries()) {
      const found = own.get(at)
      const observed = observedSeconds(time, bucket)
      covered += observed
      const last = state[itemIndex]
      const cell = found ?? (observed > 0 && last ? silent(last) : null)
      if (cell === null) continue
      state[itemIndex] = cell
      weights[itemIndex] = weightOf(cell) ?? weights[itemIndex] ?? 0n
      cells.push({ cell, weight: weights[itemIndex] })
    }
    const price = (pick: (cell: Cell) => bigint | null) =>
      pairPrice(cells.map(({ cell, weight }) => ({ price: pick(cell), weight })))
    const total = (pick: (cell: Cell) => bigint | null) =>
      sumOf(cells.map(({ cell }) => pick(cell)))
    return {
      at,
      open: price(({ open }) => open),
      high: price(({ high }) => high),
      low: price(({ low }) => low),
      close: price(({ close }) => close),
      depth: bands.map((_band, band) => {
        const buy = total(({ depth }) => depth[band]?.[0] ?? null)
        const sell = total(({ depth }) => depth[band]?.[1] ?? null)
        return buy === null || sell === null ? null : [buy, sell]
      }),
      volume: total(({ volume }) => volume),
      fees: total(({ fees }) => fees),
      tvl: total(({ tvl }) => tvl),
      trades: cells.length === 0 ? null : cells.reduce((sum, { cell }) => sum + cell.trades, 0),
      coveredPips:
        venues.length === 0 || bucket.to === at
          ? 0
          : Math.floor((1_000_000 * covered) / (venues.length * (bucket.to - at))),
    }
  })
}
