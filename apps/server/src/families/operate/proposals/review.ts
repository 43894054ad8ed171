import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { type Proposal, phaseOf } from '../../../market/proposals/agreed-packets.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { commentedKind, commentOf, openBlockers } from './comments.ts'
import { statesNow } from './named-sources.ts'
import { sourceFlags } from './raise-flags.ts'

type Review = contract.ProposalWorkspaceReview

const decidedKinds = ['proposal.decided', 'proposal.approved']

/** A review with its stored proposal. */
export type ReviewState = Omit<Review, 'proposal'> & { readonly proposal: Proposal }

/** Current inputs of a decision. */
export async function reviewOf(records: TenantRecords, proposal: Proposal): Promise<ReviewState> {
  const { payload } = proposal
  const [comments, decisions, sourceStates] = await Promise.all([
    records.events(proposal.id, { kinds: [commentedKind] }),
    records.events(proposal.id, { kinds: decidedKinds }),
    statesNow(records, payload.sourceStates),
  ])
  const flags = [
    ...payload.flags.filter(({ code }) => code !== 'SOURCE_SUPERSEDED'),
    ...sourceFlags(sourceStates),
  ]
  const warned = flags.filter(({ severity }) => severity === 'WARN').map(({ code }) => code)
  return {
    proposal,
    phase: phaseOf(proposal, records.now),
    comments,
    decisions,
    flags,
    sourceStates,
    openBlockers: openBlockers(comments.map(commentOf)),
    acknowledge: [...new Set(warned)].toSorted(),
    simulation: payload.simulation,
    policyChecks: payload.packets.map(({ policyCheck }) => policyCheck),
    signing: payload.packets.map(({ hashes }) => hashes),
    reviewEvidenceHash: reviewHash(proposal, { comments, decisions, sourceStates }),
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
}

interface Reviewed {
  readonly comments: readonly OperatingSystemEvent[]
  readonly decisions: readonly OperatingSystemEvent[]
  readonly sourceStates: Review['sourceStates']
}

/**
 * Hash that a decision binds: H("proposal-review/v1", { proposalId, resourceVersion, comments,
 * decisions, policyCheckHash, simulationHash, sourceStates }). Several checks are hashed as a list.
 */
export function reviewHash(
  { id, resourceVersion, payload }: Proposal,
  { comments, decisions, sourceStates }: Reviewed,
): Review['reviewEvidenceHash'] {
  return H('proposal-review/v1', {
    proposalId: id,
    resourceVersion,
    comments: comments.map(({ id: eventId, evidenceHash }) => ({ eventId, evidenceHash })),
    decisions: decisions.map(({ evidenceHash }) => evidenceHash),
    policyCheckHash: checksHash(payload.packets.map(({ policyCheck }) => policyCheck)),
    simulationHash: payload.simulation.simulationHash,
    sourceStates,
  })
}

/**
 * The hash of a single check; for a series, H("packet-checks/v1", …) over all in order; null
 * without checks.
 */
function checksHash(checks: Review['policyChecks']): string | null {
  const hashes = checks.map((check) => check?.checkHash ?? null)
  const [only = null, ...others] = hashes
  if (others.length === 0) return only
  return hashes.every((hash) => hash === null) ? null : H('packet-checks/v1', hashes)
}

/** Sources that were current at packet preparation and have changed since. */
export const movedSources = (
  before: Review['sourceStates'],
  now: Review['sourceStates'],
): Review['sourceStates'] =>
  now.filter(({ state }, index) => state === 'SUPERSEDED' && before[index]?.state === 'CURRENT')
