import type { contract } from '@liquidity-os/contract'
import type { CitedFigure } from '../judged/cited-figures.ts'
import type { JudgedKind } from '../judged/judged-kind.ts'
import { type Assessment, assessReview } from './assess-review.ts'
import { captureReview } from './capture-review.ts'
import { writeReview } from './review-sentences.ts'

/** What is wrong with a proposal, open, or another than its text says. */
export const reviewKind: JudgedKind<contract.ProposalReviewReport> = {
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
