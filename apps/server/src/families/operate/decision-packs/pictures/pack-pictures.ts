import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawAlternatives } from './alternatives.ts'
import type { DrawnPack } from './drawn-pack.ts'
import { drawRail } from './rail.ts'

/** The alternatives beside each other, and how far the decision is and on what it rests. */
export function packPictures(drawn: DrawnPack, paper: Paper = usualPaper): Drawing[] {
  return [drawAlternatives(drawn, paper), drawRail(drawn, paper)]
}
