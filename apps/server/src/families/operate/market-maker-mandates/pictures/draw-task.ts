import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { DrawnMandate } from './drawn-mandate.ts'
import { drawHours } from './hours.ts'
import { drawIntervals } from './intervals.ts'
import { drawLoan } from './loan.ts'

export default (mandate: DrawnMandate, paper: Paper = usualPaper): Drawing[] => [
  drawIntervals(mandate, paper),
  drawHours(mandate, paper),
  ...(mandate.terms.kpis.some(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')
    ? [drawLoan(mandate, paper)]
    : []),
]
