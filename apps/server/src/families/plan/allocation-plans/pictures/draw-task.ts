import { type Drawing, orReasons, type Paper } from '@liquidity-os/drawing'
import { allocationPictures } from './allocation-pictures.ts'
import type { DrawnPlan } from './drawn.ts'

export default (payload: DrawnPlan['payload'], paper: Paper): Drawing[] =>
  orReasons(allocationPictures({ payload }, paper), payload, paper)
