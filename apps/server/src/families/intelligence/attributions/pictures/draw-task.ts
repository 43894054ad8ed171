import { type Drawing, orReasons, type Paper } from '@liquidity-os/drawing'
import type { Attribution } from './attribution.ts'
import { drawFillStrip } from './fill-strip.ts'
import { drawMarkouts } from './markouts.ts'
import { drawSquareRoot } from './square-root.ts'
import { drawCostWaterfall } from './waterfall.ts'

const draws = [drawCostWaterfall, drawFillStrip, drawSquareRoot, drawMarkouts]

export default (attribution: Attribution, paper: Paper): Drawing[] =>
  orReasons(
    draws.map((draw) => draw(attribution, paper)),
    attribution,
    paper,
  )
