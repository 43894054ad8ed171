import type { Drawing } from '@liquidity-os/drawing'
import { drawDepthStaircase } from './depth-staircase.ts'
import { drawFundsStrip } from './funds-strip.ts'
import { drawGoingBack } from './going-back.ts'
import type { DrawnPlan, DrawnState } from './migration-course.ts'
import { drawStepRail } from './step-rail.ts'

/** The pictures of a migration, from its record and its state alone; the same ones give the same pictures. */
export function picturesOfMigration(plan: DrawnPlan, state: DrawnState): Drawing[] {
  return [
    drawStepRail(plan, state),
    drawDepthStaircase(plan, state),
    drawFundsStrip(plan),
    drawGoingBack(plan),
  ]
}
