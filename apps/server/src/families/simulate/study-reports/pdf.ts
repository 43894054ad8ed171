import { drawFigure } from '../../../drawing/draw-figure.ts'
import type { ReportFigure, ReportTable } from '../../../drawing/figure.ts'
import { drawPicture, pdfFonts } from '../../../drawing/pdf.ts'
import { ink } from '../../../drawing/picture.ts'
import { cellText, headingOf, isNumeric } from '../../../reports/cell-text.ts'
import { type PaperColumn, PdfSheet, textWidth, writeFooters } from '../../../reports/pdf-sheet.ts'
import { chartTermsOf, factsOf, stateWords, tablesInOrder } from './report-words.ts'
import type { HashedReport } from './study-report.ts'

/** Rows of a figure's data beneath its picture; a figure with more has them in the signed body only. */
const mostDataRows = 24

/** Points that a picture may take, so that its title and words stay with it. */
const mostHeight = 660

/**
 * The report on paper: A4, letters embedded, pictures as lines. The same report gives the same bytes: its date is
 * that of the study, and streams stand as they are, because compressors differ from machine to machine.
 */
export async function reportToPdf(report: HashedReport): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit')
  const date = new Date(report.computedAt)
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 40, bottom: 40, left: 40, right: 40 },
    bufferPages: true,
    compress: false,
    pdfVersion: '1.7',
    lang: 'en',
    tagged: true,
    displayTitle: true,
    info: {
      Title: report.name,
      Subject: report.contentHash,
      Creator: 'Liquidity OS',
      Producer: 'Liquidity OS',
      CreationDate: date,
      ModDate: date,
    },
  })
  const parts: Uint8Array[] = []
  document.on('data', (part: Uint8Array) => parts.push(part))
  const ended = new Promise<void>((done, refuse) => {
    document.on('end', done)
    document.on('error', refuse)
  })
  const sheet = new PdfSheet(document)
  write(sheet, report)
  sheet.end()
  writeFooters(document, `Content ${report.contentHash}`)
  document.end()
  await ended
  return Buffer.concat(parts)
}

function write(sheet: PdfSheet, report: HashedReport): void {
  sheet.text(`Study report · ${report.kind}`, { color: ink.faint, after: 2 })
  sheet.text(report.name, { size: 19, font: pdfFonts.bold, after: 8, tag: 'H1' })
  sheet.text(stateWords(report), { size: 10, font: pdfFonts.bold, after: 8 })
  sheet.text(report.headline, { size: 11.5, after: 8 })
  for (const said of report.findings) sheet.text(`• ${said}`, { after: 2 })
  sheet.skip(8)
  for (const [term, value] of factsOf(report)) {
    sheet.text(`${term}: ${value}`, { size: 7.5, color: ink.faint, after: 1 })
  }
  const { leading, further } = tablesInOrder(report)
  if (leading.length > 0) sheet.heading('Results')
  for (const table of leading) writeTable(sheet, table, report)
  if (report.figures.length > 0) sheet.heading('Pictures')
  for (const figure of report.figures) writeFigure(sheet, figure, report)
  if (further.length > 0) sheet.heading('Further tables')
  for (const table of further) writeTable(sheet, table, report)
  writeAppendix(sheet, report)
}

function writeTable(sheet: PdfSheet, table: ReportTable, { pair }: HashedReport): void {
  const columns = table.columns.map((column): PaperColumn => {
    return { heading: headingOf(column), isNumeric: isNumeric(column) }
  })
  const rows = table.rows.map((row) =>
    table.columns.map((column, at) => cellText(row[at] ?? null, column, pair)),
  )
  sheet.table(table.title, columns, rows)
}

function writeFigure(sheet: PdfSheet, figure: ReportFigure, report: HashedReport): void {
  const picture = drawFigure(figure, chartTermsOf(report))
  const scale = Math.min(textWidth / picture.width, mostHeight / picture.height)
  const height = picture.height * scale
  sheet.text(figure.title, {
    ...{ size: 10.5, font: pdfFonts.bold, after: 5 },
    ...{ keep: height + 24, tag: 'H3' as const },
  })
  sheet.figure(`${figure.title}. ${figure.description}`, height, (place) =>
    drawPicture(sheet.document, picture, place, scale),
  )
  sheet.skip(4)
  sheet.text(figure.description, { size: 7.5, color: ink.faint, after: 1 })
  sheet.text(`Data ${figure.dataHash}`, {
    size: 6,
    font: pdfFonts.mono,
    color: ink.faint,
    after: 8,
  })
  if (figure.rows.length > mostDataRows) sheet.skip(6)
  else writeTable(sheet, { ...figure, title: `Data of: ${figure.title}` }, report)
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
    sheet.table('What was assumed', words('assumption', 'value', 'source'), rows)
  }
  sheet.heading('Gaps')
  if (report.gaps.length === 0) sheet.text('None are known.')
  else {
    const rows = report.gaps.map(({ code, detail }) => [code, detail])
    sheet.table('What is missing', words('gap', 'meaning'), rows)
  }
  const recipe = report.reproduction
  sheet.heading('Do it again')
  sheet.text(
    'The same specification on the same inputs with the same engine gives the same result, byte for byte. The specification is in the JSON of this report.',
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
  sheet.heading('Check it')
  sheet.text(
    'This document shows a signed report. The signature is in its JSON, which names the hash of this file; anyone can check both without asking the service:',
  )
  sheet.text('liquidity verify-report report.json --rendering report.pdf --key PUBLIC_KEY', {
    size: 7.5,
    font: pdfFonts.mono,
  })
}
