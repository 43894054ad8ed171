import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { DrawnPlan } from './drawn-plan.ts'
import { drawLegLanes } from './leg-lanes.ts'
import { drawPriceLadder } from './price-ladder.ts'
import { drawSandwichBars } from './sandwich-bars.ts'
import { drawStaircase } from './staircase.ts'

export default (drawn: DrawnPlan, paper: Paper = usualPaper): Drawing[] =>
  [drawPriceLadder, drawStaircase, drawLegLanes, drawSandwichBars].map((draw) => draw(drawn, paper))
