import type { Drawing } from '@liquidity-os/drawing'
import { drawAgreement } from './draw-agreement.ts'
import { drawComparison } from './draw-comparison.ts'
import { drawEffects } from './draw-effects.ts'
import type { Drawn } from './drawn.ts'

export default (drawn: Drawn): Drawing[] =>
  'comparison' in drawn
    ? [drawComparison(drawn.comparison)]
    : [drawEffects(drawn.proposal), drawAgreement(drawn.proposal)]
