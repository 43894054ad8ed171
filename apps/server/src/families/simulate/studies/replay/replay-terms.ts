import type { FlowModel } from '@liquidity-os/engine/study'
import type { StudyResult } from '../study-hashes.ts'
import type { StudySpec } from '../validate-spec.ts'
import { coverWindow, type Observation, type WindowCoverage } from './window-coverage.ts'

export interface ReplayTerms {
  coverage: WindowCoverage
  flowModels: readonly FlowModel[]
  reasons: readonly string[]
  gaps: StudyResult['gaps']
  /** True if an observation in use does not prove its own continuity. */
  unproved: boolean
}

/**
 * The replayable part of the requested window.
 *
 * @throws Failure 422 LIQUIDITY_STUDY_WINDOW_UNCOVERED
 */
export function replayTerms(spec: StudySpec, observations: readonly Observation[]): ReplayTerms {
  if (!spec.window) throw new Error('The replay has no window.')
  const coverage = coverWindow(spec.window, observations)
  const flowModels: readonly FlowModel[] = spec.flowModels ?? ['INELASTIC_INPUT', 'PRICE_SETTING']
  const unproved = coverage.stretch.filter(({ payload }) => !payload.continuity.proved)
  return {
    coverage,
    flowModels,
    reasons: coverage.missing.length > 0 ? ['BLOCKS_UNCOVERED'] : [],
    gaps: [
      ...coverage.missing.map(({ fromBlock, toBlock }) => ({
        code: 'BLOCKS_UNCOVERED',
        detail: 'Blocks of the window that the replay does not reach.',
        fromBlock,
        toBlock,
      })),
      ...unproved.flatMap(({ payload }) => payload.gaps),
    ],
    unproved: unproved.length > 0,
  }
}
