import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { assumptionCharts } from '../charts.ts'
import type { DrawnAssumptions } from '../element-changes.ts'

export default (drawn: DrawnAssumptions, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(assumptionCharts(drawn), paper)
