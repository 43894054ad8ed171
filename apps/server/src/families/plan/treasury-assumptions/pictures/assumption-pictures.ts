import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { DrawnAssumptions } from './drawn.ts'
import { drawLines } from './lines.ts'
import { drawScenarios } from './scenarios.ts'

/**
 * The pictures of a version, each with the table that it is drawn from, and in both what moved since the version before.
 * The same record gives the same pictures.
 */
export function assumptionPictures(drawn: DrawnAssumptions, paper: Paper = usualPaper): Drawing[] {
  return [drawLines, drawScenarios].map((draw) => draw(drawn, paper))
}
