import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { ScorePayload } from '../active-score.ts'
import { drawContributions } from './contributions.ts'
import { drawCourse } from './course.ts'
import { drawLastSample } from './last-sample.ts'

/** The pictures of a score, each with its table. The same record gives the same pictures. */
export function scorePictures(score: ScorePayload, paper: Paper = usualPaper): Drawing[] {
  return [drawContributions, drawCourse, drawLastSample].map((draw) => draw(score, paper))
}
