import type { contract } from '@liquidity-os/contract'
import type { Drawing, Paper } from '@liquidity-os/drawing'
import { drawLosses } from './losses.ts'
import { drawOutcomes } from './outcomes.ts'
import { drawWaterfall } from './waterfall.ts'

/** The pictures of a stress test, each with the table that it is drawn from. */
export default (study: contract.TreasuryStressStudy, paper: Paper): Drawing[] =>
  [drawWaterfall, drawOutcomes, drawLosses].map((draw) => draw(study, paper))
