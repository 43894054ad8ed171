import { pressure, squareRootImpact } from '../stress/square-root-impact.ts'

export type RecipientClass =
  | 'TEAM'
  | 'INVESTOR'
  | 'ECOSYSTEM'
  | 'COMMUNITY'
  | 'TREASURY'
  | 'MARKET_MAKER'

/** Share of an unlock that is sold, and over how long. Assumed where nobody says otherwise. */
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

/** What the market makes of a flow. */
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
  /** Whether the flow is beyond three tenths of the volume, where the law was never measured. */
  readonly isExtrapolated: boolean
}

/** Impact per day of a selling flow: the larger of the square-root law and the observed curve. */
export function impactCurve(flows: readonly number[], terms: ImpactTerms): ImpactDay[] {
  const { dailyVolume, dailyVolatility, halfLifeDays, y = 1, curveMove } = terms
  return pressure(flows, halfLifeDays).map((weight, day) => {
    // One pressure per flow.
    const flow = flows[day]!
    const byLaw = squareRootImpact(weight, dailyVolume, dailyVolatility, y)
    const byCurve = curveMove?.(weight) ?? 0
    return {
      flow,
      pressure: weight,
      impact: Math.max(byLaw, byCurve),
      model: byCurve > byLaw ? 'AMM' : 'SQRT',
      isExtrapolated: flow > 0.3 * dailyVolume,
    }
  })
}

/** Largest impact of a curve; zero of none. */
export function peakImpact(curve: readonly ImpactDay[]): number {
  return curve.reduce((peak, { impact }) => Math.max(peak, impact), 0)
}

/**
 * Selling around one unlock: a third evenly over the days before it, two thirds evenly over the horizon after
 * it, the day of the unlock being the first of those.
 *
 * @param unlockDay day of the unlock in the window; days outside the window are left out
 */
export function unlockFlow(
  sold: number,
  unlockDay: number,
  windowDays: number,
  terms: { anticipationDays: number; horizonDays: number },
): number[] {
  const { anticipationDays, horizonDays } = terms
  const before = anticipationDays > 0 ? sold / 3 / anticipationDays : 0
  const after = (sold - before * anticipationDays) / horizonDays
  return Array.from({ length: windowDays }, (_, day) => {
    const since = day - unlockDay
    if (since < 0) return since >= -anticipationDays ? before : 0
    return since < horizonDays ? after : 0
  })
}

/** Adds up flows of one window day by day. */
export function addFlows(flows: readonly (readonly number[])[]): number[] {
  const days = Math.max(0, ...flows.map((flow) => flow.length))
  return Array.from({ length: days }, (_, day) =>
    flows.reduce((sum, flow) => sum + (flow[day] ?? 0), 0),
  )
}
