import { createRequire } from 'node:module'
import { ink } from '@liquidity-os/drawing'
import { pdfFonts } from '@liquidity-os/drawing/pdf'
import { required } from '../required.ts'

const require = createRequire(import.meta.url)
const fontFile = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

const margin = 40
const pageWidth = 595.28
const pageHeight = 841.89
/** Lower text limit, which reserves space for the footer. */
const lowest = pageHeight - 56

export const textWidth = pageWidth - 2 * margin

/** A column of a PDF table. */
export interface PaperColumn {
  readonly heading: string
  readonly isNumeric: boolean
  readonly isHash?: boolean
}

/** PDF structure tag of a text block, for screen readers. */
type TextTag = 'H1' | 'H2' | 'H3' | 'P'

/**
 * Fills pages from the top; a block that does not fit moves to the next page. Fonts are embedded,
 * and the output is independent of time and machine. Every block is tagged for screen readers;
 * lines and footers are artifacts.
 */
export class PdfSheet {
  readonly document: PDFKit.PDFDocument
  readonly #root: PDFKit.PDFStructureElement
  #y = margin

  constructor(document: PDFKit.PDFDocument) {
    this.document = document
    this.#root = document.struct('Document')
    document.addStructure(this.#root)
    document.registerFont(pdfFonts.plain, fontFile('DejaVuSansCondensed'))
    document.registerFont(pdfFonts.bold, fontFile('DejaVuSansCondensed-Bold'))
    document.registerFont(pdfFonts.mono, fontFile('DejaVuSansMono'))
  }

  get place(): { x: number; y: number } {
    return { x: margin, y: this.#y }
  }

  /** Starts a new page if fewer than `needed` points remain. */
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

  /**
   * A paragraph.
   *
   * @param keep height that must fit below it on the same page
   */
  text(
    text: string,
    {
      size = 9,
      font = pdfFonts.plain,
      color = ink.text,
      after = 4,
      keep = 0,
      tag = 'P',
    }: {
      size?: number
      font?: string
      color?: string
      after?: number
      keep?: number
      tag?: TextTag
    } = {},
  ): void {
    const { document } = this
    document.font(font).fontSize(size)
    const options = { width: textWidth, lineGap: size * 0.18 }
    const height = document.heightOfString(text, options)
    this.require(height + keep)
    const write = () => document.fillColor(color).text(text, margin, this.#y, options)
    this.#root.add(structure(document, tag, {}, write))
    this.#y += height + after
  }

  heading(text: string): void {
    this.require(80)
    this.skip(10)
    this.#rule(margin + textWidth, 1, ink.text)
    this.skip(7)
    this.text(text, { size: 13, font: pdfFonts.bold, after: 6, tag: 'H2' })
  }

  /**
   * A chart of the given height at the next block position, with alternative text for screen
   * readers.
   */
  figure(words: string, height: number, draw: (place: { x: number; y: number }) => void): void {
    const { place } = this
    const bbox: [number, number, number, number] = [
      ...([place.x, place.y] as const),
      ...([place.x + textWidth, place.y + height] as const),
    ]
    this.#root.add(structure(this.document, 'Figure', { alt: words, bbox }, () => draw(place)))
    this.skip(height)
  }

  end(): void {
    this.#root.end()
  }

  /** A table whose headings are repeated on every page. */
  table(
    title: string,
    columns: readonly PaperColumn[],
    rows: readonly (readonly string[])[],
  ): void {
    this.text(title, { size: 9.5, font: pdfFonts.bold, after: 3, keep: 40, tag: 'H3' })
    const table = this.document.struct('Table')
    this.#root.add(table)
    const widths = this.#widths(columns, rows)
    const head = columns.map(({ heading }) => heading)
    this.#row(head, columns, widths, { isHead: true, table })
    for (const row of rows) {
      if (this.#y + this.#rowHeight(row, columns, widths, false) > lowest) {
        this.newPage()
        // Screen readers have read it on the previous page.
        this.#row(head, columns, widths, { isHead: true, table: null })
      }
      this.#row(row, columns, widths, { isHead: false, table })
    }
    this.skip(12)
  }

  /** Column widths in proportion to content, without breaking words if possible. */
  #widths(columns: readonly PaperColumn[], rows: readonly (readonly string[])[]): number[] {
    const { document } = this
    const min: number[] = []
    const wanted = columns.map((column, at) => {
      this.#setCellFont(column, false)
      const cells = rows
        .slice(0, 200)
        .map((row) => document.widthOfString(required(row[at], 'cell')))
      this.#setCellFont(column, true)
      const words = column.heading.split(' ').map((word) => document.widthOfString(word))
      // A heading of several words takes two lines.
      const heading = document.widthOfString(column.heading) * 0.6
      min.push(Math.max(12, ...words, ...(column.isNumeric ? cells : [])) + cellGap)
      const widest = Math.max(12, ...cells, ...words, heading)
      return Math.min(widest, column.isNumeric ? 90 : column.isHash ? 260 : 220) + cellGap
    })
    const sum = wanted.reduce((total, width) => total + width, 0)
    if (sum <= textWidth) return wanted
    // Excess width is taken from columns with breakable text first.
    const minWidth = min.reduce((total, width) => total + width, 0)
    if (minWidth >= textWidth) return wanted.map((width) => (width / sum) * textWidth)
    const share = (textWidth - minWidth) / (sum - minWidth)
    return wanted.map((width, at) => {
      const narrow = Math.min(width, min[at] ?? width)
      return narrow + (width - narrow) * share
    })
  }

  #setCellFont({ isHash }: PaperColumn, isHead: boolean): void {
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
      this.#setCellFont(column, isHead)
      return this.document.heightOfString(required(row[at], 'cell'), {
        width: (widths[at] ?? 0) - cellGap,
      })
    })
    return Math.max(...heights) + 4
  }

  #row(
    row: readonly string[],
    columns: readonly PaperColumn[],
    widths: readonly number[],
    { isHead, table }: { isHead: boolean; table: PDFKit.PDFStructureElement | null },
  ): void {
    const { document } = this
    const line = table === null ? null : document.struct('TR')
    if (line !== null) table?.add(line)
    const height = this.#rowHeight(row, columns, widths, isHead)
    let x = margin
    for (const [at, column] of columns.entries()) {
      const width = widths[at] ?? 0
      this.#setCellFont(column, isHead)
      const align = column.isNumeric ? ('right' as const) : ('left' as const)
      const [text, left, top] = [required(row[at], 'cell'), x, this.#y + 2]
      const write = () =>
        document.fillColor(ink.text).text(text, left, top, { width: width - cellGap, align })
      if (line === null) this.#unheard(write)
      else if (isHead) line.add(structure(document, 'TH', { scope: 'Column' }, write))
      else line.add(structure(document, 'TD', {}, write))
      x += width
    }
    this.#y += height
    this.#rule(x - cellGap, isHead ? 0.9 : 0.4, isHead ? ink.text : ink.grid)
  }

  /** A line from the margin to a place. */
  #rule(to: number, width: number, color: string): void {
    const { document } = this
    const y = this.#y
    this.#unheard(() =>
      document.moveTo(margin, y).lineTo(to, y).undash().lineWidth(width).stroke(color),
    )
  }

  #unheard(draw: () => unknown): void {
    this.document.markContent('Artifact', { type: 'Layout' })
    draw()
    this.document.endMarkedContent()
  }
}

const cellGap = 8

/** A tagged part of a document, written when it is added to the whole. */
function structure(
  document: PDFKit.PDFDocument,
  tag: string,
  options: { alt?: string; scope?: 'Column'; bbox?: [number, number, number, number] },
  write: () => unknown,
): PDFKit.PDFStructureElement {
  // The library writes scope and bbox, but its types lack them.
  return document.struct(tag, options as object, write)
}

export function writeFooters(document: PDFKit.PDFDocument, text: string): void {
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    // Text below the margin would start a new page; the footer must not.
    document.page.margins.bottom = 0
    document.markContent('Artifact', { type: 'Pagination' })
    document.font(pdfFonts.plain).fontSize(6.5).fillColor(ink.faint)
    const y = pageHeight - 34
    document.text(text, margin, y, { lineBreak: false })
    const number = `page ${page - start + 1} of ${count}`
    document.text(number, pageWidth - margin - document.widthOfString(number), y, {
      lineBreak: false,
    })
    document.endMarkedContent()
  }
}
