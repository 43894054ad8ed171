import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnPolicy, policyCharts } from '../charts.ts'

export default (drawn: DrawnPolicy, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(policyCharts(drawn), paper)
