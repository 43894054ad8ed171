import { csvMediaType, simulatedMark, xlsxMediaType } from '@liquidity-os/contract'
import type { Workbook } from '@liquidity-os/sheet'
import type { Outcome } from '../http/handler.ts'
import type { Services } from '../services.ts'
import type { ExportedBytes, ExportFormat, ExportTask } from './export-task.ts'
import { withMark } from './simulated-mark.ts'

interface Named {
  /** Name of the file, without its ending. */
  readonly name: string
  /** Local and test chains of the evidence. */
  readonly chainIds: readonly number[]
}

/** Data to export. The first table is the data of formats with one table. */
export interface Export extends Named {
  readonly workbook: Workbook
}

const mediaTypes = {
  csv: `${csvMediaType}; charset=utf-8; header=present`,
  json: 'application/json',
  xlsx: xlsxMediaType,
} as const

/** An export as a download, written in a thread. */
export async function exportedFile(
  { reporting }: Pick<Services, 'reporting'>,
  { workbook, ...named }: Export,
  format: ExportFormat,
): Promise<Outcome> {
  const task: ExportTask = { workbook: withMark(workbook, named.chainIds), format }
  const file = new URL('./export-task.ts', import.meta.url)
  return fileOutcome(await reporting.run<ExportedBytes>(file, task), named, format.as)
}

/** A download with its name. Its ETag is the hash of the bytes. */
export function fileOutcome(
  { bytes, contentHash }: ExportedBytes,
  { name, chainIds }: Named,
  as: ExportFormat['as'],
): Outcome {
  const mark = `${simulatedMark};chains="${chainIds.join(' ')}"`
  return {
    bytes,
    etag: contentHash,
    headers: {
      'content-type': mediaTypes[as],
      'content-disposition': `attachment; filename="${name}.${as}"`,
      ...(chainIds.length > 0 ? { 'evidence-mark': mark } : {}),
    },
  }
}
