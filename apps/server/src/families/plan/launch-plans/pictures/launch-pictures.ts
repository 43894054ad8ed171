import type { contract } from '@liquidity-os/contract'
import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawGantt } from './gantt.ts'
import { drawPrices } from './prices.ts'
import { drawSupply } from './supply.ts'

/** A plan with its timeline: the part that charts use. */
export interface DrawnLaunch {
  readonly plan: contract.LaunchPlan
  readonly timeline: contract.LaunchTimeline
}

/** Charts of a plan: timeline, circulating supply, and price effect per mechanism. */
export function launchPictures(drawn: DrawnLaunch, paper: Paper = usualPaper): Drawing[] {
  return [
    drawGantt(drawn.timeline, paper),
    drawSupply(drawn.plan, paper),
    drawPrices(drawn.plan, paper),
  ]
}
