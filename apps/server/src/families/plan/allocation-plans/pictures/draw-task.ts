import { orReasons } from '../../../../drawing/abstained.ts'
import type { Drawing } from '../../../../drawing/drawing.ts'
import { allocationPictures } from './allocation-pictures.ts'
import type { DrawnPlan } from './drawn.ts'

export default (payload: DrawnPlan['payload']): Drawing[] =>
  orReasons(allocationPictures({ payload }), payload)
