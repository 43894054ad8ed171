import type { FlowModel } from '@liquidity-os/engine/study'
import { Failure } from '../../../../failure.ts'
import type { StudySpec } from '../spec-faults.ts'
import type { StudyResult } from '../study-hashes.ts'
import { coverWindow, type Observation, type WindowCoverage } from './window-coverage.ts'

/** Under which terms a window is replayed, and what is missing from the start. */
export interface ReplayTerms {
  coverage: WindowCoverage
  flowModels: readonly FlowModel[]
  reasons: readonly string[]
  gaps: StudyResult['gaps']
  /** Whether an observation in use does not prove its own continuity. */
  unproved: boolean
}

/**
 * What can be replayed of what was asked.
 *
 * The reference price of this release is the pool itself. Where a study names another, nothing is known of
 * it: the model that needs one, in which an arbitrageur compares the pool with it, is left out.
 *
 * @throws Failure 422 LIQUIDITY_STUDY_WINDOW_UNCOVERED or _REFERENCE_REQUIRED
 */
export function replayTerms(spec: StudySpec, observations: readonly Observation[]): ReplayTerms {
  if (!spec.window) throw new Error('A replay has a window.')
  const coverage = coverWindow(spec.window, observations)
  const asked: readonly FlowModel[] = spec.flowModels ?? ['INELASTIC_INPUT', 'PRICE_SETTING']
  const { reference } = spec
  const lacksReference = reference !== undefined && reference.kind !== 'POOL_POST_SWAP'
  const flowModels = lacksReference ? asked.filter((model) => model === 'PRICE_SETTING') : asked
  if (reference && flowModels.length === 0) {
    throw new Failure('LIQUIDITY_STUDY_REFERENCE_REQUIRED', {
      fieldErrors: {
        'payload.reference': [`no prices of ${reference.kind} are known for INELASTIC_INPUT`],
      },
    })
  }
  const unproved = coverage.stretch.filter(({ payload }) => !payload.continuity.proved)
  const isPartlyAnswered = flowModels.length < asked.length
  return {
    coverage,
    flowModels,
    reasons: [
      ...(coverage.missing.length > 0 ? ['BLOCKS_UNCOVERED'] : []),
      ...(isPartlyAnswered ? ['REFERENCE_MISSING'] : []),
    ],
    gaps: [
      ...coverage.missing.map(({ fromBlock, toBlock }) => ({
        code: 'BLOCKS_UNCOVERED',
        detail: 'Blocks of the window that the replay does not reach.',
        fromBlock,
        toBlock,
      })),
      ...(isPartlyAnswered
        ? [
            {
              code: 'REFERENCE_MISSING',
              detail: `No prices of ${reference?.kind} are known; INELASTIC_INPUT is left out.`,
            },
          ]
        : []),
      ...unproved.flatMap(({ payload }) => payload.gaps),
    ],
    unproved: unproved.length > 0,
  }
}
