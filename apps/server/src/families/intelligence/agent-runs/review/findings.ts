import { contract } from '@liquidity-os/contract'
import { type CitedFigure, citedIn, worstFirst, worstOf } from '../assessed/cited-figures.ts'
import type { Sealed } from '../assessed/documents.ts'
import type { Reviewed, ReviewRequest } from './material.ts'

export type Area = contract.ProposalReviewReport['areas'][number]
export type Finding = Area['findings'][number]

const verdicts = contract.reviewVerdicts

export const verdictOf = (findings: readonly Pick<Finding, 'severity'>[]): contract.ReviewVerdict =>
  worstOf(
    verdicts,
    findings.map(({ severity }) => severity),
  )

export const assessArea = (
  area: contract.ReviewArea,
  figures: readonly CitedFigure[],
  findings: readonly Finding[],
  isKnown = true,
): Area => ({
  area,
  figures: figures.slice(0, maxFigures),
  findings: worstFirst(findings),
  verdict: isKnown ? verdictOf(findings) : null,
})

const maxFigures = 256

export const finding = (
  code: Finding['code'],
  severity: Finding['severity'],
  figures: readonly CitedFigure[],
): Finding => ({ code, severity, figures: figures.slice(0, 8) })

export const ofProposal =
  ({ proposal }: Reviewed) =>
  (name: string, pointer: string): CitedFigure =>
    citedIn(proposal.evidenceId, proposal.record, name, pointer)

export const ofReview =
  ({ review }: Reviewed) =>
  (name: string, pointer: string): CitedFigure =>
    citedIn(review.evidenceId, review.content, name, pointer)

export const ofRecord =
  ({ evidenceId, record }: Sealed<unknown>) =>
  (name: string, pointer: string): CitedFigure =>
    citedIn(evidenceId, record, name, pointer)

/** A time in Unix seconds, and the assessment rules. */
export interface When {
  readonly at: number
  readonly rules: ReviewRequest['rules']
}

export const ageOf = (timestamp: string, { at }: When) => at - Date.parse(timestamp) / 1000

const severityOf = { BLOCK: 'CRITICAL', WARN: 'ATTENTION' } as const

/** Current flags under their existing codes. The flag of a call cites the effect of the call. */
export function flagged(
  reviewed: Reviewed,
  isOfArea: (flag: contract.ProposalFlag) => boolean,
): Finding[] {
  const citeReview = ofReview(reviewed)
  return reviewed.review.content.flags.flatMap((flag, index) => {
    if (!isOfArea(flag)) return []
    const { code, severity, packetIndex, callIndex } = flag
    const call =
      packetIndex === null || callIndex === null
        ? []
        : [
            ofProposal(reviewed)(
              'call',
              `/payload/packets/${packetIndex}/decodedCalls/${callIndex}/words`,
            ),
          ]
    const figures = [citeReview('detail', `/flags/${index}/detail`), ...call]
    return [finding(code, severityOf[severity], figures)]
  })
}
