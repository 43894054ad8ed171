import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { incentiveCharts } from '../charts.ts'
import type { DrawnProgram } from '../response-curves.ts'

export default (program: DrawnProgram, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(incentiveCharts(program), paper)
