import { type Drawing, orReasons } from '@liquidity-os/drawing'
import { allocationPictures } from './allocation-pictures.ts'
import type { DrawnPlan } from './drawn.ts'

export default (payload: DrawnPlan['payload']): Drawing[] =>
  orReasons(allocationPictures({ payload }), payload)
