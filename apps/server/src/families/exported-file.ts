import { csvMediaType, simulatedMark, xlsxMediaType } from '@liquidity-os/contract'
import type { Table, Workbook } from '@liquidity-os/sheet'
import type { Outcome } from '../http/handler.ts'
import type { Services } from '../services.ts'
import type { ExportedBytes, ExportFormat, ExportTask } from './export-task.ts'

/** Data to export. The first table is the data of formats with one table. */
export interface Export {
  /** Name of the file, without its ending. */
  readonly name: string
  readonly workbook: Workbook
  /** Local and test chains of the evidence. */
  readonly chainIds: readonly number[]
}

const mediaTypes = {
  csv: `${csvMediaType}; charset=utf-8; header=present`,
  json: 'application/json',
  xlsx: xlsxMediaType,
} as const

/**
 * An export as a download. Its ETag is the hash of the bytes. Simulated data has the mark in a column
 * `evidence`, in the summary and in the header `Evidence-Mark`.
 */
export async function exportedFile(
  { reporting }: Pick<Services, 'reporting'>,
  { name, workbook, chainIds }: Export,
  format: ExportFormat,
): Promise<Outcome> {
  const isSimulated = chainIds.length > 0
  const task: ExportTask = { workbook: isSimulated ? marked(workbook, chainIds) : workbook, format }
  const file = new URL('./export-task.ts', import.meta.url)
  const { bytes, contentHash } = await reporting.run<ExportedBytes>(file, task)
  return {
    bytes,
    etag: contentHash,
    headers: {
      'content-type': mediaTypes[format.as],
      'content-disposition': `attachment; filename="${name}.${format.as}"`,
      ...(isSimulated
        ? { 'evidence-mark': `${simulatedMark};chains="${chainIds.join(' ')}"` }
        : {}),
    },
  }
}

function marked({ facts, tables, ...workbook }: Workbook, chainIds: readonly number[]): Workbook {
  const value = `${simulatedMark}: local or test chain ${chainIds.join(', ')}`
  const [first, ...others] = tables
  return {
    ...workbook,
    facts: [{ label: 'Evidence', value }, ...facts],
    tables: first ? [withMark(first), ...others] : [],
  }
}

const withMark = ({ columns, rows, ...table }: Table): Table => ({
  ...table,
  columns: [...columns, { key: 'evidence', title: 'evidence', kind: 'TEXT' }],
  rows: rows.map((row) => [...row, simulatedMark]),
})
