import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawAlternatives } from './alternatives.ts'
import type { DrawnPack } from './drawn-pack.ts'
import { drawRail } from './rail.ts'

/** Charts of a pack: comparison of options, and progress of the decision with its evidence. */
export function packPictures(drawn: DrawnPack, paper: Paper = usualPaper): Drawing[] {
  return [drawAlternatives(drawn, paper), drawRail(drawn, paper)]
}
