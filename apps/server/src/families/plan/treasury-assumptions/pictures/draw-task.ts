import type { Drawing } from '@liquidity-os/drawing'
import { assumptionPictures } from './assumption-pictures.ts'
import type { DrawnAssumptions } from './drawn.ts'

export default (payload: DrawnAssumptions): Drawing[] => assumptionPictures(payload)
