import type { contract } from '@liquidity-os/contract'
import type { CitedFigure } from '../assessed/cited-figures.ts'
import type { AssessmentKind } from '../assessed/report-kind.ts'
import { type Assessment, assessReview } from './assess-review.ts'
import { captureReview } from './capture-review.ts'
import { writeReview } from './review-sentences.ts'

/** Review of a proposal: errors, open questions, and contradictions between text and calls. */
export const reviewKind: AssessmentKind<contract.ProposalReviewReport> = {
  tag: 'proposal-review',
  capture: captureReview,
  assess: assessReview,
  write: writeReview,
  figures: figuresOf,
}

function figuresOf({ about, areas, disagreements, unanswered, since }: Assessment): CitedFigure[] {
  const found = [...areas.flatMap(({ findings }) => findings), ...disagreements, ...unanswered]
  const changed = since?.changes ?? []
  return [
    ...about,
    ...areas.flatMap(({ figures }) => figures),
    ...found.flatMap(({ figures }) => figures),
    ...changed.flatMap(({ before, after }) => [
      ...(before ? [before] : []),
      ...(after ? [after] : []),
    ]),
  ]
}
