import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { DrawnAssumptions } from './drawn.ts'
import { drawLines } from './lines.ts'
import { drawScenarios } from './scenarios.ts'

/**
 * The charts of a version, each with its table. Both mark the changes since the previous version.
 * Deterministic.
 */
export function assumptionPictures(drawn: DrawnAssumptions, paper: Paper = usualPaper): Drawing[] {
  return [drawLines, drawScenarios].map((draw) => draw(drawn, paper))
}
