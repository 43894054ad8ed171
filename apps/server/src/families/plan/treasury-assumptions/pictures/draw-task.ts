import type { Drawing, Paper } from '@liquidity-os/drawing'
import { assumptionPictures } from './assumption-pictures.ts'
import type { DrawnAssumptions } from './drawn.ts'

export default (payload: DrawnAssumptions, paper?: Paper): Drawing[] =>
  assumptionPictures(payload, paper)
