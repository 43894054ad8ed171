import type { Rendering } from './study-report.ts'
import { fileHashOf, type HashedReport } from './study-report.ts'

export const mediaTypes = {
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** Renders a report in a format. Equal reports give equal bytes. */
export async function renderReport(
  report: HashedReport,
  format: Rendering['format'],
): Promise<Rendering> {
  const content = await contentOf(report, format)
  return {
    format,
    mediaType: mediaTypes[format],
    byteLength: content.length,
    hash: fileHashOf(content),
    content,
  }
}

async function contentOf(report: HashedReport, format: Rendering['format']): Promise<Uint8Array> {
  switch (format) {
    case 'html': {
      const { reportToHtml } = await import('./html.ts')
      return new TextEncoder().encode(reportToHtml(report))
    }
    case 'pdf': {
      const { reportToPdf } = await import('./pdf.ts')
      return reportToPdf(report)
    }
    case 'csv': {
      const { reportToCsv } = await import('./csv.ts')
      return new TextEncoder().encode(reportToCsv(report))
    }
    case 'xlsx': {
      const { workbookToXlsx } = await import('@liquidity-os/sheet')
      const { studyWorkbook } = await import('./study-workbook.ts')
      return workbookToXlsx(studyWorkbook(report))
    }
  }
}
