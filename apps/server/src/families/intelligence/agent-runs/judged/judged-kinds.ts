import type { contract } from '@liquidity-os/contract'
import { healthKind } from '../health/health-kind.ts'
import { projectKind } from '../project/project-kind.ts'
import { reviewKind } from '../review/review-kind.ts'
import type { JudgedKind } from './judged-kind.ts'

const kinds = {
  HEALTH: healthKind,
  PROPOSAL_REVIEW: reviewKind,
  PUBLIC_PROJECT: projectKind,
} as const satisfies Record<Exclude<contract.AgentRunKind, 'RESEARCH'>, unknown>

/** What runs of a kind judge by; null of research, which compares. */
export const judgedKindOf = (kind: contract.AgentRunKind): JudgedKind | null =>
  // Each kind is given assessments of its own making alone.
  kind === 'RESEARCH' ? null : (kinds[kind] as unknown as JudgedKind)
