import { refuse } from './bind-pack.ts'
import type { InputOption, Pack } from './pack-types.ts'

/** Prefix of the option IDs that the service gives to scenarios. */
export const scenarioPrefix = 'scenario-'

const scenarioPattern = /^\/payload\/(scenarios\/|monteCarlo\/)/

/**
 * True for an alternative that restates a scenario of the projection. A scenario is an assumption on
 * the future, not an action. It can be compared, but not approved.
 */
export const isAssumption = ({
  statusQuo,
  metrics,
}: Pick<InputOption, 'statusQuo' | 'metrics'>): boolean =>
  !statusQuo &&
  metrics.length > 0 &&
  metrics.every(
    ({ source, pointer, afterSpend }) =>
      source.resourceType === 'TreasuryProjection' &&
      afterSpend === undefined &&
      scenarioPattern.test(pointer),
  )

/** @throws Failure 422 for an assumption */
export function requireAction(
  { origin, options }: Pick<Pack, 'origin' | 'options'>,
  { optionId, at }: { readonly optionId: string; readonly at: string },
): void {
  const option = options.find((one) => one.optionId === optionId)
  if (origin !== 'TREASURY' || !option || !isAssumption(option)) return
  refuse('LIQUIDITY_DECISION_PACK_INVALID', {
    [at]: [
      `must be an action, got ${optionId}, an assumption: create the packet with actions or options`,
    ],
  })
}
