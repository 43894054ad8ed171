import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnProposal, proposalCharts } from '../charts.ts'

export default (drawn: DrawnProposal, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(proposalCharts(drawn), paper)
