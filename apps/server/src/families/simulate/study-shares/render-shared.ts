import { fileHashOf, mediaTypes } from '../study-reports/api.ts'
import type { HashedSharedReport, SharedReport } from './shared-report.ts'

type Format = SharedReport['renderings'][number]['format']
export type SharedRendering = SharedReport['renderings'][number] & { readonly content: Uint8Array }

export const renderedFormats = ['html', 'pdf', 'csv'] as const satisfies readonly Format[]

/** Renders a shared report in a format. Equal reports give equal bytes. */
export async function renderShared(
  report: HashedSharedReport,
  format: Format,
): Promise<SharedRendering> {
  const content = await contentOf(report, format)
  const [mediaType, byteLength] = [mediaTypes[format], content.length]
  return { format, mediaType, byteLength, hash: fileHashOf(content), content }
}

async function contentOf(report: HashedSharedReport, format: Format): Promise<Uint8Array> {
  switch (format) {
    case 'html': {
      const { sharedReportToHtml } = await import('./shared-page.ts')
      return new TextEncoder().encode(sharedReportToHtml(report))
    }
    case 'pdf': {
      const { sharedReportToPdf } = await import('./shared-pdf.ts')
      return sharedReportToPdf(report)
    }
    case 'csv': {
      const { sharedReportToCsv } = await import('./shared-csv.ts')
      return new TextEncoder().encode(sharedReportToCsv(report))
    }
  }
}
