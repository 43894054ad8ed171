import type { contract } from '@liquidity-os/contract'
import type { Drawing } from '@liquidity-os/drawing'
import { drawAgeing } from './ageing.ts'
import { drawBridge } from './bridge.ts'
import { drawCustodyWall } from './custody-wall.ts'

export default (payload: contract.TreasuryLedgerReconciliation): Drawing[] => [
  drawBridge(payload),
  drawCustodyWall(payload),
  drawAgeing(payload),
]
