import { ink } from '@liquidity-os/drawing'
import { pdfFonts } from '@liquidity-os/drawing/pdf'
import { paperOf, writeFigure, writeTable } from '../../../reports/paper.ts'
import type { PdfSheet } from '../../../reports/pdf-sheet.ts'
import { simulatedFacts } from '../../../reports/simulated.ts'
import type { HashedSharedReport } from './shared-report.ts'
import { sharedFacts, sharedProof, sharedState, sharedTerms } from './shared-words.ts'

/** PDF of a share; its date is that of the study. */
export function sharedReportToPdf(report: HashedSharedReport): Promise<Uint8Array> {
  const { study, contentHash } = report
  const about = { title: study.name, contentHash, date: new Date(study.computedAt) }
  return paperOf(about, (sheet) => write(sheet, report))
}

function write(sheet: PdfSheet, { study, headline, tables, figures }: HashedSharedReport): void {
  const terms = sharedTerms(study)
  sheet.text(`Shared study · ${study.kind}`, { color: ink.faint, after: 2 })
  sheet.text(study.name, { size: 19, font: pdfFonts.bold, after: 8, tag: 'H1' })
  sheet.text(sharedState(study), { size: 10, font: pdfFonts.bold, after: 8 })
  for (const [, text] of simulatedFacts(study.simulated)) {
    sheet.text(text, { size: 10, font: pdfFonts.bold, after: 8 })
  }
  sheet.text(headline, { size: 11.5, after: 8 })
  writeFacts(sheet, sharedFacts(study))
  sheet.heading('Results')
  if (tables.length === 0) sheet.text('No candidate has figures.')
  for (const table of tables) writeTable(sheet, table, terms)
  if (figures.length > 0) sheet.heading('Pictures')
  for (const figure of figures) writeFigure(sheet, figure, terms)
  sheet.heading('Sources and assumptions')
  writeFacts(sheet, sharedProof(study))
  const assumed = study.assumptions ?? []
  if (assumed.length > 0) {
    const columns = ['assumption', 'value', 'source'].map((heading) => ({
      heading,
      isNumeric: false,
    }))
    const rows = assumed.map(({ code, value, source }) => [code, value, source])
    sheet.table('Assumptions', columns, rows)
  }
  sheet.heading('Verification')
  sheet.text(
    'This document shows a signed report of the shared data. The signature is in its JSON, which contains the hash of this file. Anyone can verify both offline:',
  )
  sheet.text('liquidity verify-report report.json --rendering report.pdf --key PUBLIC_KEY', {
    size: 7.5,
    font: pdfFonts.mono,
  })
}

function writeFacts(sheet: PdfSheet, pairs: readonly (readonly [string, string])[]): void {
  for (const [term, value] of pairs) {
    sheet.text(`${term}: ${value}`, { size: 7.5, color: ink.faint, after: 1 })
  }
}
