import type { Drawing } from '@liquidity-os/drawing'
import type { DrawnMandate } from './drawn-mandate.ts'
import { drawHours } from './hours.ts'
import { drawIntervals } from './intervals.ts'
import { drawLoan } from './loan.ts'

export default (mandate: DrawnMandate): Drawing[] => [
  drawIntervals(mandate),
  drawHours(mandate),
  ...(mandate.terms.kpis.some(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')
    ? [drawLoan(mandate)]
    : []),
]
