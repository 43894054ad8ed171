import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { controlCharts, type DrawnProof } from '../charts.ts'

export default (drawn: DrawnProof, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(controlCharts(drawn), paper)
