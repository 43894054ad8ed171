import type { contract, Ref } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import { limits } from '../../../../limits.ts'
import { sql } from '../../../../store/database/sql.ts'
import { member } from '../../../../store/records/find.ts'
import { idPrefixes, type ResourceType } from '../../../../store/records/resource-types.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { hourSeconds } from '../../../../units.ts'
import { type Proposal, reviewOf } from '../../../operate/proposals/api.ts'
import { type Found, sealCapture } from '../assessed/seal-capture.ts'
import { agentRuns, type Run } from '../records.ts'
import { openJson } from '../sealed-json.ts'
import type { ReviewMoment, ReviewRequest, ReviewRules, SealedReview } from './material.ts'

type Gap = NonNullable<Run['capture']>['gaps'][number]

const rules: ReviewRules = {
  rulesVersion: 'review-rules-v1',
  simulationSeconds: hourSeconds,
  snapshotSeconds: hourSeconds,
  expiryNoticeSeconds: limits.reviewExpiryNoticeSeconds,
}

/**
 * Reads all inputs of a decision on a proposal once: its sources, its vault and the seals of the
 * previous review.
 */
export async function captureReview(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { records } = run
  const { subject, question } = current.record.payload
  const asOf = new Date(records.now).toISOString()
  const ref = proposalOf(subject)
  const proposal = await proposalAt(records, ref)
  const { proposal: _, ...review } = await reviewOf(records, proposal)
  const named = await readNamed(records, proposal, review)
  const before = await reviewBefore(records, proposal)
  const requested: ReviewRequest = {
    requestVersion: 'review-request-v1',
    rules,
    subject: { proposal: ref },
    question,
    asOf,
    vault: named.vault,
    before: before?.run ?? null,
  }
  return sealCapture(run, current, {
    request: requested,
    asOf,
    records: [proposal, ...named.records, ...(before?.records ?? [])],
    found: [
      reviewFound(proposal, review, { moment: 'now', at: asOf }),
      ...(before ? [before.found] : []),
    ],
    gaps: named.gaps,
    // Share of the packet's source records that exist and are readable.
    coveragePips: Math.floor(
      (named.records.length * 1_000_000) / (named.records.length + named.gaps.length),
    ),
  })
}

/** @throws Error if the subject is of another kind */
function proposalOf(subject: Run['subject']): Ref {
  if ('proposal' in subject) return subject.proposal
  throw new Error('The review has no proposal.')
}

async function proposalAt(records: TenantRecords, ref: Ref): Promise<Proposal> {
  const { id, resourceVersion } = ref
  const found = await records.version<contract.ProposalWorkspace>(
    ...(['ProposalWorkspace', id, resourceVersion] as const),
  )
  if (!found) throw new Error(`The proposal ${id} of this run no longer exists.`)
  return found.record
}

const reviewFound = (
  { id, resourceVersion }: Pick<Proposal, 'id' | 'resourceVersion'>,
  content: SealedReview,
  { moment, at }: { readonly moment: ReviewMoment; readonly at: string },
): Found => ({
  source: {
    kind: 'REVIEW',
    resourceType: 'ProposalWorkspace',
    id,
    member: moment,
    resourceVersion: resourceVersion as Ref['resourceVersion'],
  },
  content,
  observedAt: at,
})

const refOf = ({ id, resourceVersion }: Pick<VersionedRecord, 'id' | 'resourceVersion'>): Ref => ({
  id,
  resourceVersion: resourceVersion as Ref['resourceVersion'],
})

/** Reads the current vault and the exact record versions that the packet names. */
async function readNamed(
  records: TenantRecords,
  { payload }: Proposal,
  { sourceStates }: SealedReview,
): Promise<{
  readonly vault: Ref | null
  readonly records: VersionedRecord[]
  readonly gaps: Gap[]
}> {
  const vault = await records.current('QualifiedVault', payload.vaultId)
  const gaps: Gap[] = vault
    ? []
    : [{ code: 'VAULT_UNAVAILABLE', detail: `There is no vault ${payload.vaultId}.` }]
  const found: VersionedRecord[] = vault ? [vault.record] : []
  const named = [
    ...sourceStates.map(({ source }) => source),
    ...payload.packets.flatMap(({ safeEvidence }) => (safeEvidence ? [safeEvidence] : [])),
  ]
  for (const { resourceType, id, resourceVersion } of named) {
    const version = Object.hasOwn(idPrefixes, resourceType)
      ? await records.version(resourceType as ResourceType, id, resourceVersion)
      : null
    if (version) found.push(version.record)
    else {
      const detail = `There is no ${resourceType} ${id} in the version ${resourceVersion}.`
      gaps.push({ code: 'SOURCE_UNAVAILABLE', detail: detail.slice(0, 500) })
    }
  }
  return { vault: vault && refOf(vault.record), records: found, gaps }
}

/**
 * Newest completed review of a proposal, or of the proposal that it replaces, with its sealed
 * evidence.
 */
async function reviewBefore(records: TenantRecords, { id, payload }: Proposal) {
  const own = await newestReview(records, id)
  const last = own ?? (payload.supersedes && (await newestReview(records, payload.supersedes.id)))
  if (!last || !('proposal' in last.payload.subject)) return null
  const item = last.payload.capture?.items.find(
    ({ source }) => source.kind === 'REVIEW' && source.member === 'now',
  )
  if (!item) throw new Error(`The run ${last.id} sealed no review.`)
  const content = openJson<SealedReview>(await records.artifact(item.contentHash))
  const proposal = await proposalAt(records, last.payload.subject.proposal)
  const at = item.observedAt ?? last.createdAt
  return {
    run: refOf(last),
    records: [last, proposal],
    found: reviewFound(proposal, content, { moment: 'before', at }),
  }
}

async function newestReview(records: TenantRecords, proposalId: string) {
  const [newest] = await agentRuns.find(records, {
    where: sql`${member('payload.kind')} = 'PROPOSAL_REVIEW'
      and ${member('payload.subject.proposal.id')} = ${proposalId}`,
    status: ['COMPLETED', 'PARTIAL', 'ABSTAINED'],
    order: 'NEWEST',
    limit: 1,
  })
  return newest
}
