import { drawCharts, ink, type Picture, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { escapeXml } from '@liquidity-os/drawing/markup'
import { drawPicture, pdfFonts } from '@liquidity-os/drawing/pdf'
import { facts, pageOf, plainTable } from '../../../../reports/page.ts'
import { paperOf } from '../../../../reports/paper.ts'
import { type PdfSheet, textWidth } from '../../../../reports/pdf-sheet.ts'
import { simulatedFacts, simulatedLines } from '../../../../reports/simulated.ts'
import { packCharts } from '../charts.ts'
import type { PackRecord } from '../pack-types.ts'
import { type DocumentPart, type PackDocument, packDocument } from './pack-document.ts'

/** A pack version and the requested format. Plain data: crosses a thread boundary. */
export interface DocumentTask {
  readonly record: PackRecord
  readonly format: 'html' | 'pdf'
}

/** Creates the document. Pure: the same version gives the same bytes on every machine. */
export default function makeDocument({ record, format }: DocumentTask): Promise<Uint8Array> {
  const document = packDocument(record)
  const pictures = drawCharts(packCharts(record), usualPaper).map(({ picture }) => picture)
  return format === 'html'
    ? Promise.resolve(Buffer.from(toHtml(document, pictures)))
    : toPdf(record, document, pictures)
}

// Text tables need no decimals.
const noDecimals = { pair: { baseDecimals: 0, quoteDecimals: 0 } }

function toHtml(document: PackDocument, pictures: readonly Picture[]): string {
  const { title, kind, state, parts } = document
  return pageOf(title, [
    `<p class="kind">${escapeXml(kind)}</p>`,
    `<h1>${escapeXml(title)}</h1>`,
    `<p class="state">${escapeXml(state)}</p>`,
    ...simulatedLines(document.simulated),
    facts(document.facts),
    ...pictures.map(
      (picture) =>
        `<figure>\n<h3>${escapeXml(picture.title)}</h3>\n${pictureToSvg(picture).trimEnd()}\n<figcaption>${escapeXml(picture.description)}</figcaption>\n</figure>`,
    ),
    ...parts.map(partToHtml),
  ])
}

const partToHtml = ({ heading, paragraphs, tables }: DocumentPart) =>
  [
    `<h2>${escapeXml(heading)}</h2>`,
    ...paragraphs.map((text) => `<p>${escapeXml(text)}</p>`),
    ...tables.map(({ title, heads, rows }) =>
      plainTable(
        title,
        heads.map(({ text }) => text),
        rows,
        noDecimals,
      ),
    ),
  ].join('\n')

function toPdf(
  record: PackRecord,
  document: PackDocument,
  pictures: readonly Picture[],
): Promise<Uint8Array> {
  const { title, kind, state, facts: known, parts } = document
  const about = {
    title,
    contentHash: record.resourceVersion,
    date: new Date(record.createdAt),
  }
  return paperOf(about, (sheet) => {
    sheet.text(kind, { color: ink.faint, after: 2 })
    sheet.text(title, { size: 17, font: pdfFonts.bold, after: 8, tag: 'H1' })
    sheet.text(state, { size: 10, font: pdfFonts.bold, after: 8 })
    for (const [, text] of simulatedFacts(document.simulated)) {
      sheet.text(text, { size: 10, font: pdfFonts.bold, after: 8 })
    }
    for (const [term, value] of known) {
      sheet.text(`${term}: ${value}`, { size: 7.5, color: ink.faint, after: 1 })
    }
    sheet.skip(8)
    for (const picture of pictures) writePicture(sheet, picture)
    for (const part of parts) writePart(sheet, part)
  })
}

function writePicture(sheet: PdfSheet, picture: Picture): void {
  const scale = textWidth / picture.width
  const height = picture.height * scale
  sheet.text(picture.title, {
    size: 10.5,
    font: pdfFonts.bold,
    after: 5,
    keep: height + 24,
    tag: 'H3' as const,
  })
  sheet.figure(`${picture.title}. ${picture.description}`, height, (place) =>
    drawPicture(sheet.document, picture, place, scale),
  )
  sheet.skip(4)
  sheet.text(picture.description, { size: 7.5, color: ink.faint, after: 8 })
}

function writePart(sheet: PdfSheet, { heading, paragraphs, tables }: DocumentPart): void {
  sheet.heading(heading)
  for (const text of paragraphs) sheet.text(text)
  for (const { title, heads, rows } of tables) {
    sheet.table(
      title,
      heads.map(({ text, isHash = false }) => ({ heading: text, isNumeric: false, isHash })),
      rows,
    )
  }
}
