import type { LoggedMarket } from '@liquidity-os/engine/amm'
import type { MarketDay } from '@liquidity-os/engine/incentives'
import { ln } from '@liquidity-os/engine/numerics'
import { drawnMoments, lastEventBlock } from '../../../market/drawn-moments.ts'
import { tradedBy } from '../../../market/traded-by.ts'
import { type VenueHistory, walkHistory } from '../../../market/venue-history.ts'
import { daySeconds } from '../../../units.ts'

/** Daily data of a venue, and its state at the last sample. */
export interface DailyPanel {
  readonly venueId: string
  readonly days: readonly MarketDay[]
  /** Observed samples as a share of requested samples. */
  readonly coverage: number
  /** Number of days with complete samples. */
  readonly coveredDays: number
  /** Trades of the window grouped by size, with about equal volume per group. */
  readonly sizes: readonly { readonly quote: bigint; readonly volume: number }[]
  /** State at the last sample; null without samples. */
  readonly last: { market: LoggedMarket; mid: number; virtualQuote: number } | null
}

const samplesPerDay = 4
const sampleSeconds = daySeconds / samplesPerDay
const bandPips = 20_000
const sizeGroups = 8

/**
 * A history as days of a window, counted from its `from` in UTC seconds. Each quarter of a day has a
 * sample at a random second.
 */
export function dailyPanel(
  history: VenueHistory,
  window: { readonly from: number; readonly to: number },
): DailyPanel {
  const count = Math.floor((window.to - window.from) / daySeconds)
  const whole = { from: window.from, to: window.from + count * daySeconds - 1 }
  const moments =
    count === 0 ? [] : drawnMoments(whole, sampleSeconds, lastEventBlock([history], whole.to))
  const depths: number[][] = Array.from({ length: count }, () => [])
  const prices: number[][] = Array.from({ length: count }, () => [])
  const volumes = new Array<number>(count).fill(0)
  const trades: bigint[] = []
  let last: DailyPanel['last'] = null
  const { orientation } = history
  const dayOf = (at: number) => Math.floor((at - window.from) / daySeconds)
  for (const step of walkHistory(history, moments)) {
    if (step.kind === 'SAMPLE') {
      const mid = step.market.mid(orientation)
      const sides = step.market.depth(orientation, [bandPips]).map(({ quote }) => Number(quote))
      if (mid === null || sides.length === 0) continue
      const price = Number(mid.num) / Number(mid.den)
      depths[dayOf(step.at)]?.push(Math.min(...sides))
      prices[dayOf(step.at)]?.push(price)
      const virtualQuote = Number(step.market.virtualQuote(orientation))
      last = { market: step.market.market(), mid: price, virtualQuote }
    } else if (step.kind === 'EVENT') {
      const trade = tradedBy(step.event, orientation)
      if (trade === null) continue
      const at = step.event.timestamp ?? 0
      const day = dayOf(at)
      if (at < window.from || day >= count) continue
      const size = trade.volumeQuote
      volumes[day]! += Number(size)
      trades.push(size)
    }
  }
  const days = depths.map((seen, day): MarketDay => {
    const isWhole = seen.length === samplesPerDay
    const weekday = new Date((window.from + day * daySeconds) * 1000).getUTCDay()
    return {
      day,
      depth: isWhole ? seen.reduce((sum, value) => sum + value, 0) / seen.length : null,
      volume: volumes[day]!,
      volatility: isWhole ? volatilityOf(prices[day]!) : null,
      isWeekend: weekday === 0 || weekday === 6,
    }
  })
  const observed = depths.reduce((sum, seen) => sum + seen.length, 0)
  return {
    venueId: history.venueId,
    days,
    sizes: groupsOf(trades),
    last,
    coverage: moments.length === 0 ? 0 : observed / moments.length,
    coveredDays: days.filter(({ depth }) => depth !== null).length,
  }
}

/** Standard deviation of the price within a day, between samples. */
function volatilityOf(prices: readonly number[]): number {
  const returns = prices.slice(1).map((price, index) => ln(price / prices[index]!))
  return Math.sqrt(returns.reduce((sum, value) => sum + value * value, 0))
}

/** Trades in groups of about the same volume, each with its mean size. */
function groupsOf(trades: readonly bigint[]): DailyPanel['sizes'] {
  const sorted = trades.filter((size) => size > 0n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const total = sorted.reduce((sum, size) => sum + Number(size), 0)
  const groups: { quote: bigint; volume: number }[] = []
  let [members, sum] = [0n, 0n]
  let reached = 0
  for (const size of sorted) {
    members += 1n
    sum += size
    reached += Number(size)
    const isFull = reached >= (total * (groups.length + 1)) / sizeGroups
    if (!isFull) continue
    groups.push({ quote: sum / members, volume: Number(sum) })
    ;[members, sum] = [0n, 0n]
  }
  if (members > 0n) groups.push({ quote: sum / members, volume: Number(sum) })
  return groups
}

/** ln of the depth per day; null if unobserved or zero. */
export function logDepthOf({ days }: Pick<DailyPanel, 'days'>): (number | null)[] {
  return days.map(({ depth }) => (depth === null || depth <= 0 ? null : ln(depth)))
}
