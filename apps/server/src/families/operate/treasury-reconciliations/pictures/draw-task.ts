import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnReconciliation, reconciliationCharts } from '../charts.ts'

export default (drawn: DrawnReconciliation, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(reconciliationCharts(drawn), paper)
