import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawDepthCost } from './depth-cost.ts'
import type { DrawnProgram } from './drawn-program.ts'
import { drawFrontier } from './frontier.ts'
import { drawMeasuredLift } from './measured-lift.ts'
import { drawResponse } from './response.ts'
import { drawRetention } from './retention.ts'

/** The charts of a program, each with its table. Deterministic. */
export function incentivePictures(program: DrawnProgram, paper: Paper = usualPaper): Drawing[] {
  return [drawFrontier, drawResponse, drawMeasuredLift, drawRetention, drawDepthCost].map((draw) =>
    draw(program, paper),
  )
}
