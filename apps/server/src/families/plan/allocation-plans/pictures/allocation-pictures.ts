import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawDepthTargets } from './depth-targets.ts'
import type { DrawnPlan } from './drawn.ts'
import { drawFlow } from './flow.ts'
import { drawFrontier } from './frontier.ts'
import { drawShadowPrices } from './shadow-prices.ts'

/** The charts of a plan, each with its table. Deterministic. */
export function allocationPictures(plan: DrawnPlan, paper: Paper = usualPaper): Drawing[] {
  return [drawDepthTargets, drawFrontier, drawShadowPrices, drawFlow].map((draw) =>
    draw(plan, paper),
  )
}
