import type { contract } from '@liquidity-os/contract'
import type { Drawing } from '../../../../drawing/drawing.ts'
import { drawBridge } from './bridge.ts'

export default (payload: contract.TreasuryLedgerReconciliation): Drawing[] => [drawBridge(payload)]
