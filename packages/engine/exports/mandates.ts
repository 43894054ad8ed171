export {
  type BandDepth,
  type BookMeasures,
  joinMeasures,
  measureBook,
  nothingQuoted,
  spreadPips,
  widestSpreadPips,
} from '../src/mandates/book-measures.ts'
export { daysOf, type WindowKind, windowAt } from '../src/mandates/calendar-windows.ts'
export { type Contradiction, contradictionOf } from '../src/mandates/contradiction.ts'
export {
  courseOf,
  cutSpans,
  type HeldMeasures,
  holdSamples,
  type Span,
  type Stretch,
  secondsOf,
  type TimedMeasures,
} from '../src/mandates/held-samples.ts'
export {
  coverageOf,
  judgeLoan,
  type LoanFigures,
  type LoanReading,
} from '../src/mandates/loan-coverage.ts'
export {
  addSums,
  type BookMetric,
  type MetricSums,
  type MetricTerms,
  metricValue,
  needsBoth,
  noSums,
  spread95,
  sumMetric,
} from '../src/mandates/metric-sums.ts'
export {
  type BookFault,
  type BookSide,
  bookFault,
  type QuotedBook,
  type QuotedLevel,
} from '../src/mandates/quoted-book.ts'
export {
  judgeKpi,
  type KpiFigures,
  type KpiReason,
  type KpiVerdict,
  type Promised,
  verdictOf,
} from '../src/mandates/verdict.ts'
