import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { unlockCharts } from '../charts.ts'

export default (impact: contract.UnlockImpact, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(unlockCharts(impact), paper)
