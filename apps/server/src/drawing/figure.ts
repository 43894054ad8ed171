import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'

export type StudyReport = contract.StudyReport
export type ReportFigure = StudyReport['figures'][number]
export type ReportTable = StudyReport['tables'][number]
export type Cell = ReportTable['rows'][number][number]
export type Column = ReportTable['columns'][number]

/** A figure before its data are hashed. */
export type FigureData = Omit<ReportFigure, 'dataHash'>

/** Names a figure's data by their hash. */
export function sealFigure(figure: FigureData): ReportFigure {
  return { ...figure, dataHash: dataHashOf(figure) }
}

/** Hash of the data behind a chart: columns with units, and rows. */
export function dataHashOf({ columns, rows }: Pick<ReportFigure, 'columns' | 'rows'>): string {
  return H('study-report-figure/v1', { columns, rows })
}
