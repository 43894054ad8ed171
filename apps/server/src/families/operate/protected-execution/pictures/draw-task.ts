import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { executionCharts } from '../charts.ts'
import type { DrawnPlan } from '../drawn-plan.ts'

export default (drawn: DrawnPlan, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(executionCharts(drawn), paper)
