import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { runCharts } from '../charts.ts'
import type { DrawnRun } from '../drawn.ts'

export default (drawn: DrawnRun, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(runCharts(drawn), paper)
