import type { StrategyBehaviour } from '../../../plan/strategies/api.ts'
import type { StudyInput } from '../study-input.ts'
import type { StudySpec } from '../validate-spec.ts'

export function definitionOf(
  arm: Exclude<StudySpec['arms'][number], { position: unknown }>,
  { strategies }: StudyInput,
): StrategyBehaviour {
  if ('definition' in arm) return arm.definition
  const strategy = strategies.get(arm.armId)
  if (!strategy) throw new Error(`The strategy of ${arm.armId} was not loaded.`)
  return strategy.payload.definition
}
