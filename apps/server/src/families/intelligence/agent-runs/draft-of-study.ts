import type { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import type { StudySpec } from '../../simulate/studies/api.ts'
import type { Draft } from './records.ts'

type Study = VersionedRecord<contract.SimulationStudy>

const [minPaths, maxPaths, usualPaths] = [200, 10_000, 1000]

/** Reason a study cannot become a research protocol, or null. */
export function studyFault({ payload }: Study): string | null {
  const { spec } = payload
  if (spec.kind === 'REPLAY') return 'must simulate price paths: a REPLAY has only one'
  if (spec.arms.length < 2 || spec.arms.length > 4) {
    return `must have two to four arms, got ${spec.arms.length}`
  }
  if (stepOf(payload) === null) return 'must set stepSeconds, or must have run before'
  return spec.reference ? 'must not have a reference outside its market' : null
}

/**
 * Drafts a protocol from a study. The first arm is the baseline, all others are alternatives. The
 * seed changes, because paths that were already seen must not decide the result.
 */
export function draftOfStudy(study: Study, question: string): Draft {
  const { spec } = study.payload
  const { seed: _, horizonSeconds = 0, bandsPips, paths = usualPaths } = spec
  const [first, ...others] = spec.arms.map((one) => ({ label: one.label, arm: armOf(one) }))
  if (!first) throw new Error('The study has no arms.')
  const [bandPips] = bandsPips ?? []
  return {
    protocolVersion: 'research-protocol-v1',
    question,
    hypothesis: `At least one alternative differs from ${first.label} in net P&L vs initial capital.`,
    primary: {
      metric: 'NET_VS_HOLD',
      direction: 'HIGHER',
      minimumEffect: null,
      confidencePips: 950_000,
    },
    guardrails: [],
    secondary: ['FEES', 'LVR', 'MAX_DRAWDOWN'],
    baseline: {
      kind: spec.kind === 'SCENARIO' ? 'SCENARIO' : 'MONTE_CARLO',
      ...common(spec),
      horizonSeconds,
      stepSeconds: stepOf(study.payload) ?? 1,
      arm: first.arm,
      ...(bandPips === undefined ? {} : { bandPips }),
    },
    alternatives: others.map(({ label, arm }) => ({
      label,
      changes: [{ pointer: '/arm', value: arm }],
    })),
    capture: { sources: [], minimumCoveragePips: 1_000_000 },
    seed: H('research-seed/v1', { study: study.resourceVersion, question }),
    paths: Math.min(maxPaths, Math.max(minPaths, paths + (paths % 2))),
    exclusions: [],
    stopping: 'FIXED',
    multiplicity: 'HOLM',
  }
}

/** Settings that a trial copies unchanged from a study. */
function common(spec: StudySpec) {
  const { pair, market, capital } = spec
  const optional = [
    ...(['observations', 'window', 'price', 'flow', 'others', 'scenario'] as const),
    ...(['sampleSeconds', 'costs', 'minProfitQuote', 'actionLatencySeconds'] as const),
  ]
  const given = optional.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]]))
  return { pair, market, capital, ...Object.fromEntries(given) }
}

function armOf(arm: StudySpec['arms'][number]): Draft['baseline']['arm'] {
  if ('position' in arm) return { position: arm.position }
  return 'strategy' in arm ? { strategy: arm.strategy } : { definition: arm.definition }
}

/** Requested step, or else the step that the study used, in seconds. */
function stepOf({ spec, result }: contract.SimulationStudy): number | null {
  return spec.stepSeconds ?? result?.paths?.stepSeconds ?? null
}
