import { orReasons } from '../../../../drawing/abstained.ts'
import type { Drawing } from '../../../../drawing/drawing.ts'
import type { ScorePayload } from '../active-score.ts'
import { scorePictures } from './score-pictures.ts'

export default (score: ScorePayload): Drawing[] => orReasons(scorePictures(score), score)
