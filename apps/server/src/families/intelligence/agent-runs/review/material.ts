import type { contract, Ref } from '@liquidity-os/contract'
import type { ReviewState } from '../../../operate/proposals/api.ts'
import { type Material, requestOf, type Sealed, sealedAt } from '../judged/documents.ts'

/** By what a review is judged; sealed with what was asked, so that later rules judge no earlier review. */
export interface ReviewRules {
  readonly rulesVersion: 'review-rules-v1'
  /** How long a simulation and a snapshot of the vault count. */
  readonly simulationSeconds: number
  readonly snapshotSeconds: number
  /** A packet that expires within so long is told. */
  readonly expiryNoticeSeconds: number
}

/** What was asked, as it is sealed with what was captured. */
export interface AskedReview {
  readonly rules: ReviewRules
  readonly requestVersion: 'review-request-v1'
  readonly subject: { readonly proposal: Ref }
  readonly question: string | null
  /** The moment to which everything is judged. */
  readonly asOf: string
  /** The vault as it was recorded then, and the run that reviewed before: a packet may name others of their kinds. */
  readonly vault: Ref | null
  readonly before: Ref | null
}

/** What a decision is about, without the proposal, which is sealed as a record of its own. */
export type SealedReview = Omit<ReviewState, 'proposal'>

/** A proposal and what a decision on it is about, each under the name of its evidence. */
export interface Reviewed {
  readonly proposal: Sealed<contract.ProposalWorkspace>
  readonly review: { readonly evidenceId: string; readonly content: SealedReview }
}

export const askedOf = (material: Material): AskedReview =>
  requestOf<AskedReview>(material, 'review-rules-v1')

/** When a review was sealed: for this run, or for the run before it. */
export type ReviewMoment = 'now' | 'before'

/** @throws Error where the review of that moment, or its proposal, was not sealed */
export function reviewedOf(material: Material, moment: ReviewMoment): Reviewed {
  const found = material.documents.find(
    ({ item: { source } }) => source.kind === 'REVIEW' && source.member === moment,
  )
  const { id, resourceVersion } = found?.item.source ?? {}
  const proposal =
    id && resourceVersion
      ? sealedAt<contract.ProposalWorkspace>(material, { id, resourceVersion })
      : undefined
  if (!found || !proposal) throw new Error(`What was reviewed ${moment} is not sealed.`)
  const { item, content } = found
  return { proposal, review: { evidenceId: item.evidenceId, content: content as SealedReview } }
}
