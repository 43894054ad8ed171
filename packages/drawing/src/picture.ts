/** A chart as a list of shapes for screens and paper. 72 units are one inch on paper; y grows downward. */
export interface Picture {
  /** Name within its report: lower-case letters, digits, dots and hyphens. */
  readonly id: string
  readonly title: string
  /** Text alternative for readers who cannot see the chart. */
  readonly description: string
  readonly width: number
  readonly height: number
  /** Background color. Default: white. */
  readonly paper?: string
  readonly shapes: readonly Shape[]
  /** Points for pointer and keyboard; screens only. */
  readonly spots?: readonly Spot[]
}

/** Area of a table row in the chart; pointing at it shows the values of the row. */
export interface Spot extends Point {
  /** Group of the row: a candidate, a side or a scenario. */
  readonly series: string
  /** Row of the table, from 0. */
  readonly row: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Stroke {
  /** `#rrggbb` */
  readonly color: string
  readonly width: number
  /** Lengths of dash and gap; a solid line if absent. */
  readonly dash?: readonly number[]
}

export const markForms = ['circle', 'square', 'triangle', 'diamond', 'cross'] as const
export type MarkForm = (typeof markForms)[number]

export type Shape =
  | {
      readonly kind: 'rect'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly fill: string | null
      readonly stroke?: Stroke
    }
  | { readonly kind: 'line'; readonly points: readonly Point[]; readonly stroke: Stroke }
  | {
      readonly kind: 'area'
      readonly points: readonly Point[]
      readonly fill: string
      /** 0..1 */
      readonly opacity: number
    }
  | {
      readonly kind: 'mark'
      readonly form: MarkForm
      readonly x: number
      readonly y: number
      /** From edge to edge. */
      readonly size: number
      readonly color: string
      readonly isHollow: boolean
      /** Inside of a hollow mark. Default: white. */
      readonly fill?: string
    }
  | {
      readonly kind: 'text'
      readonly x: number
      /** Baseline of the text. */
      readonly y: number
      readonly text: string
      readonly size: number
      readonly anchor: 'start' | 'middle' | 'end'
      readonly color: string
      readonly isBold: boolean
      /** Outline behind the text, so that it stays legible over lines. */
      readonly halo?: string
    }

/** A line of text. Default: black, 10 units, anchored at its start. */
export function textAt(
  x: number,
  y: number,
  text: string,
  more: Partial<Omit<Extract<Shape, { kind: 'text' }>, 'kind' | 'x' | 'y' | 'text'>> = {},
): Shape {
  const plain = { size: 10, anchor: 'start', color: ink.text, isBold: false } as const
  return { kind: 'text', x, y, text, ...plain, ...more }
}

/** A straight line. */
export function lineBetween(from: Point, to: Point, stroke: Stroke): Shape {
  return { kind: 'line', points: [from, to], stroke }
}

/** Maximum width of a box, so that hatching always ends. */
const widestHatching = 4000

/** Diagonal lines that fill a rectangle. In black and white they differ from a solid fill. */
export function hatch(
  box: { x: number; y: number; width: number; height: number },
  color: string,
  gap = 4,
): Shape[] {
  const { x, y, width, height } = box
  const lines: Shape[] = []
  const end = Math.min(width + height, widestHatching)
  for (let offset = gap; offset < end; offset += gap) {
    // From the lower left to the upper right, cut at the edges.
    const from = offset <= height ? { x, y: y + offset } : { x: x + offset - height, y: y + height }
    const to = offset <= width ? { x: x + offset, y } : { x: x + width, y: y + offset - width }
    lines.push(lineBetween(from, to, { color, width: 0.8 }))
  }
  return lines
}

/** Corners of a mark, or null for a circle. */
export function cornersOf(form: MarkForm, { x, y }: Point, size: number): Point[] | null {
  const r = size / 2
  switch (form) {
    case 'circle':
    case 'cross':
      return null
    case 'square':
      return [
        { x: x - r, y: y - r },
        { x: x + r, y: y - r },
        { x: x + r, y: y + r },
        { x: x - r, y: y + r },
      ]
    case 'triangle':
      return [
        { x, y: y - r },
        { x: x + r, y: y + r },
        { x: x - r, y: y + r },
      ]
    case 'diamond':
      return [
        { x, y: y - r * 1.2 },
        { x: x + r * 1.2, y },
        { x, y: y + r * 1.2 },
        { x: x - r * 1.2, y },
      ]
  }
}

/** Colors of everything except data. */
export const ink = {
  text: '#1a1a1a',
  faint: '#595959',
  grid: '#e2e2e2',
  axis: '#767676',
  paper: '#ffffff',
} as const

/** Color, dashes and mark that identify a series. */
export interface SeriesStyle {
  readonly color: string
  readonly dash: readonly number[]
  readonly mark: MarkForm
}

/**
 * Colors that differ for every color vision. Neighbors also differ in lightness. Yellow is absent: its contrast on white
 * is too low.
 *
 * @see Okabe & Ito, “Color Universal Design” (2008)
 */
const colors = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#000000',
  '#e69f00',
  '#56b4e9',
] as const
const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2], [12, 3], [1, 3]] as const
const marks = ['circle', 'square', 'triangle', 'diamond'] as const

/** Style of a series by its index, from 0. */
export function styleOf(index: number): SeriesStyle {
  // The remainder is always a valid index.
  return {
    color: colors[index % colors.length]!,
    dash: dashes[index % dashes.length]!,
    mark: marks[index % marks.length]!,
  }
}

/** Colors of gains, losses and totals. Losses are also hatched, totals outlined. */
export const amountColors = { gain: '#0072b2', loss: '#d55e00', net: '#4d4d4d' } as const

/** Approximate width of a text by the advance widths of DejaVu Sans, which is wider than common screen fonts. */
export function widthOf(text: string, size: number, isBold = false): number {
  let ems = 0
  for (const letter of text) {
    if (/[ijl.,:;'|!’·]/.test(letter)) ems += 0.3
    else if (/[ ftr()\-−/[\]]/.test(letter)) ems += 0.38
    else if (/[mwMW%@—→]/.test(letter)) ems += 0.95
    else if (/[A-Z0-9_]/.test(letter)) ems += 0.66
    else ems += 0.6
  }
  return ems * size * (isBold ? 1.1 : 1)
}

/** Bounding box of a line of text. */
export interface TextBox {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function textBox(shape: Extract<Shape, { kind: 'text' }>): TextBox {
  const { text, x, y, size, anchor, isBold } = shape
  const width = widthOf(text, size, isBold)
  const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x
  return { text, left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.2 }
}

export const overlaps = (a: TextBox, b: TextBox): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The text, cut with an ellipsis if it exceeds the available width. */
export function fitText(text: string, width: number, size: number, isBold = false): string {
  if (widthOf(text, size, isBold) <= width) return text
  const letters = [...text]
  while (letters.length > 1 && widthOf(`${letters.join('')}…`, size, isBold) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** Lines of a text, broken between words. A word wider than a line is cut. */
export function wrapText(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`, size) <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(fitText(word, width, size))
  }
  return lines
}

/** Lines with the complete text: broken between words, and within a word wider than a line. */
export function breakText(text: string, width: number, size: number, isBold = false): string[] {
  const isFitting = (line: string) => widthOf(line, size, isBold) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`
    if (isFitting(next)) line = next
    else {
      if (line !== '') lines.push(line)
      line = ''
      for (const letter of word) {
        if (line !== '' && !isFitting(`${line}${letter}`)) {
          lines.push(line)
          line = ''
        }
        line += letter
      }
    }
  }
  return line === '' ? lines : [...lines, line]
}
