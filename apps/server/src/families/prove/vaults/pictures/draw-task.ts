import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnVault, vaultCharts } from '../charts.ts'

export default (drawn: DrawnVault, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(vaultCharts(drawn), paper)
