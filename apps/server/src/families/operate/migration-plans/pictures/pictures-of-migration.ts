import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawDepthStaircase } from './depth-staircase.ts'
import { drawFundsStrip } from './funds-strip.ts'
import { drawGoingBack } from './going-back.ts'
import type { DrawnPlan, DrawnState } from './migration-course.ts'
import { drawStepRail } from './step-rail.ts'

/** The charts of a migration, from its record and state only. Deterministic. */
export function picturesOfMigration(
  plan: DrawnPlan,
  state: DrawnState,
  paper: Paper = usualPaper,
): Drawing[] {
  return [
    drawStepRail(plan, state, paper),
    drawDepthStaircase(plan, state, paper),
    drawFundsStrip(plan, paper),
    drawGoingBack(plan, paper),
  ]
}
