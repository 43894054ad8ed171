import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnPassport, passportCharts } from '../charts.ts'

export default (drawn: DrawnPassport, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(passportCharts(drawn), paper)
