import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawCharts, orReasons, type Paper, usualPaper } from '@liquidity-os/drawing'
import { attributionCharts } from '../charts.ts'

export default (attribution: contract.ExecutionAttribution, paper: Paper = usualPaper): Drawing[] =>
  orReasons(drawCharts(attributionCharts(attribution), paper), attribution, paper)
