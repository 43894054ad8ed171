import { DAY_SECONDS, YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { amihudIlliquidity, kyleLambda, rollSpread } from './diagnostics.ts'
import type { TapeTrade } from './flow-integrity.ts'

/**
 * Diagnostics of a market in addition to the score; null if the window is too short or constant.
 */
export interface MarketDiagnostics {
  /** Return per whole quote token of signed flow. */
  readonly kyleLambda: number | null
  /** Mean of |daily return| over the volume of the day, per whole quote token. */
  readonly amihud: number | null
  /** As fractions of the price. */
  readonly rollSpread: number | null
  readonly annualVolatility: number | null
  /** Volume per day over the value locked. */
  readonly turnover: number | null
  readonly lvrPerVolume: number | null
  /** Traders' gain after five minutes, volume-weighted, as a fraction of the price. */
  readonly markout300: number | null
}

/**
 * The common price at one moment, and L·√p of all markets, both as floats; null without a price.
 */
export interface PricePoint {
  readonly at: number
  readonly mid: number | null
  readonly virtualQuote: number
}

/**
 * Computes diagnostics of a window on an even time grid.
 *
 * @param grid ascending, one step apart; at least two points
 * @param trades of the same time, ascending
 * @param valueLocked quote atoms; null if unknown
 * @param quoteUnit atoms of a whole quote token
 */
export function diagnoseMarket(
  grid: readonly PricePoint[],
  trades: readonly TapeTrade[],
  { valueLocked, quoteUnit }: { valueLocked: number | null; quoteUnit: number },
): MarketDiagnostics {
  const step = grid.length < 2 ? 300 : grid[1]!.at - grid[0]!.at
  const steps = stepsOf(grid, trades, quoteUnit)
  const returns = steps.map((one) => one.change)
  const seconds = steps.length * step
  const volume = trades.reduce((sum, { volumeQuote }) => sum + Number(volumeQuote), 0)
  const squares = returns.reduce((sum, change) => sum + change * change, 0)
  const lvr = steps.reduce(
    (sum, { change, virtualQuote }) => sum + (change ** 2 * virtualQuote) / 4,
    0,
  )
  const lambda = kyleLambda(
    returns,
    steps.map(({ flow }) => flow),
  )
  const days = dailyOf(grid, trades, quoteUnit)
  const span = grid.length < 2 ? 0 : grid.at(-1)!.at - grid[0]!.at
  return {
    kyleLambda: lambda === null ? null : lambda.value,
    amihud: amihudIlliquidity(days.returns, days.volumes),
    rollSpread: rollOf(trades),
    annualVolatility: returns.length < 100 ? null : Math.sqrt((squares / seconds) * YEAR_SECONDS),
    turnover: !valueLocked || span === 0 ? null : volume / (span / DAY_SECONDS) / valueLocked,
    lvrPerVolume: volume === 0 || returns.length < 100 ? null : lvr / volume,
    markout300: step > 300 ? null : markoutOf(grid, trades, step),
  }
}

interface Step {
  readonly change: number
  readonly flow: number
  readonly virtualQuote: number
}

/** Simple returns between neighbouring points with a price, and the signed flow in between. */
function stepsOf(grid: readonly PricePoint[], trades: readonly TapeTrade[], unit: number): Step[] {
  const steps: Step[] = []
  let place = 0
  for (const [index, point] of grid.slice(1).entries()) {
    const before = grid[index]!
    let flow = 0
    for (; place < trades.length && trades[place]!.at <= point.at; place++) {
      const { at, base, volumeQuote } = trades[place]!
      if (at > before.at) flow += ((base > 0n ? 1 : -1) * Number(volumeQuote)) / unit
    }
    if (point.mid === null || before.mid === null) continue
    steps.push({ change: point.mid / before.mid - 1, flow, virtualQuote: before.virtualQuote })
  }
  return steps
}

/** Returns and volumes of whole days from the begin of the grid on, but for days without a price at either end. */
function dailyOf(grid: readonly PricePoint[], trades: readonly TapeTrade[], unit: number) {
  const first = grid[0]?.at ?? 0
  const closes: (number | null)[] = []
  for (const { at, mid } of grid) {
    if ((at - first) % DAY_SECONDS === 0) closes.push(mid)
  }
  const volumes = new Float64Array(Math.max(0, closes.length - 1))
  for (const { at, volumeQuote } of trades) {
    const day = Math.floor((at - first) / DAY_SECONDS)
    if (day >= 0 && day < volumes.length) volumes[day]! += Number(volumeQuote) / unit
  }
  const days = Array.from(volumes, (volume, day) => {
    // One close more than days.
    const [before, close] = [closes[day]!, closes[day + 1]!]
    return before === null || close === null ? [] : [{ change: close / before - 1, volume }]
  }).flat()
  return { returns: days.map(({ change }) => change), volumes: days.map(({ volume }) => volume) }
}

/**
 * Uses only the venue with most trades: alternating prices of several markets would look like a
 * bounce.
 */
function rollOf(trades: readonly TapeTrade[]): number | null {
  const venues = [...Map.groupBy(trades, ({ venueId }) => venueId).values()]
  const busiest = venues.reduce((a, b) => (b.length > a.length ? b : a), [] as TapeTrade[])
  if (busiest.length < 30) return null
  const prices = busiest.map(priceOf)
  return rollSpread(prices.slice(1).map((price, index) => price / prices[index]! - 1))
}

/** Execution price of a trade, quote per base. */
function priceOf({ base, volumeQuote }: TapeTrade): number {
  return Number(volumeQuote) / Math.abs(Number(base))
}

function markoutOf(grid: readonly PricePoint[], trades: readonly TapeTrade[], step: number) {
  const first = grid[0]?.at ?? 0
  let gained = 0
  let volume = 0
  for (const trade of trades) {
    const place = Math.ceil((trade.at + 300 - first) / step)
    const mid = grid[place]?.mid ?? null
    if (mid === null || trade.base === 0n) continue
    const size = Number(trade.volumeQuote)
    gained += (trade.base > 0n ? 1 : -1) * (mid / priceOf(trade) - 1) * size
    volume += size
  }
  return volume === 0 ? null : gained / volume
}
