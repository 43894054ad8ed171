import { type Drawing, orReasons, type Paper } from '@liquidity-os/drawing'
import type { ScorePayload } from '../active-score.ts'
import { scorePictures } from './score-pictures.ts'

export default (score: ScorePayload, paper: Paper): Drawing[] =>
  orReasons(scorePictures(score, paper), score, paper)
