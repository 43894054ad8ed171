import {
  estimateLift,
  type ObservedEffect,
  observedEffect,
  poolEffects,
  rewardedDays,
} from '@liquidity-os/engine/incentives'
import { exp, normalQuantile } from '@liquidity-os/engine/numerics'
import type { VenueHistory } from '../../../market/venue-history.ts'
import { daySeconds } from '../../../units.ts'
import { checkPaid } from './check-payments.ts'
import { type DailyPanel, dailyPanel, logDepthOf } from './daily-panel.ts'
import { wholeDepth, type YieldingVenue } from './whole-lift.ts'

/** Plain data: crosses a thread boundary. */
export interface EvaluationTask {
  /** Fields of the baseline. */
  venues: readonly (YieldingVenue & {
    history: VenueHistory
    /** Quote per rewarded day, as planned. */
    plannedPerDay: number
    /** Net payments in quote, by program day plus one day after; null if unknown. */
    paid: readonly number[] | null
    /** Paid weeks of a switchback; null if every day is paid. */
    weeksOn: readonly boolean[] | null
  })[]
  controls: readonly VenueHistory[]
  /** Unix seconds, from the start of the baseline to the last observation. */
  window: { from: number; to: number }
  start: number
  days: number
  confidence: number
  /** Lower bound of the forecast lift; null without a forecast. */
  forecastLow: number | null
}

export interface Interval {
  estimate: number
  low: number
  high: number
}

/** Measured effect of a program; shares as fractions. */
export interface MeasuredProgram {
  state: 'COMPLETED' | 'PARTIAL' | 'ABSTAINED'
  reasons: string[]
  method: ObservedEffect['method'] | null
  lift: Interval | null
  response: (Interval & { standardError: number }) | null
  speedPerDay: number | null
  placeboP: number | null
  depthDays: number | null
  costPerDepthDay: number | null
  retention: { daysAfter: '7' | '30' | '60'; share: number }[]
  daysUnderForecast: number
  /** Lift over the counterfactual, by venue and day since the start; null if unobserved. */
  gaps: readonly (readonly (number | null)[])[]
  placebos: readonly (readonly (number | null)[])[]
}

const minCoverage = 0.9
const retentionDays = ['7', '30', '60'] as const

/**
 * Measures a program against its counterfactual. Pure: equal tasks give equal results on every
 * machine.
 */
