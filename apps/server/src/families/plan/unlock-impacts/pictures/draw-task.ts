import type { contract } from '@liquidity-os/contract'
import type { Drawing } from '@liquidity-os/drawing'
import { drawMitigations } from './mitigations.ts'
import { drawUnlocks } from './unlocks.ts'

/** The pictures of an unlock impact, each with the table that it is drawn from. */
export default (impact: contract.UnlockImpact): Drawing[] =>
  [drawUnlocks, drawMitigations].map((draw) => draw(impact))
