import type { contract } from '@liquidity-os/contract'
import { healthKind } from '../health/health-kind.ts'
import { projectKind } from '../project/project-kind.ts'
import { reviewKind } from '../review/review-kind.ts'
import type { AssessmentKind } from './report-kind.ts'

const kinds = {
  HEALTH: healthKind,
  PROPOSAL_REVIEW: reviewKind,
  PUBLIC_PROJECT: projectKind,
} as const satisfies Record<Exclude<contract.AgentRunKind, 'RESEARCH'>, unknown>

/** Assessment rules of a kind of run; null for research, which compares trials instead. */
export const assessmentKindOf = (kind: contract.AgentRunKind): AssessmentKind | null =>
  // The cast is safe: each kind receives only assessments that it produced.
  kind === 'RESEARCH' ? null : (kinds[kind] as unknown as AssessmentKind)
