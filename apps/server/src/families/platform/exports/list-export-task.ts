import { testNetworksIn } from '@liquidity-os/contract/test-networks'
import type { Column, Value } from '@liquidity-os/sheet'
import writeExport, { type ExportedBytes, type ExportFormat } from '../../export-task.ts'
import { withMark } from '../../simulated-mark.ts'
import { exactColumns } from './exact-columns.ts'
import { flatMember, type Token, unitCells, unitColumns } from './human-cells.ts'
import type { HumanColumn } from './human-columns.ts'

export interface ListExportTask {
  /** Bodies of the pages. */
  readonly pages: readonly string[]
  readonly title: string
  readonly columns: readonly HumanColumn[]
  readonly tokens: ReadonlyMap<string, Token>
  readonly format: ExportFormat
}

export interface ListExport extends ExportedBytes {
  readonly chainIds: readonly number[]
}

/** Writes a list in a thread: columns in units and words, then the exact fields. */
export default function writeList(task: ListExportTask): ListExport {
  const { pages, title, columns, tokens, format } = task
  const rows = pages.flatMap((page) => (JSON.parse(page) as { data: object[] }).data)
  const shown = columns.filter(({ path }) =>
    rows.some((row) => flatMember(row, path) !== undefined),
  )
  const exact = exactColumns(rows)
  const table = {
    id: 'rows',
    title,
    columns: [...shown.flatMap(unitColumns), ...exact.columns] satisfies Column[],
    rows: rows.map((row, index): Value[] => [
      ...shown.flatMap((column) => unitCells(row, column, tokens)),
      ...(exact.rows[index] ?? []),
    ]),
  }
  const chainIds = [...new Set(pages.flatMap(testNetworksIn))].sort((a, b) => a - b)
  const workbook = {
    title,
    facts: [{ label: 'Rows', value: rows.length, kind: 'COUNT', name: 'row_count' }] as const,
    tables: [table],
    sources: [],
  }
  return { ...writeExport({ workbook: withMark(workbook, chainIds), format }), chainIds }
}
