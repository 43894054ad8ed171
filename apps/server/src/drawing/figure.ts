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

/** Hash of what a picture is drawn from: columns with their units, and rows. */
export function dataHashOf({ columns, rows }: Pick<ReportFigure, 'columns' | 'rows'>): string {
  return H('study-report-figure/v1', { columns, rows })
}

/** One row, its cells by the names of their columns. */
export type Row = Readonly<Record<string, Cell>>

/** The rows of a table by the names of their columns. */
export function rowsOf({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): Row[] {
  return rows.map((cells) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])),
  )
}

/** A cell of words. */
export const wordOf = (cell: Cell | undefined): string => (cell == null ? '' : String(cell))

/** A cell of a number; null where there is none. */
export function numberOf(cell: Cell | undefined): number | null {
  return cell == null || typeof cell === 'boolean' || cell === '' ? null : Number(cell)
}

/** A cell of atoms in whole tokens; null where there is none. */
export function tokensOf(cell: Cell | undefined, decimals: number): number | null {
  const atoms = numberOf(cell)
  return atoms === null ? null : atoms / 10 ** decimals
}

/** Distinct words of a column, in the order in which they first appear. */
export const wordsOf = (rows: readonly Row[], column: string): string[] => [
  ...new Set(rows.map((row) => wordOf(row[column]))),
]
