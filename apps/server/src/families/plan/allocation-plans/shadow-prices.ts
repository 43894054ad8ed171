import { roundHalfEven } from '@liquidity-os/engine/numerics'
import type { AllocationPlan } from './allocation-input.ts'
import type { Problem } from './problem.ts'
import type { ProvedStage } from './solve-plan.ts'

type ShadowPrice = AllocationPlan['shadowPrices'][number]

/** Multipliers below this are float noise. */
const nothing = 1e-9
/** Number of budget units in 1 % of the budget. */
const percent = 10

/**
 * Value of relaxing each constraint, from the dual multipliers. Valid for small changes while the
 * same constraints bind.
 */
export function shadowPricesOf(
  problem: Problem,
  stages: readonly ProvedStage[],
  attainment: number,
): ShadowPrice[] {
  const isShort = attainment < 1 - 1e-6
  return stages
    .filter(({ stage }) => stage !== 'ATTAINMENT' || isShort)
    .flatMap((solved) => pricesOf(problem, solved))
}

function pricesOf(problem: Problem, { stage, dual, reduced }: ProvedStage) {
  const sums = new Map<string, number>()
  for (const [row, multiplier] of dual) {
    const named = constraintOf(problem, row)
    if (named === null || Math.abs(multiplier) < nothing) continue
    sums.set(named, (sums.get(named) ?? 0) + Math.abs(multiplier))
  }
  for (const [v, { optionId, maxQuote }] of problem.options.entries()) {
    const cost = reduced.get(`x${v}`) ?? 0
    // Negative: more of the option would improve the result, but its own bound forbids it.
    if (maxQuote !== null && cost < -nothing) sums.set(`options.${optionId}.maxQuote`, -cost)
  }
  return [...sums].map(([constraint, gain]): ShadowPrice => {
    const scaled = stage === 'ATTAINMENT' ? gain * percent * 1_000_000 : gain
    return {
      constraint,
      stage,
      quotePerUnitX18: roundHalfEven(scaled * 1e18).toString(),
      meaning: meaningOf(stage, constraint, scaled),
    }
  })
}

/** Request field behind a model row, or null. */
export function constraintOf({ targets, options, venues }: Problem, row: string): string | null {
  const [kind = '', at = ''] = row.split('_')
  switch (kind) {
    case 'budget':
      return `budget.${at}`
    case 'option':
      return 'limits.perOptionPips'
    case 'venue':
      return 'limits.perVenuePips'
    case 'venuecap':
      return `venues.${venues[Number(at)]?.id ?? at}.caps.maxCapitalQuote`
    case 'chain':
      return 'limits.perChainPips'
    case 'turnover':
      return 'limits.turnoverQuote'
    case 'risk':
      return 'risk.maxCvarQuote'
    case 'least':
      return 'limits.minPositionQuote'
    case 'most':
      return `options.${options[Number(at)]?.optionId ?? at}.maxQuote`
    case 'depth':
      return targets[Number(at)]?.field ?? null
    default:
      return null
  }
}

/** Three significant digits, without exponent. */
const shown = (value: number) => String(Number(value.toPrecision(3)))

function meaningOf(stage: ProvedStage['stage'], constraint: string, gain: number): string {
  if (stage === 'ATTAINMENT') {
    return `If ${easedBy(constraint, 'one percent of the budget')}, the attainment of every target would increase by ${shown(gain)} pips.`
  }
  if (stage === 'CAPITAL' && constraint.includes('argets.')) {
    return `The next 100 quote in ${constraint} require ${shown(gain * 100)} of capital.`
  }
  const eased = easedBy(constraint, '100 of quote')
  return stage === 'INCOME'
    ? `If ${eased}, the income over the horizon would be higher by ${shown(gain * 100)}.`
    : `If ${eased}, the same targets would require ${shown(gain * 100)} less capital.`
}

function easedBy(constraint: string, amount: string): string {
  const [list, name] = constraint.split('.')
  switch (constraint) {
    case 'budget.base':
      return `the base budget were higher by ${amount}`
    case 'budget.quote':
      return `the quote budget were higher by ${amount}`
    case 'limits.perOptionPips':
      return `options could hold ${amount} more than their share`
    case 'limits.perVenuePips':
      return `venues could hold ${amount} more than their share`
    case 'limits.perChainPips':
      return `the chain could hold ${amount} more`
    case 'limits.turnoverQuote':
      return `turnover could be higher by ${amount}`
    case 'limits.minPositionQuote':
      return `positions could be smaller by ${amount}`
    case 'risk.maxCvarQuote':
      return `the CVaR could be higher by ${amount}`
    default:
      return list === 'options' || list === 'venues'
        ? `${name} could hold ${amount} more`
        : `${constraint} were lower by ${amount}`
  }
}
