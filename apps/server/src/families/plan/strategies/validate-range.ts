import type { FieldErrors } from '@liquidity-os/contract'
import { MOST_LOWER_PIPS } from '@liquidity-os/engine/strategy'
import type { StrategyBehaviour } from './exact-definition.ts'

type RangeTemplate = StrategyBehaviour['positions'][number]['template']

/** Reason why a range cannot extend down by 100 % of the price; null for a valid range. */
export function lowerPipsFault(template: { kind: string; lowerPips?: number }): string | null {
  const { kind, lowerPips = 0 } = template
  if (kind !== 'RANGE' || lowerPips <= MOST_LOWER_PIPS) return null
  return `must be at most ${MOST_LOWER_PIPS}, in millionths of the price, got ${lowerPips}`
}

/** Range errors in a definition by field, including ranges placed by rules. */
export function validateRange(
  { positions, rules }: Pick<StrategyBehaviour, 'positions' | 'rules'>,
  at: string,
): FieldErrors {
  const faults: FieldErrors = {}
  const check = (plans: readonly { template: RangeTemplate }[], list: string) => {
    for (const [index, { template }] of plans.entries()) {
      const fault = lowerPipsFault(template)
      if (fault) faults[`${at}.${list}.${index}.template.lowerPips`] = [fault]
    }
  }
  check(positions, 'positions')
  for (const [index, { do: action }] of rules.entries()) {
    if (action.kind === 'RESHAPE') check(action.templates, `rules.${index}.do.templates`)
  }
  return faults
}
