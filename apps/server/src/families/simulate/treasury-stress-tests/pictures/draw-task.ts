import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { stressCharts } from '../charts.ts'

export default (study: contract.TreasuryStressStudy, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(stressCharts(study), paper)
