import { type ChartTerms, drawFigure, ink } from '@liquidity-os/drawing'
import { drawPicture, pdfFonts } from '@liquidity-os/drawing/pdf'
import type { ReportFigure, ReportTable } from '../drawing/figure.ts'
import { cellText, headingOf, isNumeric } from './cell-text.ts'
import { type PaperColumn, PdfSheet, textWidth, writeFooters } from './pdf-sheet.ts'

/**
 * Rows of a figure's data below its chart; a figure with more rows has them in the signed body
 * only.
 */
const maxDataRows = 24

/** Maximum height of a chart in points, so that its title and text fit on the same page. */
const maxHeight = 660

/**
 * A4 PDF with embedded fonts and vector charts. Equal documents give equal bytes: the date is an
 * input, and streams are uncompressed because compressors differ between machines.
 */
export async function paperOf(
  about: { readonly title: string; readonly contentHash: string; readonly date: Date },
  write: (sheet: PdfSheet) => void,
): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit')
  const { title, contentHash, date } = about
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
      Title: title,
      Subject: contentHash,
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
  write(sheet)
  sheet.end()
  writeFooters(document, `Content ${contentHash}`)
  document.end()
  await ended
  return Buffer.concat(parts)
}

export function writeTable(
  sheet: PdfSheet,
  table: Pick<ReportTable, 'title' | 'columns' | 'rows'>,
  pair: Pick<ChartTerms, 'baseDecimals' | 'quoteDecimals'>,
): void {
  const columns = table.columns.map((column): PaperColumn => {
    return { heading: headingOf(column), isNumeric: isNumeric(column) }
  })
  const rows = table.rows.map((row) =>
    table.columns.map((column, at) => cellText(row[at] ?? null, column, pair)),
  )
  sheet.table(table.title, columns, rows)
}

/** The chart of a figure with its text. Small tables include their data. */
export function writeFigure(sheet: PdfSheet, figure: ReportFigure, terms: ChartTerms): void {
  const picture = drawFigure(figure, terms)
  const scale = Math.min(textWidth / picture.width, maxHeight / picture.height)
  const height = picture.height * scale
  sheet.text(figure.title, {
    size: 10.5,
    font: pdfFonts.bold,
    after: 5,
    keep: height + 24,
    tag: 'H3' as const,
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
  if (figure.rows.length > maxDataRows) sheet.skip(6)
  else writeTable(sheet, { ...figure, title: `Data of: ${figure.title}` }, terms)
}
