import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { mandateCharts } from '../charts.ts'
import type { DrawnMandate } from '../drawn-mandate.ts'

export default (mandate: DrawnMandate, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(mandateCharts(mandate), paper)
