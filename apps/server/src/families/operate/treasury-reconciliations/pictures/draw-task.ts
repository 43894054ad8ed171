import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { reconciliationCharts } from '../charts.ts'

export default (
  payload: contract.TreasuryLedgerReconciliation,
  paper: Paper = usualPaper,
): Drawing[] => drawCharts(reconciliationCharts(payload), paper)
