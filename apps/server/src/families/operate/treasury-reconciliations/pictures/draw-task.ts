import type { contract } from '@liquidity-os/contract'
import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawAgeing } from './ageing.ts'
import { drawBridge } from './bridge.ts'
import { drawCustodyWall } from './custody-wall.ts'

export default (
  payload: contract.TreasuryLedgerReconciliation,
  paper: Paper = usualPaper,
): Drawing[] => [
  drawBridge(payload, paper),
  drawCustodyWall(payload, paper),
  drawAgeing(payload, paper),
]
