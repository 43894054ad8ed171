import { pressure, squareRootImpact } from '../stress/square-root-impact.ts'

export type RecipientClass =
  | 'TEAM'
  | 'INVESTOR'
  | 'ECOSYSTEM'
  | 'COMMUNITY'
  | 'TREASURY'
  | 'MARKET_MAKER'

/** Share of an unlock that is sold, and the selling period. Has default assumptions. */
export interface SellBehaviour {
  readonly sellPips: { readonly low: number; readonly base: number; readonly high: number }
  readonly horizonDays: number
}

const behaviour = (low: number, base: number, high: number, horizonDays: number) => ({
  sellPips: { low: low * 10_000, base: base * 10_000, high: high * 10_000 },
  horizonDays,
})

export const ASSUMED_BEHAVIOUR: Readonly<Record<RecipientClass, SellBehaviour>> = {
  TEAM: behaviour(25, 50, 80, 14),
  INVESTOR: behaviour(20, 40, 70, 30),
  ECOSYSTEM: behaviour(0, 15, 35, 90),
  COMMUNITY: behaviour(40, 60, 90, 7),
  TREASURY: behaviour(0, 0, 10, 90),
  MARKET_MAKER: behaviour(10, 30, 60, 30),
}

export interface ImpactTerms {
  readonly dailyVolume: number
  readonly dailyVolatility: number
  readonly halfLifeDays: number
  readonly y?: number
  /** Marginal move of selling a quantity into the observed curve at once; the larger of both counts. */
  readonly curveMove?: (quantity: number) => number
}

/** One day of an impact curve. */
export interface ImpactDay {
  readonly flow: number
  readonly pressure: number
  readonly impact: number
  readonly model: 'SQRT' | 'AMM'
  /** Whether the flow exceeds three tenths of the volume, beyond the measured range of the law. */
  readonly isExtrapolated: boolean
}

/**
 * Impact per day of a selling flow: the larger of the square-root law and the observed curve.
 *
 * @param before sales on the days before the first, oldest first; they still affect the market
 */
export function impactCurve(
  flows: readonly number[],
  terms: ImpactTerms,
  before: readonly number[] = [],
): ImpactDay[] {
  const { dailyVolume, dailyVolatility, halfLifeDays, y = 1, curveMove } = terms
  const weights = pressure([...before, ...flows], halfLifeDays).slice(before.length)
  return weights.map((weight, day) => {
    // One pressure per flow.
    const flow = flows[day]!
    const byLaw = squareRootImpact(weight, dailyVolume, dailyVolatility, y)
    const byCurve = curveMove?.(weight) ?? 0
    return {
      flow,
      pressure: weight,
      // Caps the price fall at 100 %: the law can exceed it far outside of its range.
      impact: Math.min(1, Math.max(byLaw, byCurve)),
      model: byCurve > byLaw ? 'AMM' : 'SQRT',
      isExtrapolated: flow > 0.3 * dailyVolume,
    }
  })
}

/** Largest impact of a curve; zero of none. */
export function peakImpact(curve: readonly ImpactDay[]): number {
  return curve.reduce((peak, { impact }) => Math.max(peak, impact), 0)
}

/** Sales by day before and in a window, and in total after it. The sum covers all sales. */
export interface UnlockFlow {
  /** The days before the window, oldest first; the last is the day before it. */
  readonly before: readonly number[]
  readonly days: readonly number[]
  /** All that is sold after the window. */
  readonly after: number
}

/**
 * Sales around one unlock: a third evenly over the days before it, two thirds evenly over the
 * horizon from the unlock day on. Sales before the window are stored by day, because they affect
 * the market at its start.
 *
 * @param unlockDay day of the unlock in the window; negative before it
 */
export function unlockFlow(
  sold: number,
  unlockDay: number,
  windowDays: number,
  terms: { anticipationDays: number; horizonDays: number },
): UnlockFlow {
  const { anticipationDays, horizonDays } = terms
  const early = anticipationDays > 0 ? sold / 3 / anticipationDays : 0
  const late = (sold - early * anticipationDays) / horizonDays
  const onDay = (day: number) => {
    const since = day - unlockDay
    if (since < 0) return since >= -anticipationDays ? early : 0
    return since < horizonDays ? late : 0
  }
  const first = Math.min(0, unlockDay - anticipationDays)
  const end = Math.max(windowDays, unlockDay + horizonDays)
  const daysFrom = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, place) => onDay(from + place))
  return {
    before: daysFrom(first, 0),
    days: daysFrom(0, windowDays),
    after: daysFrom(windowDays, end).reduce((sum, flow) => sum + flow, 0),
  }
}

/** Adds up flows of one window day by day. */
export function addFlows(flows: readonly UnlockFlow[]): UnlockFlow {
  const sums = (length: number, flowOn: (flow: UnlockFlow, place: number) => number | undefined) =>
    Array.from({ length }, (_, place) =>
      flows.reduce((sum, flow) => sum + (flowOn(flow, place) ?? 0), 0),
    )
  const longest = Math.max(0, ...flows.map(({ before }) => before.length))
  return {
    before: sums(longest, ({ before }, place) => before[place - longest + before.length]),
    days: sums(Math.max(0, ...flows.map(({ days }) => days.length)), ({ days }, day) => days[day]),
    after: flows.reduce((sum, { after }) => sum + after, 0),
  }
}
