import type { contract } from '@liquidity-os/contract'
import type { Drawing, Paper } from '@liquidity-os/drawing'
import { drawMitigations } from './mitigations.ts'
import { drawUnlocks } from './unlocks.ts'

/** The charts of an unlock impact, each with its table. */
export default (impact: contract.UnlockImpact, paper: Paper): Drawing[] =>
  [drawUnlocks, drawMitigations].map((draw) => draw(impact, paper))
