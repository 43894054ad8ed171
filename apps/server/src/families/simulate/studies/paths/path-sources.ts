import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { StrategyBehaviour } from '../../../plan/strategies/api.ts'
import { coverWindow } from '../replay/window-coverage.ts'
import { inputsOf, readStudyInput } from '../study-input.ts'
import type { StudySpec } from '../validate-spec.ts'
import { noEvidence, type PathEvidence } from './path-result.ts'
import type { PreparePathsTask } from './prepare-paths-task.ts'

export interface PathSources extends Pick<PreparePathsTask, 'strategies' | 'observed'> {
  evidence: PathEvidence
}

/**
 * Reads the sealed state at the end of the observations, which is the start of the paths. Also
 * reads the events for calibration: those in the window, or all observations.
 *
 * @throws Failure 404 for a missing source, 422 for an unsuitable one
 */
export async function readPathSources(
  records: TenantRecords,
  spec: StudySpec,
): Promise<PathSources> {
  if ('inline' in spec.market) return { strategies: {}, observed: null, evidence: noEvidence }
  const input = await readStudyInput(records, spec)
  const [first, last] = [input.observations[0], input.observations.at(-1)]
  if (!first || !last) throw new Error('A study on a venue has no observations.')
  const all = {
    fromBlock: first.payload.range.from.number,
    toBlock: last.payload.range.to.number,
  }
  const coverage = coverWindow(spec.window ?? all, input.observations)
  const unproved = input.observations.filter(({ payload }) => !payload.continuity.proved)
  const strategies = Object.fromEntries(
    [...input.strategies].map(([armId, { payload }]) => [armId, payload.definition] as const),
  ) satisfies Record<string, StrategyBehaviour>
  return {
    strategies,
    observed: {
      state: await records.artifact(last.payload.state.artifactHash),
      events: await Promise.all(
        coverage.stretch.map(({ payload }) => records.sharedArtifact(payload.events.artifactHash)),
      ),
      window: coverage.window,
      reference: input.reference && {
        points: input.reference.points,
        bandFeePips: input.reference.bandFeePips,
      },
    },
    evidence: {
      inputs: inputsOf(input),
      blocks: [first.payload.range.from, last.payload.state.at],
      reasons: [
        ...(coverage.missing.length > 0 ? ['BLOCKS_UNCOVERED'] : []),
        ...(unproved.length > 0 ? ['OBSERVATION_UNPROVED'] : []),
      ],
      gaps: [
        ...coverage.missing.map((blocks) => ({
          code: 'BLOCKS_UNCOVERED',
          detail: 'Blocks that nothing was calibrated from.',
          ...blocks,
        })),
        ...unproved.flatMap(({ payload }) => payload.gaps),
      ],
    },
  }
}
