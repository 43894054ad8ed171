import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnPack, packCharts } from '../charts.ts'

export default (drawn: DrawnPack, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(packCharts(drawn), paper)
