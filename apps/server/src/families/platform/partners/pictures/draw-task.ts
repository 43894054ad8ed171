import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnPartner, partnerCharts } from '../charts.ts'

export default (drawn: DrawnPartner, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(partnerCharts(drawn), paper)
