import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { projectionCharts } from '../charts.ts'

export default (payload: contract.TreasuryProjection, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(projectionCharts(payload), paper)
