import type { contract } from '@liquidity-os/contract'
import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawCash } from './cash.ts'
import { drawMonths } from './months.ts'
import { drawRunway } from './runway.ts'

/** The charts of a projection, each with its table. */
export function projectionPictures(
  projection: contract.TreasuryProjection,
  paper: Paper = usualPaper,
): Drawing[] {
  return [drawCash, drawRunway, drawMonths].map((draw) => draw(projection, paper))
}
