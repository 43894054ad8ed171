import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnLaunch, launchCharts } from '../charts.ts'

export default (drawn: DrawnLaunch, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(launchCharts(drawn), paper)
