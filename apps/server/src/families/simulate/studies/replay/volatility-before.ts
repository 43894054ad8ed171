import { Failure } from '../../../../failure.ts'
import { storedMidX36 } from '../../../../market/mid-price.ts'
import { minReturns, type Sample, volatilityOf } from '../../../../market/realized-volatility.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { StrategyBehaviour } from '../../../plan/strategies/api.ts'
import type { StudyInput } from '../study-input.ts'
import type { StudySpec } from '../validate-spec.ts'
import { definitionOf } from './arm-definition.ts'
import type { Observation } from './window-coverage.ts'

/** Volatility of a market before a window: deviation of ln price per √second. */
export interface VolatilityBefore {
  value: number
  returns: number
  /** First block of the window, before which it was observed. */
  beforeBlock: number
}

/**
 * Initial volatility for arms with volatility-based ranges. It uses observations that end before
 * the window. The newest samples must span the longest volatility window and a hundred returns. It
 * uses no data from the study window.
 *
 * @returns null if no arm needs a volatility
 * @throws Failure 422 LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE if too few observations precede the
 * window
 */
export async function volatilityBefore(
  records: TenantRecords,
  spec: StudySpec,
  input: StudyInput,
  beforeBlock: number,
): Promise<VolatilityBefore | null> {
  const scaled = scaledArms(spec, input)
  if (scaled.length === 0) return null
  const earlier = input.observations.filter(
    ({ payload }) => payload.range.to.number < beforeBlock && payload.continuity.proved,
  )
  const samples = await newestSamples(
    records,
    earlier,
    Math.max(...scaled.map(({ seconds }) => seconds)),
  )
  const found = volatilityOf(samples)
  if (found) return { ...found, beforeBlock }
  const known = Math.max(0, samples.length - 1)
  const why = `is VOL_SCALED and needs ${minReturns} returns before block ${beforeBlock}, got ${known}; add observations that end before it`
  throw new Failure('LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE', {
    fieldErrors: Object.fromEntries(
      scaled.map(({ at, position }) => [at, [`positions.${position} ${why}`]]),
    ),
  })
}

/** Candidates that start with such a range, and the lookback of its width in seconds. */
function scaledArms({ arms }: StudySpec, input: StudyInput) {
  return arms.flatMap((arm, index) => {
    if ('position' in arm) return []
    const { positions }: Pick<StrategyBehaviour, 'positions'> = definitionOf(arm, input)
    const windows = positions.map(({ template }) =>
      template.kind === 'VOL_SCALED' ? template.volWindowSeconds : 0,
    )
    const seconds = Math.max(...windows)
    const member = 'definition' in arm ? 'definition' : 'strategy'
    const at = `payload.arms.${index}.${member}`
    return seconds > 0 ? [{ at, position: windows.findIndex((one) => one > 0), seconds }] : []
  })
}

/** The newest priced samples that span the required seconds and returns; otherwise all samples. */
async function newestSamples(
  records: TenantRecords,
  observations: readonly Observation[],
  seconds: number,
): Promise<Sample[]> {
  let newest: Sample[] = []
  for (const { payload } of observations.toReversed()) {
    const bytes = await records.artifact(payload.samples.artifactHash)
    const priced = (JSON.parse(`${bytes}`) as Sample[]).filter(
      (sample) => storedMidX36(sample) !== null,
    )
    newest = [...priced, ...newest]
    const last = newest.at(-1)
    if (!last) continue
    const begin = newest.findLastIndex(({ at }) => at <= last.at - seconds)
    if (begin >= 0 && newest.length > minReturns) {
      return newest.slice(Math.min(begin, newest.length - 1 - minReturns))
    }
  }
  return newest
}
