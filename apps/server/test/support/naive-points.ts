import { type LoggedMarket, type Orientation, priceOrNull } from '@liquidity-os/engine/amm'
import { depthLadder } from '@liquidity-os/engine/depth'
import { valueLocked } from '@liquidity-os/engine/detection'
import { startReplay } from '@liquidity-os/engine/replay'
import type { SealedEvent } from '../../src/market/venue-history.ts'
import { daySeconds } from '../../src/units.ts'

/** One observation as it was sealed: its times in Unix seconds, its start and its events. */
export interface SealedCourse {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly start: LoggedMarket
  readonly events: readonly SealedEvent[]
}

const X36 = 10n ** 36n
const bands = [10_000, 20_000, 50_000, 100_000]

/**
 * Points of observations in block order, folded without the code of the service: every resolution
 * from the events, and each state by a complete replay. For pools of v3 alone.
 */
export function naivePoints(
  courses: readonly SealedCourse[],
  side: Orientation,
  feePips: number,
): string[] {
  const rows = new Map<string, Row>()
  for (const { id, from, to, start, events } of courses) {
    const replay = startReplay(start)
    const midnights: number[] = []
    for (let at = (Math.floor(from / daySeconds) + 1) * daySeconds; at <= to; at += daySeconds)
      midnights.push(at)
    const marks = [from, ...midnights].map((at) => ({ at, event: null as SealedEvent | null }))
    const steps = [...marks, ...events.map((event) => ({ at: event.timestamp ?? from, event }))]
    steps.sort((a, b) => a.at - b.at || Number(a.event !== null) - Number(b.event !== null))
    for (const { at, event } of steps) {
      const before = priceOf(replay.final(), side)
      if (event) replay.apply(event)
      const market = replay.final()
      const price = priceOf(market, side)
      const ladder = price === null ? [] : depthLadder(market, side, bands)
      const quoteOf = (band: number, one: string) =>
        ladder.find((rung) => rung.bandPips === band && rung.side === one)?.quote
      for (const resolution of [60, 600, 3600, daySeconds]) {
        const bucket = Math.floor(at / resolution) * resolution
        const key = `${resolution} ${String(bucket).padStart(12, '0')}`
        const row = rows.get(key) ?? {
          open: before,
          high: before,
          low: before,
          close: before,
          depth: null,
          tvl: null,
          volume: 0n,
          fees: 0n,
          trades: 0,
          id,
        }
        rows.set(key, row)
        row.open ??= price
        for (const one of [before, price]) {
          if (one === null) continue
          if (row.high === null || one > row.high) row.high = one
          if (row.low === null || one < row.low) row.low = one
        }
        row.close = price
        row.depth =
          price === null
            ? null
            : bands.map((band) => `${quoteOf(band, 'BUY')}/${quoteOf(band, 'SELL')}`).join(' ')
        row.tvl = valueLocked(market, side)
        row.id = id
        if (event?.type !== 'Swap' || !('amount0' in event)) continue
        const [quote, base] =
          side.quote === 0 ? [event.amount0, event.amount1] : [event.amount1, event.amount0]
        row.volume += quote < 0n ? -quote : quote
        const paid = quote > 0n ? quote : base
        const fee = (paid * BigInt(feePips)) / 1_000_000n
        const exact = priceOrNull(market, side)!
        row.fees += quote > 0n ? fee : (fee * exact.num) / exact.den
        row.trades += 1
      }
    }
  }
  return [...rows]
    .map(([key, row]) => {
      const { open, high, low, close, depth, tvl, volume, fees, trades, id } = row
      return [key, open, high, low, close, depth, tvl, volume, fees, trades, id].join(',')
    })
    .sort()
}

function priceOf(market: LoggedMarket, side: Orientation): bigint | null {
  const price = priceOrNull(market, side)
  return price === null ? null : (price.num * X36) / price.den
}

interface Row {
  open: bigint | null
  high: bigint | null
  low: bigint | null
  close: bigint | null
  depth: string | null
  tvl: bigint | null
  volume: bigint
  fees: bigint
  trades: number
  id: string
}

/** Query of the stored points of a venue in the form of `naivePoints`. */
export const storedPointsText = (venueId: string) => `
  select concat(resolution, ' ', lpad(at::text, 12, '0'), ',', open, ',', high, ',', low, ',', close, ',',
    (select string_agg((depth -> band ->> 0) || '/' || (depth -> band ->> 1), ' ' order by band::integer)
      from jsonb_object_keys(depth) as band), ',',
    tvl, ',', volume, ',', fees, ',', trades, ',', observation_id) as point
  from market_points where venue_id = '${venueId}' order by 1`
