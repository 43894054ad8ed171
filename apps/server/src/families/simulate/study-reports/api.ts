export { waterfallFigures } from './figures/accounts.ts'
export { differenceFigures } from './figures/comparisons.ts'
export { curveFigures, ruleWords } from './figures/failures.ts'
export { depthFanRows, depthFigure, fanFigures, lineFigures } from './figures/over-time.ts'
export { feesAndLvrFigures, slippageFigures } from './figures/trades.ts'
export { mediaTypes } from './render-report.ts'
export { labelOf } from './report-input.ts'
export { type SignedReport, signedReports } from './signed-reports.ts'
export { studyExport } from './study-export.ts'
export { sealedPages } from './study-figures.ts'
export { fileHashOf } from './study-report.ts'
export { withoutEmptyColumns } from './tables.ts'
export { type ReportKind, withoutSignature } from './verify-report.ts'
export {
  annualRatesText,
  hodlRows,
  inventoryEffects,
  laterEffect,
  vsHodlTable,
} from './vs-hodl-table.ts'
