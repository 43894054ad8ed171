import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { PackRecord } from '../pack-types.ts'
import { drawAlternatives } from './alternatives.ts'
import { drawRail } from './rail.ts'

/** A pack as far as pictures need it. */
export type DrawnPack = Pick<PackRecord, 'status' | 'payload'>

/** The alternatives beside each other, and how far the decision is and on what it rests. */
export function packPictures(drawn: DrawnPack, paper: Paper = usualPaper): Drawing[] {
  return [drawAlternatives(drawn, paper), drawRail(drawn, paper)]
}
