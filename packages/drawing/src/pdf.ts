import { cornersOf, type Picture, type Point, type Shape, type Stroke } from './picture.ts'

export const pdfFonts = { plain: 'plain', bold: 'bold', mono: 'mono' } as const

/**
 * Draws a picture as vector graphics and text of a document.
 *
 * @param place upper left corner, points
 * @param scale points per unit of the picture
 */
export function drawPicture(
  document: PDFKit.PDFDocument,
  picture: Picture,
  place: Point,
  scale: number,
): void {
  document.save()
  document.translate(place.x, place.y).scale(scale)
  const { paper, width, height } = picture
  if (paper !== undefined) document.rect(0, 0, width, height).fill(paper)
  for (const shape of picture.shapes) drawShape(document, shape)
  document.restore()
}

function drawShape(document: PDFKit.PDFDocument, shape: Shape): void {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, fill, stroke } = shape
      if (fill !== null) document.rect(x, y, width, height).fill(fill)
      if (stroke) paintStroke(document.rect(x, y, width, height), stroke)
      return
    }
    case 'line':
      if (shape.points.length > 1) paintStroke(trace(document, shape.points), shape.stroke)
      return
    case 'area':
      document.save().fillOpacity(shape.opacity)
      trace(document, shape.points).closePath().fill(shape.fill)
      document.restore()
      return
    case 'mark':
      drawMark(document, shape)
      return
    case 'text':
      drawText(document, shape)
      return
  }
}

function drawMark(document: PDFKit.PDFDocument, mark: Extract<Shape, { kind: 'mark' }>): void {
  const { form, x, y, size, color, isHollow, fill = '#ffffff' } = mark
  const r = size / 2
  if (form === 'cross') {
    document.moveTo(x - r, y - r).lineTo(x + r, y + r)
    paintStroke(document.moveTo(x - r, y + r).lineTo(x + r, y - r), { color, width: 1.6 })
    return
  }
  const corners = cornersOf(form, mark, size)
  const path = corners ? trace(document, corners).closePath() : document.circle(x, y, r)
  if (isHollow) path.lineWidth(1.4).undash().fillAndStroke(fill, color)
  else path.fill(color)
}

function drawText(
  document: PDFKit.PDFDocument,
  { x, y, text, size, anchor, color, isBold, halo }: Extract<Shape, { kind: 'text' }>,
): void {
  document.font(isBold ? pdfFonts.bold : pdfFonts.plain).fontSize(size)
  const width = document.widthOfString(text)
  const left = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width
  const options = { lineBreak: false, baseline: 'alphabetic' } as const
  if (halo !== undefined) {
    document.rect(left - 1.5, y - size * 0.8, width + 3, size * 1.05).fill(halo)
  }
  document.fillColor(color).text(text, left, y, options)
}

function trace(document: PDFKit.PDFDocument, points: readonly Point[]): PDFKit.PDFDocument {
  for (const [index, { x, y }] of points.entries()) {
    if (index === 0) document.moveTo(x, y)
    else document.lineTo(x, y)
  }
  return document
}

function paintStroke(path: PDFKit.PDFDocument, { color, width, dash = [] }: Stroke): void {
  if (dash.length === 0) path.undash()
  // The library takes lists of lengths too; its types do not say so.
  else path.dash([...dash] as unknown as number, {})
  path.lineJoin('round').lineWidth(width).stroke(color)
}
