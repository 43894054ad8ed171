import { escapeXml } from './markup.ts'
import { cornersOf, type Picture, type Point, type Shape, type Stroke } from './picture.ts'
import { spotsToSvg } from './spots.ts'

/** Font stack: first the font that the PDF embeds, then common fallbacks. */
const font = "'DejaVu Sans', Verdana, Arial, sans-serif"

/**
 * A picture as SVG with attributes only: no style sheet, script or external resource. So it works
 * standalone and under the strictest content security policy. The same picture gives the same text.
 *
 * @throws RangeError for a coordinate that is not finite
 */
export function pictureToSvg(picture: Picture): string {
  const { id, title, description, width, height, spots = [] } = picture
  const [titleId, descriptionId] = [`${id}-title`, `${id}-desc`]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${at(width)} ${at(height)}" role="img" aria-labelledby="${titleId} ${descriptionId}" font-family="${font}">`,
    `<title id="${titleId}">${escapeXml(title)}</title>`,
    `<desc id="${descriptionId}">${escapeXml(description)}</desc>`,
    ...(spots.length > 0 ? [spotsToSvg(spots)] : []),
    `<rect width="${at(width)}" height="${at(height)}" fill="${picture.paper ?? '#ffffff'}"/>`,
    ...picture.shapes.map(shapeToSvg),
    '</svg>',
    '',
  ].join('\n')
}

function shapeToSvg(shape: Shape): string {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, fill, stroke } = shape
      return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${fill ?? 'none'}"${strokeToSvg(stroke)}/>`
    }
    case 'line':
      return `<polyline points="${pointsToSvg(shape.points)}" fill="none" stroke-linejoin="round"${strokeToSvg(shape.stroke)}/>`
    case 'area':
      return `<polygon points="${pointsToSvg(shape.points)}" fill="${shape.fill}" fill-opacity="${at(shape.opacity, 2)}"/>`
    case 'mark':
      return markToSvg(shape)
    case 'text': {
      const { x, y, text, size, anchor, color, isBold, halo } = shape
      const attributes = [
        `x="${at(x)}" y="${at(y)}" font-size="${at(size)}" fill="${color}"`,
        anchor === 'start' ? '' : ` text-anchor="${anchor}"`,
        isBold ? ' font-weight="bold"' : '',
        halo === undefined
          ? ''
          : ` stroke="${halo}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"`,
      ]
      return `<text ${attributes.join('')}>${escapeXml(text)}</text>`
    }
  }
}

function markToSvg(mark: Extract<Shape, { kind: 'mark' }>): string {
  const { form, x, y, size, color, isHollow, fill = '#ffffff' } = mark
  const r = size / 2
  const paint = isHollow ? `fill="${fill}" stroke="${color}" stroke-width="1.4"` : `fill="${color}"`
  if (form === 'circle') return `<circle cx="${at(x)}" cy="${at(y)}" r="${at(r)}" ${paint}/>`
  if (form === 'cross') {
    return `<path d="M${at(x - r)} ${at(y - r)}L${at(x + r)} ${at(y + r)}M${at(x - r)} ${at(y + r)}L${at(x + r)} ${at(y - r)}" stroke="${color}" stroke-width="1.6" fill="none"/>`
  }
  return `<polygon points="${pointsToSvg(cornersOf(form, mark, size) ?? [])}" ${paint}/>`
}

function strokeToSvg(stroke: Stroke | undefined): string {
  if (stroke === undefined) return ''
  const { color, width, dash = [] } = stroke
  const dashes =
    dash.length === 0 ? '' : ` stroke-dasharray="${dash.map((one) => at(one)).join(' ')}"`
  return ` stroke="${color}" stroke-width="${at(width)}"${dashes}`
}

const pointsToSvg = (points: readonly Point[]) =>
  points.map(({ x, y }) => `${at(x)},${at(y)}`).join(' ')

/** A coordinate with one decimal, which is finer than any printer; never an exponent or a minus zero. */
export function at(value: number, decimals = 1): string {
  if (!Number.isFinite(value)) throw new RangeError(`A chart has the coordinate ${value}.`)
  const fixed = value.toFixed(decimals)
  const short = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed
  return short === '-0' ? '0' : short
}