export default function evaluateProgram(task: EvaluationTask): MeasuredProgram {
  const { window, venues, days } = task
  const begin = Math.floor((task.start - window.from) / daySeconds)
  const count = Math.floor((window.to - window.from) / daySeconds)
  const panels = venues.map(({ history }) => dailyPanel(history, window))
  const controls = task.controls.map((history) => logDepthOf(dailyPanel(history, window)))
  const end = Math.min(begin + days, count)
  // The baseline is the reference for the effect. A reorg may have removed its observations.
  if (coverageOf(panels, 0, begin) < minCoverage) {
    return { ...unknown, reasons: ['BASELINE_NOT_OBSERVED'] }
  }
  const coverage = coverageOf(panels, begin, end)
  const reasons = coverage < minCoverage ? ['COVERAGE_TOO_LOW'] : []
  // Panel days start with the baseline; payment days start with the program.
  const paidDays = Math.max(0, Math.floor((window.to - task.start) / daySeconds))
  const effects = panels.map((panel, index) => {
    const effect = observedEffect(logDepthOf(panel), controls, begin)
    const { weeksOn } = venues[index]!
    const rewarded = new Array<boolean>(count).fill(false)
    const on = weeksOn ? rewardedDays(weeksOn, days) : new Array<boolean>(days).fill(true)
    for (const [day, isOn] of on.entries()) if (begin + day < count) rewarded[begin + day] = isOn
    const paid = checkPaid(venues[index]!, on, paidDays)
    return {
      effect,
      paid,
      estimate: estimateLift(effect.gap.slice(0, end), rewarded.slice(0, end)),
    }
  })
  const [first] = effects
  const known = effects.flatMap(({ estimate, paid }, index) =>
    estimate ? [{ estimate, paid, place: index }] : [],
  )
  for (const { paid } of effects)
    if (paid.fault && !reasons.includes(paid.fault)) reasons.push(paid.fault)
  if (!first || known.length === 0) {
    return { ...unknown, reasons: [...reasons, 'TOO_FEW_DAYS'] }
  }
  const z = normalQuantile((1 + task.confidence) / 2)
  const interval = (mean: number, standardError: number): Interval => ({
    estimate: mean,
    low: mean - z * standardError,
    high: mean + z * standardError,
  })
  const lifts = poolEffects(
    known.map(({ estimate }) => ({ mean: estimate.lift, standardError: estimate.standardError })),
  )
  const responses = known.flatMap(({ estimate, paid, place: itemIndex }) => {
    if (paid.perDay === null) return []
    const venue = venues[itemIndex]!
    const whole = wholeDepth(venue, paid.perDay) / venue.depth
    const { lift, standardError } = estimate
    return whole > 0 ? [{ mean: lift / whole, standardError: standardError / whole }] : []
  })
  const response = responses.length > 0 ? poolEffects(responses) : null
  const depthDays = effects.reduce(
    (sum, { effect }, index) => sum + addedDepth(effect, venues[index]!.depth, begin, end),
    0,
  )
  const spent = effects.reduce<number | null>(
    (sum, { paid }) => (sum === null || paid.total === null ? null : sum + paid.total),
    0,
  )
  const placeboP = effects.flatMap(({ effect }) => effect.placeboP ?? [])
  return {
    state: reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    reasons,
    method: first.effect.method,
    lift: interval(lifts.mean, lifts.standardError),
    response: response && {
      ...interval(response.mean, response.standardError),
      standardError: response.standardError,
    },
    speedPerDay: known.reduce((sum, { estimate }) => sum + estimate.speedPerDay, 0) / known.length,
    placeboP: placeboP.length > 0 ? Math.max(...placeboP) : null,
    depthDays,
    costPerDepthDay: depthDays > 0 && spent !== null ? spent / depthDays : null,
    retention: retentionOf(effects, begin + days, count, lifts.mean),
    daysUnderForecast: underForecast(task, effects, begin, end),
    gaps: effects.map(({ effect }) => effect.gap.slice(begin)),
    placebos: first.effect.placebos,
  }
}

/** Share of observed days in a span, for the venue with the fewest. */
function coverageOf(panels: readonly DailyPanel[], from: number, to: number): number {
  const seen = panels.map(
    ({ days }) => days.slice(from, to).filter(({ depth }) => depth !== null).length,
  )
  return to > from ? Math.min(...seen) / (to - from) : 0
}

const unknown: MeasuredProgram = {
  state: 'ABSTAINED',
  reasons: [],
  method: null,
  lift: null,
  response: null,
  speedPerDay: null,
  placeboP: null,
  depthDays: null,
  costPerDepthDay: null,
  retention: [],
  daysUnderForecast: 0,
  gaps: [],
  placebos: [],
}

type Effects = readonly { effect: ObservedEffect }[]

/** Depth above the counterfactual, summed over observed days, quote·days. */
function addedDepth({ gap }: ObservedEffect, depth: number, begin: number, end: number): number {
  return gap
    .slice(begin, end)
    .reduce<number>((sum, value) => sum + (value === null ? 0 : depth * (exp(value) - 1)), 0)
}

function retentionOf(
  effects: Effects,
  end: number,
  count: number,
  lift: number,
): MeasuredProgram['retention'] {
  if (!(lift > 0)) return []
  return retentionDays.flatMap((daysAfter) => {
    const at = end + Number(daysAfter)
    if (at >= count) return []
    const around = effects.flatMap(({ effect }) =>
      effect.gap.slice(at - 3, at + 1).filter((value) => value !== null),
    )
    if (around.length === 0) return []
    const remaining = around.reduce((sum, value) => sum + exp(value) - 1, 0) / around.length
    return [{ daysAfter, share: remaining / lift }]
  })
}

/** Latest consecutive days with a mean lift below the forecast. */
function underForecast(task: EvaluationTask, effects: Effects, begin: number, end: number): number {
  if (task.forecastLow === null) return 0
  let days = 0
  for (let day = end - 1; day >= begin; day -= 1) {
    const seen = effects.flatMap(({ effect }) => effect.gap[day] ?? [])
    if (seen.length === 0 && days === 0) continue
    if (seen.length === 0) return days
    const lift = seen.reduce((sum, value) => sum + exp(value) - 1, 0) / seen.length
    if (lift >= task.forecastLow) return days
    days += 1
  }
  return days
}
