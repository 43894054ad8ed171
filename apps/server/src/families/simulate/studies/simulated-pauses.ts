import type { StrategyBehaviour } from '../../plan/strategies/api.ts'
import type { StudyResult } from './study-hashes.ts'

/**
 * A simulation finds no anomalies, so a strategy that pauses on them never does there; the record pauses when one
 * is found. A study that has such an arm says so.
 */
export function pauseAssumptions(
  definitions: readonly StrategyBehaviour[],
): StudyResult['evidence']['assumptions'] {
  const kinds = new Set(definitions.flatMap(({ guards }) => guards.pauseOn))
  return kinds.size === 0
    ? []
    : [
        {
          code: 'PAUSES_ON_ANOMALIES',
          value: `NOT_SIMULATED: ${[...kinds].toSorted().join(', ')}`,
          source: 'DEFAULT',
        },
      ]
}
