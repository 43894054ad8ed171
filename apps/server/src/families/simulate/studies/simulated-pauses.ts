import type { StrategyBehaviour } from '../../plan/strategies/api.ts'
import type { StudyResult } from './study-hashes.ts'

/**
 * Simulations have no anomaly detection, so a strategy's anomaly pauses never trigger there. They
 * do in live operation. A study with such an arm states this.
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
