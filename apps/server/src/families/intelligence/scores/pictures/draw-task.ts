import { type Drawing, orReasons } from '@liquidity-os/drawing'
import type { ScorePayload } from '../active-score.ts'
import { scorePictures } from './score-pictures.ts'

export default (score: ScorePayload): Drawing[] => orReasons(scorePictures(score), score)
