import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import { solverVersion } from '../../../market/optimization/solver-version.ts'
import { seedOf } from '../../simulate/studies/api.ts'
import {
  type AllocationPlan,
  type AllocationRequest,
  allocationDefaults,
} from './allocation-input.ts'
import type { PlanFigures } from './plan-payload.ts'
import type { ReadInput } from './read-input.ts'

type Evidence = AllocationPlan['evidence']

/**
 * Inputs of a plan. With the same inputs, engine and solver, a third party obtains the same plan.
 */
export function evidenceOf(
  request: AllocationRequest,
  { observed, study, gaps }: ReadInput,
  { texts, gaps: found }: Pick<PlanFigures, 'texts' | 'gaps'>,
): Evidence {
  return {
    engineVersion,
    engineBuildHash: engineBuildHash(),
    specHash: H('allocation-plan-spec/v1', request),
    inputs: [
      ...observed.flatMap(({ venue, observation, history }) => [
        { name: `venue:${venue.id}`, hash: venue.resourceVersion },
        { name: `observation:${observation.id}`, hash: observation.resourceVersion },
        ...(history && history.id !== observation.id
          ? [{ name: `observation:${history.id}`, hash: history.resourceVersion }]
          : []),
        { name: `snapshot:${venue.id}`, hash: observation.payload.state.snapshotHash },
      ]),
      ...(study ? [{ name: `study:${study.id}`, hash: study.resourceVersion }] : []),
      ...texts.map(({ name, hash }) => ({ name, hash })),
    ],
    blocks: observed.map(({ observation }) => observation.payload.state.at),
    seed: study ? seedOf(study.payload.spec) : null,
    assumptions: assumptionsOf(request, study?.payload.spec.costs !== undefined),
    gaps: [...gaps, ...found],
  }
}

function assumptionsOf(request: AllocationRequest, hasCosts: boolean): Evidence['assumptions'] {
  const { toleranceBps, maxStateAgeSeconds, risk } = request
  const stated = (code: string, value: number | undefined, usual: number) => ({
    code,
    value: `${value ?? usual}`,
    source: value === undefined ? ('DEFAULT' as const) : ('DECLARED' as const),
  })
  const assumed = (code: string, value: string) => ({ code, value, source: 'DEFAULT' as const })
  return [
    assumed('SOLVER', solverVersion),
    stated('TOLERANCE_BPS', toleranceBps, allocationDefaults.toleranceBps),
    stated('MAX_STATE_AGE_SECONDS', maxStateAgeSeconds, allocationDefaults.maxStateAgeSeconds),
    assumed('POSITIONS', 'STATIC_OVER_THE_HORIZON'),
    assumed('FRONTIER', 'WITHOUT_SIZES_AND_COUNTS'),
    ...(risk
      ? [
          stated('CONFIDENCE_PIPS', risk.confidencePips, allocationDefaults.confidencePips),
          assumed('LOSSES', 'AGAINST_HOLDING_BEFORE_FEES_ON_THE_PATHS_OF_THE_STUDY'),
          assumed('GAS', hasCosts ? 'OF_THE_STUDY' : 'NOT_CHARGED'),
        ]
      : [assumed('LOSSES', 'DIFFUSION_OF_OBSERVED_VOLATILITY'), assumed('GAS', 'NOT_CHARGED')]),
  ]
}
