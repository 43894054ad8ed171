import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawAgreement } from './draw-agreement.ts'
import { drawComparison } from './draw-comparison.ts'
import { drawEffects } from './draw-effects.ts'
import type { Drawn } from './drawn.ts'

export default (drawn: Drawn, paper: Paper = usualPaper): Drawing[] =>
  'comparison' in drawn
    ? [drawComparison(drawn.comparison, paper)]
    : [drawEffects(drawn.proposal, paper), drawAgreement(drawn.proposal, paper)]
