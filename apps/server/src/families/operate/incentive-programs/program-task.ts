import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import { pseudoStarts, volumeElasticity } from '@liquidity-os/engine/incentives'
import { ln } from '@liquidity-os/engine/numerics'
import { automaticBlockLength } from '@liquidity-os/engine/statistics'
import { limits } from '../../../limits.ts'
import { type DailyPanel, dailyPanel, logDepthOf } from './daily-panel.ts'
import { ownShareOf } from './own-share.ts'
import { type FullProgram, planFull } from './plan-full.ts'
import { type PilotProgram, planPilot } from './plan-pilot.ts'
import {
  type BaselineFigures,
  type BaselineVenue,
  baselineMissing,
  type ProgramBaseline,
  ProgramRefusal,
  type ProgramTask,
  percent,
  tooUncertain,
} from './program-problem.ts'

/** The plan without its market data. */
export interface PlannedProgram {
  baseline: Omit<ProgramBaseline, 'venues'>
  program: FullProgram | PilotProgram
  figures: readonly BaselineFigures[]
  /** All days of the baseline, as evidence. */
  panels: readonly { venueId: string; depth: (string | null)[]; volume: string[] }[]
}

export type ProgramAnswer =
  | ({ ok: true } & PlannedProgram)
  | { ok: false; code: ErrorCode; message: string; fieldErrors: FieldErrors }

const minCoverage = 0.9

/**
 * Evaluates the baseline and plans the program. Pure: equal tasks give equal results on every
 * machine.
 */
export default async function planProgram(task: ProgramTask): Promise<ProgramAnswer> {
  try {
    const baseline = baselineOf(task)
    const program =
      task.mode === 'PILOT' ? planPilot(task, baseline) : await planFull(task, baseline)
    const { venues, ...rest } = baseline
    const panels = venues.map(({ panel: { venueId, days } }) => ({
      venueId,
      depth: days.map(({ depth }) => (depth === null ? null : String(depth))),
      volume: days.map(({ volume }) => String(volume)),
    }))
    return { ok: true, baseline: rest, program, figures: venues.map(figuresOf), panels }
  } catch (error) {
    if (!(error instanceof ProgramRefusal)) throw error
    return { ok: false, code: error.code, message: error.message, fieldErrors: error.fieldErrors }
  }
}

function baselineOf(task: ProgramTask): ProgramBaseline {
  const { window, venues: requested, confidence } = task
  const panels = requested.map(({ history }) => dailyPanel(history, window))
  const controls = task.controls.map((history) => dailyPanel(history, window))
  for (const [index, panel] of [...panels, ...controls].entries()) {
    const field =
      index < panels.length
        ? `payload.venues.${index}`
        : `payload.baseline.controls.${index - panels.length}`
    if (panel.coveredDays < limits.incentiveBaselineLeastDays) {
      throw baselineMissing(
        `must have at least ${limits.incentiveBaselineLeastDays} whole days of samples, got ${panel.coveredDays}`,
        field,
      )
    }
    if (panel.coverage < minCoverage) {
      throw baselineMissing(
        `must have a coverage of at least ${percent(minCoverage)}, got ${percent(panel.coverage)}`,
        field,
      )
    }
  }
  const deepest = panels.reduce((best, panel) =>
    meanDepth(panel) > meanDepth(best) ? panel : best,
  )
  const price =
    task.rewardPriceX18 === null ? (deepest.last?.mid ?? 0) : Number(task.rewardPriceX18) / 1e18
  const budgetQuote = Number(task.budget) * price
  const venues = panels.map((panel, index): BaselineVenue => {
    const stated = requested[index]!
    const volumePerDay = panel.days.reduce((sum, { volume }) => sum + volume, 0) / panel.days.length
    if (!(volumePerDay > 0)) {
      throw baselineMissing(
        'must have trades; without them, the yield that providers require is unknown',
        `payload.venues.${index}`,
      )
    }
    return {
      panel,
      volumePerDay,
      depth: meanDepth(panel),
      feeShare: stated.feePips / 1_000_000,
      ownShare: ownShareOf(stated),
      tvlQuote: Number(stated.tvlQuote),
      maxQuote: (budgetQuote * stated.maxPips) / 1_000_000,
    }
  })
  const market = aggregateOf(panels, controls)
  const pseudoLifts = pseudoStarts(market)
  const passing = pseudoLifts.filter((lift) => lift >= ln(1 + task.minimumLift)).length
  if (passing > 1) {
    throw tooUncertain(
      `${passing} of ${pseudoLifts.length} pseudo-starts in the baseline show the minimum lift without rewards; at most one may at a confidence of ${percent(confidence)}`,
      'payload.minimumLiftPips',
    )
  }
  const present = market.filter((value) => value !== null)
  const coverage = Math.min(...panels.map((panel) => panel.coverage))
  return {
    venues,
    price,
    budgetQuote,
    pseudoLifts,
    coverage,
    meanBlock: automaticBlockLength(present),
    days: Math.min(...panels.map(({ coveredDays }) => coveredDays)),
  }
}

function figuresOf({
  panel,
  depth,
  ownShare,
  volumePerDay,
  feeShare,
}: BaselineVenue): BaselineFigures {
  const { elasticity, standardError, isIdentified } = volumeElasticity(panel.days)
  return {
    depth,
    ownShare,
    volumePerDay,
    feesPerDay: volumePerDay * feeShare,
    elasticity,
    elasticityError: standardError,
    elasticityIsIdentified: isIdentified,
  }
}

function meanDepth({ days }: DailyPanel): number {
  const present = days.flatMap(({ depth }) => (depth === null ? [] : [depth]))
  return present.reduce((sum, depth) => sum + depth, 0) / Math.max(1, present.length)
}

/** ln of the combined depth of all venues, minus the mean of the controls. */
function aggregateOf(
  panels: readonly DailyPanel[],
  controls: readonly DailyPanel[],
): (number | null)[] {
  const controlDepths = controls.map(logDepthOf)
  return (panels[0]?.days ?? []).map((_, day) => {
    let sum = 0
    for (const { days } of panels) {
      const depth = days[day]?.depth ?? null
      if (depth === null) return null
      sum += depth
    }
    const seen = controlDepths.map((series) => series[day] ?? null)
    if (seen.includes(null) || sum <= 0) return null
    const common = seen.reduce<number>((total, value) => total + (value ?? 0), 0)
    return ln(sum) - (seen.length === 0 ? 0 : common / seen.length)
  })
}
