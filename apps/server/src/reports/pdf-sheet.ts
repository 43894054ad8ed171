import { createRequire } from 'node:module'
import { pdfFonts } from './pictures/pdf.ts'
import { ink } from './pictures/picture.ts'

const require = createRequire(import.meta.url)
const fontFile = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

const margin = 40
const pageWidth = 595.28
const pageHeight = 841.89
/** Above it nothing is written, so that the footer has its place. */
const lowest = pageHeight - 56

export const textWidth = pageWidth - 2 * margin

/** A cell of a table on paper. */
export interface PaperColumn {
  readonly heading: string
  readonly isNumeric: boolean
  readonly isHash?: boolean
}

/**
 * Pages that are filled from above, each block moved to the next page where it does not fit. Its letters are
 * embedded and nothing in it depends on when or where it is made.
 */
export class PdfSheet {
  readonly document: PDFKit.PDFDocument
  #y = margin

  constructor(document: PDFKit.PDFDocument) {
    this.document = document
    document.registerFont(pdfFonts.plain, fontFile('DejaVuSansCondensed'))
    document.registerFont(pdfFonts.bold, fontFile('DejaVuSansCondensed-Bold'))
    document.registerFont(pdfFonts.mono, fontFile('DejaVuSansMono'))
  }

  /** Where the next block begins. */
  get place(): { x: number; y: number } {
    return { x: margin, y: this.#y }
  }

  /** Goes down; on a fresh page where less than `needed` would be left. */
  require(needed: number): void {
    if (this.#y + needed > lowest) this.newPage()
  }

  newPage(): void {
    this.document.addPage()
    this.#y = margin
  }

  skip(height: number): void {
    this.#y += height
  }

  /** A paragraph. @param keep how much must fit beneath it on the same page */
  text(
    text: string,
    {
      size = 9,
      font = pdfFonts.plain,
      color = ink.text,
      after = 4,
      keep = 0,
    }: { size?: number; font?: string; color?: string; after?: number; keep?: number } = {},
  ): void {
    const { document } = this
    document.font(font).fontSize(size)
    const options = { width: textWidth, lineGap: size * 0.18 }
    const height = document.heightOfString(text, options)
    this.require(height + keep)
    document.fillColor(color).text(text, margin, this.#y, options)
    this.#y += height + after
  }

  heading(text: string): void {
    this.require(80)
    this.skip(10)
    this.document
      .moveTo(margin, this.#y)
      .lineTo(margin + textWidth, this.#y)
      .undash()
      .lineWidth(1)
      .stroke(ink.text)
    this.skip(7)
    this.text(text, { size: 13, font: pdfFonts.bold, after: 6 })
  }

  /** A table whose headings are repeated on every page. */
  table(
    title: string,
    columns: readonly PaperColumn[],
    rows: readonly (readonly string[])[],
  ): void {
    this.text(title, { size: 9.5, font: pdfFonts.bold, after: 3, keep: 40 })
    const widths = this.#widths(columns, rows)
    const head = columns.map(({ heading }) => heading)
    this.#row(head, columns, widths, { isHead: true })
    for (const row of rows) {
      if (this.#y + this.#rowHeight(row, columns, widths, false) > lowest) {
        this.newPage()
        this.#row(head, columns, widths, { isHead: true })
      }
      this.#row(row, columns, widths, { isHead: false })
    }
    this.skip(12)
  }

  /** Widths in proportion to what the columns hold, no word narrower than it needs where that is possible. */
  #widths(columns: readonly PaperColumn[], rows: readonly (readonly string[])[]): number[] {
    const { document } = this
    const wanted = columns.map((column, at) => {
      this.#letters(column, false)
      const cells = rows.slice(0, 200).map((row) => document.widthOfString(row[at] ?? ''))
      this.#letters(column, true)
      const words = column.heading.split(' ').map((word) => document.widthOfString(word))
      // A heading of several words takes two lines.
      const heading = document.widthOfString(column.heading) * 0.6
      const widest = Math.max(12, ...cells, ...words, heading)
      return Math.min(widest, column.isNumeric ? 90 : 220) + cellGap
    })
    const sum = wanted.reduce((total, width) => total + width, 0)
    return sum > textWidth ? wanted.map((width) => (width / sum) * textWidth) : wanted
  }

  #letters({ isHash }: PaperColumn, isHead: boolean): void {
    const font = isHead ? pdfFonts.bold : isHash ? pdfFonts.mono : pdfFonts.plain
    this.document.font(font).fontSize(isHash && !isHead ? 6 : 7.2)
  }

  #rowHeight(
    row: readonly string[],
    columns: readonly PaperColumn[],
    widths: readonly number[],
    isHead: boolean,
  ): number {
    const heights = columns.map((column, at) => {
      this.#letters(column, isHead)
      return this.document.heightOfString(row[at] ?? '', { width: (widths[at] ?? 0) - cellGap })
    })
    return Math.max(...heights) + 4
  }

  #row(
    row: readonly string[],
    columns: readonly PaperColumn[],
    widths: readonly number[],
    { isHead }: { isHead: boolean },
  ): void {
    const { document } = this
    const height = this.#rowHeight(row, columns, widths, isHead)
    let x = margin
    for (const [at, column] of columns.entries()) {
      const width = widths[at] ?? 0
      this.#letters(column, isHead)
      const align = column.isNumeric ? ('right' as const) : ('left' as const)
      document
        .fillColor(ink.text)
        .text(row[at] ?? '', x, this.#y + 2, { width: width - cellGap, align })
      x += width
    }
    this.#y += height
    document
      .moveTo(margin, this.#y)
      .lineTo(x - cellGap, this.#y)
      .undash()
      .lineWidth(isHead ? 0.9 : 0.4)
      .stroke(isHead ? ink.text : ink.grid)
  }
}

const cellGap = 8

/** Writes the footer of every page: what the document shows, and where the page stands in it. */
export function writeFooters(document: PDFKit.PDFDocument, text: string): void {
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    // Below the margin a document would begin another page; the footer is no reason to.
    document.page.margins.bottom = 0
    document.font(pdfFonts.plain).fontSize(6.5).fillColor(ink.faint)
    const y = pageHeight - 34
    document.text(text, margin, y, { lineBreak: false })
    const number = `page ${page - start + 1} of ${count}`
    document.text(number, pageWidth - margin - document.widthOfString(number), y, {
      lineBreak: false,
    })
  }
}
