import { ink } from '@liquidity-os/drawing'
import { pdfFonts } from '@liquidity-os/drawing/pdf'
import { paperOf, writeFigure, writeTable } from '../../../reports/paper.ts'
import type { PaperColumn, PdfSheet } from '../../../reports/pdf-sheet.ts'
import { simulatedFacts } from '../../../reports/simulated.ts'
import { chartTermsOf, factsOf, stateWords, tablesInOrder } from './report-words.ts'
import type { HashedReport } from './study-report.ts'

/** The report as PDF. Equal reports give equal bytes: its date is that of the study. */
export function reportToPdf(report: HashedReport): Promise<Uint8Array> {
  const { name: title, contentHash, computedAt } = report
  return paperOf({ title, contentHash, date: new Date(computedAt) }, (sheet) =>
    write(sheet, report),
  )
}

function write(sheet: PdfSheet, report: HashedReport): void {
  sheet.text(`Study report · ${report.kind}`, { color: ink.faint, after: 2 })
  sheet.text(report.name, { size: 19, font: pdfFonts.bold, after: 8, tag: 'H1' })
  sheet.text(stateWords(report), { size: 10, font: pdfFonts.bold, after: 8 })
  for (const [, text] of simulatedFacts(report.simulated)) {
    sheet.text(text, { size: 10, font: pdfFonts.bold, after: 8 })
  }
  sheet.text(report.headline, { size: 11.5, after: 8 })
  for (const stated of report.findings) sheet.text(`• ${stated}`, { after: 2 })
  sheet.skip(8)
  for (const [term, value] of factsOf(report)) {
    sheet.text(`${term}: ${value}`, { size: 7.5, color: ink.faint, after: 1 })
  }
  const { leading, further } = tablesInOrder(report)
  if (leading.length > 0) sheet.heading('Results')
  for (const table of leading) writeTable(sheet, table, report.pair)
  if (report.figures.length > 0) sheet.heading('Pictures')
  for (const figure of report.figures) writeFigure(sheet, figure, chartTermsOf(report))
  if (further.length > 0) sheet.heading('Additional tables')
  for (const table of further) writeTable(sheet, table, report.pair)
  writeAppendix(sheet, report)
}

function writeAppendix(sheet: PdfSheet, report: HashedReport): void {
  const words = (...headings: string[]) =>
    headings.map((heading): PaperColumn => ({ heading, isNumeric: false }))
  const hashed: PaperColumn[] = [
    { heading: 'what', isNumeric: false },
    { heading: 'hash', isNumeric: false, isHash: true },
  ]
  if (report.assumptions.length > 0) {
    sheet.heading('Assumptions')
    const rows = report.assumptions.map(({ code, value, source }) => [code, value, source])
    sheet.table('Assumptions and sources', words('assumption', 'value', 'source'), rows)
  }
  sheet.heading('Gaps')
  if (report.gaps.length === 0) sheet.text('No known gaps.')
  else {
    const rows = report.gaps.map(({ code, detail }) => [code, detail])
    sheet.table('Missing data', words('gap', 'meaning'), rows)
  }
  const recipe = report.reproduction
  sheet.heading('Reproduction')
  sheet.text(
    'The same specification, inputs and engine give the same result, byte for byte. The JSON of this report contains the specification.',
  )
  sheet.table('Recipe', hashed, [
    ['specification', recipe.specHash],
    ['result', recipe.resultHash],
    [`engine ${recipe.engineVersion}`, recipe.engineBuildHash],
    ['seed', recipe.seed ?? 'none'],
    ...recipe.inputs.map(({ name, hash }) => [name, hash]),
    ...recipe.series.map(({ name, hash }) => [`series ${name}`, hash]),
    ...recipe.blocks.map(({ chainId, number, hash }) => [
      `block ${number} of chain ${chainId}`,
      hash,
    ]),
  ])
  sheet.heading('Verification')
  sheet.text(
    'This document shows a signed report. The signature is in its JSON, which contains the hash of this file. Anyone can verify both offline:',
  )
  sheet.text('liquidity verify-report report.json --rendering report.pdf --key PUBLIC_KEY', {
    size: 7.5,
    font: pdfFonts.mono,
  })
}
