import type { contract } from '@liquidity-os/contract'
import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawCash } from './cash.ts'
import { drawMonths } from './months.ts'
import { drawRunway } from './runway.ts'

/** The pictures of a projection, each with the table that it is drawn from. */
export function projectionPictures(
  projection: contract.TreasuryProjection,
  paper: Paper = usualPaper,
): Drawing[] {
  return [drawCash, drawRunway, drawMonths].map((draw) => draw(projection, paper))
}
