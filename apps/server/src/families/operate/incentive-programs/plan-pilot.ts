import {
  pilotPower,
  rewardedDays,
  type Switchback,
  switchbackWeeks,
  volumeElasticity,
} from '@liquidity-os/engine/incentives'
import { logDepthOf } from './daily-panel.ts'
import {
  type ProgramBaseline,
  type ProgramTask,
  percent,
  streamOf,
  tooUncertain,
} from './program-problem.ts'
import { wholeDepth } from './whole-lift.ts'

/** An experiment that measures the response of liquidity. */
export interface PilotProgram {
  kind: 'PILOT'
  weeks: readonly Switchback[]
  /** Quote per paid day, by venue. */
  rewardPerDay: readonly number[]
  spendQuote: number
  power: number
}

/** Share of the budget for a pilot; the rest depends on its result. */
const pilotShare = 0.1
/** Reward over fees, per unit of others' liquidity. */
export const maxYield = 3
const minPower = 0.8
const rounds = 200

/** Plans a switchback; every venue gets the same multiple of the yield of its LPs. */
export function planPilot(task: ProgramTask, baseline: ProgramBaseline): PilotProgram {
  const { venues, budgetQuote, meanBlock } = baseline
  const { days, confidence, minimumLift } = task
  const weeks = switchbackWeeks(venues.length, days, streamOf(task, 0))
  const onDays = weeks.map((week) => rewardedDays(week, days).filter(Boolean).length)
  const earned = venues.map(
    ({ volumePerDay, feeShare, ownShare }) => volumePerDay * feeShare * (1 - ownShare),
  )
  const perMultiple = earned.reduce((sum, fees, index) => sum + fees * onDays[index]!, 0)
  const multiple = Math.min(maxYield, (pilotShare * budgetQuote) / perMultiple)
  const rewardPerDay = venues.map(({ maxQuote }, index) =>
    Math.min(multiple * earned[index]!, maxQuote / Math.max(1, onDays[index]!)),
  )
  requireEffect(baseline, rewardPerDay, minimumLift)
  const power = pilotPower(
    {
      weeks,
      days,
      confidence,
      meanBlock,
      rounds,
      lift: minimumLift,
      logDepth: venues.map(({ panel }) => logDepthOf(panel)),
    },
    streamOf(task, 1),
  )
  if (power < minPower) {
    throw tooUncertain(
      `the pilot would detect the minimum lift in ${percent(power)} of cases; at least ${percent(minPower)} is required`,
      'payload.days',
    )
  }
  const spendQuote = rewardPerDay.reduce((sum, reward, index) => sum + reward * onDays[index]!, 0)
  return { kind: 'PILOT', weeks, rewardPerDay, spendQuote, power }
}

/**
 * Rejects a reward that could not reach the minimum lift even if all LPs responded, because it
 * would yield no evidence.
 */
function requireEffect(
  { venues }: ProgramBaseline,
  rewardPerDay: readonly number[],
  minimumLift: number,
): void {
  const added = venues.map((venue, index) => {
    const { elasticity } = volumeElasticity(venue.panel.days)
    return wholeDepth({ ...venue, elasticity }, rewardPerDay[index] ?? 0)
  })
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const lift = sum(added) / sum(venues.map(({ depth }) => depth))
  if (lift >= minimumLift) return
  throw tooUncertain(
    `a tenth of the budget lifts depth by ${percent(lift)} even if every provider follows the yield; at least ${percent(minimumLift)} is required for a useful measurement`,
    'payload.budget',
  )
}
