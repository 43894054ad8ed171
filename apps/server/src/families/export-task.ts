import { sha256Hex } from '@liquidity-os/evidence'
import {
  rowsToJson,
  type Table,
  tableToCsv,
  type Workbook,
  workbookToXlsx,
} from '@liquidity-os/sheet'

export interface ExportFormat {
  readonly as: 'csv' | 'json' | 'xlsx'
  readonly bom?: number
  readonly separator?: 'comma' | 'semicolon'
  readonly decimal?: 'comma' | 'point'
}

export interface ExportTask {
  readonly workbook: Workbook
  readonly format: ExportFormat
}

export interface ExportedBytes {
  readonly bytes: Uint8Array
  readonly contentHash: string
}

/** Writes an export in a thread. Pure: equal tasks give equal bytes on every machine. */
export default function writeExport({ workbook, format }: ExportTask): ExportedBytes {
  const bytes = bytesOf(workbook, format)
  return { bytes, contentHash: `0x${sha256Hex(bytes)}` }
}

function bytesOf(workbook: Workbook, format: ExportFormat): Uint8Array {
  const [first = emptyTable] = workbook.tables
  switch (format.as) {
    case 'xlsx':
      return workbookToXlsx(workbook)
    case 'csv':
      return Buffer.from(
        tableToCsv(first, {
          hasBom: format.bom === 1,
          separator: format.separator === 'semicolon' ? ';' : ',',
          decimal: format.decimal === 'comma' ? ',' : '.',
        }),
      )
    case 'json':
      return Buffer.from(JSON.stringify(jsonOf(workbook, first)))
  }
}

const emptyTable: Table = { id: 'data', title: 'Data', columns: [], rows: [] }

/** Rows as flat objects in `data`; columns, other tables and sources in `meta`. */
function jsonOf({ title, facts, tables, sources }: Workbook, first: Table): object {
  const columns = first.columns.map(({ key, title: column, kind, unit }) => ({
    key,
    title: column,
    kind,
    unit: unit ?? null,
  }))
  const summary = facts.map(({ label, unit, value, kind = 'TEXT' }) => {
    const [row = {}] = rowsToJson({
      columns: [{ key: 'value', title: label, kind }],
      rows: [[value]],
    })
    return { label, unit: unit ?? null, ...row }
  })
  const others = tables.slice(1).map((table) => [table.id, rowsToJson(table)])
  return {
    data: rowsToJson(first),
    meta: {
      title,
      count: first.rows.length,
      summary,
      columns,
      tables: Object.fromEntries(others),
      sources,
    },
  }
}
