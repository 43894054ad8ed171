import type { contract } from '@liquidity-os/contract'
import type { Drawing, Paper } from '@liquidity-os/drawing'
import { drawMitigations } from './mitigations.ts'
import { drawUnlocks } from './unlocks.ts'

/** The pictures of an unlock impact, each with the table that it is drawn from. */
export default (impact: contract.UnlockImpact, paper: Paper): Drawing[] =>
  [drawUnlocks, drawMitigations].map((draw) => draw(impact, paper))
