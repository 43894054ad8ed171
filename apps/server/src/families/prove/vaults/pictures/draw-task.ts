import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawControl } from './control.ts'
import type { DrawnVault } from './drawn.ts'
import { drawReceipts } from './receipts.ts'

export default (drawn: DrawnVault, paper: Paper = usualPaper): Drawing[] => [
  drawControl(drawn, paper),
  drawReceipts(drawn, paper),
]
