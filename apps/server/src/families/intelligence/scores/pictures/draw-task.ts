import { type Drawing, drawCharts, orReasons, type Paper } from '@liquidity-os/drawing'
import type { ScorePayload } from '../active-score.ts'
import { scoreCharts } from '../charts.ts'

export default (score: ScorePayload, paper: Paper): Drawing[] =>
  orReasons(drawCharts(scoreCharts(score), paper), score, paper)
