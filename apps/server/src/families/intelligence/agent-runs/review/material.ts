import type { contract, Ref } from '@liquidity-os/contract'
import type { ReviewState } from '../../../operate/proposals/api.ts'
import { type Material, requestOf, type Sealed, sealedAt } from '../assessed/documents.ts'

/**
 * Review rules. They are sealed with the request, so that later rules do not affect earlier
 * reviews.
 */
export interface ReviewRules {
  readonly rulesVersion: 'review-rules-v1'
  /** Maximum age of a simulation and of a vault snapshot. */
  readonly simulationSeconds: number
  readonly snapshotSeconds: number
  /** Notice period before a packet expires, in seconds. */
  readonly expiryNoticeSeconds: number
}

/** The request, sealed with the captured data. */
export interface ReviewRequest {
  readonly rules: ReviewRules
  readonly requestVersion: 'review-request-v1'
  readonly subject: { readonly proposal: Ref }
  readonly question: string | null
  /** Moment of the assessment. */
  readonly asOf: string
  /**
   * Vault version at that moment and the previous review. Stored explicitly, because a packet may
   * name other records of these kinds.
   */
  readonly vault: Ref | null
  readonly before: Ref | null
}

/** Inputs of a decision without the proposal, which is sealed as a separate record. */
export type SealedReview = Omit<ReviewState, 'proposal'>

/** A proposal and the inputs of its decision, each with its evidence id. */
export interface Reviewed {
  readonly proposal: Sealed<contract.ProposalWorkspace>
  readonly review: { readonly evidenceId: string; readonly content: SealedReview }
}

export const reviewRequestOf = (material: Material): ReviewRequest =>
  requestOf<ReviewRequest>(material, 'review-rules-v1')

/** Time of sealing: in this run, or in the previous run. */
export type ReviewMoment = 'now' | 'before'

/** @throws Error if the review at `moment` or its proposal was not sealed */
export function reviewedOf(material: Material, moment: ReviewMoment): Reviewed {
  const found = material.documents.find(
    ({ item: { source } }) => source.kind === 'REVIEW' && source.member === moment,
  )
  const { id, resourceVersion } = found?.item.source ?? {}
  const proposal =
    id && resourceVersion
      ? sealedAt<contract.ProposalWorkspace>(material, { id, resourceVersion })
      : undefined
  if (!found || !proposal) throw new Error(`The material reviewed ${moment} is not sealed.`)
  const { item, content } = found
  return { proposal, review: { evidenceId: item.evidenceId, content: content as SealedReview } }
}
