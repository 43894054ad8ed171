import type { FieldErrors } from '@liquidity-os/contract'
import type { StrategyBehaviour } from './exact-definition.ts'

/** Duplicate ids in a definition. They would make references from rules ambiguous. */
export function duplicateIds(
  { positions, rules }: Pick<StrategyBehaviour, 'positions' | 'rules'>,
  at: string,
): FieldErrors {
  const faults: FieldErrors = {}
  const check = (names: readonly string[], list: string, member: string) => {
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue
      faults[`${at}.${list}.${index}.${member}`] = [`must be unique, got ${name} twice`]
    }
  }
  check(
    positions.map(({ positionId }) => positionId),
    'positions',
    'positionId',
  )
  check(
    rules.map(({ ruleId }) => ruleId),
    'rules',
    'ruleId',
  )
  return faults
}
